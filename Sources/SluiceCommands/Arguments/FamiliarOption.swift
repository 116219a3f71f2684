/// Options that other programs have by these names, and what stands for them here.
enum FamiliarOption {
    /// What to write in place of an option that other programs have.
    ///
    /// - Parameters:
    ///   - name: The option as it was written, such as `--dry-run`.
    ///   - command: The command that it was written for.
    /// - Returns: A sentence that begins with a blank; nil where nothing stands for it.
    static func remedy(_ name: String, _ command: CommandSpec) -> String? {
        func has(_ option: String) -> Bool { command.optionSpecs.contains { $0.name == option } }
        switch name {
        case "--json", "--csv", "--html", "--markdown":
            return has("--format") ? " Write `--format \(name.dropFirst(2))`." : nil
        case "--verbose", "--debug", "-v":
            return has("--log-level") ? " Write `--log-level debug`." : nil
        case "--dry-run", "-n":
            if has("--plan") { return " Write `--plan`." }
            switch command.name {
            case "run": return " `sluice plan` shows what a run would do."
            case "apply": return " `sluice show FILE` shows what the plan does."
            default: return nil
            }
        default: return nil
        }
    }
}

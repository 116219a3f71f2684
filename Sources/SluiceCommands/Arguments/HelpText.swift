/// The help of the program, a group or a command, made from the specifications.
package struct HelpText {
    private static let width = 96
    private var text = ""

    /// The help for the words of a command or group; for no words, of the program.
    package static func of(_ path: [String]) -> String {
        if let command = CommandSpec.all.first(where: { $0.path == path }) { return HelpText(command).text }
        if let group = CommandGroup.all.first(where: { [$0.name] == path }) { return HelpText(group).text }
        return HelpText().text
    }

    private init() {
        text =
            "Sluice keeps a database in step with remote JSON. It merges what a source says into tables that people\n"
        text += "may edit, and shows every change field by field.\n"
        section("Usage", ["sluice COMMAND [options]"])
        // A command that begins with another one's name belongs to no group.
        let groups = CommandGroup.all.map(\.name)
        var rows = CommandSpec.all.filter { !groups.contains($0.path[0]) }.map { ($0.name, $0.summary) }
        let groupRows = CommandGroup.all.map { group in
            (group.name + " …", group.summary + ": " + group.commands.map { $0.path[1] }.joined(separator: ", "))
        }
        rows.insert(contentsOf: groupRows, at: max(0, rows.count - 1))
        table("Commands", rows)
        options([.help, .version])
        section(
            "Examples",
            [
                "sluice init https://api.example.com/books", "sluice plan pipelines/bookshop.yaml", "sluice run",
                "sluice help run",
            ])
    }

    private init(_ group: CommandGroup) {
        text = wrapped(group.description, indent: 0)
        section("Usage", ["sluice \(group.name) COMMAND [options]"])
        table("Commands", group.commands.map { ($0.path.dropFirst().joined(separator: " "), $0.summary) })
        options([.help])
        section("Examples", group.commands.flatMap(\.examples))
    }

    private init(_ command: CommandSpec) {
        text = wrapped(command.description, indent: 0)
        let operands = command.allOperands
        section("Usage", [command.usage])
        let longer = command.longerCommands
        if !longer.isEmpty {
            table("Commands", longer.map { ($0.path.dropFirst(command.path.count).joined(separator: " "), $0.summary) })
        }
        if !operands.isEmpty { table("Arguments", operands.map { ($0.name, $0.help) }) }
        options(command.options, of: command)
        table("Exit codes", command.exitCodes.map { (String($0.rawValue), command.meaning(of: $0)) })
        section("Examples", command.examples)
    }

    private mutating func options(_ ids: [OptionSpec.ID], of command: CommandSpec? = nil) {
        let specs = OptionSpec.all.filter { ids.contains($0.id) }
        table(
            "Options",
            specs.map { option in
                let letter = option.letter.map { "-\($0), " } ?? "    "
                return (
                    letter + option.name + (option.valueWords.map { " " + $0 } ?? ""),
                    command?.help(of: option) ?? option.help
                )
            })
    }

    private mutating func section(_ title: String, _ lines: [String]) {
        text += "\n\(title):\n" + lines.map { "  \($0)\n" }.joined()
    }

    private mutating func table(_ title: String, _ rows: [(String, String)]) {
        let column = (rows.map(\.0.count).max() ?? 0) + 4
        text += "\n\(title):\n"
        for (name, help) in rows {
            let start = "  " + name + String(repeating: " ", count: column - name.count - 2)
            text += start + wrapped(help, indent: column)
        }
    }

    /// Lines of words, all but the first one indented.
    private func wrapped(_ paragraph: String, indent: Int) -> String {
        var lines = ""
        var line = ""
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > Self.width {
                lines += line + "\n" + String(repeating: " ", count: indent)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return lines + line + "\n"
    }
}

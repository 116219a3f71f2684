internal import SluiceDiagnostics
package import SluicePipeline
internal import SluiceSystem

/// Looks at the programs that a pipeline tells how its runs end, and starts none.
package enum HookCheckup {
    /// Checks the programs of `notify`.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - environment: The variables of the process.
    /// - Returns: What was found of each program, once.
    package static func findings(of pipeline: PipelineDefinition, environment: [String: String]) -> [CheckupFinding] {
        var seen: Set<String> = []
        return pipeline.notifications.compactMap { notification in
            guard case .command(let words) = notification.channel, let program = words.first,
                seen.insert(program.revealed).inserted
            else { return nil }
            let name = "`\(PrintableText.escape(program.description))`"
            return switch state(of: program.revealed, path: environment["PATH"] ?? "") {
            case .startable: CheckupFinding(subject, .good, "\(name) can be started.")
            case .forbidden:
                CheckupFinding(
                    subject, .doubtful,
                    "\(name) may not be started by this user. Make it executable, as with `chmod +x`.")
            case .missing:
                CheckupFinding(
                    subject, .doubtful,
                    program.revealed.contains("/")
                        ? "\(name) does not exist. Check `command`; relative paths start at the pipeline's file."
                        : "\(name) is in no folder of PATH. Name it with its folder.")
            }
        }
    }

    private static let subject = "notify"

    private enum State { case startable, forbidden, missing }

    /// A name without a slash is looked up in the folders of `PATH`, as when it is started.
    private static func state(of program: String, path: String) -> State {
        let places =
            program.contains("/")
            ? [program] : path.split(separator: ":").map { FileSystem.resolve(program, in: String($0)) }
        if places.contains(where: FileSystem.isExecutable) { return .startable }
        return places.contains { FileSystem.kind(of: $0) != nil } ? .forbidden : .missing
    }
}

internal import SluiceDiagnostics
internal import SluicePipeline

/// `sluice validate`: the problems of pipeline files.
struct ValidateCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let output = try invocation.openOutput()
        let pipelines = PipelineSet(invocation, mode: .validate)
        let isStrict = invocation.arguments.has(.strict)
        let isInvalid = pipelines.hasErrors || (isStrict && pipelines.problems.contains { $0.severity == .warning })
        if invocation.arguments.isJSON {
            try output.write(ProblemsJSON.text(pipelines.problems))
        } else {
            let style = invocation.style(for: output)
            try output.write(ProblemsText(style: style).text(pipelines.problems))
            if !invocation.arguments.isQuiet { try output.write(conclusion(pipelines) + "\n") }
        }
        try output.finish()
        return isInvalid ? .invalidPipeline : .done
    }

    private func conclusion(_ pipelines: PipelineSet) -> String {
        let errors = pipelines.problems.count { $0.severity == .error }
        let warnings = pipelines.problems.count { $0.severity == .warning }
        let files = CountText.of(pipelines.fileCount, "pipeline file")
        let verb = pipelines.fileCount == 1 ? "is" : "are"
        let counts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { CountText.of($0.0, $0.1) }
        if counts.isEmpty { return "\(files) \(verb) valid." }
        let place = pipelines.fileCount == 0 ? "" : " in \(files)"
        return errors > 0
            ? "\(counts.joined(separator: " and "))\(place)."
            : "\(files) \(verb) valid, with \(counts.joined())."
    }
}

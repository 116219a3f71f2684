internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceReport
internal import SluiceSync

/// `sluice validate`: the problems of pipeline files.
struct ValidateCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let output = try invocation.openOutput()
        let pipelines = PipelineSet(invocation, mode: .validate)
        let isStrict = invocation.arguments.has(.strict)
        let problems =
            pipelines.problems + ScheduleProblems.cycles(of: pipelines.definitions)
            + problemsOfStore(pipelines.definitions)
        let isInvalid = problems.contains { $0.severity == .error || isStrict && $0.severity == .warning }
        let explained = invocation.arguments.has(.explain) ? pipelines.definitions : nil
        if invocation.arguments.isJSON {
            try output.write(ProblemsJSON.text(problems, explaining: explained))
        } else {
            let style = invocation.style(for: output)
            try output.write(ProblemsText(style: style).text(problems))
            if invocation.writesResult(to: output) {
                if let explained { try output.write(FeaturesText(style: style).text(explained)) }
                try output.write(conclusion(problems, fileCount: pipelines.fileCount) + "\n")
            }
        }
        try output.finish()
        return isInvalid ? .invalidPipeline : .done
    }

    /// What the pipelines and a store that is named would not agree on.
    private func problemsOfStore(_ pipelines: [PipelineDefinition]) -> [Diagnostic] {
        guard let store = invocation.arguments.store else { return [] }
        return pipelines.flatMap { pipeline in
            var options = SyncOptions(
                store: store, command: .plan, version: Sluice.version,
                cancellation: invocation.context.cancellation)
            options.companions = Companions(of: pipeline.name, among: pipelines)
            return SyncEngine.problemsOfNames(of: pipeline, options: options).map { problem in
                Diagnostic(
                    code: DiagnosticCode(rawValue: problem.code),
                    severity: problem.severity == .error ? .error : .warning, summary: "Store and pipeline differ",
                    detail: problem.message, location: SourceLocation(file: pipeline.file))
            }
        }
    }

    private func conclusion(_ problems: [Diagnostic], fileCount: Int) -> String {
        let errors = problems.count { $0.severity == .error }
        let warnings = problems.count { $0.severity == .warning }
        let files = CountText.of(fileCount, "pipeline file")
        let verb = CountText.word(fileCount, "is", "are")
        let counts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { CountText.of($0.0, $0.1) }
        if counts.isEmpty { return "\(files) \(verb) valid." }
        let place = fileCount == 0 ? "" : " in \(files)"
        return errors > 0
            ? "\(counts.joined(separator: " and "))\(place)."
            : "\(files) \(verb) valid, with \(counts.joined())."
    }
}

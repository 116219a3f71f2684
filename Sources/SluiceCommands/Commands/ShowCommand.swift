internal import SluiceFetch
internal import SluiceReport
internal import SluiceSystem

/// `sluice show`: writes what a saved plan shows, in any form of reports.
struct ShowCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    func run() throws -> ExitCode {
        let path = arguments.operands.first ?? ""
        do {
            let plan = try PlanFileReader(path)
            let saved = try SavedReport(json: plan.report())
            return try show(plan, saved, path)
        } catch let error as SyncError {
            throw Failure(error.code == .planRefused ? .refused : .failed, error.message)
        }
    }

    private func show(_ plan: PlanFileReader, _ saved: SavedReport, _ path: String) throws -> ExitCode {
        let output = try invocation.openOutput()
        let cancellation = invocation.context.cancellation
        output.end(with: cancellation)
        let document = try invocation.document(for: output)
        try document.begin(nil, count: 1, to: output)
        try document.separate(isFirst: true, to: output)
        let recorder = document.recorder(
            for: ReportSubject(
                pipeline: plan.head.pipeline, families: EntityFamilies(saved.families),
                commands: CommandLines(
                    storeOption: saved.storeOption, pipeline: nil, savedPlan: path,
                    keepsAnswers: plan.keepsAnswers),
                listsNewTables: arguments.text(.changes) != nil,
                progressLine: ProgressLine(sink: nil, pipeline: plan.head.pipeline, log: nil)))
        var retelling = PlanRetelling()
        var line = WorkProgressLine(invocation)
        defer { line.erase() }
        try retelling.report(plan, to: recorder) {
            try cancellation.check()
            line.show("reading the plan of \(plan.head.pipeline)", $0, "change")
        }
        line.erase()
        var report = saved.report
        report.savedAs = path
        try recorder.write(report, seconds: saved.seconds, to: output)
        try document.end(to: output)
        try output.finish()
        return .done
    }
}

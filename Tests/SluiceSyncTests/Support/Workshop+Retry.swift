import SluiceReport
import SluiceStore
import SluiceStores
import SluiceSync
import SluiceSystem

extension Workshop {
    /// Plans a retry, checks that the plan left no trace, does it and checks that both said the same.
    func retry(
        _ selection: QuarantineSelection = QuarantineSelection(), stream: String? = nil
    ) throws -> (report: RunReport, recorder: Recorder) {
        let before = storeFiles()
        let plan = retryOnly(.plan, selection, stream: stream)
        guard storeFiles() == before else { throw Disagreement(what: "the plan changed the store") }
        let run = retryOnly(.run, selection, stream: stream)
        guard plan.report.summary == run.report.summary, plan.report.status == run.report.status,
            plan.report.retry == run.report.retry, plan.report.problems == run.report.problems,
            plan.recorder.told == run.recorder.told
        else { throw Disagreement(what: "plan \(plan.report), run \(run.report)") }
        return run
    }

    private func retryOnly(
        _ command: RunReport.Command, _ selection: QuarantineSelection, stream: String?
    ) -> (report: RunReport, recorder: Recorder) {
        let recorder = Recorder()
        var options = SyncOptions(
            store: database.address, command: command, version: "test", cancellation: Cancellation())
        options.retry = selection
        options.streams = stream.map { [$0] } ?? []
        return (SyncEngine(pipeline: pipeline, options: options, observer: recorder).run(), recorder)
    }

    /// The quarantine as in `1 {"id":1} type_mismatch open`.
    var quarantine: [String] {
        get throws {
            try rows(
                "SELECT id || ' ' || coalesce(key, '-') || ' ' || reason || ' ' || status FROM _sluice_quarantine ORDER BY id"
            ).map { String($0.dropFirst().dropLast()) }
        }
    }
}

extension RunReport {
    /// What a retry came to, as in `left 2, stayed 1, refused 4`.
    var retryText: String {
        guard let retry else { return "no retry" }
        let refused = retry.refused.map { String($0.id) }.joined(separator: " ")
        return "left \(retry.left), stayed \(retry.stayed), refused \(refused.isEmpty ? "none" : refused)"
    }
}

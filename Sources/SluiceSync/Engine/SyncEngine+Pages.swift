internal import SluiceDecode
internal import SluiceHTTP
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// Runs that keep every page as soon as it is merged.
extension SyncEngine {
    /// Whether this run does.
    package var keepsPages: Bool {
        // What a plan asks for once it knows the parents is asked for while no transaction is open.
        let waits = options.command == .plan && streams.contains(where: \.isPartitioned)
        return pipeline.commitsByPage && options.retry == nil && fetched == nil && !waits
    }

    /// Does the work of such a run.
    func workByPage(_ session: StoreSession, _ access: SourceAccess, _ report: inout RunReport) throws {
        try checkBounds()
        let store = try session.open()
        let registration = options.cancellation.onCancel(store.makeInterrupt())
        defer { options.cancellation.remove(registration) }
        report.problems += try namesakes(in: store)
        let run = PagedRun(self, store, session, access, report)
        run.perform()
        report = run.report
    }
}

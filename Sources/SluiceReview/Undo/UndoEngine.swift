internal import SluiceModel
package import SluiceReconcile
package import SluiceReport
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// Takes back what one run did, from the store alone, as a run of its own. A plan takes the same way and is rolled back.
package struct UndoEngine {
    private let run: Int64
    private let pipeline: String
    private let options: StoreOptions
    private let observer: any RunObserver

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - run: The number of the run to take back.
    ///   - pipeline: The pipeline of that run.
    ///   - options: The store, whether the work is kept, and how long to wait.
    ///   - observer: Is told of each change.
    package init(run: Int64, of pipeline: String, options: StoreOptions, observer: any RunObserver) {
        self.run = run
        self.pipeline = pipeline
        self.options = options
        self.observer = observer
    }

    /// Does the work. It never throws: what went wrong stands in the report.
    package func perform() -> RunReport {
        var report = RunReport(pipeline: pipeline, command: options.command, startedAt: WallClock.now())
        report.undoes = run
        let session = StoreSession(options: options, pipeline: pipeline)
        do {
            try session.begin()
            try work(session, &report)
        } catch {
            RunFailure(error, isCancelled: options.cancellation.isCancelled, hiding: []).describe(in: &report)
        }
        session.close()
        report.finishedAt = WallClock.now()
        return report
    }

    private func work(_ session: StoreSession, _ report: inout RunReport) throws {
        let store = try session.open()
        let registration = options.cancellation.onCancel(store.makeInterrupt())
        defer { options.cancellation.remove(registration) }
        try store.begin()
        let target = try target(in: store)
        let isKept = options.command == .run
        let number = isKept ? try store.runs.nextID() : nil
        if let number { store.startRecording(run: number, naming: FieldJSON.object) }
        let undo = RunUndo(of: target, by: number, store: store, observer: observer, cancellation: options.cancellation)
        try undo.perform()
        // What goes leaves references behind, which the rows that stay tell nothing of.
        let references = try store.settleReferences()
        try undo.tellRemoved()
        try options.cancellation.check()
        report.streams = try undo.streams()
        report.schemaChanges = undo.schemaChanges
        report.left = undo.left
        report.withdrawnConflicts = undo.withdrawnConflicts
        report.problems = undo.problems + references.remaining.problems
        report.status = undo.left == 0 ? .succeeded : .partial
        report.finishedAt = WallClock.now()
        guard isKept, let number, undo.hasWritten else { return store.rollback() }
        report.run = number
        var entry = RunEntry(report)
        entry.changes = .kept
        try store.runs.record(entry)
        // A scan that was broken off counts on the pages before, which may be gone now.
        try store.scans.forget(pipeline: pipeline, stream: nil)
        try store.runs.noteUndone(target.id, by: number)
        // What an undone undo had taken back holds again.
        if let other = target.undoes { try store.runs.noteUndone(other, by: nil) }
        try store.commit()
    }

    /// The run to take back, where that can be done.
    private func target(in store: any RecordStore) throws -> RunEntry {
        guard let target = try store.runs.entry(id: run) else {
            throw SyncError(.unknownRun, "The store `\(options.path)` has no run \(run).")
        }
        if let other = target.undoneBy {
            throw SyncError(
                .undoneAlready,
                "Run \(run) was already undone by run \(other). To do again what it did: `sluice undo \(other)`.")
        }
        if !["succeeded", "partial", "refused"].contains(target.status) && target.changes == nil {
            throw SyncError(
                .nothingToUndo, "Run \(run) ended as `\(target.status)` and wrote nothing, so there is nothing to undo."
            )
        }
        switch target.changes {
        case .kept: return target
        case .pruning, .pruned:
            throw SyncError(
                .historyPruned,
                "The changes of run \(run) are no longer kept: it ended at \(target.finishedAt ?? target.startedAt), longer ago than `history: {keep: …}` of its pipeline allows (90d by default)."
            )
        case nil:
            throw SyncError(
                .noHistory, "Run \(run) was made before the store kept what runs change, so it cannot be undone.")
        }
    }
}

internal import SluiceModel
package import SluiceReconcile
package import SluiceReport
package import SluiceStore
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
        (report.undoes, report.who) = (run, options.who)
        let session = StoreSession(options: options, pipeline: pipeline)
        do {
            try session.begin()
            let store = try session.open()
            let registration = options.cancellation.onCancel(store.makeInterrupt())
            defer { options.cancellation.remove(registration) }
            store.reportTableWork(to: observer, until: options.cancellation)
            report = try repeated(report, in: store, whileClaimed: session.checkClaim)
        } catch {
            RunFailure(error, isCancelled: options.cancellation.isCancelled).describe(in: &report)
        }
        session.close()
        report.finishedAt = WallClock.now()
        return report
    }

    /// Does the work on a store that is open, for programs that have one.
    ///
    /// - Parameter store: The store, in which no transaction is open.
    /// - Returns: What it came to.
    /// - Throws: ``SyncError``, `StoreError` and `CancelledError`; nothing is written then.
    package func perform(in store: any RecordStore) throws -> RunReport {
        var report = RunReport(pipeline: pipeline, command: options.command, startedAt: WallClock.now())
        (report.undoes, report.who) = (run, options.who)
        return try repeated(report, in: store, whileClaimed: {})
    }

    /// Does the work, again where others were in the way: what they did counts as theirs then.
    private func repeated(
        _ report: RunReport, in store: any RecordStore, whileClaimed checkClaim: () throws -> Void
    ) throws -> RunReport {
        try StoreAttempts.perform(again: {
            try options.cancellation.check()
            observer.restart()
        }) {
            var done = report
            do { try work(store, &done, whileClaimed: checkClaim) } catch {
                store.rollback()
                throw error
            }
            return done
        }
    }

    // `checkClaim` throws where another may have begun a run meanwhile.
    private func work(
        _ store: any RecordStore, _ report: inout RunReport, whileClaimed checkClaim: () throws -> Void
    ) throws {
        try store.begin()
        // A row that people spelled in another way is that of its record all the same.
        try store.spellKeys()
        let target = try target(in: store)
        let isKept = options.command == .run
        let number = isKept ? try store.runs.nextID() : nil
        if let number { store.startRecording(run: number, naming: FieldJSON.object) }
        let undo = RunUndo(of: target, by: number, store: store, observer: observer, cancellation: options.cancellation)
        try undo.perform()
        // What goes leaves references behind, which the rows that stay tell nothing of.
        let references = try store.settleReferences().requireUnbroken()
        try undo.reportRemoved()
        try options.cancellation.check()
        report.streams = try undo.streams()
        report.schemaChanges = undo.schemaChanges
        report.left = undo.left
        report.leftEntries = undo.leftEntries
        report.withdrawnConflicts = undo.withdrawnConflicts
        report.linked = references.remaining.linkedCount
        report.problems = undo.problems + references.remaining.problems
        report.status = undo.left + undo.leftEntries == 0 ? .succeeded : .partial
        report.finishedAt = WallClock.now()
        let hasWritten = undo.hasWritten || undo.mayLinkAgain && report.linked > 0
        guard isKept, let number, hasWritten else { return store.rollback() }
        report.run = number
        var entry = RunEntry(report)
        entry.changes = .kept
        try store.runs.record(entry)
        // A scan that was broken off counts on the pages before, which may be gone now.
        try store.scans.forget(pipeline: pipeline, stream: nil)
        try store.runs.recordUndone(target.id, by: number)
        try recordHolding(target, in: store)
        try checkClaim()
        try store.commit()
    }

    /// Records what holds again since an undo does not: what it had taken back, and where that is an undo itself, not what that had
    /// taken back.
    private func recordHolding(_ target: RunEntry, in store: any RecordStore) throws {
        var (undo, holds) = (target, true)
        while let number = undo.undoes, let run = try store.runs.entry(id: number) {
            // Another undo may have taken the same back since.
            if run.undoneBy != (holds ? undo.id : nil) { return }
            try store.runs.recordUndone(number, by: holds ? nil : undo.id)
            (undo, holds) = (run, !holds)
        }
    }

    /// The run to take back, where that can be done.
    private func target(in store: any RecordStore) throws -> RunEntry {
        guard let target = try store.runs.entry(id: run) else {
            throw SyncError(.unknownRun, "The store `\(options.backend.name)` has no run \(run).")
        }
        // What is locked is the name that it had.
        if target.pipeline != pipeline {
            throw SyncError(
                .renamedMeanwhile,
                "Run \(run) is one of `\(target.pipeline)` by now, which took over what `\(options.backend.name)` had of `\(pipeline)` (`renamed_from`). Undo it again."
            )
        }
        if let other = target.undoneBy {
            throw SyncError(
                .undoneAlready,
                "Run \(run) was already undone by run \(other). To redo it, undo run \(other).")
        }
        if !target.hasWritten {
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

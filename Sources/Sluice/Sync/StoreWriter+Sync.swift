internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

extension StoreWriter {
    /// Merges records of a source.
    ///
    /// - Parameters:
    ///   - feed: The records.
    ///   - source: The source.
    ///   - isPlan: Whether everything is taken back at the end.
    ///   - refusesMismatches: Whether a record that does not fit ends it.
    ///   - part: The part of the sync that it is.
    ///   - isHeld: Whether whoever calls holds the source already.
    ///   - point: Interrupts it.
    /// - Returns: What was done.
    /// - Throws: ``SluiceError`` or `CancellationError`.
    func sync(
        _ feed: RecordFeed, _ source: ModelSource, isPlan: Bool, refusesMismatches: Bool, _ part: SyncPart,
        isHeld: Bool, _ point: CancellationPoint
    ) throws -> RecordSync.Outcome {
        try checkAccess()
        return try reviewing(point, pipeline: isPlan || isHeld ? nil : source.pipeline.name) { store, cancellation in
            var sync = RecordSync(
                store: store, source: source, feed: feed, isPlan: isPlan, refusesMismatches: refusesMismatches,
                cancellation: cancellation
            ) { try ListPlaces(source: source, feed: feed, connection: self.store.connection).give() }
            sync.part = part
            let outcome = try sync.perform()
            record(outcome.report.run, outcome.references)
            return outcome
        }
    }

    /// Notes that a sync ended after some of its units were kept.
    func end(_ part: SyncPart, with error: any Error, _ point: CancellationPoint) throws {
        guard var report = part.before else { return }
        report.status = error is CancellationError ? .interrupted : .failed
        report.finishedAt = WallClock.now()
        report.problems.append(
            RunProblem(code: "broken_off", severity: .error, message: (error as? SluiceError)?.message ?? "\(error)"))
        var entry = RunEntry(report)
        entry.changes = .kept
        try reviewing(point, pipeline: nil) { store, _ in
            try store.begin()
            do {
                try store.runs.record(entry)
                try store.commit()
            } catch {
                store.rollback()
                throw error
            }
        }
    }

    /// Records a run of this program, for those who ask what changed.
    ///
    /// - Parameters:
    ///   - run: Its number; nil where nothing was kept.
    ///   - references: What became of references; nil where that is not known.
    func record(_ run: Int64?, _ references: ReferenceOutcome?) {
        guard let run else { return }
        var touched = TouchedRecords()
        touched.add(run: run, isSettled: references != nil)
        if let references { record(references, in: &touched) }
        log.add(touched)
    }

    /// Runs work on the store that the layers of pipelines do, with their errors as those of the library.
    ///
    /// - Parameters:
    ///   - point: Interrupts it.
    ///   - pipeline: The pipeline that nobody else may run meanwhile; nil for none.
    ///   - body: The work.
    /// - Returns: What the work returns.
    /// - Throws: ``SluiceError``, `CancellationError`, and what the work throws.
    func reviewing<Result>(
        _ point: CancellationPoint, pipeline: String?, _ body: (any RecordStore, Cancellation) throws -> Result
    ) throws -> Result {
        let cancellation = Cancellation()
        let interrupt = interrupt
        return try point.run({
            cancellation.cancel()
            interrupt()
        }) {
            try SluiceError.translatingPipelines(in: Array(descriptions.values)) {
                guard let pipeline else { return try body(store, cancellation) }
                return try SourceLocks.shared.holding(pipeline, of: path) { try body(store, cancellation) }
            }
        }
    }
}

extension SluiceError {
    /// Any error of the layers of pipelines as one of the library; others as they are.
    ///
    /// - Parameters:
    ///   - models: The models of the store.
    ///   - body: The work.
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, or `CancellationError` where the task was cancelled.
    static func translatingPipelines<Result>(
        in models: [ModelDescription], _ body: () throws -> Result
    ) throws -> Result {
        try translating(in: models) {
            do { return try body() } catch is CancelledError {
                throw CancellationError()
            } catch let error as SyncError {
                throw SluiceError(EngineFailure(error), in: models)
            }
        }
    }
}

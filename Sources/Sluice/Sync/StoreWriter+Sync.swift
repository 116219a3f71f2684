internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

extension StoreWriter {
    /// Merges records of a source.
    func sync(
        _ feed: RecordFeed, _ source: ModelSource, isPlan: Bool, refusesMismatches: Bool, _ point: CancellationPoint
    ) throws -> RecordSync.Outcome {
        try checkAccess()
        return try reviewing(point, pipeline: isPlan ? nil : source.pipeline.name) { store, cancellation in
            let sync = RecordSync(
                store: store, source: source, feed: feed, isPlan: isPlan, refusesMismatches: refusesMismatches,
                cancellation: cancellation
            ) { try ListPlaces(source: source, feed: feed, connection: self.store.connection).give() }
            let outcome = try sync.perform()
            note(outcome.report.run, outcome.references)
            return outcome
        }
    }

    /// Notes a run of this program, for those who ask what changed.
    ///
    /// - Parameters:
    ///   - run: Its number; nil where nothing was kept.
    ///   - references: What became of references; nil where that is not known.
    func note(_ run: Int64?, _ references: ReferenceOutcome?) {
        guard let run else { return }
        var touched = TouchedRecords()
        touched.add(run: run, isSettled: references != nil)
        if let references { note(references, in: &touched) }
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
            try SluiceError.translating {
                do {
                    guard let pipeline else { return try body(store, cancellation) }
                    return try SourceLocks.shared.holding(pipeline, of: path) { try body(store, cancellation) }
                } catch is CancelledError {
                    throw CancellationError()
                } catch let error as SyncError {
                    throw SluiceError(error)
                }
            }
        }
    }
}

extension SluiceError {
    /// What the merge reported.
    init(_ error: SyncError) {
        let code: Code =
            switch error.code {
            case .locked: .locked
            case .conflict: .conflict
            case .duplicateKey: .duplicate
            case .invalidDocument, .contractBroken: .mismatch
            case .orphaned: .definitionDiffers
            case .unknownRun: .notFound
            case .undoneAlready, .nothingToUndo, .historyPruned, .noHistory: .notUndoable
            default: .ioFailed
            }
        self.init(code, ProgramWording.of(error.message))
    }
}

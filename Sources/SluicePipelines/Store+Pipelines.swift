internal import Dispatch
public import Sluice
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStores
internal import SluiceSync
internal import SluiceSystem

/// What a run of a pipeline is asked for besides its file.
public struct PipelineOptions: Sendable {
    /// The only stream to run; nil for all.
    public var stream: String?
    /// Whether incremental streams are read from their beginning.
    public var isFull: Bool
    /// Whether every reference is looked at, also where nothing of it changed.
    public var checksReferences = false
    /// How many rows the streams of a run may delete together beyond the limits of the file; nil for none.
    public var allowedDeletes: Int?

    /// Makes options.
    public init(stream: String? = nil, isFull: Bool = false, allowedDeletes: Int? = nil) {
        self.stream = stream
        self.isFull = isFull
        self.allowedDeletes = allowedDeletes
    }
}

extension Store {
    /// Runs a pipeline over this store, in this process: it fetches, merges and commits as `sluice run` does, with the same
    /// base, conflicts, quarantine and history. What the program reads meanwhile goes on beside it; what it writes
    /// waits while the run merges, no longer than the `busyTimeout` of the store's options.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline. The store is this one, whatever its file says.
    ///   - options: What it is asked for besides.
    /// - Returns: What it came to; what went wrong stands in it.
    /// - Throws: `SluiceError` where the store has no file or may only be read; `CancellationError` where the task is cancelled.
    @discardableResult
    public func run(
        _ pipeline: Pipeline, options: PipelineOptions = PipelineOptions()
    ) async throws -> PipelineReport {
        try await run(pipeline, options: options, over: nil)
    }

    /// Runs a pipeline over pages of its only stream; nil to fetch them.
    func run(_ pipeline: Pipeline, options: PipelineOptions, over pages: FetchedPages?) async throws -> PipelineReport {
        try await checkAccess()
        let report = try await perform(pipeline, .run, options, pages)
        reportCommits()
        return report
    }

    /// Says what a run of a pipeline would do, and does nothing of it.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - options: What it is asked for besides.
    /// - Returns: What it would come to.
    /// - Throws: `SluiceError` where the store has no file; `CancellationError` where the task is cancelled.
    public func plan(
        _ pipeline: Pipeline, options: PipelineOptions = PipelineOptions()
    ) async throws -> PipelineReport {
        try await plan(pipeline, options: options, over: nil)
    }

    /// Plans a pipeline over pages of its only stream; nil to fetch them.
    func plan(_ pipeline: Pipeline, options: PipelineOptions, over pages: FetchedPages?) async throws -> PipelineReport
    {
        try await perform(pipeline, .plan, options, pages)
    }

    private func perform(
        _ pipeline: Pipeline, _ command: RunReport.Command, _ wishes: PipelineOptions, _ pages: FetchedPages?
    ) async throws -> PipelineReport {
        guard let file else {
            throw SluiceError(
                .refused, "The store is gone with the program; a pipeline needs one in a file.")
        }
        if let stream = wishes.stream, !pipeline.streams.contains(stream) {
            throw SluiceError(.notFound, "The pipeline `\(pipeline.name)` has no stream `\(stream)`.")
        }
        let cancellation = Cancellation()
        var options = SluiceSync.SyncOptions(
            store: StoreAddress(file: file), command: command, version: "library", cancellation: cancellation)
        options.store = SluiceReconcile.StoreOptions(
            backend: OpenStoreBackend(path: file), command: command, cancellation: cancellation)
        options.streams = wishes.stream.map { [$0] } ?? []
        options.isFull = wishes.isFull
        options.checksReferences = wishes.checksReferences
        options.allowedDeletes = wishes.allowedDeletes
        options.looks = pipeline.looks { cancellation.cancel() }
        options.looksWithin = pipeline.rules
        let made = options
        let report = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // It waits for the source, which no task may do.
                DispatchQueue(label: "sluice.pipeline").async {
                    Niceness.hold()
                    let engine = SyncEngine(
                        pipeline: pipeline.definition, options: made, observer: SilentObserver(), fetched: pages,
                        claim: nil)
                    continuation.resume(returning: engine.run())
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        if cancellation.isCancelled && report.status == .interrupted { throw CancellationError() }
        return PipelineReport(report)
    }
}

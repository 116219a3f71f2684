internal import SluiceDecode
internal import SluiceFetch
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
package import SluiceReport
package import SluiceSchedule
internal import SluiceStore
internal import SluiceSystem

/// Streams whose partitions several workers read (`spread`): the run shares them in the store, and merges what all of them
/// found as if it had read them alone.
extension SyncEngine {
    /// A connection to the ledger of partitions, beside that of the run.
    private var connectPartitions: @Sendable () throws -> (any PartitionLedger)? {
        let (backend, busy) = (options.store.backend, options.store.busyMilliseconds)
        return { try backend.open(.running, StoreWaiting(busyMilliseconds: busy)).partitions }
    }

    /// Shares the partitions of a stream.
    ///
    /// - Parameters:
    ///   - plan: What the stream asks for.
    ///   - stream: The stream.
    ///   - access: The way to the source.
    /// - Returns: This run's part; nil where it reads all of them alone.
    /// - Throws: `StoreError`.
    func share(_ plan: PartitionPlan, of stream: StreamDefinition, _ access: SourceAccess) throws -> PartitionDesk? {
        guard stream.isSpread, plan.asked.count > 1, let ticket = options.store.ticket, readsAsScheduled,
            let ledger = try connectPartitions()
        else { return nil }
        let partitions = plan.asked.map(\.sharedText)
        // What is read by its time is not what an earlier attempt read.
        let time = plan.cursors == nil ? "" : access.startedAt
        let former = try lastRunOfFormerName().map { ["after run \($0)"] } ?? []
        let digest = SHA256.hexadecimal(of: Array((partitions + [time] + former).joined(separator: "\n").utf8))
        let shared = SharedPlan(
            pipeline: pipeline.name, stream: stream.name, definition: Self.definition(of: stream),
            startedAt: access.startedAt, digest: String(decoding: digest, as: UTF8.self), partitions: partitions)
        let (share, worker) = try ledger.open(shared, by: ticket)
        return PartitionDesk(share, for: worker, as: .run, ledger, connect: connectPartitions)
    }

    private static func definition(of stream: StreamDefinition) -> ShareDefinition {
        ShareDefinition(fingerprint: stream.requestFingerprint, values: stream.requestValues.map(\.revealed))
    }

    /// Whether what is asked for is what any worker of the pool would ask for.
    private var readsAsScheduled: Bool {
        options.command == .run && options.streams.isEmpty && options.entity == nil && options.retry == nil
            && options.cursor == CursorRange.Overrides() && options.gate == nil && !options.isReplayed
    }

    /// Reads partitions of a stream that another worker's run shares, until none is free. Nothing is written but what waits for
    /// that run.
    ///
    /// - Parameter ticket: The share, and for whom.
    /// - Returns: How it went. It never throws: what went wrong stands in the report.
    package func help(_ ticket: ShareTicket) -> RunReport {
        var report = RunReport(pipeline: pipeline.name, command: .run, startedAt: WallClock.now())
        var access: SourceAccess?
        do {
            try help(ticket, &access, &report)
        } catch {
            let known = secrets + (access?.secrets ?? [])
            RunFailure(error, isCancelled: options.cancellation.isCancelled, hiding: known).describe(in: &report)
        }
        access?.shutDown()
        report.finishedAt = WallClock.now()
        return report
    }

    private func help(_ ticket: ShareTicket, _ access: inout SourceAccess?, _ report: inout RunReport) throws {
        // Where it is over already, or another definition of the stream holds here, nothing is to be done.
        guard let ledger = try connectPartitions(), let share = try ledger.share(ticket.share),
            share.pipeline == pipeline.name, let stream = streams.first(where: { $0.name == share.stream }),
            stream.isSpread, Self.definition(of: stream).isSame(as: share.definition),
            let shape = PartitionShape(stream, in: pipeline)
        else { return }
        let cursors = try storeToRead().flatMap { try self.cursors(of: stream, in: $0, startedAt: share.startedAt) }
        let made = SourceAccess(pipeline.source, options: options, startedAt: share.startedAt)
        access = made
        let desk = PartitionDesk(share, for: ticket.worker, as: .helper, ledger, connect: connectPartitions)
        defer { desk.close() }
        var entry = StreamReport(stream: stream.name, entity: stream.entity)
        let values = TemplateValues(startedAt: share.startedAt)
        var failures: [PartitionResult.Failure] = []
        defer {
            report.streams.append(entry)
            if !failures.isEmpty {
                var problem = PartitionResult.givenBack(failures, at: nil, of: stream)
                problem.stream = stream.name
                report.problems.append(problem)
                report.status = .partial
            }
        }
        let adjust: @Sendable (inout Series) throws -> Void = { series in
            guard let cursors, let partition = series.values.partition else { return }
            series.reading = try cursors.reading(of: partition.key)
        }
        let note = { (pages: FetchedPages) in
            entry.requests += pages.requests
            entry.retries += pages.retries
            entry.bytes += pages.bytes
            entry.pages += pages.pages.count
        }
        try StreamFailure.naming(stream.name) {
            try makeFetcher(made, values).help(
                desk, shape, of: series(of: stream, values), secrets: secrets + made.secrets,
                cancellation: options.cancellation, onProgress: observer.progress, onPages: note,
                onFailure: { failures.append($0) }, adjust: adjust)
        }
    }
}

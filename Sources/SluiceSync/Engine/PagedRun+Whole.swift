internal import SluiceDecode
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// Streams that ask for one thing after the other: each is kept as a whole, once its parents are kept.
extension PagedRun {
    /// Reads such a stream and keeps it.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - isLast: Whether the run has no stream behind it.
    /// - Throws: Whatever fetch, decode, merge and store throw; nothing of the stream is kept then.
    func readWhole(_ stream: StreamDefinition, isLast: Bool) throws {
        let scan = try begin(stream, mayGoOn: false)
        let settled = scans.filter(\.value.hasEnded).mapValues(\.report)
        guard let plan = try engine.plan(stream, in: store, startedAt: access.startedAt, after: settled) else {
            throw SyncError(
                .fetchFailed,
                "The stream `\(stream.name)` asks for each record of `\(stream.parent?.stream ?? "")`, which was not read to its end."
            )
        }
        let pages = try engine.fetch(stream, plan, access, nil, nil, nil)
        try keep(CommitUnit(pages, of: scan, isLastStream: isLast))
    }
}

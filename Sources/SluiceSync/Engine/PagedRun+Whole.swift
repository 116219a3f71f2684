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
        var known = Foresight()
        while let missing = try keep(pages, of: stream, scan, isLast: isLast, known: known) {
            // The source is asked for single records while no transaction is open.
            store.rollback()
            var asked = [stream.name: missing]
            try engine.askForMissing(access, &asked)
            known = asked[stream.name] ?? known
        }
    }

    /// One attempt; what the source has to be asked for before the next one, nil where the stream is kept.
    private func keep(
        _ pages: FetchedPages, of stream: StreamDefinition, _ scan: StreamScan, isLast: Bool, known: Foresight
    ) throws -> Foresight? {
        let (run, prepared) = try beginPage()
        let (outcome, made) = try outcome(of: pages, nil, scan, run: run, known: known)
        if let foresight = outcome.foresight { return foresight }
        try engine.keepMemory(of: stream, pages, in: store)
        try options.cancellation.check()
        note(outcome, of: stream, prepared + made)
        scan.end(outcome.report)
        // What stood for a record that went may have nothing left that leads to it.
        if let run { _ = try store.takeBackStubs(of: run) }
        try endPage(run, isEnd: isLast)
        return nil
    }
}

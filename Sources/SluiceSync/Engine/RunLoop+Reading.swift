internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluicePages
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// How the pages come.
extension RunLoop {
    /// Reads a stream, the next page while the one before is merged.
    func read(_ stream: StreamDefinition, isLast: Bool, _ fetcher: StreamFetcher) throws {
        try goingOn(stream) { scan in
            scan.journal.clear(after: scan.state.pages, except: scan.waiting.count)
            defer { scan.journal.clear() }
            for step in scan.waiting { try keep(try complete(step, scan), of: stream, isLast: isLast) }
            if scan.hasEnded { return }
            let (series, state, journal) = (try series(scan), scan.state, scan.journal)
            let mayWait = engine.has(.waitingPages, stream)
            let reader = PageReader(parent: options.cancellation, onProgress: progress(of: scan)) {
                cancellation, onProgress, onStep in
                var number = state.pages
                try fetcher.read(series, cancellation: cancellation, onProgress: onProgress) { step in
                    number += 1
                    // Of several that are under way some come again in any case.
                    if step.isAlone && mayWait { journal.put(step, of: state, number: number) }
                    try onStep(step)
                }
            }
            defer { reader.stop() }
            while let step = try reader.next() { try keep(try complete(step, scan), of: stream, isLast: isLast) }
        }
    }

    /// Reads a stream that asks for one thing after the other, once its parents are kept, and keeps it as a whole.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - isLast: Whether the run has no stream behind it.
    /// - Throws: Whatever fetch, decode, merge and store throw; nothing of the stream is kept then.
    func readWhole(_ stream: StreamDefinition, isLast: Bool) throws {
        let scan = try begin(stream, mayGoOn: false)
        let settled = scans.filter(\.value.hasEnded)
        guard
            let plan = try engine.plan(
                stream, in: store, startedAt: access.startedAt, after: settled.mapValues(\.report),
                settled.mapValues(\.unread))
        else {
            throw SyncError(
                .fetchFailed,
                "The stream `\(stream.name)` asks for each record of `\(stream.parent?.stream ?? "")`, which was not read to its end."
            )
        }
        let pages = try engine.fetch(stream, plan, access, nil, nil, nil)
        try keep(CommitUnit(pages, of: scan, isLastStream: isLast))
    }

    /// Merges a page and keeps it.
    ///
    /// - Parameters:
    ///   - step: The page.
    ///   - stream: Its stream.
    ///   - isLast: Whether the run has no stream behind it.
    /// - Throws: Whatever decode, merge and store throw; nothing of the page is kept then.
    func keep(_ step: FetchStep, of stream: StreamDefinition, isLast: Bool) throws {
        guard let scan = scans[stream.name] else { return }
        try keep(CommitUnit(step, of: scan, isLastStream: isLast))
    }

    /// The pages of a stream for a plan.
    func fetchAll(_ stream: StreamDefinition, _ fetcher: StreamFetcher) throws -> [FetchStep] {
        var steps: [FetchStep] = []
        try goingOn(stream) { scan in
            steps = try scan.waiting.map { try complete($0, scan) }
            if steps.last?.isEnd == true { return }
            try fetcher.read(
                try series(scan), cancellation: options.cancellation, onProgress: progress(of: scan)
            ) { steps.append(try complete($0, scan)) }
        }
        return steps
    }

    /// Takes up the scan of a stream where an earlier run left it, or begins a new one where there is none or where the
    /// source does not know the place any more.
    private func goingOn(_ stream: StreamDefinition, _ body: (StreamScan) throws -> Void) throws {
        let scan = try begin(stream, mayGoOn: true)
        guard let resumed = scan.resumed else { return try body(scan) }
        let page = resumed.pages + 1
        observer.progress(RunProgress(stage: .resuming(page: page), stream: stream.name, pages: resumed.pages))
        problems[stream.name] = [
            RunProblem(
                code: "resumed", severity: .note,
                message: "`\(stream.name)` continues at page \(page), where run \(resumed.run) was broken off.")
        ]
        do {
            try body(scan)
        } catch let error as HTTPError where !scan.hasBegun && error.meansThatThePlaceIsGone {
            problems[stream.name] = [
                RunProblem(
                    code: "resume_refused", severity: .warning,
                    message:
                        "The source no longer knows the place where run \(resumed.run) was broken off (page \(page) of `\(stream.name)`, status \(error.status ?? 0)), so the stream is read from its beginning."
                )
            ]
            try body(try begin(stream, mayGoOn: false))
        }
    }

    private func begin(_ stream: StreamDefinition, mayGoOn: Bool) throws -> StreamScan {
        guard let entity = engine.pipeline.entity(named: stream.entity) else {
            throw SyncError(.invalidPipeline, "There is no entity `\(stream.entity)`.")
        }
        let scan = try StreamScan(
            stream, entity, engine, in: store, startedAt: access.startedAt, mayGoOn: mayGoOn)
        scans[stream.name] = scan
        return scan
    }

    private func series(_ scan: StreamScan) throws -> Series {
        var series = engine.series(of: scan.stream, TemplateValues(startedAt: scan.state.startedAt))
        series.reading = scan.reading
        if scan.expiredToken == nil {
            series.since = engine.token(scan.state.cursor.flatMap { KeptToken(stateText: $0) }, of: scan.stream)
        }
        if scan.isContinued {
            series.start = scan.token.map { .resumed($0, requests: scan.requests) } ?? .first
        } else {
            let kept = try engine.validators(in: store)[scan.stream.name]?.pages ?? []
            if try !kept.isEmpty && !hasSchemaChanges(scan) { series.kept = kept }
        }
        return series
    }

    /// Whether the table has to be made or changed, so that there is more to do than what the source has changed.
    private func hasSchemaChanges(_ scan: StreamScan) throws -> Bool {
        // A plan of several streams is in its transaction only later.
        try store.begin()
        defer { store.rollback() }
        return try !store.openTable(scan.schema).changes.isEmpty
    }

    private func progress(of scan: StreamScan) -> (RunProgress) -> Void {
        let (observer, before) = (observer, scan.state.pages)
        return { progress in
            var progress = progress
            progress.pages += before
            observer.progress(progress)
        }
    }
}

extension HTTPError {
    /// Whether a page that another one led to is not there any more, rather than that nobody may have it now.
    fileprivate var meansThatThePlaceIsGone: Bool {
        guard code == .status, let status else { return false }
        return (400..<500).contains(status) && ![401, 403, 407, 408, 425, 429].contains(status)
    }
}

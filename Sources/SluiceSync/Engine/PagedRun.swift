internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// A run that keeps every page as soon as it is merged, stream after stream.
///
/// A page's rows, base, cursor and what the next page has to know are one transaction, and none is open while the
/// network is waited for. A plan fetches everything first, and takes its one transaction back.
final class PagedRun {
    let engine: SyncEngine
    let store: SQLiteRecordStore
    let session: StoreSession
    let access: SourceAccess
    let notices: PageNotices
    var report: RunReport
    /// The run's number once a page was kept; nil before, and in a plan.
    var number: Int64?
    var scans: [String: StreamScan] = [:]
    var problems: [String: [RunProblem]] = [:]
    /// Whether the tables of the run are there.
    var hasTables = false
    /// What became of references to what is not there, or came.
    var references = ReferenceOutcome()
    private(set) var failures: [(stream: String, failure: RunFailure)] = []
    var hasFailures: Bool { !failures.isEmpty }
    var options: SyncOptions { engine.options }
    var isPlan: Bool { options.command == .plan }

    init(
        _ engine: SyncEngine, _ store: SQLiteRecordStore, _ session: StoreSession, _ access: SourceAccess,
        _ report: RunReport
    ) {
        self.engine = engine
        self.store = store
        self.session = session
        self.access = access
        self.report = report
        notices = PageNotices(engine.observer)
    }

    /// Does all of it. Nothing is thrown: what went wrong stands in ``report``.
    func perform() {
        guard case .http = engine.pipeline.source.base else { return }
        defer { access.shutDown() }
        let fetcher = engine.makeFetcher(access, TemplateValues(startedAt: access.startedAt))
        var end: RunFailure?
        do {
            let ordered = engine.streamsInOrder.map(\.1)
            var ahead: [String: [FetchStep]] = [:]
            if isPlan {
                for stream in ordered {
                    try attempt(stream) { ahead[stream.name] = try fetchAll($0, fetcher) }
                }
                try store.begin()
            }
            for stream in ordered where !isPlan || ahead[stream.name] != nil {
                try attempt(stream) { stream in
                    let isLast = stream.name == ordered.last?.name
                    if let steps = ahead[stream.name] {
                        for step in steps { try merge(step, of: stream, isLast: isLast) }
                    } else if !engine.has(.pageCommit, stream) {
                        try readWhole(stream, isLast: isLast)
                    } else {
                        try read(stream, isLast: isLast, fetcher)
                    }
                }
            }
        } catch {
            end = failure(error)
        }
        finish(end)
    }

    /// Does something for a stream; where it fails for a reason of its own, the others go on.
    private func attempt(_ stream: StreamDefinition, _ body: (StreamDefinition) throws -> Void) throws {
        do {
            try body(stream)
        } catch {
            notices.restart()
            if !isPlan { store.rollback() }
            if number == nil { hasTables = false }
            // What a plan did of the stream cannot be told from the others.
            if isFatal(error) || isPlan && scans[stream.name]?.hasBegun == true { throw error }
            var failure = failure(error)
            failure.stream = stream.name
            failures.append((stream.name, failure))
        }
    }

    /// Whether an error is not that of one stream.
    private func isFatal(_ error: any Error) -> Bool {
        if options.cancellation.isCancelled || error is CancelledError || error is SystemError { return true }
        if (error as? SyncError)?.code == .orphaned { return true }
        return (error as? StoreError).map { $0.code != .rejected } ?? false
    }

    private func failure(_ error: any Error) -> RunFailure { engine.failure(error, access) }

    // MARK: The end

    private func finish(_ end: RunFailure?) {
        report.finishedAt = WallClock.now()
        // What could not be counted is told as the error that ended the run.
        var met = report
        met.streams = streamReports
        report.openBesides = (try? engine.open(in: store, besides: met.total)) ?? OpenCounts()
        if isPlan {
            store.rollback()
            report.edits = try? engine.edits(in: store)
        }
        let ended = engine.streams.filter { scans[$0.name]?.hasEnded == true }
        if let end {
            report.status = end.status
        } else if let first = failures.first {
            report.status = ended.isEmpty ? first.failure.status : .partial
        } else {
            return fill()
        }
        let isKept = number != nil || report.status == .partial
        (report.run, report.keepsPages) = (number, number != nil)
        if isKept { fill() } else { (report.streams, report.schemaChanges) = ([], []) }
        var kept = isPlan ? [:] : scans.compactMapValues(\.keptWords)
        for (stream, failure) in failures {
            report.problems.append(failure.problem(kept: [kept.removeValue(forKey: stream)].compactMap { $0 }))
        }
        if let end {
            let words = engine.streams.compactMap { kept[$0.name] }
            report.problems.append(end.problem(kept: words, hasKept: number != nil))
        }
        if !isPlan && end?.code != StoreError.Code.damaged.name { recordEnd() }
    }

    /// What became of the streams that were begun, in the order of the pipeline.
    private var streamReports: [StreamReport] {
        engine.streams.compactMap { scans[$0.name] }.filter(\.hasBegun).map(\.report)
    }

    /// Puts what became of the streams into the report, in the order of the pipeline.
    private func fill() {
        report.streams = streamReports
        report.problems =
            engine.streams.flatMap { (problems[$0.name] ?? []).of(stream: $0.name) }
            + engine.differingProblems(report.streams) + references.remaining.problems + report.problems
    }

    /// Notes how the run ended in a store that exists; a store is never made for a failure.
    private func recordEnd() {
        store.rollback()
        do {
            try store.begin()
            var entry = RunEntry(report)
            entry.id = try number ?? store.runs.nextID()
            entry.changes = number == nil ? nil : .kept
            if number == nil && entry.id == 1 { return store.rollback() }
            try store.runs.record(entry)
            try store.commit()
            report.run = entry.id
        } catch {
            store.rollback()
        }
    }
}

extension RunFailure {
    /// The problem as the report tells it, with what is kept all the same.
    ///
    /// - Parameters:
    ///   - words: What is kept of unfinished scans, as sentences.
    ///   - hasKept: Whether something else is.
    /// - Returns: The problem with its message.
    fileprivate func problem(kept words: [String], hasKept: Bool = false) -> RunProblem {
        var problem = problem
        if !words.isEmpty || hasKept {
            problem.message = message.replacing(
                "The run was stopped; nothing was kept.", with: "The run was stopped."
            )
            .replacing("othing of it was kept", with: "othing of this page was kept")
            .replacing("othing was written", with: "othing of this page was written")
        }
        problem.message = ([problem.message] + words).joined(separator: " ")
        return problem
    }
}

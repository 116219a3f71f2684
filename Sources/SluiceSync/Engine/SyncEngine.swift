package import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluiceModel
package import SluicePipeline
package import SluiceReconcile
package import SluiceReport
internal import SluiceReview
package import SluiceSQLiteStore
package import SluiceStore
internal import SluiceSystem

/// Runs pipelines: fetch, decode, merge, write. A plan takes the same way and is rolled back at its end.
package struct SyncEngine {
    package let pipeline: PipelineDefinition
    package private(set) var options: SyncOptions
    package let observer: any RunObserver
    /// The pages of the only stream, where they were fetched before.
    package let fetched: FetchedPages?
    /// Where these come from, where an import fetched them.
    package let origin: String?
    /// The right to write to the store, where it was taken before.
    private let claim: StoreClaim?
    /// What the streams have, by their names.
    private let features: [String: StreamFeatures]
    /// How many changes of old runs one run forgets at most, so that none of them takes long.
    static let mostPruned = 200_000

    /// Makes an engine for one run of one pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: What to run.
    ///   - options: What the run is asked for.
    ///   - observer: Is told of each change.
    ///   - claim: The right to write to the store, where it was claimed before; the run lets it go at its end.
    package init(
        pipeline: PipelineDefinition, options: SyncOptions, observer: any RunObserver, claim: StoreClaim? = nil
    ) {
        self.init(pipeline: pipeline, options: options, observer: observer, fetched: nil, claim: claim)
    }

    /// Makes an engine for a run over what was fetched for the pipeline's only stream already; nil to fetch it.
    package init(
        pipeline: PipelineDefinition, options: SyncOptions, observer: any RunObserver, fetched: FetchedPages?,
        origin: String? = nil, claim: StoreClaim?
    ) {
        self.pipeline = pipeline
        self.options = options
        self.observer = observer
        (self.fetched, self.origin) = (fetched, origin)
        self.claim = claim
        features = StreamFeatures.all(of: pipeline)
    }

    /// Whether a stream has a feature, where the store knows no other source of its tables.
    func has(_ feature: StreamFeature, _ stream: StreamDefinition) -> Bool {
        features[stream.name]?.has(feature) ?? false
    }

    /// Does the run. It never throws: what went wrong stands in the report.
    ///
    /// Blocks until the run is done or the options' cancellation is raised.
    package func run() -> RunReport {
        guard let limit = pipeline.source.timeout.run else { return runToEnd() }
        let deadline = RunDeadline(limit, within: options.cancellation)
        defer { deadline.end() }
        var engine = self
        engine.options.deadline = deadline
        engine.options.cancellation = deadline.cancellation
        return engine.runToEnd()
    }

    private func runToEnd() -> RunReport {
        var report = RunReport(
            pipeline: pipeline.name, command: options.command, startedAt: WallClock.now())
        if options.retry != nil { report.retry = RetryReport() }
        report.scope = options.stream.map { "stream \($0)" } ?? options.entity.map { "entity \($0)" }
        let session = StoreSession(options: options.store, pipeline: pipeline.name, claim: claim)
        // What requests say of the time is what they said when they were recorded.
        let access = SourceAccess(
            pipeline.source, options: options, startedAt: options.replay?.startedAt ?? report.startedAt)
        do {
            if options.retry != nil { try requireStore() }
            try session.begin()
            options.deadline?.start()
            try work(session, access, &report)
            if let obstacle = session.obstacle {
                report.problems.append(
                    RunProblem(
                        code: "store_not_writable", severity: .warning,
                        message: "A run could not keep what this plan shows. \(obstacle)"))
            }
        } catch {
            let failure = self.failure(error, access)
            failure.describe(in: &report)
            // A write could harm what is damaged even more.
            if failure.code != StoreError.Code.damaged.name { report.run = recordFailure(session, report) }
        }
        if options.command == .run, report.run != nil, let problem = session.clearUnusedPages() {
            report.problems.append(problem)
        }
        session.close()
        if options.command == .plan, access.hasKeptToken { report.problems.append(.keptToken(in: options.storePath)) }
        if let problem = options.replay?.problem { report.problems.append(problem) }
        report.finishedAt = WallClock.now()
        return report
    }

    /// What an error means for the report.
    package func failure(_ error: any Error, _ access: SourceAccess) -> RunFailure {
        let late = options.deadline?.error
        return RunFailure(
            late ?? error, isCancelled: late == nil && options.cancellation.isCancelled,
            hiding: secrets + access.secrets)
    }

    package var streams: [StreamDefinition] {
        pipeline.streams.filter { stream in
            (options.stream == nil || stream.name == options.stream)
                && (options.entity == nil || stream.entity == options.entity)
        }
    }

    /// Texts of the pipeline that came from the environment or from files.
    package var secrets: [String] {
        var base = ConfigurationText("")
        if case .http(let url) = pipeline.source.base { base = url }
        let texts = streams.flatMap { $0.secrets(base: base) } + (pipeline.storeIsSecret ? [options.storePath] : [])
        return texts.filter { !$0.isEmpty }
    }

    private func work(_ session: StoreSession, _ access: SourceAccess, _ report: inout RunReport) throws {
        if keepsPages { return try workByPage(session, access, &report) }
        if options.command == .run { PageShelf.clear(pipeline.name, store: options.storePath) }
        let editCount = options.command == .plan ? EditCount(of: pipeline.name, options.store) : nil
        defer { editCount?.stop() }
        var fetched: [FetchedPages?] = []
        let (readings, kept, tokens) = try knowledge(startedAt: access.startedAt)
        if options.retry == nil { fetched = try fetch(access, readings, kept, tokens) }
        let store = try session.open()
        let interrupt = store.makeInterrupt()
        let registration = options.cancellation.onCancel(interrupt)
        defer { options.cancellation.remove(registration) }
        if options.retry == nil { report.problems += try namesakes(in: store) }
        report = try settle(fetched, readings, tokens, access, in: store, report: report)
        try options.cancellation.check()
        report.finishedAt = WallClock.now()
        if report.retry?.tried == 0 {
            // Nothing was tried, so there is no run.
            store.rollback()
            (report.run, report.schemaChanges) = (nil, [])
        } else if options.command == .run {
            var entry = RunEntry(report)
            entry.changes = .kept
            try store.runs.record(entry)
            let oldest = WallClock.now(minus: pipeline.historyKept)
            try store.changes.prune(pipeline: pipeline.name, endedBefore: oldest, limit: Self.mostPruned)
            try store.commit()
        } else {
            store.rollback()
            report.edits = try editCount?.counts() ?? edits(in: store)
        }
    }

    /// What people changed of the pipeline's records, before a run.
    package func edits(in store: SQLiteRecordStore) throws -> EditCounts {
        try EditReader(store: store).counts(pipelines: [pipeline.name], entity: nil)
    }

    // MARK: Merge

    /// Merges what was fetched, in a transaction that stays open: again from its start where an attempt found out what it
    /// should have known.
    package func settle(
        _ fetched: [FetchedPages?], _ readings: [String: CursorReading], _ tokens: [String: PageToken],
        _ access: SourceAccess, in store: any RecordStore, report: RunReport
    ) throws -> RunReport {
        defer { access.shutDown() }
        var fetched = fetched
        var needs: [String: AttemptNeeds] = [:]
        while true {
            let attempt = try merge(
                fetched, readings, startedAt: access.startedAt, into: store, report: report, needs: needs)
            if !attempt.isStale && attempt.needs.isEmpty && attempt.plans.isEmpty { return attempt.report }
            store.rollback()
            observer.restart()
            if attempt.isStale {
                // There is more to do than what the source has changed, so all of it is read.
                fetched = try fetch(access, readings, [:], tokens)
                continue
            }
            needs.merge(attempt.needs) { $1 }
            try askForMissing(access, &needs)
            if !attempt.needs.isEmpty { continue }
            for (position, plan) in attempt.plans.sorted(by: { $0.key < $1.key }) {
                fetched[position] = try fetch(
                    streams[position], plan, access, readings[streams[position].name], nil, nil)
            }
        }
    }

    private struct Attempt {
        var report: RunReport
        /// What the next attempt has to know, by stream; none where this one counts.
        var needs: [String: AttemptNeeds] = [:]
        /// What streams that were not fetched yet ask for, by their places in the file.
        var plans: [Int: PartitionPlan] = [:]
        /// Whether pages that did not change have to be read all the same.
        var isStale = false
    }

    /// What earlier runs remember of their reading, on a connection that is closed when this returns.
    func knowledge(
        startedAt: String
    ) throws -> (
        readings: [String: CursorReading], validators: [String: PageValidators], tokens: [String: PageToken]
    ) {
        let store = try options.retry == nil ? storeToRead() : nil
        return (try cursorReadings(in: store, startedAt: startedAt), try validators(in: store), try tokens(in: store))
    }

    private func merge(
        _ fetched: [FetchedPages?], _ readings: [String: CursorReading], startedAt: String,
        into store: any RecordStore, report: RunReport, needs: [String: AttemptNeeds]
    ) throws -> Attempt {
        var attempt = Attempt(report: report)
        try store.begin()
        if options.command == .run {
            let run = try store.runs.nextID()
            attempt.report.run = run
            store.startRecording(run: run, naming: FieldJSON.object)
        }
        let prepared = try prepareTables(in: store)
        for (_, changes) in prepared { attempt.report.schemaChanges += changes }
        let kept = try options.retry.map { try keptRecords($0, store, &attempt.report) }
        let reading = RunReading(moved: needs.mapValues(\.moved), isShared: sharesTables)
        var reports = [StreamReport?](repeating: nil, count: streams.count)
        var refused: Set<String> = []
        var settled: [String: StreamReport] = [:]
        for (position, stream) in streamsInOrder {
            guard let entity = pipeline.entity(named: stream.entity) else { continue }
            if kept != nil && kept?[stream.name] == nil { continue }
            guard let pages = kept == nil ? fetched[position] : FetchedPages() else {
                attempt.plans[position] = try plan(stream, in: store, startedAt: startedAt, after: settled)
                continue
            }
            let schema = RecordSchema(pipeline: pipeline, stream: stream, entity: entity)
            let (table, changes) = try store.openTable(schema)
            attempt.report.schemaChanges += changes
            let isNews = !changes.isEmpty || prepared.contains { $0.stream == stream.name && !$0.changes.isEmpty }
            if pages.isNotModified, isNews {
                attempt.isStale = true
                return attempt
            }
            let base = StreamBase(
                stream: stream, entity: entity, table: table, store: store, observer: observer,
                run: attempt.report.run, time: report.startedAt, reading: kept == nil ? reading : nil)
            reading.begin(stream.name)
            var run = try streamRun(
                base, pages, readings[stream.name], retrying: kept?[stream.name], &attempt.report.schemaChanges)
            let retry = run.retry
            let outcome = try StreamFailure.naming(stream.name) {
                try run.perform(known: needs[stream.name] ?? AttemptNeeds())
            }
            if let retry {
                attempt.report.retry?.add(retry, outcome.report)
            } else if case .http = pipeline.source.base, self.fetched == nil {
                try keepValidators(of: pages, stream, outcome, in: store)
                // A scan that was broken off before is of no use any more.
                if options.command == .run { try store.scans.forget(pipeline: pipeline.name, stream: stream.name) }
            }
            attempt.needs[stream.name] = outcome.needs
            if outcome.needs == nil { settled[stream.name] = outcome.report }
            try keepMemory(of: stream, pages, in: store)
            reports[position] = outcome.report
            attempt.report.problems += outcome.problems.of(stream: stream.name)
            if let count = outcome.refusedDeletes {
                attempt.report.status = .refused
                attempt.report.refusedDeletes = max(count, attempt.report.refusedDeletes ?? 0)
                refused.insert(stream.name)
            }
        }
        for (stream, keys) in reading.moved where !keys.isSubset(of: needs[stream]?.moved ?? []) {
            attempt.needs[stream, default: needs[stream] ?? AttemptNeeds()].moved.formUnion(keys)
        }
        if attempt.needs.isEmpty && attempt.plans.isEmpty {
            attempt.isStale = try repeatAsked(
                reading, fetched, readings, needs, refused: refused, in: store, startedAt: report.startedAt,
                &attempt.report, &reports)
            if attempt.isStale { return attempt }
        }
        if let origin, let stream = streams.first {
            try store.state.set(.origin(origin), to: "", pipeline: pipeline.name, stream: stream.name)
        }
        // A further attempt may find what refers to what is gone to be gone as well.
        guard attempt.needs.isEmpty && attempt.plans.isEmpty else { return attempt }
        attempt.report.problems += attempt.report.retry?.problems ?? []
        let references = try store.settleReferences()
        attempt.report.problems += references.problems
        attempt.report.linked = references.linked.values.reduce(0) { $0 + $1.count }
        attempt.report.streams = reports.compactMap { $0 }
        attempt.report.problems += differingProblems(attempt.report.streams)
        if attempt.report.streams.contains(where: { $0.partitions?.failed ?? 0 > 0 || $0.rests?.failed ?? 0 > 0 }) {
            attempt.report.status = .partial
        }
        // Who tries single records again asks about these.
        if options.retry == nil { attempt.report.openBesides = try open(in: store, besides: attempt.report.total) }
        return attempt
    }

    /// What waits for people of the streams that take part, besides what was met of them.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - met: The counts of all records that were read, where a row in conflict for several streams counts once.
    /// - Returns: What else is open.
    /// - Throws: `StoreError`.
    func open(in store: any RecordStore, besides met: RunSummary) throws -> OpenCounts {
        let names = Set(streams.map(\.name))
        let tables = Dictionary(grouping: pipeline.entities) { $0.table.lowercased() }
        let conflicts = try tables.values.reduce(0) { sum, entities in
            try sum
                + store.conflicts.openRecords(of: Set(entities.map(\.name)), streams: names, pipeline: pipeline.name)
        }
        let quarantined = try store.quarantine.openRecords(ofStreams: names, pipeline: pipeline.name)
        return OpenCounts(
            conflicts: max(0, conflicts - met.conflict), quarantined: max(0, quarantined - met.quarantined))
    }

    /// What people should know of records that share a key and differ.
    func differingProblems(_ reports: [StreamReport]) -> [RunProblem] {
        reports.compactMap { report in
            streams.first { $0.name == report.stream }.flatMap { report.differingProblem(of: $0) }
        }
    }

    /// The streams, each with its place in the file. Of those that `precedence` names the first goes first: where it
    /// loses a record, the next one takes that up at once.
    var streamsInPrecedence: [(Int, StreamDefinition)] {
        func place(_ stream: StreamDefinition) -> Int? {
            pipeline.precedence.firstIndex(of: "\(pipeline.name)/\(stream.name)")
        }
        let inFile = streams.enumerated().map { ($0, $1) }
        var ordered = inFile.filter { place($0.1) != nil }.sorted { place($0.1) ?? 0 < place($1.1) ?? 0 }[...]
        return inFile.map { place($0.1) == nil ? $0 : ordered.popFirst() ?? $0 }
    }

    /// Notes a failed run in a store that exists; a store is never made for a failure.
    ///
    /// - Returns: The run's number; nil where it was not noted.
    private func recordFailure(_ session: StoreSession, _ report: RunReport) -> Int64? {
        guard options.command == .run, report.status != .locked, !session.isNew,
            FileSystem.kind(of: options.storePath) == .file
        else { return nil }
        session.store?.rollback()
        guard let store = try? session.store ?? session.open(), (try? store.begin()) != nil else { return nil }
        return Self.note(report, as: try? store.runs.nextID(), in: store)
    }

    /// Notes a run that failed, in the transaction that is open, unless it would be the first that the store knows.
    ///
    /// - Returns: The run's number; nil where it was not noted.
    private static func note(_ report: RunReport, as number: Int64?, in store: SQLiteRecordStore) -> Int64? {
        guard let number, number > 1 else {
            store.rollback()
            return nil
        }
        var entry = RunEntry(report)
        entry.id = number
        do {
            try store.runs.record(entry)
            try store.commit()
            return number
        } catch {
            store.rollback()
            return nil
        }
    }
}

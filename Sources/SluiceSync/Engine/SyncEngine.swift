internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluiceHTTP
internal import SluiceModel
package import SluicePages
package import SluicePipeline
package import SluiceReconcile
package import SluiceReport
internal import SluiceReview
package import SluiceStore
internal import SluiceStores
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
    private let features: PipelineFeatures
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
        features = PipelineFeatures(of: pipeline)
    }

    /// Whether a stream has a feature, where the store knows no other source of its tables.
    func has(_ feature: StreamFeature, _ stream: StreamDefinition) -> Bool {
        features.has(feature, stream.name)
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
        engine.options.httpEnvironment.pendingRetries = deadline.retries
        engine.options.cancellation = deadline.cancellation
        return engine.runToEnd()
    }

    private func runToEnd() -> RunReport {
        var report = RunReport(
            pipeline: pipeline.name, command: options.command, startedAt: WallClock.now())
        if options.retry != nil { (report.retry, report.who) = (RetryReport(), options.store.who) }
        if options.command == .run, let gate = options.gate, gate.rule != .all { report.isApply = true }
        report.scope = options.scope
        let session = StoreSession(
            options: options.store, pipeline: pipeline.name, formerly: pipeline.renamedFrom, claim: claim)
        // What requests say of the time is what they said when they were recorded.
        let access = SourceAccess(
            pipeline.source, options: options, startedAt: options.answeredAt ?? report.startedAt)
        do {
            if options.retry != nil { try requireStore() }
            try session.begin()
            if options.retry == nil { session.noteBeginning(at: report.startedAt) }
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
            report.finishedAt = WallClock.now()
            if failure.mayBeNoted { report.run = recordFailure(session, report) }
        }
        // It waited for others in vain, or found the store changed by them, and was not cut off.
        let isOutdated = report.problems.contains { $0.code == SyncError.Code.planOutdated.name }
        if report.status == .locked || isOutdated { session.forgetBeginning() }
        let isRedacted = schemas.contains { $0.fields.contains { $0.redaction != nil } }
        if options.command == .run, report.run != nil,
            let problem = session.clearUnusedPages(isRedacted: isRedacted)
        {
            report.problems.append(problem)
        }
        if options.command == .run, session.isNew,
            let problem = RunProblem.privateStore(
                options.address, hasToken: access.hasKeptToken, quarantined: report.summary.quarantined)
        {
            report.problems.append(problem)
        }
        session.close()
        if options.command == .plan { report.problems += access.tokenProblems(store: options.address) }
        if let problem = options.replay?.problem { report.problems.append(problem) }
        report.finishedAt = WallClock.now()
        return report
    }

    /// What an error means for the report.
    package func failure(_ error: any Error, _ access: SourceAccess) -> RunFailure {
        // Whether a commit was kept is the first thing to say, also of a run that was out of time.
        let isUnknown = (error as? StoreError)?.code == .outcomeUnknown
        let late = isUnknown ? nil : options.deadline?.error
        return RunFailure(
            late ?? placed(error), isCancelled: late == nil && options.cancellation.isCancelled,
            hiding: secrets + access.secrets)
    }

    /// An error with the place in the pipeline's file that it is about, where it is about one.
    func placed(_ error: any Error) -> any Error {
        if let failure = error as? StreamFailure {
            return StreamFailure(stream: failure.stream, error: placed(failure.error))
        }
        if let error = error as? StoreError, !error.parts.isEmpty {
            return StoreError.together(error.parts.compactMap { placed($0) as? StoreError }) ?? error
        }
        guard let error = error as? StoreError, let place = place(of: error) else { return error }
        let line = place.position.map { ":\($0.line)" } ?? ""
        return StoreError(error.code, "\(place.file)\(line): \(error.message)")
    }

    /// Where the pipeline's file says what a refusal is about; nil where it is about nothing in it.
    func place(of error: StoreError) -> SourceLocation? {
        guard let key = error.key else { return nil }
        let entity = pipeline.entity(named: key.entity)
        let place =
            switch key.name {
            case .type(let name): entity?.fields.first { $0.name == name }?.place
            case .identifier: entity?.keyPlace
            case .unique: entity?.uniquePlace
            case .entity: entity?.place
            case .stream(let name): pipeline.streams.first { $0.name == name }?.place
            case .missing: nil as SourceLocation?
            }
        return place ?? SourceLocation(file: pipeline.file)
    }

    package var streams: [StreamDefinition] {
        pipeline.streams.filter { stream in
            (options.streams.isEmpty || options.streams.contains(stream.name))
                && (options.entity == nil || stream.entity == options.entity)
        }
    }

    /// Texts of the pipeline that came from the environment or from files.
    package var secrets: [String] { secrets(ofStore: options.address.secrets) }

    /// Those of them that answers of the source must not repeat where they are kept, with what it logs in by.
    var secretsInAnswers: [String] {
        secrets(ofStore: options.address.credentials) + pipeline.source.authentication.secrets
    }

    private func secrets(ofStore texts: [String]) -> [String] {
        var base = ConfigurationText("")
        if case .http(let url) = pipeline.source.base { base = url }
        return (streams.flatMap { $0.secrets(base: base) } + (pipeline.storeIsSecret ? texts : [])).filter {
            !$0.isEmpty
        }
    }

    private func work(_ session: StoreSession, _ access: SourceAccess, _ report: inout RunReport) throws {
        defer { access.shutDown() }
        let isWhole = !keepsPages
        let editCount = isWhole && options.command == .plan ? EditCount(of: pipeline.name, options.store) : nil
        defer { editCount?.stop() }
        let unit = isWhole ? try fetchAll(access) : nil
        if unit == nil { try checkBounds() }
        let store = try session.open()
        let registration = options.cancellation.onCancel(store.makeInterrupt())
        defer { options.cancellation.remove(registration) }
        store.reportTableWork(to: observer, until: options.cancellation)
        if options.retry == nil {
            // Another run may give a table another name while this one waits to look at it.
            report.problems += try StoreAttempts.perform {
                try warningsOfNewName(in: store) + redactionsOfOthers(in: store)
            }
        }
        let loop = RunLoop(self, store, access, report, session)
        if let unit { try loop.keepAll(unit, editCount) } else { loop.keepPages() }
        report = loop.report
    }

    /// All streams as one unit, fetched as far as no stream waits for its parents.
    private func fetchAll(_ access: SourceAccess) throws -> CommitUnit {
        if options.command == .run { PageJournal.clear(pipeline.name, beside: options.store.backend.traits.pages) }
        let (readings, kept, tokens) = try knowledge(startedAt: access.startedAt)
        let pages = try options.retry == nil ? fetch(access, readings, kept, tokens) : [:]
        return CommitUnit(streamsInOrder.map(\.1), pages, readings, tokens)
    }

    /// What earlier runs remember of their reading, on a connection that is closed when this returns.
    func knowledge(
        startedAt: String
    ) throws -> (
        readings: [String: CursorRange], validators: [String: PageValidators], tokens: [String: PageToken]
    ) {
        let store = try options.retry == nil ? storeToRead() : nil
        return try StoreAttempts.perform {
            (try cursorRanges(in: store, startedAt: startedAt), try validators(in: store), try tokens(in: store))
        }
    }

    /// What people changed of the pipeline's records, before a run.
    package func edits(in store: any RecordStore) throws -> EditCounts {
        try EditReader(store: store).counts(pipelines: [pipeline.name], entity: nil)
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
            conflicts: max(0, conflicts - met.conflict), quarantined: max(0, quarantined - met.quarantined),
            typeChanged: try store.quarantine.openTypeChanges(ofStreams: names, pipeline: pipeline.name))
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
        guard options.command == .run, report.status != .locked, !session.isNew, options.store.backend.exists else {
            return nil
        }
        session.store?.rollback()
        guard let store = try? session.store ?? session.open(), (try? store.begin()) != nil else { return nil }
        return Self.record(report, as: try? store.runs.nextID(), in: store)
    }

    /// Records a run that failed, in the transaction that is open, unless it would be the first that the store knows.
    ///
    /// - Returns: The run's number; nil where it was not noted.
    private static func record(_ report: RunReport, as number: Int64?, in store: any RecordStore) -> Int64? {
        guard let number, number > 1 else {
            store.rollback()
            return nil
        }
        var entry = RunEntry(report)
        entry.id = number
        do {
            try store.runs.record(entry)
            // What stands against the run may stand against looking at references as well.
            store.leaveReferences()
            try store.commit()
            return number
        } catch {
            store.rollback()
            return nil
        }
    }
}

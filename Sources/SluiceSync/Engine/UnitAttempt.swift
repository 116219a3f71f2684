internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceStore

/// One attempt to merge a commit unit: stream after stream, then what all of them come to.
struct UnitAttempt {
    /// How an attempt ended.
    enum Result {
        case merged(UnitOutcome)
        /// More has to be known: what was found out, and what streams that were not fetched yet ask for, by stream.
        case lacking([String: AttemptNeeds], [String: PartitionPlan])
        /// Pages that did not change have to be read all the same.
        case stale
        /// `--allow-deletes` permits some of the deletes beyond the limits and not all of them, so it permits none.
        case excessive
    }

    private let merge: UnitMerge
    private let unit: CommitUnit
    /// What attempts before found out, by stream.
    private let needs: [String: AttemptNeeds]
    private let allowedDeletes: Int?
    private let tally: LiveTally?
    /// What had to be changed of tables, by stream.
    private let prepared: [(stream: String?, changes: [SchemaChange])]
    /// The entries of the quarantine that are merged once more, by stream; nil where pages are merged.
    private let retried: [String: [Int64]]?
    /// What streams say of each other's records; nil where streams are kept one by one.
    private let reading: RunReading?
    /// Holds back what a later stream may settle; nil where no other stream comes.
    private let late: LateNotices?
    private var outcome: UnitOutcome
    /// What the next attempt has to know, by stream.
    private var found: [String: AttemptNeeds] = [:]
    /// What streams that were not fetched yet ask for.
    private var plans: [String: PartitionPlan] = [:]
    private var settled: [String: StreamReport] = [:]
    private var unread: [String: UnreadRecords] = [:]

    private var engine: SyncEngine { merge.engine }
    private var store: any RecordStore { merge.store }
    private var observer: any RunObserver {
        guard let late else { return merge.observer }
        return late
    }
    private var options: SyncOptions { merge.engine.options }

    /// Begins an attempt in a transaction that is open: makes the tables, and has edits counted beside it.
    ///
    /// - Parameters:
    ///   - merge: What the unit is merged with.
    ///   - unit: The unit.
    ///   - needs: What attempts before found out, by stream.
    ///   - allowedDeletes: What is left of `--allow-deletes`; nil where it was not given.
    /// - Throws: `StoreError` and ``SyncError``.
    init(
        _ merge: UnitMerge, _ unit: CommitUnit, _ needs: [String: AttemptNeeds], allowedDeletes: Int?
    ) throws {
        (self.merge, self.unit, self.needs, self.allowedDeletes) = (merge, unit, needs, allowedDeletes)
        let (engine, store) = (merge.engine, merge.store)
        outcome = UnitOutcome()
        // Who waited for the store may find it changed.
        if merge.number == nil { try engine.options.admits?(store) }
        if engine.options.command == .run {
            let run = try merge.number ?? store.runs.nextID()
            outcome.run = run
            store.startRecording(run: run, naming: FieldJSON.object)
        }
        tally = Self.beginToCount(merge, unit)
        prepared = merge.hasTables ? [] : try engine.prepareTables(in: store)
        outcome.schemaChanges = prepared.flatMap(\.changes)
        merge.editCount?.tablesAreReady(haveChanged: !outcome.schemaChanges.allSatisfy(\.sql.isEmpty))
        let kept = try engine.options.retry.map { try engine.keptRecords($0, store) }
        outcome.retry = kept?.report
        retried = kept?.entries
        // Streams that are kept one by one are read each for itself.
        reading =
            unit.scan == nil
            ? RunReading(
                knowing: needs.values.reduce(into: RecordsElsewhere()) { $0.formUnion($1.elsewhere) },
                isShared: engine.sharesTables)
            : nil
        late =
            reading != nil && unit.streams.count > 1
            ? LateNotices(merge.observer, sharesTables: engine.sharesTables) : nil
    }

    /// Refuses to go on where somebody renamed or dropped something while the run was at work: pages that are kept have filled it, and what
    /// is made anew would hide what people changed.
    private func refuseMissing() throws {
        guard merge.hasTables, unit.scan?.hasKeptPages == true else { return }
        let anew = outcome.schemaChanges.first {
            [.createTable, .addColumn, .renameTable, .renameColumn].contains($0.kind)
        }
        guard let anew else { return }
        throw StoreError(
            .orphaned,
            "Somebody changed the table `\(anew.table)` while the run was at work: what earlier pages filled of it is gone, or has another name (`\(anew.sql)` would follow). Run again: that says what is missing and how to go on."
        )
    }

    /// Has edits be counted beside the attempt, where a plan does that.
    ///
    /// - Returns: What then learns which records the source of the only stream had before; nil where nothing does.
    private static func beginToCount(_ merge: UnitMerge, _ unit: CommitUnit) -> LiveTally? {
        guard let editCount = merge.editCount else { return nil }
        let tally =
            unit.streams.count == 1
            ? unit.streams.first.map { stream in
                let pipeline = merge.engine.pipeline.name
                let kept = try? merge.store.state.value(.fingerprints, pipeline: pipeline, stream: stream.name)
                return LiveTally(
                    of: RecordMapping(pipeline: pipeline, stream: stream.name, entity: stream.entity),
                    room: merge.engine.options.keyRoom, withMarks: kept?.fingerprint.isEmpty == false)
            } : nil
        return editCount.transactionHasBegun(tally) ? tally : nil
    }

    /// Merges the unit.
    ///
    /// - Returns: How it ended; what did not end well the caller takes back.
    /// - Throws: Whatever decode, merge and store throw.
    mutating func perform() throws -> Result {
        guard try mergeStreams() else { return .stale }
        addElsewhere()
        if found.isEmpty && plans.isEmpty { found = unmet(try store.unmetReferences()) }
        // A further attempt may find what refers to what is gone to be gone as well.
        if !found.isEmpty || !plans.isEmpty { return .lacking(found, plans) }
        if outcome.allowedDeletes > 0, outcome.streams.contains(where: { $0.outcome.refusedDeletes != nil }) {
            return .excessive
        }
        if let reading, try merge.repeatAsked(reading, unit, needs, observer, &outcome) { return .stale }
        try late?.flush(store.quarantine)
        try store.conflicts.forgetEndedWithin(pipeline: engine.pipeline.name)
        try keepPlaces()
        try settleReferences()
        found = unmet(outcome.references.unmet)
        if !found.isEmpty { return .lacking(found, [:]) }
        if unit.isLast { outcome.references.add(removedStubs: try store.removeStubs()) }
        try outcome.references.requireUnbroken()
        try compareSchema(outcome.schemaChanges)
        try compareLacking()
        return .merged(outcome)
    }

    // MARK: Streams

    /// Merges the streams, one after the other; those that are not fetched yet say what they ask for.
    ///
    /// - Returns: Whether the pages that were read are enough.
    private mutating func mergeStreams() throws -> Bool {
        let merged = retried == nil ? merge.streamsToMerge(unit) : nil
        for stream in unit.streams {
            let name = stream.name
            guard let entity = engine.pipeline.entity(named: stream.entity) else { continue }
            if let retried {
                if retried[name] != nil { _ = try mergeStream(stream, entity, FetchedPages()) }
            } else if let pages = unit.pages[name] {
                if let merged, !merged.contains(name) { continue }
                if try !mergeStream(stream, entity, pages) { return false }
            } else {
                plans[name] = try engine.plan(
                    stream, in: store, startedAt: merge.access.startedAt, after: settled, unread)
            }
        }
        return true
    }

    /// Merges a stream.
    ///
    /// - Returns: Whether the pages that were read are enough.
    private mutating func mergeStream(
        _ stream: StreamDefinition, _ entity: EntityDefinition, _ pages: FetchedPages
    ) throws -> Bool {
        let name = stream.name
        let schema = RecordSchema(pipeline: engine.pipeline, stream: stream, entity: entity)
        let (table, changes) = try store.openTable(schema)
        // What is left out in every run is told once.
        let news = changes.filter { !$0.isStanding || !outcome.schemaChanges.contains($0) }
        outcome.schemaChanges += news
        let isNews = !changes.isEmpty || prepared.contains { $0.stream == name && !$0.changes.isEmpty }
        if pages.isNotModified, isNews, unit.scan == nil { return false }
        reading?.begin(name)
        let target = StreamTarget(
            stream: stream, entity: entity, table: table, store: store, observer: observer, run: outcome.run,
            time: merge.time, reading: retried == nil ? reading : nil)
        var run = try engine.streamRun(
            target, pages, unit.readings[name], retrying: retried?[name],
            checkpoint: unit.step.flatMap { unit.scan?.checkpoint($0) }, &outcome.schemaChanges)
        if let scan = unit.scan { run.tools = scan.tools }
        run.tally = tally
        run.allowedDeletes = allowedDeletes.map { $0 - outcome.allowedDeletes }
        var result = try StreamFailure.naming(name) { try run.perform(known: needs[name] ?? AttemptNeeds()) }
        try refuseMissing()
        result.problems += RunProblem.unspelled(store.takeUnspelledKeys(of: result.tables), entity: stream.entity)
        outcome.streams.append((name, result))
        if result.report.summary.hasWrites || result.report.parts.contains(where: \.summary.hasWrites) {
            reading?.wrote(to: schema.table, for: name)
        }
        found[name] = result.needs
        if let retry = run.retry {
            outcome.retry?.add(retry, result.report)
        } else if result.needs == nil {
            if result.heldBack == 0 { try keepState(of: stream, pages, result) }
            try engine.keepRequest(of: stream, in: store)
            if let number = outcome.run, result.report.summary.hasNews { try run.keepOrder(since: number) }
        }
        if result.needs == nil { (settled[name], unread[name]) = (result.report, result.unread) }
        return true
    }

    /// Keeps what later runs have to know of the reading of a stream.
    private func keepState(
        of stream: StreamDefinition, _ pages: FetchedPages, _ result: StreamRun.Outcome
    ) throws {
        try engine.keepMemory(of: stream, pages, unsettled: result.unsettledPartitions, in: store)
        if let run = outcome.run, pages.partitions?.isShared == true {
            try store.partitions?.conclude(pipeline: engine.pipeline.name, stream: stream.name, run: run)
        }
        guard case .http = engine.pipeline.source.base, engine.fetched == nil else { return }
        if unit.step?.isEnd != false { try engine.keepValidators(of: pages, stream, result, in: store) }
        // A scan that was broken off before is of no use any more.
        if unit.scan == nil && options.command == .run {
            try store.scans.forget(pipeline: engine.pipeline.name, stream: stream.name)
        }
    }

    // MARK: All streams

    /// Adds what streams say of records that others list no longer, as far as this attempt did not know it.
    private mutating func addElsewhere() {
        guard let elsewhere = reading?.elsewhere else { return }
        for source in elsewhere.sources {
            let before = needs[source.stream] ?? AttemptNeeds()
            var known = before.elsewhere
            known.formUnion(elsewhere[source])
            if known != before.elsewhere {
                found[source.stream, default: before].elsewhere.formUnion(known)
            }
        }
    }

    /// Keeps where the source is, and which plan was applied.
    private func keepPlaces() throws {
        guard let stream = engine.streams.first else { return }
        let pipeline = engine.pipeline.name
        if let origin = engine.origin {
            try store.state.set(.origin(origin), to: "", pipeline: pipeline, stream: stream.name)
        }
        if let plan = options.gate?.name, let run = outcome.run {
            try store.state.set(.appliedPlan, to: "\(run) \(plan)", pipeline: pipeline, stream: stream.name)
        }
    }

    /// Settles references, once what stood for records that went is gone.
    private mutating func settleReferences() throws {
        // What stood for a record that went may have nothing left that leads to it.
        if unit.scan != nil, unit.step == nil, let run = outcome.run { _ = try store.revertStubs(of: run) }
        if options.checksReferences, unit.step?.isEnd != false { store.expectBrokenReferences() }
        (outcome.references, outcome.unlinked) = try merge.settleReferences(of: Set(outcome.streams.map(\.name)))
    }

    /// Which records have to stay, since others lead to them, and which cannot be taken, since what they lead to is not there,
    /// once all streams are merged otherwise.
    private func unmet(_ unmet: [UnmetReference]) -> [String: AttemptNeeds] {
        let streams = outcome.streams
        var known = streams.lazy.compactMap { needs[$0.name]?.unmet }.first ?? UnmetNeeds()
        guard known.accept(unmet, merging: streams.flatMap(\.outcome.tables)) else { return [:] }
        var found: [String: AttemptNeeds] = [:]
        for (name, _) in streams { found[name, default: needs[name] ?? AttemptNeeds()].unmet = known }
        return found
    }

    // MARK: Saved plans

    /// Refuses changes of tables that a saved plan does not show.
    ///
    /// - Throws: ``SyncError``.
    private func compareSchema(_ changes: [SchemaChange]) throws {
        guard let gate = options.gate, !gate.admits(schema: changes.map(\.mark)) else { return }
        let lost = changes.filter { $0.values != nil }.map { "`\($0.sql)` of `\($0.table)`" }
        if !lost.isEmpty, gate.showsStatements(of: changes) {
            throw SyncError(
                .planRefused,
                "Rows have changed since the plan was made, so that other values of \(lost.joined(separator: ", ")) would go to the quarantine than it shows. Make a new plan, or apply this one with `--stale merge`."
            )
        }
        throw SyncError(
            .planRefused,
            "The tables of the store have changed since the plan was made, so that other statements would change them now. Make a new plan, or apply this one with `--stale merge`."
        )
    }

    /// Refuses to write records otherwise than a saved plan shows, where the table does not take them so any more.
    ///
    /// - Throws: ``SyncError``.
    private func compareLacking() throws {
        guard let found = options.gate?.unforeseen, !found.isEmpty else { return }
        let more = found.count > 5 ? " and \(found.count - 5) more" : ""
        throw SyncError(
            .planRefused,
            "The table does not take \(Plural.of(found.count, "record")) as the plan shows, since another row has a value by now that must be unique, or a rule of the table is another: \(found.prefix(5).joined(separator: ", "))\(more). Make a new plan, or apply this one with `--stale merge`."
        )
    }
}

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
internal import SluiceSystem

/// Merges a commit unit in one transaction: again from its start where an attempt found out what it should have known.
///
/// A savepoint for each stream would spare the others of a unit the repetition. It would also copy every page of the
/// database that any run changes, for the sake of the few that repeat something.
struct UnitMerge {
    let engine: SyncEngine
    let store: any RecordStore
    let access: SourceAccess
    /// Is told of each change.
    let observer: any RunObserver
    /// When the run was started, RFC 3339 in UTC.
    let time: String
    /// The run's number where it has kept a unit; nil before, and in a plan.
    let number: Int64?
    /// Whether the run's tables are prepared.
    let hasTables: Bool
    /// Whether a transaction is open of which the unit is a part.
    let isNested: Bool
    /// What the units before left of `--allow-deletes`; nil where it was not given.
    let allowedDeletes: Int?
    /// What counts edits meanwhile; nil where nothing does.
    var editCount: EditCount?
    private var options: SyncOptions { engine.options }

    private enum Attempt {
        case merged(UnitOutcome)
        /// More has to be known: what was found out, and what streams that were not fetched yet ask for, by stream.
        case lacking([String: AttemptNeeds], [String: PartitionPlan])
        /// Pages that did not change have to be read all the same.
        case stale
        /// `--allow-deletes` permits some of the deletes beyond the limits and not all of them, so it permits none.
        case excessive
    }

    /// Merges a unit. The network is waited for between two attempts alone, while no transaction is open.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: What it came to. Its transaction stays open.
    /// - Throws: Whatever fetch, decode, merge and store throw; nothing of the unit is left then.
    func perform(_ unit: CommitUnit) throws -> UnitOutcome {
        var unit = unit
        var needs = try movesOfPlan(unit)
        var allowed = allowedDeletes
        while true {
            try options.cancellation.check()
            switch try attempt(unit, needs, allowed) {
            case .merged(let outcome): return outcome
            case .excessive: allowed = 0
            case .stale:
                // There is more to do than what the source has changed, so all of it is read.
                unit.pages = try engine.fetch(access, unit.readings, [:], unit.tokens)
            case .lacking(let found, let plans):
                // What is known now may leave fewer deletes.
                allowed = allowedDeletes
                needs.merge(found) { $1 }
                try engine.askForMissing(access, &needs)
                if !found.isEmpty { continue }
                for stream in unit.streams {
                    guard let plan = plans[stream.name] else { continue }
                    unit.pages[stream.name] = try engine.fetch(
                        stream, plan, access, unit.readings[stream.name], nil, nil)
                }
            }
        }
    }

    /// Which records pass from one stream to another in the plan that is carried out. What such a plan does not show as it
    /// is would be held back before it is seen where it goes, so that is found out with nothing held back.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: What the first attempt has to know.
    /// - Throws: Whatever decode, merge and store throw.
    private func movesOfPlan(_ unit: CommitUnit) throws -> [String: AttemptNeeds] {
        var needs: [String: AttemptNeeds] = [:]
        guard let gate = options.gate, gate.rule == .planned, engine.sharesTables, unit.scan == nil else {
            return needs
        }
        gate.standOpen(true)
        defer { gate.standOpen(false) }
        var isDone = false
        while !isDone {
            try options.cancellation.check()
            switch try attempt(unit, needs, allowedDeletes) {
            case .merged:
                try revert()
                isDone = true
            case .stale, .excessive: isDone = true
            case .lacking(let found, _):
                needs.merge(found) { $1 }
                // What the source has to be asked for, records that are held back may not need.
                isDone = found.values.allSatisfy { $0.missing != nil && $0.existence == nil }
            }
        }
        return needs.mapValues { need in
            var moves = AttemptNeeds()
            (moves.moved, moves.kept) = (need.moved, need.kept)
            return moves
        }
    }

    /// One attempt; what does not end well is taken back.
    private func attempt(_ unit: CommitUnit, _ needs: [String: AttemptNeeds], _ allowed: Int?) throws -> Attempt {
        if isNested { try store.beginSavepoint() } else { try store.begin() }
        do {
            let attempt = try merge(unit, needs, allowed)
            if case .merged = attempt { return attempt }
            try revert()
            return attempt
        } catch {
            try? revert()
            throw error
        }
    }

    private func revert() throws {
        observer.restart()
        options.gate?.restart()
        if isNested { try store.rollBackToSavepoint() } else { store.rollback() }
    }

    /// Has edits be counted beside the attempt, where a plan does that.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: What then learns which records the source of the only stream had before; nil where nothing does.
    private func beginToCount(_ unit: CommitUnit) -> LiveTally? {
        guard let editCount else { return nil }
        let tally =
            unit.streams.count == 1
            ? unit.streams.first.map { stream in
                LiveTally(
                    of: RecordMapping(pipeline: engine.pipeline.name, stream: stream.name, entity: stream.entity),
                    room: options.keyRoom)
            } : nil
        return editCount.transactionHasBegun(tally) ? tally : nil
    }

    private func merge(_ unit: CommitUnit, _ needs: [String: AttemptNeeds], _ allowed: Int?) throws -> Attempt {
        var outcome = UnitOutcome()
        if options.command == .run {
            let run = try number ?? store.runs.nextID()
            outcome.run = run
            store.startRecording(run: run, naming: FieldJSON.object)
        }
        let tally = beginToCount(unit)
        let prepared = hasTables ? [] : try engine.prepareTables(in: store)
        outcome.schemaChanges = prepared.flatMap(\.changes)
        editCount?.tablesAreReady(haveChanged: !outcome.schemaChanges.allSatisfy(\.sql.isEmpty))
        let kept = try options.retry.map { try engine.keptRecords($0, store) }
        outcome.retry = kept?.report
        // Streams that are kept one by one are read each for itself.
        let reading =
            unit.scan == nil
            ? RunReading(
                moved: needs.values.reduce(into: [:]) { $0.merge($1.moved) { $1 } }, isShared: engine.sharesTables)
            : nil
        var found: [String: AttemptNeeds] = [:]
        var plans: [String: PartitionPlan] = [:]
        var settled: [String: StreamReport] = [:]
        var unread: [String: UnreadRecords] = [:]
        let merged = kept == nil ? streamsToMerge(unit) : nil
        for stream in unit.streams {
            let name = stream.name
            guard let entity = engine.pipeline.entity(named: stream.entity) else { continue }
            if kept != nil && kept?.entries[name] == nil { continue }
            if let merged, unit.pages[name] != nil, !merged.contains(name) { continue }
            guard let pages = kept == nil ? unit.pages[name] : FetchedPages() else {
                plans[name] = try engine.plan(
                    stream, in: store, startedAt: access.startedAt, after: settled, unread)
                continue
            }
            let schema = RecordSchema(pipeline: engine.pipeline, stream: stream, entity: entity)
            let (table, changes) = try store.openTable(schema)
            outcome.schemaChanges += changes
            let isNews = !changes.isEmpty || prepared.contains { $0.stream == name && !$0.changes.isEmpty }
            if pages.isNotModified, isNews, unit.scan == nil { return .stale }
            reading?.begin(name)
            let base = StreamTarget(
                stream: stream, entity: entity, table: table, store: store, observer: observer, run: outcome.run,
                time: time, reading: kept == nil ? reading : nil)
            var run = try engine.streamRun(
                base, pages, unit.readings[name], retrying: kept?.entries[name],
                checkpoint: unit.step.flatMap { unit.scan?.checkpoint($0) }, &outcome.schemaChanges)
            if let scan = unit.scan { run.tools = scan.tools }
            run.tally = tally
            run.allowedDeletes = allowed.map { $0 - outcome.allowedDeletes }
            var result = try StreamFailure.naming(name) { try run.perform(known: needs[name] ?? AttemptNeeds()) }
            result.problems += RunProblem.unspelled(store.takeUnspelledKeys(of: result.tables), entity: stream.entity)
            outcome.streams.append((name, result))
            if result.report.summary.hasWrites { reading?.wrote(to: schema.table, for: name) }
            found[name] = result.needs
            if let retry = run.retry {
                outcome.retry?.add(retry, result.report)
            } else if result.needs == nil {
                if result.heldBack == 0 { try keepState(of: stream, pages, result, unit, run: outcome.run) }
                if let number = outcome.run, result.report.summary.hasNews { try run.keepOrder(since: number) }
            }
            if result.needs == nil { (settled[name], unread[name]) = (result.report, result.unread) }
        }
        for (source, keys) in reading?.moved ?? [:] {
            let (stream, known) = (source.stream, needs[source.stream]?.moved[source] ?? [])
            if keys.isSubset(of: known) { continue }
            found[stream, default: needs[stream] ?? AttemptNeeds()].moved[source] = known.union(keys)
        }
        for (source, keys) in reading?.kept ?? [:] {
            let (stream, known) = (source.stream, needs[source.stream]?.kept[source] ?? [])
            if keys.isSubset(of: known) { continue }
            found[stream, default: needs[stream] ?? AttemptNeeds()].kept[source] = known.union(keys)
        }
        if found.isEmpty && plans.isEmpty {
            found = unmet(try store.unmetReferences(), after: outcome.streams, needs)
        }
        // A further attempt may find what refers to what is gone to be gone as well.
        if !found.isEmpty || !plans.isEmpty { return .lacking(found, plans) }
        if outcome.allowedDeletes > 0, outcome.streams.contains(where: { $0.outcome.refusedDeletes != nil }) {
            return .excessive
        }
        if let reading, try repeatAsked(reading, unit, needs, &outcome) { return .stale }
        if let origin = engine.origin, let stream = engine.streams.first {
            try store.state.set(.origin(origin), to: "", pipeline: engine.pipeline.name, stream: stream.name)
        }
        if let plan = options.gate?.name, let run = outcome.run, let stream = engine.streams.first {
            try store.state.set(
                .appliedPlan, to: "\(run) \(plan)", pipeline: engine.pipeline.name, stream: stream.name)
        }
        // What stood for a record that went may have nothing left that leads to it.
        if unit.scan != nil, unit.step == nil, let run = outcome.run { _ = try store.revertStubs(of: run) }
        if options.checksReferences, unit.step?.isEnd != false { store.expectBrokenReferences() }
        (outcome.references, outcome.unlinked) = try settleReferences(of: Set(outcome.streams.map(\.name)))
        found = unmet(outcome.references.unmet, after: outcome.streams, needs)
        if !found.isEmpty { return .lacking(found, [:]) }
        if unit.isLast { outcome.references.add(removedStubs: try store.removeStubs()) }
        try outcome.references.requireUnbroken()
        try compareSchema(outcome.schemaChanges)
        try compareLacking()
        return .merged(outcome)
    }

    /// Which records have to stay, since others lead to them, and which cannot be taken, since what they lead to is not there,
    /// once all streams are merged otherwise.
    private func unmet(
        _ unmet: [UnmetReference], after streams: [(name: String, outcome: StreamRun.Outcome)],
        _ needs: [String: AttemptNeeds]
    ) -> [String: AttemptNeeds] {
        var known = streams.lazy.compactMap { needs[$0.name]?.unmet }.first ?? UnmetNeeds()
        guard known.accept(unmet, merging: streams.flatMap(\.outcome.tables)) else { return [:] }
        var found: [String: AttemptNeeds] = [:]
        for (name, _) in streams { found[name, default: needs[name] ?? AttemptNeeds()].unmet = known }
        return found
    }

    /// Refuses changes of tables that a saved plan does not show.
    ///
    /// - Throws: ``SyncError``.
    private func compareSchema(_ changes: [SchemaChange]) throws {
        guard let gate = options.gate, !gate.admits(schema: changes.map(\.mark)) else { return }
        let lost = changes.filter { $0.values != nil }.map { "`\($0.sql)` of `\($0.table)`" }
        if !lost.isEmpty, gate.showsStatements(of: changes) {
            throw SyncError(
                .planRefused,
                "Rows have changed since the plan was made, so that other values of \(lost.joined(separator: ", ")) would go to the quarantine than it shows. Nothing was written. Make a new plan, or apply this one with `--stale merge`."
            )
        }
        throw SyncError(
            .planRefused,
            "The tables of the store have changed since the plan was made, so that other statements would change them now. Nothing was written. Make a new plan, or apply this one with `--stale merge`."
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
            "The table does not take \(Plural.of(found.count, "record")) as the plan shows, since another row has a value by now that must be unique, or a rule of the table is another: \(found.prefix(5).joined(separator: ", "))\(more). Nothing was written. Make a new plan, or apply this one with `--stale merge`."
        )
    }

    /// Keeps what later runs have to know of the reading of a stream.
    private func keepState(
        of stream: StreamDefinition, _ pages: FetchedPages, _ result: StreamRun.Outcome, _ unit: CommitUnit,
        run: Int64?
    ) throws {
        try engine.keepMemory(of: stream, pages, unsettled: result.unsettledPartitions, in: store)
        if let run, pages.partitions?.isShared == true {
            try store.partitions?.conclude(pipeline: engine.pipeline.name, stream: stream.name, run: run)
        }
        guard case .http = engine.pipeline.source.base, engine.fetched == nil else { return }
        if unit.step?.isEnd != false { try engine.keepValidators(of: pages, stream, result, in: store) }
        // A scan that was broken off before is of no use any more.
        if unit.scan == nil && options.command == .run {
            try store.scans.forget(pipeline: engine.pipeline.name, stream: stream.name)
        }
    }
}

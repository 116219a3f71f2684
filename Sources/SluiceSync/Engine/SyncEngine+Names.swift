internal import SluiceDecode
package import SluiceDiagnostics
package import SluiceModel
internal import SluicePages
package import SluicePipeline
internal import SluiceReconcile
package import SluiceReport
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// What the store keeps for names that the pipeline no longer has: a source, a field or a table that was renamed would
/// start anew, and what people changed and deleted would be forgotten.
extension SyncEngine {
    /// All that the pipeline fills, whatever this run is about.
    package var schemas: [RecordSchema] {
        pipeline.streams.flatMap { stream in
            ([stream.entity] + NestedTree.entities(of: stream, in: pipeline).sorted()).compactMap { name in
                pipeline.entity(named: name).map { RecordSchema(pipeline: pipeline, stream: stream, entity: $0) }
            }
        }
    }

    /// Refuses to go on where that would be lost, and gives up what is meant to go or holds nothing of people's.
    ///
    /// - Returns: What had to be changed.
    /// - Throws: ``StoreError`` with both ways out of each.
    func settleNames(in store: any RecordStore) throws -> [SchemaChange] {
        var found = try orphans(in: store)
        // A document that is imported has no names of its own, but for those in the database.
        if fetched != nil {
            let sources = Set(schemas.map(\.source))
            found = found.filter { $0.subject.isMissing && sources.contains($0.source) }
        }
        let refused = options.allowsDrops ? [] : found.filter(\.isEdited)
        let refusals =
            messages(for: refused).map { StoreError(.orphaned, $0.message, about: $0.key) }
            + (fetched == nil ? try refusalsOfNewName(in: store) : [])
            + (refused.isEmpty ? try refusalsOfExchangedStreams(in: store) : [])
        if let refusal = StoreError.together(refusals) { throw refusal }
        let sameness = Sameness()
        let order = SourceOrder(paths: try store.namesOfNow(pipeline.precedence, in: pipeline.name))
        return try found.flatMap { orphan in
            try store.passOn(
                orphan, isBehind: { order.rank(of: $0, to: orphan.source) == .below }, isSame: sameness.holds,
                entry: sameness.entry)
            return try store.giveUp(orphan)
        }.toldOnce
    }

    /// Has all that the pipeline fills go on under its new names, before any of it is prepared: whatever else refers to it
    /// refers to the new ones.
    ///
    /// - Returns: For each stream what had to be changed.
    func followNames(in store: any RecordStore) throws -> [(stream: String?, changes: [SchemaChange])] {
        if fetched != nil { return [] }
        let schemas = schemas
        let targets = targetsWithoutSource
        if !(schemas + targets).contains(where: \.hasFormerNames) { return [] }
        let tables = Set(pipeline.entities.map { $0.table.lowercased() })
        let takesOver = try takesOverName(in: store)
        // What refers to something is renamed before it.
        let changes =
            try schemas.map { ($0.stream as String?, try store.followNames(of: $0)) }
            + targets.map {
                (nil, try store.followNames(ofTarget: $0, referredToBy: schemas + targets, apartFrom: tables))
            }
        if takesOver { try keepFormerName(in: store) }
        return changes
    }

    /// What others refer to and no stream fills, each as if the stream of what refers to it did; what refers to others of
    /// them comes first.
    private var targetsWithoutSource: [RecordSchema] {
        var known = Set(schemas.map(\.entity))
        var open = pipeline.streams.flatMap { stream in
            ([stream.entity] + NestedTree.entities(of: stream, in: pipeline).sorted()).compactMap { name in
                pipeline.entity(named: name).map { (stream: stream, entity: $0) }
            }
        }
        var found: [RecordSchema] = []
        while !open.isEmpty {
            let (stream, entity) = open.removeFirst()
            for reference in entity.references where known.insert(reference.target).inserted {
                guard let target = pipeline.entity(named: reference.target) else { continue }
                found.append(RecordSchema(pipeline: pipeline, stream: stream, entity: target))
                open.append((stream, target))
            }
        }
        return found
    }

    private func orphans(in store: any RecordStore) throws -> [Orphan] {
        let sameness = Sameness()
        return try store.orphans(of: pipeline.name, schemas, isSame: sameness.holds)
            + store.missing(of: targetsWithoutSource, among: schemas, isSame: sameness.holds)
    }

    /// What is said of them, each way out once: a stream may have filled several tables.
    private func messages(for orphans: [Orphan]) -> [(message: String, key: PipelineKey)] {
        var told: Set<String> = []
        return orphans.compactMap { orphan in
            guard case .source = orphan.subject else {
                // Several streams may fill one table.
                let message = message(for: orphan)
                return told.insert(message).inserted ? (message, key(of: orphan)) : nil
            }
            let stream = orphan.source.stream
            if hasStream(stream) { return (message(for: [orphan]), key(of: orphan)) }
            guard told.insert(stream).inserted else { return nil }
            let together = orphans.filter { other in
                if case .source = other.subject { other.source.stream == stream } else { false }
            }
            return (message(for: together), key(of: orphan))
        }
    }

    /// What of the file an orphan is about: of a stream that has no name any more, the one that reads its entity now.
    private func key(of orphan: Orphan) -> PipelineKey {
        let entity = orphan.source.entity
        guard case .source = orphan.subject else { return PipelineKey(.entity, of: entity) }
        if hasStream(orphan.source.stream) { return PipelineKey(.stream(orphan.source.stream), of: entity) }
        let heirs = pipeline.streams.filter { $0.entity == entity }
        return PipelineKey(heirs.count == 1 ? .stream(heirs[0].name) : .missing, of: entity)
    }

    private func hasStream(_ name: String) -> Bool { pipeline.streams.contains { $0.name == name } }

    /// What is said of all that one stream filled.
    private func message(for orphans: [Orphan]) -> String {
        let source = orphans[0].source
        let counts = orphans.map { orphan in
            guard case .source(let records) = orphan.subject else { return "`\(orphan.source.entity)`" }
            return "\(Plural.of(records, "record")) of `\(orphan.source.entity)`"
        }
        let kept = "The store keeps what the stream `\(source.stream)` said of \(Self.list(counts))"
        let isStream = hasStream(source.stream)
        if !isStream, let heir = pipeline.streams.first(where: { $0.renamedFrom == source.stream }) {
            return
                "\(kept), and what a stream `\(heir.name)` said before it, so that `renamed_from: \(source.stream)` of `\(heir.name)` cannot hold. Give that stream a name that none had, with `renamed_from: \(source.stream)`, and run once with `--allow-schema drop`: that forgets what the former `\(heir.name)` said. The name `\(heir.name)` is free then, for a run after that."
        }
        if isStream,
            let heir = pipeline.streams.first(where: { $0.entity == source.entity && $0.name != source.stream })
        {
            return
                "\(kept), and the stream `\(heir.name)` has that entity now. If the stream was renamed, do it in two runs: give it a name that none had, with `renamed_from: \(source.stream)`, run, and then the name `\(heir.name)`, with `renamed_from` once more. If what it said is meant to go, run once with `--allow-schema drop`: that forgets it, and leaves the rows of \(Self.list(orphans.map { "`\($0.table)`" })) as they are."
        }
        let (name, kind) = isStream ? (source.entity, "entity") : (source.stream, "stream")
        return
            "\(kept), and the pipeline no longer has \(isStream ? "that entity there" : "that stream"). If it was renamed, give the \(kind) that it is now `renamed_from: \(name)`. If it is meant to go, run once with `--allow-schema drop`: that forgets what the source said, and leaves the rows of \(Self.list(orphans.map { "`\($0.table)`" })) as they are."
    }

    /// How something gets a column or a table that something else leaves.
    ///
    /// - Parameters:
    ///   - place: What it is called.
    ///   - kind: What has it.
    ///   - name: The name of the place.
    ///   - giver: What leaves it for another one; nil for what is gone.
    ///   - taker: What is to have it.
    /// - Returns: The steps, a sentence or two.
    private static func steps(
        of place: String, _ kind: String, giving name: String, from giver: String?, to taker: String
    ) -> String {
        guard let giver else {
            return "Do it in two runs: leave the \(place) `\(name)` to no \(kind), run, and then give it to `\(taker)`."
        }
        return
            "Do it one after the other: give `\(giver)` a \(place) that is no \(kind)'s and leave `\(name)` to no \(kind), run, give it to `\(taker)`, and run. Where the two are exchanged, `\(giver)` gets its \(place) in a third run."
    }

    /// `a`, `b` and `c`.
    private static func list(_ parts: [String]) -> String {
        parts.count < 2 ? parts.joined() : parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1]
    }

    /// What is said of what an import filled, which has no file that could say a new name.
    private func messageOfImport(_ orphan: Orphan) -> String {
        let what =
            switch orphan.subject {
            case .missing(_, let column, _): "The column `\(column)` of the table `\(orphan.table)`"
            default: "The table `\(orphan.table)`"
            }
        return
            "\(what), which an import filled, is gone, and something else is there that it may be now. If it was renamed, give it that name again. If it is meant to be made anew, run once with `--allow-schema drop`: what people changed is forgotten then."
    }

    private func message(for orphan: Orphan) -> String {
        if fetched != nil { return messageOfImport(orphan) }
        let source = orphan.source
        let way = "run once with `--allow-schema drop`"
        switch orphan.subject {
        case .source: return message(for: [orphan])
        // Nothing is lost by it.
        case .passed, .returned: return ""
        case .field(let name, let column, let hasMoved, let taker?):
            let steps = Self.steps(
                of: "column", "field", giving: column, from: hasMoved ? name : nil, to: taker)
            return
                "The field `\(name)` of `\(source.entity)` \(hasMoved ? "has another column now" : "is gone"), and its column `\(column)` is that of `\(taker)`: nobody can tell whose the values in it are. \(steps) If that is meant all the same, \(way): what the source said of `\(name)` is forgotten, and `\(taker)` goes on with the values that are there."
        case .field(let name, let column, _, nil):
            let fact =
                "People changed values in the column `\(column)` of `\(orphan.table)`, and no field of `\(source.entity)` fills it any more."
            if let field = successor(of: name, of: source) {
                return
                    "\(fact) `\(field.name)` says `renamed_from: \(name)`, and it has the column `\(field.column)` already, so the two stay apart. Write what people changed into `\(field.column)` too, then \(way): that leaves the column `\(column)` as it is, to people alone. Or undo the run that made `\(field.column)`, which `sluice history` lists, and run again."
            }
            return
                "\(fact) If the field `\(name)` was renamed, give the field that it is now `renamed_from: \(name)`. If it is meant to go, \(way): that leaves the column and its values as they are, to people alone."
        case .missing(let name, let column, let now):
            let fact = "The table `\(orphan.table)` has no column `\(column)` any more, which the field `\(name)` fills"
            let drop = "If it is meant to be made anew, \(way): that leaves the other columns as they are."
            if now.isEmpty {
                return "\(fact). If the column was renamed, give the field its name of now as `column`. \(drop)"
            }
            return now.count == 1
                ? "\(fact), and its column `\(now[0])` may be that. If the column was renamed, give the field `column: \(now[0])`. \(drop)"
                : "\(fact). If the column was renamed, give the field its name of now as `column`, which may be \(now.map { "`\($0)`" }.joined(separator: " or ")). \(drop)"
        case .unsaid(let name, let column, let now):
            return unsaid("column `\(column)` of `\(orphan.table)`", "column", of: name, source, now)
        case .unsaidLinks(let name, let table, let now):
            return unsaid("table of links `\(table)`", "table", of: name, source, now)
        case .renamedElsewhere(let name, let column, let now):
            return
                "Another pipeline had the column `\(column)` of `\(orphan.table)`, which the field `\(name)` fills, renamed to `\(now)`. Give the field `column: \(now)`. If the column is meant to be called `\(column)` again, for both pipelines, \(way)."
        case .missingLinks(let name, let table, let now):
            let names = now.map { "`\($0)`" }.joined(separator: " or ")
            let fact = "The table `\(table)`, which has the links of the field `\(name)`, is gone"
            if now.isEmpty {
                return
                    "\(fact). If it was renamed, give the field `via:` with its name of now. If it is meant to be made anew, \(way)."
            }
            return
                "\(fact), and \(names) \(Plural.word(now.count, "has", "have")) its columns. If it was renamed, give the field `via: \(now[0])`. If it is meant to be made anew, \(way): that leaves \(names) as \(Plural.word(now.count, "it is", "they are")), to people alone."
        case .missingMark:
            return
                "The table `\(orphan.table)` has no column `_deleted_at` any more, which marks rows as deleted. If it was renamed, give it that name again. If it is meant to be made anew, \(way): no row is marked then."
        case .missingTable(let now, let isEmptied):
            let fact =
                "The table `\(orphan.table)` of `\(source.entity)` \(isEmptied ? "has no row any more" : "is gone")"
            let drop =
                isEmptied
                ? "If its rows were deleted, \(way): they stay deleted" : "If a new table is meant, \(way)"
            if now.isEmpty {
                return
                    "\(fact). If it was renamed, give the entity `table:` with its name of now and `table_renamed_from: \(orphan.table)`. \(drop)."
            }
            if schemas.contains(where: { $0.table.lowercased() == now[0].lowercased() }) {
                return
                    "\(fact), and the entity has the table `\(now[0])` now. If it was renamed, add `table_renamed_from: \(orphan.table)` to the entity. \(drop)."
            }
            let names = now.map { "`\($0)`" }.joined(separator: " or ")
            return
                "\(fact), and \(names) \(Plural.word(now.count, "has", "have")) \(isEmptied ? "them" : "its columns"). If it was renamed, give the entity `table: \(now[0])` and `table_renamed_from: \(orphan.table)`. \(drop)\(isEmptied ? ", and \(names) \(Plural.word(now.count, "stays as it is", "stay as they are"))" : ": that leaves \(names) as \(Plural.word(now.count, "it is", "they are"))"), to people alone."
        case .links(let name, let table):
            return
                "People changed links in the table `\(table)`, and no field of `\(source.entity)` fills it any more. If the field `\(name)` was renamed, give the field that it is now `renamed_from: \(name)`. If it is meant to go, \(way): that leaves the table and its links as they are, to people alone."
        case .movedLinks(let name, let table, _, let taker?):
            return
                "The field `\(name)` of `\(source.entity)` has another table of links now, and its table `\(table)` is that of `\(taker)`: nobody can tell whose the links in it are. \(Self.steps(of: "table", "field", giving: table, from: name, to: taker)) If `\(name)` is meant to begin anew, \(way): what the source said of it is forgotten."
        case .movedLinks(let name, let table, let now, nil) where ColumnName.areSame(table, now):
            return
                "The columns `owner_column` and `target_column` of the field `\(name)` of `\(source.entity)` are exchanged, so that each link in `\(table)` would lead the other way. Put them back. If the links are meant to begin anew, \(way): what the source said of them is forgotten."
        case .movedLinks(let name, let table, let now, nil):
            return
                "The field `\(name)` of `\(source.entity)` has the table of links `\(now)` now, which is there already, so that the links in its table `\(table)` would stay behind. If `\(table)` is to be called `\(now)`, rename or drop the other one, and run again. If `\(name)` is meant to begin anew with what is in `\(now)`, \(way): that leaves `\(table)` as it is, to people alone."
        case .table(_, _, let taker?):
            return
                "`\(source.entity)` has another table now, and its table `\(orphan.table)` is that of `\(taker)`: nobody can tell whose the rows in it are. \(Self.steps(of: "table", "entity", giving: orphan.table, from: source.entity, to: taker)) Each new table of an entity needs `table_renamed_from`."
        case .table:
            if let table = tableNow(of: source), ColumnName.areSame(table.former, orphan.table) {
                return
                    "`\(source.entity)` says `table_renamed_from: \(orphan.table)`, and both `\(orphan.table)` and `\(table.now)` have rows, so the two stay apart. Write what people changed in `\(orphan.table)` into `\(table.now)` too, then \(way): that leaves `\(orphan.table)` as it is, to people alone. If `\(table.now)` is another table, give that one another name."
            }
            return
                "People changed rows of the table `\(orphan.table)`, and `\(source.entity)` now has another table. If the table was renamed, add `table_renamed_from: \(orphan.table)` to the entity. If a new table is meant, \(way): that leaves the old one as it is, and fills the new one from the start."
        }
    }

    /// What is said of a field that is gone with its column or table, which a new field may have under another name.
    private func unsaid(
        _ place: String, _ kind: String, of name: String, _ source: RecordMapping, _ now: [String]
    ) -> String {
        let fact = "The field `\(name)` of `\(source.entity)` is gone, and so is its \(place)"
        let drop =
            "If \(Plural.word(now.count, "it is", "they are")) new, run once with `--allow-schema drop`: what the source says and what the table holds are compared as if both were new."
        return now.count == 1
            ? "\(fact); the \(kind) of `\(now[0])` may be that. If it was renamed, give `\(now[0])` `renamed_from: \(name)`. \(drop)"
            : "\(fact); the \(kind)s of \(Self.list(now.map { "`\($0)`" })) may be that. If it was renamed, give the field that it is now `renamed_from: \(name)`. \(drop)"
    }

    /// The tables that an entity has now and says that it had before.
    private func tableNow(of source: RecordMapping) -> (former: String, now: String)? {
        guard let schema = schemas.first(where: { $0.source == source || $0.formerSources.contains(source) }),
            let former = schema.formerly.table
        else { return nil }
        return (former, schema.table)
    }

    /// The field that a pipeline says was called so before.
    private func successor(of name: String, of source: RecordMapping) -> RecordSchema.Field? {
        schemas.first { $0.source == source || $0.formerSources.contains(source) }?.fields
            .first { $0.formerNames.contains(name) }
    }

    /// What a run would refuse because of tables that do not fit the pipeline, the first of each, and each once.
    private func problemsOfTables(in store: any RecordStore) throws -> [PlacedProblem] {
        var told: Set<String> = []
        return try schemas.flatMap { schema -> [PlacedProblem] in
            // A database may do nothing more in a transaction in which something failed.
            try store.beginSavepoint()
            do {
                let changes = try store.prepareTable(schema)
                try store.releaseSavepoint()
                let place = pipeline.entity(named: schema.entity)?.place
                return changes.filter { $0.kind == .leaveOutIndex }.map {
                    PlacedProblem(problem: Self.missingIndex($0), place: place)
                }
            } catch {
                try store.rollBackToSavepoint()
                var problem = problem(error)
                if problem.place?.position == nil { problem.place = pipeline.entity(named: schema.entity)?.place }
                return told.insert(problem.problem.message).inserted ? [problem] : []
            }
        }
    }

    private static func missingIndex(_ change: SchemaChange) -> RunProblem {
        RunProblem(
            code: "index_missing", severity: .warning,
            message:
                "`\(change.table)` has no index of a reference, and only the owner of the table may make one. Runs work without it, and are slower. Have that owner run `\(change.sql)`."
        )
    }

    /// What a run would refuse because of names that a pipeline no longer has, and of tables that do not fit it.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - options: The store, which stays as it is.
    /// - Returns: The problems. Of a place without a store: why none can be made there.
    package static func problemsOfNames(of pipeline: PipelineDefinition, options: SyncOptions) -> [PlacedProblem] {
        var options = options
        options.command = .plan
        let engine = SyncEngine(pipeline: pipeline, options: options, observer: SilentObserver())
        if let problem = engine.problemOfGrants { return [PlacedProblem(problem: problem)] }
        let session = StoreSession(options: options.store, pipeline: pipeline.name)
        defer { session.close() }
        do {
            try session.begin()
            let store = try session.open()
            store.reportTableWork(to: engine.observer, until: options.cancellation)
            try store.begin()
            // Whether the pipeline is new is known as long as its tables are not prepared.
            let warnings = try (engine.warningsOfNewName(in: store) + engine.redactionsOfOthers(in: store)).map {
                PlacedProblem(problem: $0)
            }
            var refusals: [StoreError] = []
            _ = try refusals.gather { try engine.changeSchema(in: store) }
            // Which tables there are is only known when all names are settled.
            guard let refusal = refusals.first else { return try engine.problemsOfTables(in: store) + warnings }
            return (refusal.parts.isEmpty ? [refusal] : refusal.parts).map(engine.problem) + warnings
        } catch {
            return [engine.problem(error)]
        }
    }

    /// A problem of a pipeline with its store, and the place of the file that it is about.
    package struct PlacedProblem {
        /// The problem.
        package let problem: RunProblem
        /// The place; nil where it is about nothing in the file.
        package var place: SourceLocation?
    }

    private func problem(_ error: any Error) -> PlacedProblem {
        let failure = RunFailure(error, isCancelled: options.cancellation.isCancelled, hiding: secrets)
        return PlacedProblem(
            problem: RunProblem(code: failure.code, severity: .error, message: failure.message),
            place: (error as? StoreError).flatMap(place(of:)))
    }

    /// What the role of the store may not do with tables that are there; nil where nothing is missing, or where the store
    /// cannot be asked, which a look at it says better.
    private var problemOfGrants: RunProblem? {
        let targets = schemas.flatMap(\.references).map(\.target)
        guard
            let grants = try? options.store.backend.missingGrants(
                filled: Set(schemas.map(\.table)), targets: Set(targets)),
            !grants.isEmpty
        else { return nil }
        let failure = RunFailure(
            StoreError(
                .unavailable,
                "The role of the store may not do all that a run does with the tables that are there. Have their owner run: \(grants.map { "`\($0)`" }.joined(separator: "; "))."
            ), isCancelled: false, hiding: secrets)
        return RunProblem(code: failure.code, severity: .error, message: failure.message)
    }
}

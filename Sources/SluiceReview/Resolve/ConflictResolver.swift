internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
package import SluiceStore
internal import SluiceSystem

/// Settles conflicts as a person decides, from the store alone.
///
/// The base advances to what the source said, so that the next run has nothing to ask again. All decisions about one
/// record are written at once, and unique values may swap between records.
package struct ConflictResolver {
    private let store: any RecordStore
    private let json = StoredJSON()

    /// Makes a resolver; the store's transaction is the caller's.
    package init(store: any RecordStore) { self.store = store }

    /// Carries out decisions, as one run for each pipeline.
    ///
    /// - Parameters:
    ///   - decisions: One for each conflict; how each ended is noted in it.
    ///   - who: Who decided, kept with the conflicts.
    ///   - note: Why, kept with the conflicts.
    /// - Returns: The numbers of the runs; none where nothing changed.
    /// - Throws: `StoreError`.
    @discardableResult
    package func carryOut(_ decisions: inout [ConflictDecision], who: String?, note: String? = nil) throws -> [Int64] {
        var pipelines: [String] = []
        for decision in decisions where !pipelines.contains(decision.conflict.pipeline) {
            pipelines.append(decision.conflict.pipeline)
        }
        return try pipelines.compactMap { pipeline in
            var run = RunEntry(
                id: try store.runs.nextID(), pipeline: pipeline, command: "resolve", status: "succeeded",
                startedAt: WallClock.now())
            store.startRecording(run: run.id, naming: FieldJSON.object)
            let positions = decisions.indices.filter { decisions[$0].conflict.pipeline == pipeline }
            try carryOut(positions, of: &decisions, in: &run, who: who, note: note)
            guard positions.contains(where: { [.resolved, .reopened].contains(decisions[$0].outcome) }) else {
                return nil
            }
            run.finishedAt = WallClock.now()
            run.changes = .kept
            try store.runs.record(run)
            return run.id
        }
    }

    private func carryOut(
        _ positions: [Int], of decisions: inout [ConflictDecision], in run: inout RunEntry, who: String?, note: String?
    ) throws {
        var tables = Tables(store: store)
        var records: [Record: [Int]] = [:]
        var order: [Record] = []
        for index in positions {
            let record = Record(decisions[index].conflict)
            if records[record] == nil { order.append(record) }
            records[record, default: []].append(index)
        }
        var written: [Written] = []
        // The elements of a list are written together, before others wait for unique values.
        let lists = Set(positions.filter { decisions[$0].conflict.isOfList }.map { Record(decisions[$0].conflict) })
        for record in order.filter(lists.contains) + order.filter({ !lists.contains($0) }) {
            let positions = records[record] ?? []
            if let index = positions.first, decisions[index].conflict.isOfList {
                let writes = try settleList(record.mapping, &decisions[index], &tables, &run)
                written += writes.map { Written(mapping: record.mapping, write: $0, positions: positions) }
            } else if let write = try settle(record, positions, &decisions, &tables, run: run.id, counts: &run.within) {
                written.append(Written(mapping: record.mapping, write: write, positions: positions))
            }
        }
        try refuseCollisions(written, &decisions, tables)
        for index in positions where decisions[index].outcome == .resolved {
            decisions[index].conflict.status = .resolved
            decisions[index].conflict.resolution = decisions[index].resolution.name
            decisions[index].conflict.who = who
            decisions[index].conflict.note = note
            decisions[index].conflict.lastRun = run.id
            try store.conflicts.update(decisions[index].conflict)
        }
        for written in written where written.positions.contains(where: { decisions[$0].outcome == .resolved }) {
            try withdraw(written, &tables, run: run.id)
            let row = written.write.row
            if try tables.table(written.mapping)?.schema.isOwned == true {
                row.count(in: &run.within[written.mapping.entity, default: RunCounts()])
            } else {
                var counts = RunCounts()
                row.count(in: &counts)
                run.inserted += counts.inserted
                run.updated += counts.updated
                run.deleted += counts.deleted
                run.keptLocal += counts.keptLocal
            }
            if case .insert = row {
                let siblings = try tables.siblings(written.mapping)
                try siblings.startOver(written.write.key, try siblings.records(written.write.key), run: run.id)
                if !decisions[written.positions[0]].conflict.isOfList { try revive(written, &run) }
            }
        }
        run.conflicts = positions.count { decisions[$0].outcome == .reopened }
    }

    /// A deletion that was taken holds for the others too: all of them where a source stated it, and else those that only
    /// embed the record, since another one that lists it would have kept it.
    private func withdraw(_ written: Written, _ tables: inout Tables, run: Int64) throws {
        guard written.write.row.deletes else { return }
        let siblings = try tables.siblings(written.mapping)
        let closed = try siblings.withdraw(
            written.write.key, siblings.records(written.write.key), as: .overruled, run: run)
        for var conflict in closed {
            (conflict.status, conflict.lastRun) = (.obsolete, run)
            try store.conflicts.update(conflict)
        }
    }

    /// Brings back what belongs to a record that came back.
    private func revive(_ written: Written, _ run: inout RunEntry) throws {
        var isWhole = true
        for rows in try OwnedRows.all(of: written.mapping, in: store) {
            isWhole = try rows.revive(under: written.write.key, run: run.id, counts: &run.within) && isWhole
        }
        // What is missing has to be read again, although its source did not change since.
        if isWhole { return }
        try store.state.set(
            .validators, to: nil, pipeline: written.mapping.pipeline, stream: written.mapping.stream)
    }

    // MARK: Records

    private struct Record: Hashable {
        let mapping: RecordMapping
        let name: ExactText
        var key: String { name.text }

        init(_ conflict: ConflictEntry) {
            mapping = RecordMapping(pipeline: conflict.pipeline, stream: conflict.stream, entity: conflict.entity)
            name = ExactText(conflict.key)
        }
    }

    private struct Written {
        let mapping: RecordMapping
        let write: RecordWrite
        let positions: [Int]
    }

    /// Each table is opened once: what has to wait for unique values waits there.
    private struct Tables {
        let store: any RecordStore
        private(set) var all: [RecordMapping: any RecordTable] = [:]
        private var siblings: [RecordMapping: SiblingSources] = [:]

        init(store: any RecordStore) { self.store = store }

        mutating func table(_ mapping: RecordMapping) throws -> (any RecordTable)? {
            if let table = all[mapping] { return table }
            let table = try store.knownTable(
                pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
            if let table { all[mapping] = table }
            return table
        }

        /// The other sources of a mapping's table.
        mutating func siblings(_ mapping: RecordMapping) throws -> SiblingSources {
            if let siblings = siblings[mapping] { return siblings }
            let found = try table(mapping).map { try SiblingSources(of: $0.schema, in: store) } ?? .none
            siblings[mapping] = found
            return found
        }
    }

    /// Decides the conflicts of one record and writes it.
    ///
    /// - Returns: What was written, nil where nothing was.
    private func settle(
        _ record: Record, _ positions: [Int], _ decisions: inout [ConflictDecision], _ tables: inout Tables, run: Int64,
        counts: inout [String: RunCounts]
    ) throws -> RecordWrite? {
        guard let table = try tables.table(record.mapping), let key = json.key(record.key, schema: table.schema) else {
            return refuse(positions, &decisions, "The store does not know its table any more.")
        }
        guard let base = try table.baseRow(key) else {
            return refuse(positions, &decisions, "Its record is not managed any more.")
        }
        if let refusal = try halfReference(record, positions, decisions, table.schema) {
            return refuse(positions, &decisions, refusal)
        }
        var settlement = RecordSettlement(
            schema: table.schema, base: base, local: try table.localRow(key), json: json, time: WallClock.now(),
            run: run)
        var resolved: Set<Int64> = []
        for index in positions {
            // Another decision may have taken the record away that it belongs to.
            let conflict = decisions[index].conflict
            let known = try conflict.id.flatMap { try store.conflicts.entry(id: $0) } ?? conflict
            guard known.status == .open, let id = conflict.id else {
                decisions[index].outcome =
                    settlement.isStanding(decisions[index].resolution, known)
                    ? .standing : .refused(known.ending ?? "It is in no store.")
                continue
            }
            let outcome = settlement.apply(decisions[index].resolution, to: &decisions[index].conflict)
            if conflict.isAboutDeletion, outcome == .reopened || outcome == .resolved && settlement.row.deletes {
                let edits = try OwnedRows.edits(in: OwnedRows.all(of: record.mapping, in: store), under: key)
                if outcome == .reopened || edits != settlement.editsWithin(conflict.local) {
                    decisions[index].conflict.local = settlement.shown(within: edits)
                    decisions[index].outcome = .reopened
                    try store.conflicts.update(decisions[index].conflict)
                    return nil
                }
            }
            decisions[index].outcome = outcome
            if outcome == .reopened { try store.conflicts.update(decisions[index].conflict) }
            if outcome == .resolved { resolved.insert(id) }
            decisions[index].marksRow = table.schema.deletesSoftly
        }
        if resolved.isEmpty { return nil }
        var newBase = settlement.base
        newBase.isOpen = try store.conflicts.open(of: record.mapping, key: record.key)
            .contains { !resolved.contains($0.id ?? 0) }
        newBase.lastRun = run
        if settlement.row.deletes {
            let owned = try OwnedRows.all(of: record.mapping, in: store)
            for rows in owned {
                guard let example = try rows.addition(under: key) else { continue }
                return refuse(
                    positions, &decisions,
                    "\(example) belongs to it and was added here. Delete that first, or take `--take local`.")
            }
            for rows in owned {
                try rows.delete(under: key, as: settlement.row, run: run, counts: &counts, in: store)
            }
        }
        let write = RecordWrite(key: key, row: settlement.row, base: newBase)
        try table.write(write)
        return write
    }

    /// Decides the conflict over a list that is one value, and writes its elements: all of them, or none where the table
    /// refuses one.
    ///
    /// - Returns: What was written.
    private func settleList(
        _ mapping: RecordMapping, _ decision: inout ConflictDecision, _ tables: inout Tables, _ run: inout RunEntry
    ) throws -> [RecordWrite] {
        let conflict = decision.conflict
        let known = try conflict.id.flatMap { try store.conflicts.entry(id: $0) } ?? conflict
        guard known.status == .open else {
            decision.outcome =
                known.wasDecided(as: decision.resolution)
                ? .standing : .refused(known.ending ?? "It is in no store.")
            return []
        }
        guard let table = try tables.table(mapping) else {
            decision.outcome = .refused("The store does not know its table any more.")
            return []
        }
        let settlement = ListSettlement(
            table: table, children: try OwnedRows.all(of: mapping, in: store), store: store, run: run.id)
        let result = try settlement.carryOut(decision.resolution, &decision.conflict, counts: &run.within)
        decision.outcome = result.outcome
        if result.outcome == .reopened { try store.conflicts.update(decision.conflict) }
        // What belongs to its elements has to be read again, although its source did not change since.
        if !result.writes.isEmpty && result.hasChildren {
            try store.state.set(.validators, to: nil, pipeline: mapping.pipeline, stream: mapping.stream)
        }
        return result.writes
    }

    /// Why some decisions cannot be carried out: a key of several fields is one value, taken of one side.
    private func halfReference(
        _ record: Record, _ positions: [Int], _ decisions: [ConflictDecision], _ schema: RecordSchema
    ) throws -> String? {
        let open = try store.conflicts.open(of: record.mapping, key: record.key)
        for reference in schema.references where reference.fields.count > 1 {
            let names = reference.fields.map { schema.fields[$0].name }
            let parts = open.filter { $0.field.map(names.contains) ?? false }
            let decided = positions.filter { decisions[$0].conflict.field.map(names.contains) ?? false }
            let ways = Set(decided.map { decisions[$0].resolution.name })
            if decided.isEmpty || decided.count == parts.count && ways.count == 1 { continue }
            let ids = parts.compactMap { $0.id.map { String($0) } }.joined(separator: " ")
            return
                "`\(names.joined(separator: "`, `"))` are one reference, which is decided as a whole. Decide these together and alike: \(ids)."
        }
        return nil
    }

    /// Refuses what would have been resolved.
    private func refuse(_ positions: [Int], _ decisions: inout [ConflictDecision], _ reason: String) -> RecordWrite? {
        for index in positions where decisions[index].outcome == nil || decisions[index].outcome == .resolved {
            decisions[index].outcome = .refused(reason)
        }
        return nil
    }

    private func refuseCollisions(
        _ written: [Written], _ decisions: inout [ConflictDecision], _ tables: Tables
    ) throws {
        for (mapping, table) in tables.all {
            let outcome = try table.finish(run: nil) { _, _ in nil }
            let reasons = Dictionary(outcome.reasons(table.schema).map { ($0.key, $0.reason) }) { $1 }
            for record in written where record.mapping == mapping {
                guard let reason = reasons[record.write.key] else { continue }
                _ = refuse(record.positions, &decisions, reason)
            }
        }
    }
}

extension RecordWrite.Row {
    /// Counts what a decision did to a row.
    fileprivate func count(in counts: inout RunCounts) {
        switch self {
        case .insert: counts.inserted += 1
        case .update: counts.updated += 1
        case .delete, .markDeleted: counts.deleted += 1
        case .none, .set, .restore: counts.keptLocal += 1
        }
    }
}

extension ConflictEntry {
    /// Whether it is about a record that was edited here and is gone from the source.
    fileprivate var isAboutDeletion: Bool { field == nil && kind == RowKind.editDelete.rawValue }
}

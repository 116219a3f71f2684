internal import SluiceDecode
internal import SluiceMerge
package import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceReport
package import SluiceStore

/// Puts together what a store knows of one record.
package struct RecordInspector {
    private let store: any RecordStore
    private let reader: HistoryReader
    private let json = StoredJSON()

    /// Makes an inspector of a store that is open.
    package init(store: any RecordStore) {
        self.store = store
        reader = HistoryReader(store: store)
    }

    /// Looks a record up in every stream that fills its entity.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - text: The key as a person gives it: `42`, `"a b"`, or `field=value,field=value`.
    ///   - pipelines: The pipelines to look at, nil for all.
    /// - Returns: What is known, by stream; nothing where no stream knows the record.
    /// - Throws: `StoreError`, and ``KeyProblem`` where the entity or the key is not understood.
    package func lives(entity: String, key text: String, pipelines: [String]?) throws -> [RecordLife] {
        let known = try store.mappings(pipeline: nil, entity: nil)
            .filter { pipelines?.contains($0.pipeline) ?? true }
        let sources = known.filter { $0.entity == entity }
        let edits = try edits(beside: sources, entity: entity)
        let mappings = sources + edits
        if mappings.isEmpty { throw KeyProblem.entity(known: known) }
        let lives = try mappings.compactMap { mapping -> RecordLife? in
            guard let table = try reader.table(mapping) else { return nil }
            for key in try keys(text, of: table) {
                if let life = try life(mapping, table, key) { return life }
            }
            return nil
        }
        return Self.told(lives)
    }

    /// The keys that a text may name.
    ///
    /// - Throws: `StoreError`, and ``KeyProblem/key(expected:example:)`` with the key of the table's first record.
    private func keys(_ text: String, of table: any RecordTable) throws -> [RecordKey] {
        let words = KeyText(schema: table.schema, json: json)
        do {
            return try words.keys(text)
        } catch KeyProblem.key(let expected, _) {
            let first = try table.liveKeys(after: nil, limit: 1) { _ in false }.keys.first
            throw KeyProblem.key(expected: expected, example: first.map(words.text))
        }
    }

    /// Under which names the history keeps what programs wrote to an entity's tables.
    private func edits(beside sources: [RecordMapping], entity: String) throws -> [RecordMapping] {
        let tables = try sources.compactMap { try reader.table($0)?.schema.table }
        let named = try store.edits(of: nil).filter { $0.entity == entity }
        let beside = try tables.flatMap { try store.edits(of: $0) }
        return (named + beside).reduce(into: []) { found, mapping in
            if !found.contains(mapping) { found.append(mapping) }
        }
    }

    /// Looks a record up in every stream that fills a table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - key: The record's key as a stream has it; nil where it has none.
    /// - Returns: What is known, by stream; nothing where no stream knows the record.
    /// - Throws: `StoreError`.
    package func lives(inTable table: String, key: (RecordSchema) -> RecordKey?) throws -> [RecordLife] {
        let lives = try (store.sources(of: table) + store.edits(of: table)).compactMap { mapping -> RecordLife? in
            guard let table = try reader.table(mapping), let key = key(table.schema) else { return nil }
            return try life(mapping, table, key)
        }
        return Self.told(lives)
    }

    /// The lives of those sources that gave a record, with all that happened to it. A source that may give records of the
    /// table, as one whose records refer to it, tells nothing of those that it never gave; where no source gave one, it is
    /// told once.
    private static func told(_ lives: [RecordLife]) -> [RecordLife] {
        var told = lives.filter(\.isGiven)
        if told.isEmpty { told = Array(lives.prefix(1)) }
        guard !told.isEmpty else { return [] }
        for other in lives where !told.contains(where: { $0.mapping == other.mapping }) {
            told[0].changes += other.changes
            told[0].said += other.said
            told[0].runs.merge(other.runs) { own, _ in own }
        }
        // The newest first, those of one run in their order.
        let order = told[0].changes.indices.sorted {
            (told[0].changes[$0].run, $1) > (told[0].changes[$1].run, $0)
        }
        told[0].changes = order.map { told[0].changes[$0] }
        return told
    }

    private func life(_ mapping: RecordMapping, _ table: any RecordTable, _ key: RecordKey) throws -> RecordLife? {
        let schema = table.schema
        let name = FieldJSON.object(key: key, schema: schema)
        let (base, local) = try (table.baseRow(key), table.localRow(key))
        // A row that is there and yet is none is marked as deleted.
        let whole = try local == nil ? table.wholeRow(key) : nil
        let marked = whole?["_deleted_at"]
        let held = local ?? (marked == nil ? nil : whole?.values(of: schema))
        let records = try store.changes.records(mapping, key: name)
        let quarantine = try store.quarantine.entries(of: mapping, key: name)
        let awaitedBy = try store.waiting(for: key, of: schema)
        if base == nil && local == nil && records.isEmpty && quarantine.isEmpty && awaitedBy.isEmpty { return nil }
        var runs: [Int64: RunEntry] = [:]
        let taken = quarantine.filter { $0.changedField != nil }.map(\.firstRun)
        for id in records.map(\.run) + ([base?.firstRun, base?.lastRun] + taken).compactMap({ $0 })
        where runs[id] == nil {
            runs[id] = try store.runs.entry(id: id)
        }
        // Old runs are forgotten first, so what the first one changed is kept only if all is.
        let isCut = base?.firstRun.map { runs[$0]?.changes != .kept } ?? false
        let otherSources = try OtherSourceLedger(of: schema, in: store, asMerged: true)
        // A row that a run made for others that refer to it says nothing of what its source said before.
        var isStub = false
        if let base, let local, !base.state.isLive {
            let canonical = CanonicalRecord(schema: schema)
            isStub =
                try canonical.standsForRecord(local, of: base)
                || canonical.isBare(local, over: base.entries)
                    && store.changesOfRow(mapping, key: name).insertOfRow != nil
        }
        let setters = try held.map { _ in
            let own = RecordSetters.Source(
                schema: schema, records: records, firstRun: isCut ? nil : base?.firstRun)
            return RecordSetters(
                schema: schema, sources: [own] + (try others(otherSources, key)) + (try edited(key, schema, mapping)),
                isMarked: marked != nil)
        }
        for id in Set((setters?.runs ?? [:]).values) where runs[id] == nil { runs[id] = try store.runs.entry(id: id) }
        let state: RecordLife.State =
            switch base?.state {
            case nil: local == nil ? .forgotten : .unmanaged
            case .live: .live
            case .remoteTombstone: .remoteTombstone
            case .localTombstone: .localTombstone
            case .statedTombstone: .statedTombstone
            case .overruled: .overruled
            }
        let conflicts = try conflicts(of: key, mapping, schema)
        let said = try said(of: conflicts, mapping, key: name)
        for id in Set(said.map(\.run)) where runs[id] == nil { runs[id] = try store.runs.entry(id: id) }
        var life = RecordLife(
            mapping: mapping, table: schema.table, key: name, state: state,
            absence: RecordLife.Absence(base, records, conflicts), isThere: local != nil,
            markedAt: marked.flatMap {
                if case .text(let text) = $0 { String(decoding: text, as: UTF8.self) } else { nil }
            },
            firstRun: base?.firstRun, lastRun: base?.lastRun,
            fields: try fields(
                table, key, base: isStub ? nil : base, local: held, isMarked: marked != nil, otherSources, setters, runs
            ),
            changes: try records.reversed().map { try reader.change($0) },
            said: said, conflicts: try ConflictBases(store: store).explained(conflicts),
            quarantine: quarantine, awaitedBy: awaitedBy, runs: runs,
            isCut: isCut)
        for index in life.fields.indices {
            let field = life.fields[index]
            life.fields[index].waitsIn = WaitingValue.entry(in: quarantine, field: field.name, local: field.value)
        }
        life.lists = try RecordLists(store: store).lists(within: key, of: mapping)
        life.isOfEdits = try store.edits(of: schema.table).contains(mapping)
        return life
    }

    /// What the source said of the conflicts of a record in place of what it had said, the newest first.
    private func said(
        of conflicts: [ConflictEntry], _ mapping: RecordMapping, key: String
    ) throws -> [RecordedEntry] {
        let moved = conflicts.filter { $0.seen > 1 && $0.key == key }
        guard let first = moved.compactMap(\.firstRun).min() else { return [] }
        return try store.said(of: mapping, key: key, since: first).filter { $0.remotes != nil }.reversed()
    }

    /// The conflicts over a record, and those over the list that it is an element of.
    private func conflicts(
        of key: RecordKey, _ mapping: RecordMapping, _ schema: RecordSchema
    ) throws -> [ConflictEntry] {
        let own = try store.conflicts.entries(of: mapping, key: FieldJSON.object(key: key, schema: schema))
        guard key.values.count > 1 else { return own }
        let list = FieldJSON.object(key: ListText.owner(of: key), schema: schema)
        return try own + store.conflicts.entries(of: mapping, key: list).filter(\.isOfList)
    }

    /// What the other sources of a row did to it.
    private func others(_ otherSources: OtherSourceLedger, _ key: RecordKey) throws -> [RecordSetters.Source] {
        try otherSources.names(of: key).compactMap { source, key in
            guard let table = try reader.table(source) else { return nil }
            let first = try table.baseRow(key)?.firstRun
            let isKept = try first.map { try store.runs.entry(id: $0)?.changes == .kept } ?? false
            let records = try store.changes.records(source, key: FieldJSON.object(key: key, schema: table.schema))
            return RecordSetters.Source(schema: table.schema, records: records, firstRun: isKept ? first : nil)
        }
    }

    /// What programs did to a record of their own.
    private func edited(
        _ key: RecordKey, _ schema: RecordSchema, _ own: RecordMapping
    ) throws -> [RecordSetters.Source] {
        try store.edits(of: schema.table).filter { $0 != own }.compactMap { mapping in
            guard let edited = try reader.table(mapping)?.schema else { return nil }
            let values = edited.keyFields.compactMap { field in
                schema.keyFields.firstIndex {
                    ColumnName.areSame(schema.fields[$0].column, edited.fields[field].column)
                }
                .map { key.values[$0] }
            }
            if values.count != key.values.count { return nil }
            let name = FieldJSON.object(key: RecordKey(values), schema: edited)
            return RecordSetters.Source(
                schema: edited, records: try store.changes.records(mapping, key: name), firstRun: nil)
        }
    }

    private func fields(
        _ table: any RecordTable, _ key: RecordKey, base: BaseRow?, local: [FieldValue]?, isMarked: Bool,
        _ otherSources: OtherSourceLedger,
        _ setters: RecordSetters?, _ runs: [Int64: RunEntry]
    ) throws -> [RecordLife.Field] {
        let schema = table.schema
        let waiting = try table.waitingTargets(key)
        let emptied = try table.emptiedTargets(key)
        let canonical = CanonicalRecord(schema: schema)
        let held = local.map { canonical.sides(of: $0) }
        // What was said before a deletion that was stated is nothing of a row that others made since; one that is marked as deleted is
        // still that of before.
        let said = base.map { base in
            let sides = canonical.sides(of: base.entries)
            return held == nil || isMarked || base.tellsValues ? sides : sides.map { _ in .nothing }
        }
        var records = held == nil ? [] : try otherSources.records(key)
        if isMarked { records = records.map { OtherRecord(source: $0.source, base: $0.base.untold) } }
        let claims = held == nil ? [] : otherSources.others.claims(of: records, beside: base, canonical)
        return schema.fields.indices.map { index in
            var isEdited = false
            var giver: FieldClaim?
            if let said, let held {
                // Several sources may fill a table, and what one of them gave nobody edited.
                let others = claims.isEmpty ? [] : claims[index]
                isEdited = FieldClaim.isEdit(
                    held[index], of: said[index], unsaid: schema.fields[index].unsaid, beside: others)
                if held[index] != said[index] { giver = others.first { $0.explains(held[index]) } }
            }
            let reference = schema.references.first { reference in
                reference.fields.contains(index) && (waiting[reference.name] ?? emptied[reference.name]) != nil
            }
            let column = schema.fields[index].column.lowercased()
            var run = setters?.runs[column]
            // What people gave through a decision a run wrote, as long as nobody changed it since.
            if isEdited {
                let written = setters?.values[column].map { canonical.side(of: $0, field: index) }
                let isDecided = run.flatMap { runs[$0] }?.isDecision == true && written == held?[index]
                if !isDecided { run = nil }
            }
            return RecordLife.Field(
                name: schema.fields[index].name, value: local.map { canonical.text($0[index], field: index) },
                base: base?.entries[index].value.map { canonical.text($0, field: index) }, isEdited: isEdited,
                run: run, foundBy: isEdited || run != nil ? nil : setters?.finder,
                from: giver.map { otherSources.others.path(of: $0.source) },
                waitsFor: reference.flatMap { waiting[$0.name] }?.map(\.arrayJSON) ?? [],
                emptied: reference.flatMap { emptied[$0.name] }?.map(\.arrayJSON) ?? [],
                target: reference?.target ?? "")
        }
    }
}

extension BaseRow {
    /// The same as if its source had not stated the deletion, and lacked the record.
    fileprivate var untold: BaseRow {
        var base = self
        if base.state == .statedTombstone { base.state = .remoteTombstone }
        return base
    }
}

extension RunEntry {
    /// Whether it wrote what people decided, and not what a source said.
    var isDecision: Bool {
        [RunEntry.resolveCommand, "undo", RunEntry.editCommand].contains(command)
    }
}

extension RecordLife.Absence {
    /// What the base of a record, what runs did to it, and its conflicts say of it.
    ///
    /// - Parameters:
    ///   - base: The base; a record that is no longer live is said to be gone by its state.
    ///   - records: What runs did to the record, the oldest first.
    ///   - conflicts: Its conflicts.
    fileprivate init?(_ base: BaseRow?, _ records: [RecordedChange], _ conflicts: [ConflictEntry]) {
        guard let base, base.state == .live else { return nil }
        let kind = RowKind.editDelete.rawValue
        if base.isOpen, let conflict = conflicts.first(where: { $0.status == .open && $0.kind == kind }) {
            self.init(kind: .gone, since: conflict.firstRun)
        } else if base.missedScans > 0 {
            // Each scan that missed it is noted; older ones may be forgotten.
            let noted = records.filter { $0.kind == RowKind.unseen.rawValue }.suffix(base.missedScans)
            self.init(kind: .missing, since: noted.count == base.missedScans ? noted.first?.run : nil)
        } else {
            return nil
        }
    }
}

internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

/// Another source that fills the table of a stream, in the terms of that stream's fields.
struct OtherSourceBases {
    /// What deciding takes of it.
    var source: OtherSource
    var name: RecordMapping { source.name }
    let table: any RecordTable
    var canonical: CanonicalRecord { source.canonical }
    /// The positions of the other source's fields whose columns the stream does not fill.
    private let ownFields: [Int]
    /// For each part of the other source's key the part of the stream's key with the same column.
    private let keyParts: [Int]

    /// Makes one; nil where its records are identified by other columns, so that they cannot be found.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - table: Its table.
    ///   - schema: The schema of the stream that asks.
    ///   - rank: Whether it goes before that stream.
    ///   - columns: The columns that it fills, in lower case, where the pipeline says it; nil for those that the store
    ///     knows.
    init?(
        _ name: RecordMapping, table: any RecordTable, of schema: RecordSchema, rank: SourceOrder.Rank,
        columns: Set<String>?
    ) {
        func column(_ field: RecordSchema.Field) -> String { field.column.lowercased() }
        let other = table.schema
        let keys = schema.keyFields.map { column(schema.fields[$0]) }
        let parts = other.keyFields.compactMap { keys.firstIndex(of: column(other.fields[$0])) }
        guard parts.count == other.keyFields.count, parts.count == keys.count else { return nil }
        self.table = table
        keyParts = parts
        let filled = other.fields.map(column).map { columns?.contains($0) ?? true ? $0 : nil }
        source = OtherSource(
            name, CanonicalRecord(schema: other), rank: rank,
            fieldOf: schema.fields.map { field in filled.firstIndex(of: column(field)) })
        let ours = Set(schema.fields.filter { !$0.isGivenUp }.map(column))
        ownFields = other.fields.indices.filter { index in filled[index].map { !ours.contains($0) } ?? false }
    }

    /// Whether it fills columns that the stream does not fill, or filled them before.
    var hasOwnFields: Bool { !ownFields.isEmpty }

    /// What the source said of each of some records, nil where it never had it.
    func bases(_ keys: [RecordKey]) throws -> [BaseRow?] { try table.baseRows(keys.map(own)) }

    /// What the source said last of a column of a record; nil where that is not kept.
    func said(_ column: String, in base: BaseRow) -> FieldValue? {
        table.schema.fields.firstIndex { ColumnName.areSame($0.column, column) }.flatMap { base.entries[$0].said }
    }

    /// The key of a record as the source has it, as a JSON object.
    func text(of key: RecordKey) -> String { FieldJSON.object(key: own(key), schema: table.schema) }

    /// What the source said of each column that the stream does not fill, of each of some records.
    ///
    /// - Parameter records: The records, each with what the source said of it, nil where it never had it.
    /// - Returns: What it said, nothing where a record has no row.
    /// - Throws: `StoreError`.
    func saidElsewhere(_ records: [(key: RecordKey, base: BaseRow?)]) throws -> [[SaidElsewhere]] {
        if ownFields.isEmpty || records.isEmpty { return records.map { _ in [] } }
        return zip(records, try table.localRows(records.map { own($0.key) })).map { record, local in
            guard let local else { return [] }
            let sides = canonical.sides(of: local)
            guard let base = record.base else {
                return ownFields.compactMap { field in
                    let described = table.schema.fields[field]
                    // Nobody can tell who put a default there.
                    if described.hasColumnDefault { return nil }
                    return SaidElsewhere(
                        column: described.column, local: sides[field], isUnsaid: sides[field] == described.unsaid,
                        isGivenUp: described.isGivenUp)
                }
            }
            let said = canonical.sides(of: base.entries)
            return ownFields.map { field in
                let described = table.schema.fields[field]
                var found = SaidElsewhere(
                    column: described.column, local: sides[field], isUnsaid: sides[field] == described.unsaid,
                    isGivenUp: described.isGivenUp)
                if said[field] != .nothing && base.tellsValues {
                    found.said = SaidElsewhere.Said(
                        side: said[field], isInRow: sides[field] == said[field], source: name, base: base,
                        until: described.givenUpIn)
                }
                return found
            }
        }
    }

    /// The records that the children of some belong to, as the source has their keys; nil where it cannot tell.
    func own(owners: [RecordKey]) -> [RecordKey]? {
        guard let count = owners.first?.values.count else { return nil }
        let parts = keyParts.prefix(count)
        guard parts.allSatisfy({ $0 < count }) else { return nil }
        return owners.map { owner in RecordKey(parts.map { owner.values[$0] }) }
    }

    /// Has the source's next record looked at again, where it says something else than values that nobody stands for any more.
    /// A value of the source that somebody preferred to those stays an edit until the source says it once more.
    ///
    /// - Parameters:
    ///   - base: What the source said of the record.
    ///   - left: What another source leaves of each field of the stream.
    /// - Returns: The base from now on; nil where there is nothing to look at.
    func revisited(_ base: BaseRow, left: [LeftField]) -> BaseRow? {
        var (changed, isAsked) = (base, false)
        for (field, side) in source.sides(of: base).enumerated() where side != .nothing {
            switch left[field] {
            case .standing(_, as: let value): isAsked = isAsked || side != value
            case .overwritten(let entry, by: let local):
                guard source.rank == .below, let own = source.field(field) else { continue }
                if side == local { changed.entries[own] = entry }
                isAsked = true
            case .other: continue
            }
        }
        return isAsked ? Self.void(changed) : nil
    }

    /// Has the source, which asks whether a record's row goes, tell edits by what another one leaves there that goes before it and lost the
    /// record as well: what it gave of these fields itself was never in the row.
    ///
    /// - Parameters:
    ///   - base: What the source said of the record.
    ///   - left: What the other one leaves of each field of the stream.
    /// - Returns: The base from now on; nil where it stays.
    func inheriting(_ base: BaseRow, left: [LeftField]) -> BaseRow? {
        guard source.rank == .below else { return nil }
        var heir = base
        for (field, side) in source.sides(of: base).enumerated() where side != .nothing {
            guard let entry = left[field].entry, let own = source.field(field) else { continue }
            heir.entries[own] = entry
        }
        return heir.entries == base.entries ? nil : heir
    }

    /// Forgets what the source said of a row that a run made anew, where that holds something else. A deletion that another
    /// source stated holds for it no longer.
    ///
    /// - Parameters:
    ///   - base: What the source said of the record.
    ///   - local: The row as it is now; nil where there is none.
    ///   - run: The run's number, nil in a plan.
    /// - Returns: The base from now on, and whether what the source lists has to be looked at once more; nil where it stays.
    func forgetting(_ base: BaseRow, local: [FieldValue]?, run: Int64?) -> (base: BaseRow, isNews: Bool)? {
        let sides = local.map { canonical.sides(of: $0) }
        var changed = base
        for (field, side) in canonical.sides(of: base.entries).enumerated() where side != sides?[field] {
            changed.entries[field] = .none
        }
        if changed.state == .overruled { changed.state = .live }
        if changed.isKnownByHash { changed.isLeft = true }
        if changed == base { return nil }
        // What belongs to the record is its own again.
        let isNews = (changed.entries != base.entries || base.state == .overruled) && changed.state.isLive
        // What the source lost before it did not lose in this run.
        if changed.state.isLive { changed.lastRun = run }
        // Only the hash tells what it stated.
        if changed.entries != base.entries && !base.isKnownByHash { changed = Self.void(changed) }
        return (changed, isNews)
    }

    /// Forgets what the source, which has the record no longer, gave of fields that hold another source's values now.
    ///
    /// - Parameters:
    ///   - base: What the source said of the record.
    ///   - written: What the row holds, by the positions of the stream's fields.
    /// - Returns: The base from now on; nil where it stays.
    func usedUp(_ base: BaseRow, written: [Int: FieldSide]) -> BaseRow? {
        var changed = base
        for (field, side) in source.sides(of: base).enumerated() {
            guard let held = written[field], side != held, let own = source.field(field) else { continue }
            changed.entries[own] = .none
        }
        if changed.entries == base.entries { return nil }
        if changed.state != .statedTombstone { changed.rowHash = canonical.rowHash(of: changed.entries) }
        return changed
    }

    /// Ends what the source holds of a record. What it listed last is what it said, whether it was taken or was still to
    /// be decided: only what it says anew is news.
    ///
    /// - Parameters:
    ///   - base: What the source said of the record.
    ///   - state: What the record is at the source from now on.
    ///   - open: Its open conflicts over the record.
    ///   - run: The run's number, nil in a plan.
    /// - Returns: The base from now on.
    func withdrawn(_ base: BaseRow, as state: BaseState, open: [ConflictEntry], run: Int64?) -> BaseRow {
        var base = base
        (base.state, base.isOpen, base.missedScans, base.lastRun) = (state, false, 0, run)
        base.entries = canonical.entries(listedIn: canonical.awaited(open), over: base.entries)
        base.rowHash = canonical.rowHash(of: base.entries)
        return base
    }

    /// Ends the wait for a decision about a record whose deletion the source stated; what it stated it said.
    ///
    /// - Parameter base: What the source said of the record.
    /// - Returns: The base from now on.
    func answered(_ base: BaseRow) -> BaseRow {
        var base = base
        base.endStatement()
        return base
    }

    /// Ends what the source asks about a field of which it was decided what the row holds; what it said of it it said.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - base: What the source said of it.
    ///   - field: The position of the stream's field; nil where it was decided that a deleted row comes back.
    ///   - decided: The numbers of conflicts that are decided for themselves.
    ///   - conflicts: Where conflicts are kept.
    ///   - run: The run that decides.
    /// - Returns: The conflicts that are open no longer.
    /// - Throws: `StoreError`.
    func settle(
        _ key: RecordKey, base: BaseRow, field: Int?, besides decided: Set<Int64>, conflicts: any ConflictLedger,
        run: Int64
    ) throws -> [ConflictEntry] {
        let own = field.flatMap { source.field($0) }
        if field != nil && own == nil { return [] }
        let column = own.map { table.schema.fields[$0].name }
        let open = try conflicts.open(of: name, key: text(of: key))
        let answered = open.filter { entry in
            guard entry.field == column, let id = entry.id, !decided.contains(id) else { return false }
            if column == nil { return entry.kind == RowKind.deleteEdit.rawValue }
            return FieldClass(rawValue: entry.kind)?.isDivergent == true
        }
        if answered.isEmpty { return [] }
        var changed = base
        if column != nil {
            changed.entries = canonical.entries(listedIn: canonical.awaited(answered), over: base.entries)
        }
        changed.rowHash &+= canonical.rowHash(of: changed.entries) &- canonical.rowHash(of: base.entries)
        (changed.isOpen, changed.lastRun) = (answered.count < open.count, run)
        try table.write(RecordWrite(key: self.own(key), row: .none, base: changed))
        return answered
    }

    /// Writes what the source says of records from now on, by the keys as it has them.
    func write(_ bases: [RecordKey: BaseRow]) throws {
        let sorted = bases.sorted { $0.key < $1.key }
        _ = try table.write(sorted.map { RecordWrite(key: $0.key, row: .none, base: $0.value) })
    }

    /// A base that no record equals.
    static func void(_ base: BaseRow) -> BaseRow {
        var base = base
        base.rowHash = BaseImage.voidHash
        return base
    }

    /// The key as the stream has it, from the source's.
    func theirs(_ own: RecordKey) -> RecordKey {
        var values = own.values
        for (part, value) in zip(keyParts, own.values) { values[part] = value }
        return RecordKey(values)
    }

    /// The key as the source's table has it.
    func own(_ key: RecordKey) -> RecordKey { RecordKey(keyParts.map { key.values[$0] }) }
}

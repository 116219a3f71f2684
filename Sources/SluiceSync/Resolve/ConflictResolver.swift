internal import SluiceMerge
public import SluiceStore
internal import SluiceSystem

/// Settles conflicts as a person decides, from the store alone.
///
/// The base advances to what the source said, so that the next run has nothing to ask again. All decisions about one
/// record are written at once, and unique values may swap between records.
public struct ConflictResolver {
    private let store: any RecordStore
    private let json = StoredJSON()

    /// Makes a resolver; the store's transaction is the caller's.
    public init(store: any RecordStore) { self.store = store }

    /// Carries out decisions.
    ///
    /// - Parameters:
    ///   - decisions: One for each conflict; how each ended is noted in it.
    ///   - who: Who decided, kept with the conflicts.
    ///   - note: Why, kept with the conflicts.
    /// - Throws: `StoreError`.
    public func carryOut(_ decisions: inout [ConflictDecision], who: String?, note: String? = nil) throws {
        var tables = Tables(store: store)
        var records: [Record: [Int]] = [:]
        var order: [Record] = []
        for (index, decision) in decisions.enumerated() {
            let record = Record(decision.conflict)
            if records[record] == nil { order.append(record) }
            records[record, default: []].append(index)
        }
        var written: [Written] = []
        for record in order {
            let positions = records[record] ?? []
            if let key = try settle(record, positions, &decisions, &tables) {
                written.append(Written(mapping: record.mapping, key: key, positions: positions))
            }
        }
        try refuseCollisions(written, &decisions, tables)
        for index in decisions.indices where decisions[index].outcome == .resolved {
            decisions[index].conflict.status = .resolved
            decisions[index].conflict.resolution = decisions[index].resolution.name
            decisions[index].conflict.who = who
            decisions[index].conflict.note = note
            try store.conflicts.update(decisions[index].conflict)
        }
    }

    // MARK: Records

    private struct Mapping: Hashable {
        let pipeline: String
        let stream: String
        let entity: String
    }

    private struct Record: Hashable {
        let mapping: Mapping
        let key: String

        init(_ conflict: ConflictEntry) {
            mapping = Mapping(pipeline: conflict.pipeline, stream: conflict.stream, entity: conflict.entity)
            key = conflict.key
        }
    }

    private struct Written {
        let mapping: Mapping
        let key: RecordKey
        let positions: [Int]
    }

    /// Each table is opened once: what has to wait for unique values waits there.
    private struct Tables {
        let store: any RecordStore
        private(set) var all: [Mapping: any RecordTable] = [:]
        private var siblings: [Mapping: SiblingSources] = [:]

        init(store: any RecordStore) { self.store = store }

        mutating func table(_ mapping: Mapping) throws -> (any RecordTable)? {
            if let table = all[mapping] { return table }
            let table = try store.knownTable(
                pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
            if let table { all[mapping] = table }
            return table
        }

        /// The other sources of a mapping's table.
        mutating func siblings(_ mapping: Mapping) throws -> SiblingSources {
            if let siblings = siblings[mapping] { return siblings }
            let found = try table(mapping).map { try SiblingSources(of: $0.schema, in: store) } ?? .none
            siblings[mapping] = found
            return found
        }
    }

    /// Decides the conflicts of one record and writes it.
    ///
    /// - Returns: The record's key where something was written.
    private func settle(
        _ record: Record, _ positions: [Int], _ decisions: inout [ConflictDecision], _ tables: inout Tables
    ) throws -> RecordKey? {
        guard let table = try tables.table(record.mapping), let key = json.key(record.key, schema: table.schema) else {
            return refuse(positions, &decisions, "The store does not know its table any more.")
        }
        guard let base = try table.baseRow(key) else {
            return refuse(positions, &decisions, "Its record is not managed any more.")
        }
        var settlement = RecordSettlement(
            schema: table.schema, base: base, local: try table.localRow(key), json: json, time: WallClock.now())
        var resolved: Set<Int64> = []
        for index in positions {
            let conflict = decisions[index].conflict
            guard conflict.status == .open, let id = conflict.id else {
                decisions[index].outcome = .refused("It is \(conflict.status.rawValue) already.")
                continue
            }
            let outcome = settlement.apply(decisions[index].resolution, to: &decisions[index].conflict)
            decisions[index].outcome = outcome
            if outcome == .reopened { try store.conflicts.update(decisions[index].conflict) }
            if outcome == .resolved { resolved.insert(id) }
        }
        if resolved.isEmpty { return nil }
        var newBase = settlement.base
        newBase.isOpen = try store.conflicts.open(
            pipeline: record.mapping.pipeline, stream: record.mapping.stream, key: record.key
        ).contains { !resolved.contains($0.id ?? 0) }
        do {
            try table.write(RecordWrite(key: key, row: settlement.row, base: newBase))
        } catch let error as StoreError where error.code == .rejected {
            return refuse(positions, &decisions, error.message)
        }
        if case .insert = settlement.row {
            let siblings = try tables.siblings(record.mapping)
            try siblings.startOver(key, try siblings.records(key))
        }
        return key
    }

    /// Refuses what would have been resolved.
    private func refuse(_ positions: [Int], _ decisions: inout [ConflictDecision], _ reason: String) -> RecordKey? {
        for index in positions where decisions[index].outcome == nil || decisions[index].outcome == .resolved {
            decisions[index].outcome = .refused(reason)
        }
        return nil
    }

    private func refuseCollisions(
        _ written: [Written], _ decisions: inout [ConflictDecision], _ tables: Tables
    ) throws {
        for (mapping, table) in tables.all {
            for collision in try table.finish() {
                let names = collision.fields.map { "`\(table.schema.fields[$0].name)`" }.joined(separator: ", ")
                let holder = collision.holder.map { " by \(FieldJSON.object(key: $0, schema: table.schema))" } ?? ""
                let reason = "The values of \(names), which must be unique, are taken\(holder)."
                for record in written where record.mapping == mapping && record.key == collision.write.key {
                    _ = refuse(record.positions, &decisions, reason)
                }
            }
        }
    }
}

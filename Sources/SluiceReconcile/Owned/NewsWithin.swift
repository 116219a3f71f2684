internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

/// What the source of a table says of records without a row, as long as a conflict is open over one that they are within.
///
/// An open conflict keeps the base, also of what is within its record: whatever ends it finds all three sides of that.
struct NewsWithin {
    /// What the source says of one record.
    struct Item {
        fileprivate var entry: ConflictEntry
        /// What it says, by the positions of the fields; nil where it has the record no longer.
        let said: [Int: FieldValue]?
        /// The number of the conflict with which it waits.
        var conflict: Int64? { entry.endingWith }
    }

    private var schema: RecordSchema { canonical.schema }
    private let canonical: CanonicalRecord
    private var items: [RecordKey: Item] = [:]
    /// The records of which something waits, by the number of the conflict.
    private var keys: [Int64: Set<RecordKey>] = [:]

    var isEmpty: Bool { items.isEmpty }

    /// Nothing.
    init(of canonical: CanonicalRecord) { self.canonical = canonical }

    /// Reads what waits.
    ///
    /// - Parameters:
    ///   - canonical: The records of the table.
    ///   - ledger: Keeps it.
    /// - Throws: `StoreError`.
    init(of canonical: CanonicalRecord, in ledger: any ConflictLedger) throws {
        self.init(of: canonical)
        for entry in try ledger.within(schema.source) { add(entry) }
    }

    private mutating func add(_ entry: ConflictEntry) {
        guard let key = StoredJSON().key(entry.key, schema: schema) else { return }
        let said = canonical.awaited([entry]).first?.values
        // What cannot be read any more says nothing.
        if entry.remote != nil && said == nil { return }
        remove(key)
        items[key] = Item(entry: entry, said: said)
        if let conflict = entry.endingWith { keys[conflict, default: []].insert(key) }
    }

    @discardableResult
    private mutating func remove(_ key: RecordKey) -> Item? {
        guard let item = items.removeValue(forKey: key) else { return nil }
        if let conflict = item.conflict { keys[conflict]?.remove(key) }
        return item
    }

    /// What waits of a record with one of some conflicts.
    subscript(key: RecordKey, conflicts: Set<Int64>) -> Item? {
        items[key].flatMap { item in item.conflict.map(conflicts.contains) == true ? item : nil }
    }

    /// The records of which something waits with one of some conflicts, in the order of their keys.
    func keys(with conflicts: Set<Int64>) -> [RecordKey] { conflicts.flatMap { keys[$0] ?? [] }.sorted() }

    /// Those of them that are within some records.
    func keys(of owners: [RecordKey], with conflicts: Set<Int64>) -> [RecordKey] {
        let keys = keys(with: conflicts)
        if keys.isEmpty { return [] }
        let lengths = Set(owners.map(\.values.count))
        let known = Set(owners)
        return keys.filter { key in lengths.contains { known.contains(RecordKey(Array(key.values.prefix($0)))) } }
    }

    /// Whether the source says anything of a record that waits with a conflict: that it has some no longer asks nothing.
    func asks(_ conflict: Int64) -> Bool { keys[conflict]?.contains { items[$0]?.said != nil } ?? false }

    /// What the source said last of a record: in what waits, and else before.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - conflicts: The numbers of conflicts.
    ///   - base: What is remembered of it.
    /// - Returns: What a base keeps of it; nil where the source has it no longer.
    func entries(of key: RecordKey, with conflicts: Set<Int64>, over base: [BaseEntry]) -> [BaseEntry]? {
        guard let item = self[key, conflicts] else { return base }
        return item.said.map { canonical.entries(listedIn: [AwaitedRemote(field: nil, values: $0)], over: base) }
    }

    /// Keeps what the source says of records.
    ///
    /// - Parameters:
    ///   - news: Each with what is kept if nothing of it waits yet, and with the number of the conflict with which it waits;
    ///     `remote` is nil where the source has it no longer.
    ///   - ledger: Keeps it.
    ///   - run: The run's number, nil in a plan.
    /// - Throws: `StoreError`.
    mutating func keep(
        _ news: [(key: RecordKey, entry: ConflictEntry, conflict: Int64)], in ledger: any ConflictLedger, run: Int64?
    ) throws {
        var written: [ConflictEntry] = []
        for (key, new, conflict) in news {
            var entry = new
            if let known = items[key]?.entry {
                if known.remote == new.remote && known.endingWith == conflict { continue }
                entry = known
                (entry.remote, entry.lastRun) = (new.remote, run)
            }
            (entry.status, entry.end) = (.within, .record(conflict))
            written.append(entry)
        }
        if written.isEmpty { return }
        for (var entry, id) in zip(written, try ledger.write(written)) {
            entry.id = id
            add(entry)
        }
    }

    /// Forgets what waits of records.
    ///
    /// - Parameters:
    ///   - keys: The records.
    ///   - ledger: Keeps it.
    /// - Throws: `StoreError`.
    mutating func forget(_ keys: [RecordKey], in ledger: any ConflictLedger) throws {
        let ids = keys.compactMap { remove($0)?.entry.id }
        if !ids.isEmpty { try ledger.forgetWithin(ids) }
    }
}

internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

/// What follows from plans for the other sources of their table, written together by ``OtherSourceLedger/write(_:)``.
package struct OtherSourceWrites {
    /// What the bases of a source are from now on, by its position and by the keys as it has them.
    private(set) var bases: [Int: [RecordKey: BaseRow]] = [:]
    /// The sources that have to be read once more.
    private(set) var asked: Set<Int> = []

    /// Nothing yet.
    package init() {}

    /// Sets what a source says of a record from now on, in the place of what was set before.
    mutating func set(_ base: BaseRow, of key: RecordKey, at source: Int) {
        bases[source, default: [:]][key] = base
    }

    /// Has a source read once more.
    mutating func ask(_ source: Int) { asked.insert(source) }
}

/// The open conflicts that other sources of a table have over records.
struct OtherConflicts {
    /// By the position of the source, and by the key as JSON.
    private var entries: [Int: [ExactText: [ConflictEntry]]] = [:]

    /// Looks them up, once for each source.
    ///
    /// - Parameters:
    ///   - records: What other sources said of records, each with the record's key.
    ///   - sources: The sources.
    ///   - ledger: Where conflicts are kept; nil where there are none.
    /// - Throws: `StoreError`.
    init(
        over records: [(key: RecordKey, record: OtherRecord)], of sources: [OtherSourceBases],
        in ledger: (any ConflictLedger)?
    ) throws {
        guard let ledger else { return }
        for (position, records) in Dictionary(grouping: records, by: \.record.source) {
            let source = sources[position]
            entries[position] = try ledger.open(of: source.name, keys: records.map { source.text(of: $0.key) })
        }
    }

    /// Those of one source over one record, whose key is given as the source has it, as JSON.
    func open(of source: Int, key: String) -> [ConflictEntry] { entries[source]?[ExactText(key)] ?? [] }
}

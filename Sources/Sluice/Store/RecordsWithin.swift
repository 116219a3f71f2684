/// What a record that is being saved had of the records within it when it was read. Those whose models have no ``Origin`` know no
/// more of themselves.
final class RecordsWithin {
    /// Whether it was read in what was taken back, behind writes that may have been those of these records.
    let isDoubtful: Bool
    /// Whether the record was deleted since, and what went with it is inserted once more.
    let isGone: Bool
    private let memory: any OriginMemory
    /// They, by their tables in lower case and by their keys, those of which the owner had several copies as each of these; nil until
    /// somebody asks.
    private var records: [String: [[BoxedValue]: [BoxedRecord]]]?

    /// Makes a look at what an owner knows; nil where it knows nothing, or what another store had.
    ///
    /// - Parameters:
    ///   - owner: What it knows of its record.
    ///   - home: The store that it is saved in.
    init?<M: PersistentModel>(of owner: KnownRecord<M>, in home: StoreHome) {
        guard let memory = owner.memory ?? owner.gone, memory.home == home else { return nil }
        self.memory = memory
        (isDoubtful, isGone) = (owner.isDoubtful, owner.memory == nil)
    }

    /// A record as it was read, or as it was written since.
    ///
    /// - Parameter record: The record as it is to be stored.
    /// - Returns: Nil where it was not within the owner then.
    /// - Throws: ``BoxError`` where the store cannot hold a value.
    func read(_ record: BoxedRecord) throws(BoxError) -> BoxedRecord? {
        if records == nil {
            var found: [String: [[BoxedValue]: [BoxedRecord]]] = [:]
            for record in try memory.whole().inner {
                found[record.description.lowercasedTable, default: [:]][record.key, default: []].append(record)
            }
            records = found
        }
        let copies = records?[record.description.lowercasedTable]?[record.key]
        return copies?.first { $0.values == record.values } ?? copies?.last
    }

    /// Notes that a record was written: the owner may have it a second time.
    func note(_ record: BoxedRecord) {
        let table = record.description.lowercasedTable
        if records?[table]?[record.key] != nil { records?[table]?[record.key] = [record] }
    }
}

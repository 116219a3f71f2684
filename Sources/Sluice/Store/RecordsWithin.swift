/// What a record that is being saved had of the records within it when it was read. Those whose models have no ``Origin`` know no
/// more of themselves.
final class RecordsWithin {
    private let memory: any OriginMemory
    /// They, by their tables in lower case and by their keys; nil until somebody asks.
    private var records: [String: [[BoxedValue]: BoxedRecord]]?

    /// Makes a look at what an owner remembers.
    init(_ memory: any OriginMemory) { self.memory = memory }

    /// A record as it was read.
    ///
    /// - Parameter record: The record as it is to be stored.
    /// - Returns: Nil where it was not within the owner then.
    /// - Throws: ``BoxError`` where the store cannot hold a value.
    func read(_ record: BoxedRecord) throws(BoxError) -> BoxedRecord? {
        if records == nil {
            var found: [String: [[BoxedValue]: BoxedRecord]] = [:]
            for record in try memory.whole().inner {
                found[record.description.lowercasedTable, default: [:]][record.key] = record
            }
            records = found
        }
        return records?[record.description.lowercasedTable]?[record.key]
    }
}

/// What is saved by one call: a record with those within it, or several. One may need a unique value that another one has, which gives
/// it up later in the same call.
struct SavedTogether {
    /// Unique values of a record that are written once all else is.
    struct Waiting {
        let record: BoxedRecord
        /// The positions of the fields.
        let fields: [Int]
    }

    /// How many calls are under way, one within the other.
    var calls = 0
    /// How many of them are about one of several records.
    var several = 0
    /// How many records are being saved around the one at hand.
    var owners = 0
    /// The keys of the records within those that are being saved, by their tables in lower case, where parts are about to go.
    var within: [String: Set<[BoxedValue]>] = [:]
    /// What the records around the one at hand had of those within them, the outermost one first.
    var owned: [RecordsWithin] = []
    /// The records without an ``Origin`` that the call wrote, by their tables in lower case and by their keys.
    private var written: [String: [[BoxedValue]: BoxedRecord]] = [:]
    /// Whether what others changed meanwhile is written over.
    var isOverwriting = false
    /// Whether the record around is inserted, so that what it has by value is inserted too where it is no longer there.
    var isInserting = false
    private(set) var waiting: [Waiting] = []
    /// How many unique values stand in the place of others.
    var placeholders: Int64 = 0
    /// What the transaction knew as a part of it was begun that is taken back where the call fails; nil where none was.
    var before: Transaction.Notes?

    /// Lets fields of a record wait.
    mutating func wait(_ record: BoxedRecord, _ fields: [Int]) {
        if !fields.isEmpty { waiting.append(Waiting(record: record, fields: fields)) }
    }

    /// Forgets fields of a record that get other values.
    mutating func forget(_ record: BoxedRecord, _ fields: [Int]) {
        if waiting.isEmpty { return }
        waiting = waiting.compactMap { entry in
            if entry.record.key != record.key || entry.record.description.table != record.description.table {
                return entry
            }
            let left = entry.fields.filter { !fields.contains($0) }
            return left.isEmpty ? nil : Waiting(record: entry.record, fields: left)
        }
    }

    /// A record as one around it had it when that was read, the innermost one that had it; nil where none had.
    ///
    /// What is changed of it is compared with what the call itself wrote before, which others did not.
    ///
    /// - Parameter record: The record as it is to be stored.
    /// - Returns: The record, and whether it was read in what was taken back.
    /// - Throws: ``BoxError`` where the store cannot hold a value.
    func read(_ record: BoxedRecord) throws(BoxError) -> (record: BoxedRecord, isDoubtful: Bool)? {
        for owner in owned.reversed() {
            guard let read = try owner.read(record) else { continue }
            if read.values != record.values, let own = written[record.description.lowercasedTable]?[record.key] {
                return (own, false)
            }
            return (read, owner.isDoubtful)
        }
        return nil
    }

    /// Notes a record without an ``Origin`` that the call wrote.
    mutating func note(_ record: BoxedRecord) {
        if owned.isEmpty { return }
        written[record.description.lowercasedTable, default: [:]][record.key] = record
        owned.last?.note(record)
    }

    /// Ends the outermost call.
    mutating func end() { (waiting, placeholders, before, written) = ([], 0, nil, [:]) }
}

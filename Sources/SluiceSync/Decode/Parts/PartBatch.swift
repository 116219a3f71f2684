internal import SluiceMerge

/// The records of one part that stand within the records of a batch.
struct PartBatch: Sendable {
    /// The children of one record, all that its source has.
    struct Scope: Sendable {
        /// The key of the record that they belong to.
        let owner: RecordKey
        /// The rows of ``PartBatch/records``.
        let rows: Range<Int>
        /// The position within the stream of the stream's record around them.
        let ordinal: Int
        /// What it means that a child is not among them.
        var reading = ListReading.whole
    }

    /// The records. Where each stands in its source is where the stream's record around it does.
    var records: RecordBatch
    /// Whose children they are; none for embedded objects. A record whose source says nothing of its children has no scope.
    var scopes: [Scope] = []

    init(fieldCount: Int) { records = RecordBatch(fieldCount: fieldCount) }

    /// How much there is of it.
    var mark: Mark { Mark(rows: records.count, bytes: records.bytes.count, scopes: scopes.count) }

    struct Mark {
        fileprivate let rows: Int
        fileprivate let bytes: Int
        fileprivate let scopes: Int
    }

    /// Takes away what was added since a mark was taken, complete or not.
    mutating func remove(since mark: Mark) {
        records.removeRecords(from: mark.rows, byte: mark.bytes)
        scopes.removeLast(scopes.count - mark.scopes)
    }

    /// Takes the children of one record over from another batch.
    mutating func take(_ scope: Scope, of other: borrowing RecordBatch) {
        let first = records.count
        for row in scope.rows { records.append(row, of: other) }
        scopes.append(
            Scope(
                owner: scope.owner, rows: first..<records.count, ordinal: scope.ordinal, reading: scope.reading))
    }
}

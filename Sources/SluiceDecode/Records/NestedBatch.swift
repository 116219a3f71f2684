package import SluiceModel

/// The records of one part that stand within the records of a batch.
package struct NestedBatch: Sendable {
    /// The children of one record, all that its source has.
    package struct Scope: Sendable {
        /// The key of the record that they belong to.
        package let owner: RecordKey
        /// The rows of ``NestedBatch/records``.
        package let rows: Range<Int>
        /// The position within the stream of the stream's record around them.
        package let ordinal: Int
        /// What it means that a child is not among them.
        package var reading = ListReading.whole

        /// Makes a value of its parts.
        package init(owner: RecordKey, rows: Range<Int>, ordinal: Int, reading: ListReading = .whole) {
            self.owner = owner
            self.rows = rows
            self.ordinal = ordinal
            self.reading = reading
        }
    }

    /// The records. Where each stands in its source is where the stream's record around it does.
    package var records: RecordBatch
    /// Whose children they are; none for embedded objects. A record whose source says nothing of its children has no scope.
    package var scopes: [Scope] = []

    package init(fieldCount: Int) { records = RecordBatch(fieldCount: fieldCount) }

    /// How much there is of it.
    @inline(__always)
    package var mark: Mark { Mark(rows: records.count, bytes: records.bytes.count, scopes: scopes.count) }

    package struct Mark {
        fileprivate let rows: Int
        fileprivate let bytes: Int
        fileprivate let scopes: Int

        /// Makes a value of its parts.
        package init(rows: Int, bytes: Int, scopes: Int) {
            self.rows = rows
            self.bytes = bytes
            self.scopes = scopes
        }
    }

    /// Takes away what was added since a mark was taken, complete or not.
    package mutating func remove(since mark: Mark) {
        records.removeRecords(from: mark.rows, byte: mark.bytes)
        scopes.removeLast(scopes.count - mark.scopes)
    }

    /// Takes the children of one record over from another batch.
    package mutating func append(_ scope: Scope, of other: borrowing RecordBatch) {
        let first = records.count
        for row in scope.rows { records.append(row, of: other) }
        scopes.append(
            Scope(
                owner: scope.owner, rows: first..<records.count, ordinal: scope.ordinal, reading: scope.reading))
    }
}

package import SluiceModel

/// A record as its source gave it, beside the row that the table holds.
package struct ComparedRow: Sendable {
    /// The record.
    package var key: RecordKey
    /// What the source said.
    package var base: BaseRow
    /// The row, one value per field of the schema; nil where there is none or it is marked as deleted.
    package var values: [FieldValue]?

    /// Makes a pair of record and row.
    package init(key: RecordKey, base: BaseRow, values: [FieldValue]?) {
        self.key = key
        self.base = base
        self.values = values
    }
}

/// Which of the rows that are compared with their bases are left out, of records that the source still has.
package enum LeftOutRows {
    /// None.
    case none
    /// All.
    case all
    /// Those whose values have the hash of their base.
    case same(RowHasher)
}

/// Tells which rows are left out.
package struct RowTest {
    private let answer: Bool?
    private var hasher: RowHasher?

    /// Makes a test.
    ///
    /// - Parameter leftOut: What is left out.
    package init(_ leftOut: LeftOutRows) {
        switch leftOut {
        case .none: answer = false
        case .all: answer = true
        case .same(let hasher): (answer, self.hasher) = (nil, hasher)
        }
    }

    /// Whether a row is left out.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - rowHash: The hash of its base.
    /// - Returns: Whether it is.
    package mutating func leavesOut(_ row: borrowing RowCells, of rowHash: UInt64) -> Bool {
        answer ?? (hasher?.hash(of: row) == rowHash)
    }
}

/// Some records beside their rows.
package struct ComparedRows: Sendable {
    /// The records whose rows are not what their bases stand for.
    package var rows: [ComparedRow] = []
    /// How many of the records that were looked at have a row; nil where a row may have been met twice.
    package var rowCount: Int?
    /// The keys of the records that were looked at which their source listed when it was last seen, see
    /// `BaseState.isListed`; nil where keys are not one integer, or are not told.
    package var listed: [Int64]?
    /// The marks of the texts of the records that were looked at; nil where they are not told.
    package var marks: TextMarks?
    /// The key to go on after; nil where there are no more.
    package var last: RecordKey?

    /// Makes a value without rows.
    ///
    /// - Parameter isExact: Whether each row is met at most once.
    package init(isExact: Bool) { rowCount = isExact ? 0 : nil }
}

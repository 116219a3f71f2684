package import SluiceModel

/// The columns by which a table says that a row is deleted although it is still there.
package struct DeletionMark: Sendable, Equatable {
    /// When the row was deleted, as RFC 3339 in UTC; null where it was not.
    package static let time = "_deleted_at"
    /// The run that deleted it; null where a person did.
    package static let run = "_deleted_by_run"
    /// What is true of rows that are not deleted.
    package static let isNotSet = "\(SQLText.quoted(time)) IS NULL"

    /// Whether the table has both columns: one that was there before may have the time alone.
    package let hasRun: Bool

    /// The mark of a table with these columns, in lower case; nil where rows cannot be marked.
    package init?(columns: [String]) {
        guard columns.contains(Self.time) else { return nil }
        hasRun = columns.contains(Self.run)
    }

    /// What takes the mark away, as assignments.
    package var clearing: [String] {
        ([Self.time] + (hasRun ? [Self.run] : [])).map { "\(SQLText.quoted($0)) = NULL" }
    }

    /// The columns and their types, in the order in which a table gets them.
    package static let columns: [(name: String, type: FieldType)] = [(time, .datetime), (run, .int)]
}

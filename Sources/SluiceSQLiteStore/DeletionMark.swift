internal import SluiceSQLite

/// The columns by which a table says that a row is deleted although it is still there.
struct DeletionMark: Sendable, Equatable {
    /// When the row was deleted, as RFC 3339 in UTC; null where it was not.
    static let time = "_deleted_at"
    /// The run that deleted it; null where a person did.
    static let run = "_deleted_by_run"
    /// What is true of rows that are not deleted.
    static let isNotSet = "\(SQLName.quoted(time)) IS NULL"

    /// Whether the table has both columns: one that was there before may have the time alone.
    let hasRun: Bool

    /// The mark of a table with these columns, in lower case; nil where rows cannot be marked.
    init?(columns: [String]) {
        guard columns.contains(Self.time) else { return nil }
        hasRun = columns.contains(Self.run)
    }

    /// What takes the mark away, as assignments.
    var clearing: [String] {
        ([Self.time] + (hasRun ? [Self.run] : [])).map { "\(SQLName.quoted($0)) = NULL" }
    }

    /// The columns and their types, in the order in which a table gets them.
    static let columns = [(name: time, type: "TEXT"), (name: run, type: "INTEGER")]
}

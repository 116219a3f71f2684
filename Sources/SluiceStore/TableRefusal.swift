internal import SluiceSQLite

/// Why a table refuses a record, and what to do.
public struct TableRefusal: Sendable, Equatable {
    /// The rule in the database's words, such as `CHECK constraint failed: price > 0`.
    public let rule: String
    /// What to do, as a sentence.
    public let remedy: String

    /// What an error says.
    init(_ error: SQLiteError) {
        switch error.code {
        case .triggerConstraint:
            rule = "\(error.message), says a trigger of the table"
            remedy = "Change the trigger, or leave such records out with `filter`."
        case .notNullConstraint:
            rule = error.message
            remedy = "Give the field a `default`, or let the column take no value."
        case .foreignKeyConstraint:
            rule = error.message
            remedy = "Fill the table that it refers to first, or take the foreign key off the table."
        default:
            rule = error.message
            remedy = "Change that rule of the table, or leave such records out with `filter`."
        }
    }

    /// The error where a trigger swallows a write, as RAISE(IGNORE) does.
    static let ignored = SQLiteError(code: .triggerConstraint, message: "the write is ignored")
}

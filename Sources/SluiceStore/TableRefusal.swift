internal import SluiceSQLite

/// Why a table refuses a record, and what to do.
public struct TableRefusal: Sendable, Equatable {
    /// The database's own words, such as `CHECK constraint failed: price > 0`.
    public let rule: String
    private let isOfTrigger: Bool
    /// What to do, as a sentence.
    public let remedy: String

    /// What an error says.
    init(_ error: SQLiteError) {
        rule = error.message
        isOfTrigger = error.code == .triggerConstraint
        switch error.code {
        case .triggerConstraint:
            remedy = "Change the trigger, or leave such records out with `filter`."
        case .notNullConstraint:
            remedy = "Give the field a `default`, or allow null in the column."
        case .foreignKeyConstraint:
            remedy = "Fill the table that it refers to first, or remove the foreign key."
        case .constraint:
            // SQLite itself always says which kind of constraint it is.
            remedy = "Round the value with `expr`, or change the type of the column."
        default:
            remedy = "Change that rule of the table, or leave such records out with `filter`."
        }
    }

    /// Who refused a record, and why, as a sentence.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - record: How the sentence calls the record.
    /// - Returns: The sentence.
    public func words(table: String, record: String = "it") -> String {
        "\(isOfTrigger ? "A trigger of" : "The table") `\(table)` refused \(record): \(rule)."
    }

    /// The error where a column of another program's table would not keep a value as it is.
    static func inexact(column: String, of table: String, keeps limit: String) -> SQLiteError {
        SQLiteError(
            code: .constraint,
            message: "the column `\(column)` of `\(table)` keeps \(limit), so it would change this value")
    }

    /// The error where a trigger swallows a write.
    static let ignored = SQLiteError(code: .triggerConstraint, message: "RAISE(IGNORE)")
}

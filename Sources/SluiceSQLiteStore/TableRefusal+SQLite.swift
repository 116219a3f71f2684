package import SluiceSQLite
internal import SluiceStore

extension TableRefusal {
    /// What an error says.
    package init(_ error: SQLiteError) {
        let remedy =
            switch error.code {
            case _ where error.isOfForeignKey:
                "Put the stream of the table that it refers to first, or declare the foreign key `DEFERRABLE INITIALLY DEFERRED`."
            case .triggerConstraint: "Change the trigger, or leave such records out with `filter`."
            case .notNullConstraint: Self.nullRemedy
            // SQLite itself always says which kind of constraint it is.
            case .constraint: "Round the value with `expr`, or change the type of the column."
            default: "Change that rule of the table, or leave such records out with `filter`."
            }
        // "NOT NULL constraint failed: books.title"
        let column = error.code == .notNullConstraint ? error.message.split(separator: ".").last.map(String.init) : nil
        self.init(
            rule: error.message, isOfTrigger: error.code == .triggerConstraint && !error.isOfForeignKey, remedy: remedy,
            nullColumn: column, dependsOnOthers: error.isOfForeignKey)
    }

    /// A `default` stands in for an absent value alone; the expression does for null too.
    private static let nullRemedy =
        #"The source sends null, or nothing, for that column: give its field an `expr` such as `.name // "…"`, or allow null in the column."#

    /// The error where a column of another program's table would not keep a value as it is.
    static func inexact(column: String, of table: String, keeps limit: String) -> SQLiteError {
        SQLiteError(
            code: .constraint,
            message: "the column `\(column)` of `\(table)` keeps \(limit), so it would change this value")
    }

    /// The error where a rule of the store refuses a write: a constraint of none of SQLite's kinds.
    static func own(_ rule: String) -> SQLiteError { SQLiteError(code: .init(rawValue: 19 | 4 << 8), message: rule) }

    /// The error where a trigger swallows a write.
    static let ignored = SQLiteError(code: .triggerConstraint, message: "RAISE(IGNORE)")
}

extension SQLiteError {
    /// Whether a foreign key refuses a row, or to let one go. For SQLite, one that says RESTRICT is a trigger of its own.
    var isOfForeignKey: Bool {
        code == .foreignKeyConstraint || code == .triggerConstraint && message == "FOREIGN KEY constraint failed"
    }
}

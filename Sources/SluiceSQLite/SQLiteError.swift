/// An error that SQLite reported, with the statement that caused it.
package struct SQLiteError: Error, Sendable, CustomStringConvertible {
    /// A result code of SQLite, extended where SQLite gives one. See: sqlite.org/rescode.html
    package struct Code: Sendable, Hashable, RawRepresentable {
        /// The number.
        package let rawValue: Int32

        /// Makes a code of a number.
        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// The code without what extends it.
        package var primary: Code { Code(rawValue: rawValue & 0xFF) }

        /// A statement that cannot be: SQLITE_ERROR.
        package static let error = Code(rawValue: 1)
        /// Another connection holds a lock: SQLITE_BUSY.
        package static let busy = Code(rawValue: 5)
        /// Another statement of this connection is in the way: SQLITE_LOCKED.
        package static let locked = Code(rawValue: 6)
        /// SQLITE_READONLY.
        package static let readOnly = Code(rawValue: 8)
        /// SQLITE_INTERRUPT.
        package static let interrupted = Code(rawValue: 9)
        /// SQLITE_IOERR.
        package static let ioError = Code(rawValue: 10)
        /// SQLITE_CORRUPT.
        package static let corrupt = Code(rawValue: 11)
        /// SQLITE_FULL.
        package static let full = Code(rawValue: 13)
        /// SQLITE_CANTOPEN.
        package static let cannotOpen = Code(rawValue: 14)
        /// Any constraint: SQLITE_CONSTRAINT.
        package static let constraint = Code(rawValue: 19)
        /// SQLITE_NOTADB.
        package static let notADatabase = Code(rawValue: 26)
        /// A UNIQUE constraint or index, SQLITE_CONSTRAINT_UNIQUE.
        package static let uniqueConstraint = Code(rawValue: 19 | 8 << 8)
        /// A PRIMARY KEY, SQLITE_CONSTRAINT_PRIMARYKEY.
        package static let primaryKeyConstraint = Code(rawValue: 19 | 6 << 8)
        /// A FOREIGN KEY, SQLITE_CONSTRAINT_FOREIGNKEY.
        package static let foreignKeyConstraint = Code(rawValue: 19 | 3 << 8)
        /// A NOT NULL column, SQLITE_CONSTRAINT_NOTNULL.
        package static let notNullConstraint = Code(rawValue: 19 | 5 << 8)
        /// A trigger that raises, SQLITE_CONSTRAINT_TRIGGER.
        package static let triggerConstraint = Code(rawValue: 19 | 7 << 8)
        /// A value that a column of a STRICT table cannot hold, SQLITE_CONSTRAINT_DATATYPE.
        package static let typeConstraint = Code(rawValue: 19 | 12 << 8)
    }

    /// The result code.
    package let code: Code
    /// SQLite's own message.
    package let message: String
    /// The statement, without its values.
    package let sql: String?
    /// The operating system's words for what failed below SQLite, nil where nothing did.
    package let systemReason: String?

    /// Makes an error.
    package init(code: Code, message: String, sql: String? = nil, systemReason: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemReason = systemReason
    }

    /// The message, the code and the statement; values are never part of it.
    package var description: String {
        let statement = sql.map { " in `\($0)`" } ?? ""
        return "SQLite error \(code.rawValue): \(message)\(statement)"
    }
}

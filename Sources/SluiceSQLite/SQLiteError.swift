/// An error that SQLite reported, with the statement that caused it.
public struct SQLiteError: Error, Sendable, CustomStringConvertible {
    /// A result code of SQLite, extended where SQLite gives one. See: sqlite.org/rescode.html
    public struct Code: Sendable, Hashable, RawRepresentable {
        /// The number.
        public let rawValue: Int32

        /// Makes a code of a number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The code without what extends it.
        public var primary: Code { Code(rawValue: rawValue & 0xFF) }

        /// A statement that cannot be: SQLITE_ERROR.
        public static let error = Code(rawValue: 1)
        /// Another connection holds a lock: SQLITE_BUSY.
        public static let busy = Code(rawValue: 5)
        /// Another statement of this connection is in the way: SQLITE_LOCKED.
        public static let locked = Code(rawValue: 6)
        /// SQLITE_READONLY.
        public static let readOnly = Code(rawValue: 8)
        /// SQLITE_INTERRUPT.
        public static let interrupted = Code(rawValue: 9)
        /// SQLITE_IOERR.
        public static let ioError = Code(rawValue: 10)
        /// SQLITE_CORRUPT.
        public static let corrupt = Code(rawValue: 11)
        /// SQLITE_FULL.
        public static let full = Code(rawValue: 13)
        /// SQLITE_CANTOPEN.
        public static let cannotOpen = Code(rawValue: 14)
        /// Any constraint: SQLITE_CONSTRAINT.
        public static let constraint = Code(rawValue: 19)
        /// SQLITE_NOTADB.
        public static let notADatabase = Code(rawValue: 26)
        /// A UNIQUE constraint or index, SQLITE_CONSTRAINT_UNIQUE.
        public static let uniqueConstraint = Code(rawValue: 19 | 8 << 8)
        /// A PRIMARY KEY, SQLITE_CONSTRAINT_PRIMARYKEY.
        public static let primaryKeyConstraint = Code(rawValue: 19 | 6 << 8)
        /// A FOREIGN KEY, SQLITE_CONSTRAINT_FOREIGNKEY.
        public static let foreignKeyConstraint = Code(rawValue: 19 | 3 << 8)
        /// A NOT NULL column, SQLITE_CONSTRAINT_NOTNULL.
        public static let notNullConstraint = Code(rawValue: 19 | 5 << 8)
        /// A trigger that raises, SQLITE_CONSTRAINT_TRIGGER.
        public static let triggerConstraint = Code(rawValue: 19 | 7 << 8)
    }

    /// The result code.
    public let code: Code
    /// SQLite's own message.
    public let message: String
    /// The statement, without its values.
    public let sql: String?
    /// The operating system's words for what failed below SQLite, nil where nothing did.
    public let systemReason: String?

    /// Makes an error.
    public init(code: Code, message: String, sql: String? = nil, systemReason: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemReason = systemReason
    }

    /// The message, the code and the statement; values are never part of it.
    public var description: String {
        let statement = sql.map { " in `\($0)`" } ?? ""
        return "SQLite error \(code.rawValue): \(message)\(statement)"
    }
}

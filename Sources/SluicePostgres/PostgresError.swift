/// An error that the server or libpq reported. Values of rows and passwords are no part of it.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
    /// A code of five characters, an SQLSTATE. See: postgresql.org/docs/current/errcodes-appendix.html
    package struct Code: Sendable, Hashable, RawRepresentable {
        /// The five characters.
        package let rawValue: String

        /// Makes a code of its characters.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The first two characters, which many codes have in common.
        package var family: String { String(rawValue.prefix(2)) }

        /// There is no connection to be had.
        package static let cannotConnect = Code(rawValue: "08001")
        /// The connection is gone.
        package static let connectionLost = Code(rawValue: "08006")
        /// libpq and the server, or this module and libpq, are out of step.
        package static let protocolViolation = Code(rawValue: "08P01")
        /// The server does not know how to do that.
        package static let featureNotSupported = Code(rawValue: "0A000")
        /// A text or number that its type cannot hold.
        package static let numberOutOfRange = Code(rawValue: "22003")
        /// A time that its type cannot hold.
        package static let timeOutOfRange = Code(rawValue: "22008")
        /// Bytes that are no text: a NUL, or no UTF-8.
        package static let notText = Code(rawValue: "22021")
        package static let readOnly = Code(rawValue: "25006")
        /// A limit of the server: a value too large for an index, or more parameters than a statement can have.
        package static let tooLarge = Code(rawValue: "54000")
        /// A binary value that its type does not know, such as JSON that is none.
        package static let invalidText = Code(rawValue: "22P02")
        /// A binary value of the wrong length.
        package static let invalidBinary = Code(rawValue: "22P03")
        /// A rule that a table has, whichever.
        package static let integrity = Code(rawValue: "23000")
        /// NOT NULL.
        package static let notNull = Code(rawValue: "23502")
        /// FOREIGN KEY.
        package static let foreignKey = Code(rawValue: "23503")
        /// FOREIGN KEY with RESTRICT, since version 18.
        package static let restricted = Code(rawValue: "23001")
        /// UNIQUE, or a primary key.
        package static let unique = Code(rawValue: "23505")
        /// CHECK.
        package static let check = Code(rawValue: "23514")
        /// Others depend on what is to be dropped.
        package static let dependentObjects = Code(rawValue: "2BP01")
        /// An earlier statement of the transaction failed.
        package static let transactionFailed = Code(rawValue: "25P02")
        /// Another transaction changed what this one read.
        package static let serialization = Code(rawValue: "40001")
        /// Two transactions wait for each other.
        package static let deadlock = Code(rawValue: "40P01")
        /// The role may not do that.
        package static let insufficientPrivilege = Code(rawValue: "42501")
        /// What is no SQL.
        package static let syntax = Code(rawValue: "42601")
        /// There is no such table.
        package static let undefinedTable = Code(rawValue: "42P01")
        /// A lock was not to be had in time.
        package static let lockNotAvailable = Code(rawValue: "55P03")
        /// A statement is prepared already by this name.
        package static let duplicatePreparedStatement = Code(rawValue: "42P05")
        /// No statement is prepared by this name.
        package static let unknownPreparedStatement = Code(rawValue: "26000")
        /// Somebody cancelled the statement.
        package static let cancelled = Code(rawValue: "57014")
        /// The server is shutting down, or was told to end the connection.
        package static let adminShutdown = Code(rawValue: "57P01")
        /// The server broke down.
        package static let crashShutdown = Code(rawValue: "57P02")
        /// The server is starting or stopping.
        package static let cannotConnectNow = Code(rawValue: "57P03")
        /// What a trigger raises.
        package static let raised = Code(rawValue: "P0001")
    }

    /// The SQLSTATE.
    package let code: Code
    /// What is wrong, in one line.
    package let message: String
    /// The schema of the table that it is about.
    package let schema: String?
    /// The table that it is about.
    package let table: String?
    /// The column that it is about.
    package let column: String?
    /// The constraint that was violated.
    package let constraint: String?
    /// The function of people's in which it happened, as `note_change()`: one that a trigger calls.
    package let routine: String?
    /// Whether such a function said so itself, by `RAISE` or `ASSERT`.
    package let isRaised: Bool
    /// Whether the role would not see all rows of a table, by a policy of it.
    package let isOfRowSecurity: Bool
    /// The statement, without its values.
    package let sql: String?
    /// Which of several statements that were sent together it was, from 0.
    package let position: Int?

    /// Makes an error.
    package init(
        code: Code, message: String, schema: String? = nil, table: String? = nil, column: String? = nil,
        constraint: String? = nil, routine: String? = nil,
        isRaised: Bool = false, isOfRowSecurity: Bool = false, sql: String? = nil, position: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.schema = schema
        self.table = table
        self.column = column
        self.constraint = constraint
        self.routine = routine
        self.isRaised = isRaised
        self.isOfRowSecurity = isOfRowSecurity
        self.sql = sql
        self.position = position
    }

    /// Whether the same transaction may well succeed when it is repeated: others were in its way.
    package var isRetriable: Bool { code == .serialization || code == .deadlock }

    /// Whether a lock was not to be had in time.
    package var isLockNotAvailable: Bool { code == .lockNotAvailable }

    /// Whether the server ended the connection since it had been silent, or its transaction open, for longer than a
    /// timeout permits (`idle_in_transaction_session_timeout`, `transaction_timeout`, `idle_session_timeout`).
    package var isTimedOut: Bool { ["25P03", "25P04", "57P05"].contains(code.rawValue) }

    /// Whether the connection is gone, and with it the transaction.
    package var isConnectionLost: Bool {
        (code.family == "08" && code != .protocolViolation) || code == .adminShutdown || code == .crashShutdown
            || code == .cannotConnectNow || isTimedOut
    }

    /// The message, the code, what it is about, the statement and the remedy; values are never part of it.
    package var description: String {
        let place = table.map { table in
            let column = column.map { ", column \($0)" } ?? ""
            return " (table \(schema.map { "\($0)." } ?? "")\(table)\(column))"
        }
        let statement = sql.map { " in `\($0)`" } ?? ""
        let advice = remedy.map { ". \($0)" } ?? ""
        return "PostgreSQL error \(code.rawValue): \(message)\(place ?? "")\(statement)\(advice)"
    }
}

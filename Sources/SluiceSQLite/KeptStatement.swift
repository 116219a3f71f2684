/// A statement that a loop comes back to: taken from the connection when it is first needed, and given back with this
/// value.
package struct KeptStatement {
    private let connection: Connection
    private let sql: String
    private var statement: Statement?

    /// Names a statement, which is not prepared yet.
    ///
    /// - Parameters:
    ///   - sql: Its text.
    ///   - connection: Whose it is.
    package init(_ sql: String, _ connection: Connection) {
        self.sql = sql
        self.connection = connection
    }

    /// The statement.
    ///
    /// - Returns: The same each time; who uses it resets it.
    /// - Throws: ``SQLiteError`` where it cannot be prepared.
    package mutating func taken() throws(SQLiteError) -> Statement {
        if let statement { return statement }
        let taken = try connection.prepare(sql)
        statement = taken
        return taken
    }
}

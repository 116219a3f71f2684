import Glibc
import SluicePostgres
import Synchronization
import TestSupport

private let schemaCount = Atomic(0)

/// Opens a connection to the tests' server.
func connected() throws -> PostgresConnection {
    try PostgresConnection(PostgresAddress(try PostgresCluster.sharedURL()))
}

/// Runs a body with a connection and an empty schema, which is the first of its search path and is gone afterwards.
func withSchema<Result>(_ body: (PostgresConnection, String) throws -> Result) throws -> Result {
    let connection = try connected()
    let number = schemaCount.add(1, ordering: .relaxed).newValue
    let schema = "test \(getpid()) \(number)"
    try connection.execute("CREATE SCHEMA \(PostgresName.quoted(schema))")
    try use(schema, connection)
    defer {
        // The body's connection may be in a failed transaction, or gone.
        try? connected().execute(
            "SET client_min_messages = warning; DROP SCHEMA \(PostgresName.quoted(schema)) CASCADE")
    }
    defer { if connection.transactionState != .none { try? connection.rollback() } }
    return try body(connection, schema)
}

/// Lets a connection find what stands in a schema.
func use(_ schema: String, _ connection: PostgresConnection) throws {
    try connection.execute("SET search_path = \(PostgresName.quoted(schema)); SET timezone = 'UTC'")
}

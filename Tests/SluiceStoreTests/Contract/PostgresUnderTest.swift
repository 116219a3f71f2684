import Glibc
import SluicePostgres
import SluicePostgresStore
import Synchronization
import TestSupport

extension LedgersUnderTest {
    /// The store in a schema of PostgreSQL.
    static let postgres = LedgersUnderTest("PostgreSQL") {
        let place = try PostgresPlace()
        return { try place.open() }
    }
}

extension PostgresStore: TestedLedgers {}

/// A schema of its own, which is not there before a store makes it.
final class PostgresPlace {
    private static let count = Atomic(0)
    let schema: String
    private let server: String

    init() throws {
        server = try PostgresCluster.sharedURL()
        schema = "store \(getpid()) \"\(Self.count.add(1, ordering: .relaxed).newValue)\""
    }

    deinit {
        try? connect().execute(
            "SET client_min_messages = warning; DROP SCHEMA IF EXISTS \(PostgresName.quoted(schema)) CASCADE")
    }

    /// Where the store is, as a URL.
    var url: String {
        let name = schema.utf8.map { byte in
            byte == UInt8(ascii: " ") ? "%20" : byte == UInt8(ascii: "\"") ? "%22" : String(UnicodeScalar(byte))
        }
        return server + (server.contains("?") ? "&" : "?") + "schema=" + name.joined()
    }

    func open() throws -> PostgresStore {
        try PostgresStore(PostgresStoreAddress(url), lockTimeoutMilliseconds: 100)
    }

    /// A connection that bypasses the store.
    func connect() throws -> PostgresConnection { try PostgresConnection(PostgresAddress(server)) }

    /// A table of the store.
    func table(_ name: String) -> String { PostgresName.quoted(name, in: schema) }
}

internal import SluiceSQLite
internal import SluiceStore

/// The credentials of an SQLite store.
final class SQLiteCredentialLedger: CredentialLedger {
    /// What a store needs for it.
    static let table = """
        CREATE TABLE _sluice_credentials (name TEXT PRIMARY KEY NOT NULL, sealed BLOB NOT NULL,
            given_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
        """

    private let connection: Connection
    private let path: String

    init(connection: Connection, path: String) {
        self.connection = connection
        self.path = path
    }

    func sealed(_ name: String) throws -> [UInt8]? {
        try translated {
            let isThere = try connection.integer(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_sluice_credentials'")
            guard isThere == 1 else { return nil }
            let statement = try connection.prepare("SELECT sealed FROM _sluice_credentials WHERE name = ?1")
            statement.bind(SQLiteValue(name), at: 1)
            guard try statement.step(), case .blob(let bytes) = statement.value(0) else { return nil }
            return bytes
        }
    }

    func keep(_ sealed: [UInt8], name: String, at time: String) throws {
        try translated {
            // Of what cannot be asked for again, a commit that a power failure takes back is one too many.
            try connection.execute("PRAGMA synchronous = FULL")
            defer { try? connection.execute("PRAGMA synchronous = NORMAL") }
            try connection.execute("BEGIN IMMEDIATE")
            do throws(SQLiteError) {
                try StoreFormat.migrate(connection)
                try connection.run(
                    "INSERT OR REPLACE INTO _sluice_credentials (name, sealed, given_at) VALUES (?1, ?2, ?3)",
                    [SQLiteValue(name), .blob(sealed), SQLiteValue(time)])
                try connection.execute("COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK") }
                throw error
            }
        }
    }

    private func translated<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

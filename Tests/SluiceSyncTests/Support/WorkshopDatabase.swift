import FoundationEssentials
import SluiceModel
import SluicePostgres
import SluiceSQLite
import SluiceStores
import TestSupport

@testable import SluicePostgresStore

/// The database that a workshop's store is in, looked at and edited beside the program.
protocol WorkshopDatabase: AnyObject {
    /// Where the store is.
    var address: StoreAddress { get }
    /// Whether a run has made it.
    var exists: Bool { get }
    /// Whether rows come in one order where none is asked for.
    var keepsOrder: Bool { get }
    /// Runs statements of plain SQL.
    func execute(_ sql: String) throws
    /// The rows of a query.
    func rows(_ sql: String) throws -> [[SQLiteValue]]
    /// The names of all tables.
    func tables() throws -> [String]
    /// The names of a table's columns, in order; none where there is no such table.
    func columns(of table: String) throws -> [String]
    /// References that lead nowhere, as texts.
    func brokenReferences() throws -> [String]
    /// The definitions of what is there, in order.
    func definitions() throws -> [[SQLiteValue]]
    /// What tables of people are, as texts in order: columns, keys, foreign keys, indexes, views and triggers, in whatever
    /// order columns stand.
    func shape() throws -> [String]
    /// What changes whenever anything of it does.
    func trace() throws -> [String: Data]
    /// What is broken of it, as texts.
    func damage() throws -> [String]
}

/// A file of SQLite.
final class WorkshopFile: WorkshopDatabase {
    private let path: String

    init(_ path: String) { self.path = path }

    var address: StoreAddress { StoreAddress(file: path) }
    let keepsOrder = true
    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    func execute(_ sql: String) throws { try Connection(path: path, mode: .create).execute(sql) }

    func rows(_ sql: String) throws -> [[SQLiteValue]] { try Connection(path: path, mode: .existing).rows(sql) }

    func tables() throws -> [String] {
        try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").compactMap { row in
            if case .text(let bytes) = row[0] { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
    }

    func columns(of table: String) throws -> [String] {
        try rows("SELECT name FROM pragma_table_info('\(table)')").compactMap { row in
            if case .text(let bytes) = row[0] { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
    }

    func brokenReferences() throws -> [String] { try rows("PRAGMA foreign_key_check").map { "\($0)" } }

    func definitions() throws -> [[SQLiteValue]] {
        try rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
    }

    func trace() -> [String: Data] {
        var files: [String: Data] = [:]
        for suffix in ["", "-wal", "-shm", "-journal"] {
            files[suffix] = try? Data(contentsOf: URL(fileURLWithPath: path + suffix))
        }
        return files
    }

    func damage() throws -> [String] {
        try rows("PRAGMA integrity_check").map { Workshop.text($0[0]) }.filter { $0 != "'ok'" }
    }
}

/// A schema of PostgreSQL.
final class WorkshopSchema: WorkshopDatabase {
    let place: PostgresSchemaURL
    private var opened: PostgresConnection?

    init(_ place: PostgresSchemaURL? = nil) throws { self.place = try place ?? PostgresSchemaURL() }

    deinit { try? opened?.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }

    /// A connection that sees the schema's tables first.
    static func connect(_ place: PostgresSchemaURL) throws -> PostgresConnection {
        let connection = try PostgresConnection(PostgresAddress(place.server))
        try connection.execute(
            "SET timezone = 'UTC'; SET client_min_messages = warning; SET search_path = \(place.schema)")
        return connection
    }

    /// The connection, a new one where the server was away.
    private var connection: PostgresConnection {
        get throws {
            if let opened, (try? opened.execute("SELECT 1")) != nil { return opened }
            let made = try Self.connect(place)
            opened = made
            return made
        }
    }

    let keepsOrder = false
    var address: StoreAddress { StoreAddress(place.store) ?? .standard }

    var exists: Bool {
        (try? connection.integer("SELECT count(*) FROM pg_tables WHERE schemaname = '\(place.schema)'")) ?? 0 != 0
    }

    func execute(_ sql: String) throws { if !sql.isEmpty { try connection.execute(sql) } }

    func rows(_ sql: String) throws -> [[SQLiteValue]] {
        let connection = try connection
        // Tables may have changed since a statement was prepared.
        try connection.forgetStatements()
        return try connection.run(sql).values.map { row in
            row.map { value in
                // In the one form that values have in a store.
                switch FieldValue(value) {
                case .null: .null
                case .integer(let number): .integer(number)
                case .real(let number): .real(number)
                case .text(let bytes): .text(bytes)
                case .blob(let bytes): .blob(bytes)
                }
            }
        }
    }

    func tables() throws -> [String] {
        try connection.run(
            "SELECT tablename::text FROM pg_tables WHERE schemaname = '\(place.schema)' ORDER BY 1"
        ).values.map { $0[0].words }
    }

    func columns(of table: String) throws -> [String] {
        try connection.run(
            """
            SELECT column_name::text FROM information_schema.columns
            WHERE table_schema = '\(place.schema)' AND table_name = '\(table)' ORDER BY ordinal_position
            """
        ).values.map { $0[0].words }
    }

    // The server takes none.
    func brokenReferences() -> [String] { [] }

    func definitions() throws -> [[SQLiteValue]] {
        try rows(
            """
            SELECT table_name::text, column_name::text, data_type::text FROM information_schema.columns
            WHERE table_schema = '\(place.schema)' ORDER BY 1, 2
            """)
            + rows("SELECT indexname::text, indexdef FROM pg_indexes WHERE schemaname = '\(place.schema)' ORDER BY 1")
    }

    func trace() throws -> [String: Data] {
        guard exists else { return [:] }
        var texts: [String: Data] = [:]
        let connection = try connection
        try connection.forgetStatements()
        for table in try tables() {
            let rows = try connection.run("SELECT t::text FROM \(PostgresName.quoted(table)) AS t ORDER BY 1")
            texts[table] = Data(rows.values.map { $0[0].words }.joined(separator: "\n").utf8)
        }
        texts["(definitions)"] = Data("\(try definitions())".utf8)
        return texts
    }

    func damage() -> [String] { [] }
}

extension PostgresValue {
    /// The value as PostgreSQL writes it, of the types that tests ask for.
    fileprivate var words: String {
        switch self {
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .integer(let number): String(number)
        default: "\(self)"
        }
    }
}

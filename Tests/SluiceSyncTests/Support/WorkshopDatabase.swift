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
    /// Does what asks for rows several times while nothing changes tables, on one connection: a file's schema is read once then.
    func together<Result>(_ body: () throws -> Result) throws -> Result
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
    /// What queries go through while they belong together. No connection stays open: what the last one leaves behind when it is
    /// closed, runs leave to it.
    private var shared: Connection?

    init(_ path: String) { self.path = path }

    var address: StoreAddress { StoreAddress(file: path) }
    let keepsOrder = true
    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    func execute(_ sql: String) throws { try Connection(path: path, mode: .create).execute(sql) }

    func rows(_ sql: String) throws -> [[SQLiteValue]] {
        try (shared ?? Connection(path: path, mode: .existing)).rows(sql)
    }

    func together<Result>(_ body: () throws -> Result) throws -> Result {
        if shared != nil { return try body() }
        shared = try Connection(path: path, mode: .existing)
        defer { shared = nil }
        return try body()
    }

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
    /// The connection while queries belong together: nothing changes tables between them.
    private var shared: PostgresConnection?

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

    /// The connection, without what it prepared: tables may have changed since.
    private var freshConnection: PostgresConnection {
        get throws {
            if let shared { return shared }
            let connection = try connection
            try connection.forgetStatements()
            return connection
        }
    }

    let keepsOrder = false
    var address: StoreAddress { StoreAddress(place.store) ?? .standard }

    var exists: Bool { (try? connection.integer("SELECT count(*) FROM \(relations) WHERE c.relkind <> 'v'")) ?? 0 != 0 }

    /// The tables and views as `c`, by what depends on the schema: an index leads there, however many others there are or were.
    private var relations: String {
        """
        pg_depend AS d JOIN pg_class AS c ON c.oid = d.objid AND c.relkind IN ('r', 'p', 'v')
        AND d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_namespace'::regclass
        AND d.refobjid = to_regnamespace('\(place.schema)')
        """
    }

    func execute(_ sql: String) throws { if !sql.isEmpty { try connection.execute(sql) } }

    func rows(_ sql: String) throws -> [[SQLiteValue]] {
        try freshConnection.run(sql).values.map { row in
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
        try freshConnection.run(
            "SELECT c.relname::text FROM \(relations) WHERE c.relkind <> 'v' ORDER BY 1"
        ).values.map { $0[0].words }
    }

    func columns(of table: String) throws -> [String] {
        try connection.run(
            """
            SELECT a.attname::text FROM pg_attribute AS a
            WHERE a.attrelid = to_regclass('\(place.schema).' || quote_ident('\(table)'))
            AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
            """
        ).values.map { $0[0].words }
    }

    // The server takes none.
    func brokenReferences() -> [String] { [] }

    func definitions() throws -> [[SQLiteValue]] {
        try rows(
            """
            SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod) FROM \(relations)
            JOIN pg_attribute AS a ON a.attrelid = c.oid WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, 2
            """)
            + rows(
                """
                SELECT i.relname::text, pg_get_indexdef(i.oid) FROM \(relations)
                JOIN pg_index AS x ON x.indrelid = c.oid JOIN pg_class AS i ON i.oid = x.indexrelid ORDER BY 1
                """)
    }

    func trace() throws -> [String: Data] {
        let connection = try freshConnection
        // Who wrote what is known of a column or an index last stands for what that is.
        let found = try connection.run(
            """
            SELECT c.relname::text, c.relkind::text, c.oid::bigint,
                (SELECT string_agg(a.attname || ' ' || a.xmin::text, ', ') FROM pg_attribute AS a WHERE a.attrelid = c.oid),
                (SELECT string_agg(x.indexrelid || ' ' || x.xmin::text, ', ') FROM pg_index AS x WHERE x.indrelid = c.oid)
            FROM \(relations) ORDER BY 1
            """
        ).values.map { $0.map(\.words) }
        let tables = found.filter { $0[1] != "v" }.enumerated().map { number, table in
            "SELECT \(number)::bigint, t::text FROM \(PostgresName.quoted(table[0])) AS t"
        }
        if tables.isEmpty { return [:] }
        let rows = try connection.run(tables.joined(separator: " UNION ALL ") + " ORDER BY 1, 2")
        return [
            "definitions": Data(found.map { $0.joined(separator: "\n") }.joined(separator: "\n").utf8),
            "rows": Data(rows.values.map { "\($0[0].words): \($0[1].words)" }.joined(separator: "\n").utf8),
        ]
    }

    func together<Result>(_ body: () throws -> Result) throws -> Result {
        if shared != nil { return try body() }
        shared = try freshConnection
        defer { shared = nil }
        return try body()
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

import Glibc
import SluiceModel
import SluicePostgres
import SluicePostgresStore
import SluiceStore
import Synchronization
import TestSupport

extension StoreUnderTest {
    /// The store in a schema of PostgreSQL.
    static let postgres = StoreUnderTest(testDescription: "PostgreSQL") { try PostgresPlace() }
}

/// A schema of its own, which is not there before a store makes it.
final class PostgresPlace: TestedPlace {
    private static let count = Atomic(0)
    let schema: String
    private let server: String
    private var editing: PostgresConnection?
    /// How often rows were read: a statement that was prepared does not outlive a change of its columns' types.
    private var reads = 0

    init() throws {
        server = try PostgresCluster.sharedURL()
        schema = "store \(getpid()) \"\(Self.count.add(1, ordering: .relaxed).newValue)\""
    }

    deinit {
        try? (editing ?? connect()).execute(
            "SET client_min_messages = warning; DROP SCHEMA IF EXISTS \(PostgresName.quoted(schema)) CASCADE")
    }

    /// Where the store is, as a URL.
    var url: String {
        let name = schema.utf8.map { byte in
            byte == UInt8(ascii: " ") ? "%20" : byte == UInt8(ascii: "\"") ? "%22" : String(UnicodeScalar(byte))
        }
        return server + (server.contains("?") ? "&" : "?") + "schema=" + name.joined()
    }

    func store() throws -> PostgresStore { try PostgresStore(PostgresStoreAddress(url), lockTimeoutMilliseconds: 100) }

    func open() throws -> any RecordStore { try store() }

    /// A connection that bypasses the store.
    func connect() throws -> PostgresConnection { try PostgresConnection(PostgresAddress(server)) }

    /// A table of the store.
    func table(_ name: String) -> String { PostgresName.quoted(name, in: schema) }

    // MARK: An editor's statements

    private func editor() throws -> PostgresConnection {
        if let editing { return editing }
        let made = try connect()
        try made.execute("SET timezone = 'UTC'; SET lock_timeout = 1000")
        editing = made
        return made
    }

    private func run(_ sql: String, _ values: [FieldValue]) throws -> PostgresResult {
        var parameters = PostgresParameters()
        for value in values {
            switch value {
            case .null: parameters.appendNull()
            case .blob(let bytes): parameters.append(.bytes(bytes))
            default: parameters.append(untyped: Array(value.words.utf8))
            }
        }
        return try editor().run(PostgresStatement(sql, parameters))
    }

    func insert(_ row: KeyValuePairs<String, FieldValue>, into table: String) throws {
        let places = row.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        _ = try run(
            "INSERT INTO \(self.table(table)) (\(PostgresName.list(row.map(\.key)))) VALUES (\(places))",
            row.map(\.value))
    }

    func update(
        _ table: String, set values: KeyValuePairs<String, FieldValue>, where column: String, is value: FieldValue
    ) throws {
        let assignments = values.enumerated().map { "\(PostgresName.quoted($1.key)) = $\($0 + 2)" }
        _ = try run(
            """
            UPDATE \(self.table(table)) SET \(assignments.joined(separator: ", "))
            WHERE \(PostgresName.quoted(column)) = $1
            """, [value] + values.map(\.value))
    }

    func delete(from table: String, where column: String, is value: FieldValue) throws {
        _ = try run("DELETE FROM \(self.table(table)) WHERE \(PostgresName.quoted(column)) = $1", [value])
    }

    func rows(of table: String, _ columns: [String]) throws -> [[FieldValue]] {
        let names = PostgresName.list(columns)
        let order = columns.indices.map { "\($0 + 1) NULLS FIRST" }.joined(separator: ", ")
        reads += 1
        let sql = "SELECT \(names) FROM \(self.table(table)) /* \(reads) */ ORDER BY \(order)"
        return try run(sql, []).values.map { row in
            row.map { value in
                switch value {
                case .integer(let number): .integer(number)
                case .text(let text): .text(text)
                case .double(let number): .real(number)
                case .bytes(let bytes): .blob(bytes)
                default: .null
                }
            }
        }
    }

    func addColumn(_ name: String, to table: String) throws {
        try editor().execute("ALTER TABLE \(self.table(table)) ADD COLUMN \(PostgresName.quoted(name)) text")
    }

    func makePairs(_ table: String, _ owner: (column: String, table: String), _ target: (column: String, table: String))
        throws
    {
        func side(_ side: (column: String, table: String)) -> String {
            "\(PostgresName.quoted(side.column)) bigint NOT NULL REFERENCES \(self.table(side.table)) (id) ON DELETE CASCADE"
        }
        try editor().execute(
            "CREATE TABLE \(self.table(table)) (\(side(owner)), \(side(target)), PRIMARY KEY (\(PostgresName.list([owner.column, target.column]))))"
        )
    }

    func addReference(_ column: String, to target: String, in table: String, onDelete: String) throws {
        try editor().execute(
            "ALTER TABLE \(self.table(table)) ADD COLUMN \(PostgresName.quoted(column)) bigint REFERENCES \(self.table(target)) (id) ON DELETE \(onDelete)"
        )
    }

    func addRule(refusing value: FieldValue, in column: String, of table: String) throws {
        let function = self.table("refuse")
        try editor().execute(
            """
            CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF new.\(PostgresName.quoted(column)) = '\(value.words)' THEN RAISE EXCEPTION 'refused by a rule'; END IF;
                RETURN new;
            END $$;
            CREATE TRIGGER rule BEFORE INSERT OR UPDATE ON \(self.table(table))
                FOR EACH ROW EXECUTE FUNCTION \(function)()
            """)
    }
}

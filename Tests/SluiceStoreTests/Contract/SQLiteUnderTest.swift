import SluiceModel
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import TestSupport

extension StoreUnderTest {
    /// The store in a file of SQLite.
    static let sqlite = StoreUnderTest(testDescription: "SQLite") { try SQLitePlace() }
}

/// A file of its own for a store of SQLite.
private final class SQLitePlace: TestedPlace {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("store.db") }

    init() throws { directory = try TemporaryDirectory() }

    func open() throws -> any RecordStore {
        try SQLiteRecordStore(path: path, mode: .create, busyTimeoutMilliseconds: 0)
    }

    private func editor() throws -> Connection {
        let connection = try Connection(path: path, mode: .existing)
        try connection.execute("PRAGMA foreign_keys = ON")
        return connection
    }

    func insert(_ row: KeyValuePairs<String, FieldValue>, into table: String) throws {
        let parameters = row.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        try editor().run(
            "INSERT INTO \(SQLName.quoted(table)) (\(SQLName.list(row.map(\.key)))) VALUES (\(parameters))",
            row.map { Self.stored($0.value) })
    }

    func update(
        _ table: String, set values: KeyValuePairs<String, FieldValue>, where column: String, is value: FieldValue
    ) throws {
        let assignments = values.enumerated().map { "\(SQLName.quoted($1.key)) = ?\($0 + 2)" }
        try editor().run(
            """
            UPDATE \(SQLName.quoted(table)) SET \(assignments.joined(separator: ", "))
            WHERE \(SQLName.quoted(column)) = ?1
            """, [Self.stored(value)] + values.map { Self.stored($0.value) })
    }

    func delete(from table: String, where column: String, is value: FieldValue) throws {
        try editor().run(
            "DELETE FROM \(SQLName.quoted(table)) WHERE \(SQLName.quoted(column)) = ?1", [Self.stored(value)])
    }

    func rows(of table: String, _ columns: [String]) throws -> [[FieldValue]] {
        let names = SQLName.list(columns)
        return try editor().rows("SELECT \(names) FROM \(SQLName.quoted(table)) ORDER BY \(names)").map { row in
            row.map { FieldValue($0) }
        }
    }

    func addColumn(_ name: String, to table: String) throws {
        try editor().execute("ALTER TABLE \(SQLName.quoted(table)) ADD COLUMN \(SQLName.quoted(name)) TEXT")
    }

    func makePairs(_ table: String, _ owner: (column: String, table: String), _ target: (column: String, table: String))
        throws
    {
        func side(_ side: (column: String, table: String)) -> String {
            "\(SQLName.quoted(side.column)) INTEGER NOT NULL REFERENCES \(SQLName.quoted(side.table)) (id) ON DELETE CASCADE"
        }
        try editor().execute(
            "CREATE TABLE \(SQLName.quoted(table)) (\(side(owner)), \(side(target)), PRIMARY KEY (\(SQLName.list([owner.column, target.column]))))"
        )
    }

    func addReference(_ column: String, to target: String, in table: String, onDelete: String) throws {
        try editor().execute(
            "ALTER TABLE \(SQLName.quoted(table)) ADD COLUMN \(SQLName.quoted(column)) INTEGER REFERENCES \(SQLName.quoted(target)) (id) ON DELETE \(onDelete)"
        )
    }

    func addRule(refusing value: FieldValue, in column: String, of table: String) throws {
        let column = SQLName.quoted(column)
        for event in ["INSERT", "UPDATE"] {
            try editor().execute(
                """
                CREATE TRIGGER \(SQLName.quoted("rule \(event)")) BEFORE \(event) ON \(SQLName.quoted(table))
                WHEN new.\(column) = '\(value.words)' BEGIN SELECT RAISE(ABORT, 'refused by a rule'); END
                """)
        }
    }

    private static func stored(_ value: FieldValue) -> SQLiteValue {
        switch value {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }
}

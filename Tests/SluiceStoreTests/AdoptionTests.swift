import SluiceModel
import SluiceSQLite
import SluiceStore
import Testing

@Suite("A table that was there before")
struct AdoptionTests {
    private static let schema = RecordSchema.test(
        [("id", .int), ("title", .string), ("price", .double), ("data", .bytes), ("done", .bool)])

    @Test(arguments: [
        "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT, price REAL, data BLOB, done INTEGER) STRICT",
        "CREATE TABLE items (id INT PRIMARY KEY, title VARCHAR(20), price DOUBLE PRECISION, data BLOB, done BOOLEAN)",
        "CREATE TABLE Items (ID BIGINT, TITLE CLOB, Price FLOAT, Data, done BOOL, UNIQUE (id))",
        "CREATE TABLE items (id ANY PRIMARY KEY, title ANY, price ANY, data ANY, done ANY) STRICT",
        "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT, price REAL, data BLOB, done INT, extra TEXT DEFAULT 'x')",
        "CREATE TABLE items (id INTEGER PRIMARY KEY, title, price, data, done, n TEXT NOT NULL DEFAULT 'x')",
    ])
    func isAdoptedWhereItFits(_ sql: String) throws {
        let fixture = try StoreFixture()
        try fixture.execute(sql + "; INSERT INTO items (id, title) VALUES (7, 'mine')")
        let changes = try fixture.transaction(Self.schema) { table throws in
            #expect(!table.wasEmpty)
            #expect(try table.localRow(key(.integer(7))) == [.integer(7), .text("mine"), .null, .null, .null])
            #expect(try table.baseRow(key(.integer(7))) == nil)
            let batch = Self.schema.batch([[.integer(8), .text("new"), .real(1.5), .blob([1, 0]), .integer(1)]])
            try table.insert(batch, records: [0], run: 1)
        }.changes
        #expect(changes.map(\.kind) == [.adoptTable])
        #expect(
            try fixture.rows("SELECT id, title, price, data, done FROM items WHERE id = 8")
                == [[.integer(8), SQLiteValue("new"), .real(1.5), .blob([1, 0]), .integer(1)]])
        #expect(try fixture.transaction(Self.schema) { _ in }.changes == [])
    }

    @Test func getsTheColumnsThatItLacks() throws {
        let fixture = try StoreFixture()
        try fixture.execute(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO items VALUES (1, 't')")
        let changes = try fixture.transaction(Self.schema) { table throws in
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .text("t"), .null, .null, .null])
        }.changes
        #expect(changes.map(\.kind) == [.adoptTable, .addColumn, .addColumn, .addColumn])
    }

    @Test func getsItsUniqueIndexes() throws {
        let fixture = try StoreFixture()
        try fixture.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT, name TEXT)")
        let changes = try fixture.transaction(.items(unique: [["code"]])) { _ in }.changes
        #expect(changes.map(\.kind) == [.adoptTable, .createIndex])
        #expect(throws: SQLiteError.self) {
            try fixture.execute("INSERT INTO items VALUES (1, 'a', NULL), (2, 'a', NULL)")
        }
    }

    @Test(arguments: [
        "CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT)",
        "CREATE TABLE items (id INTEGER PRIMARY KEY, CODE TEXT, name TEXT); CREATE UNIQUE INDEX mine ON items (CODE)",
    ])
    func keepsTheUniqueIndexThatItHas(_ sql: String) throws {
        let fixture = try StoreFixture()
        try fixture.execute(sql)
        #expect(try fixture.transaction(.items(unique: [["code"]])) { _ in }.changes.map(\.kind) == [.adoptTable])
    }

    static let misfits: [(sql: String, words: [String])] = [
        (
            "CREATE TABLE items (id INTEGER PRIMARY KEY, title INTEGER, price TEXT, data TEXT, done TEXT)",
            [
                "column `title` is INTEGER, and `title: string` needs TEXT",
                "column `price` is TEXT, and `price: double` needs REAL",
                "column `data` is TEXT, and `data: bytes` needs BLOB",
                "column `done` is TEXT, and `done: bool` needs INTEGER",
            ]
        ),
        ("CREATE TABLE items (number INTEGER PRIMARY KEY, title TEXT)", ["key column `id` is missing"]),
        ("CREATE TABLE items (id INTEGER, title TEXT)", ["no primary key or unique index covers exactly id"]),
        (
            "CREATE TABLE items (id INTEGER, title TEXT, PRIMARY KEY (id, title))",
            ["no primary key or unique index covers exactly id"]
        ),
        (
            "CREATE TABLE items (id INTEGER, title TEXT); CREATE UNIQUE INDEX i ON items (id) WHERE title IS NOT NULL",
            ["no primary key or unique index covers exactly id"]
        ),
        (
            "CREATE TABLE items (id INTEGER PRIMARY KEY, must TEXT NOT NULL)",
            [
                "column `must` is NOT NULL without a default, and no field fills it: add a field with a `default`, as in `must: {default: …}`, or give the column a default"
            ]
        ),
        ("CREATE VIEW items AS SELECT 1 AS id", ["`items` is a view"]),
    ]

    @Test(arguments: misfits)
    func isRefusedWithEveryMisfitNamed(_ sql: String, _ words: [String]) throws {
        let fixture = try StoreFixture()
        try fixture.execute(sql)
        let before = try fixture.rows("SELECT type, name, sql FROM sqlite_schema")
        let error = try #require(throws: StoreError.self) {
            try fixture.transaction(Self.schema) { _ in }
        }
        #expect(error.code == .mismatch)
        for word in words { #expect(error.message.contains(word), "\(error.message)") }
        #expect(try fixture.rows("SELECT type, name, sql FROM sqlite_schema") == before)
    }

    @Test func rowsThatBreakAUniqueGroupAreAnError() throws {
        let fixture = try StoreFixture()
        try fixture.execute(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT, name TEXT); INSERT INTO items VALUES (1, 'a', ''), (2, 'a', '')"
        )
        let error = try #require(throws: StoreError.self) {
            try fixture.transaction(.items(unique: [["code"]])) { _ in }
        }
        #expect(error.message.contains("have the same code"))
        #expect(try fixture.rows("SELECT count(*) FROM items") == [[.integer(2)]])
    }

    // MARK: Keys

    private static let named = RecordSchema.test([("id", .string), ("title", .string)])

    @Test(
        "A key that does not tell records apart byte by byte is refused",
        arguments: [
            (
                "id TEXT COLLATE NOCASE PRIMARY KEY, title TEXT",
                "key column `id` compares as NOCASE, so that `A` and `a`"
            ),
            ("id TEXT PRIMARY KEY COLLATE RTRIM, title TEXT", "key column `id` compares as RTRIM"),
            ("id TEXT COLLATE NOCASE, title TEXT, UNIQUE (id)", "key column `id` compares as NOCASE"),
            ("id TEXT COLLATE nocase, title TEXT, UNIQUE (id COLLATE BINARY)", "key column `id` compares as nocase"),
            ("id TEXT, title TEXT, PRIMARY KEY (id COLLATE NOCASE)", "unique index of id compares as NOCASE"),
            ("id TEXT PRIMARY KEY, title TEXT, UNIQUE (id COLLATE RTRIM)", "unique index of id compares as RTRIM"),
        ])
    func aLooseKeyIsRefused(_ columns: String, _ words: String) throws {
        let fixture = try StoreFixture()
        try fixture.execute("CREATE TABLE items (\(columns)); INSERT INTO items VALUES ('A', 'mine')")
        let error = try #require(throws: StoreError.self) { try fixture.transaction(Self.named) { _ in } }
        #expect(error.code == .mismatch && error.message.contains(words), "\(error.message)")
        #expect(error.message.contains("make the table anew without `COLLATE"), "\(error.message)")
        #expect(error.message.contains("`items`"), "\(error.message)")
        #expect(try fixture.rows("SELECT id FROM items") == [[SQLiteValue("A")]])
    }

    @Test func anotherColumnMayCompareAsItLikes() throws {
        let fixture = try StoreFixture()
        try fixture.execute("CREATE TABLE items (id TEXT PRIMARY KEY, title TEXT COLLATE NOCASE UNIQUE)")
        #expect(try fixture.transaction(Self.named) { _ in }.changes.map(\.kind) == [.adoptTable])
    }

    // MARK: Values

    /// Values that some column makes something else of; of decimals, whose columns may hold numbers, see ColumnForm.
    private static let values: [(FieldType, [FieldValue])] = [
        (.string, [.text("007"), .text("1.0"), .text(" 12"), .text("1e3")]), (.double, [.real(1), .real(2.5)]),
        (.int, [.integer(7), .integer(Int64.max)]), (.bytes, [.blob([0x31])]),
    ]
    private static let types = [
        "", "ANY", "TEXT", "VARCHAR(20)", "CHARINT", "POINT TEXT", "CLOB", "NUMERIC", "DECIMAL(5,2)", "STRING",
        "DATETIME",
        "INT", "BIGINT", "BOOLEAN", "REAL", "DOUBLE", "FLOATING POINT", "FLOAT", "BLOB",
    ]

    @Test("What a column takes it gives back, or the table is refused", arguments: types, ["", " STRICT"])
    func whatIsTakenIsKept(_ type: String, _ strictness: String) throws {
        if !strictness.isEmpty && !["ANY", "TEXT", "INT", "REAL", "BLOB"].contains(type) { return }
        for (field, values) in Self.values {
            for place in ["id", "title"] {
                let fixture = try StoreFixture()
                try fixture.execute(
                    "CREATE TABLE items (id \(place == "id" ? type : "TEXT") NOT NULL PRIMARY KEY, title \(place == "id" ? "TEXT" : type))\(strictness)"
                )
                let schema = RecordSchema.test(
                    [("id", place == "id" ? field : .string), ("title", place == "id" ? .string : field)])
                do {
                    _ = try fixture.transaction(schema) { table throws in
                        let rows = values.enumerated().map { index, value -> [FieldValue?] in
                            place == "id" ? [value, .text("t")] : [.text("k\(index)"), value]
                        }
                        try table.insert(schema.batch(rows), records: Array(rows.indices), run: 1)
                    }
                } catch let error as StoreError {
                    #expect(error.code == .mismatch && error.message.contains("column `\(place)`"), "\(error.message)")
                    continue
                }
                let kept = try fixture.rows("SELECT \(place) FROM items ORDER BY rowid").map { $0[0] }
                // A column of numbers keeps a whole double as an integer, which is read as the double again.
                let meant = kept.map { value in
                    if case .integer(let number) = value, field == .double {
                        SQLiteValue.real(Double(number))
                    } else {
                        value
                    }
                }
                #expect(meant == values.map(\.sqlite), "\(field) in \(type)\(strictness)")
            }
        }
    }
}

extension FieldValue {
    fileprivate var sqlite: SQLiteValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }
}

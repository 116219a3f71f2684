import SluiceMerge
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
            ["column `must` is NOT NULL without a default"]
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
}

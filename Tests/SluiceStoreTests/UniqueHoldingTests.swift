import SluiceModel
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import Testing

@Suite("Records that are written without the values that are taken")
struct UniqueHoldingTests {
    private static let schema = RecordSchema.items(unique: [["code"]])

    private func fixture(_ codes: String) throws -> StoreFixture {
        let fixture = try StoreFixture()
        try fixture.insert(
            Self.schema, codes.enumerated().map { [.integer(Int64($0 + 1)), .text(String($1)), .text("old")] })
        return fixture
    }

    private func change(_ id: Int64, to code: String) -> RecordWrite {
        RecordWrite(
            key: key(.integer(id)), row: .update(fields: [1, 2], values: [.text(code), .text("new")]),
            base: Self.schema.base([.integer(id), .text(code), .text("new")]))
    }

    private func finish(
        _ fixture: StoreFixture, contested: Set<UInt64> = [], _ writes: [RecordWrite]
    ) throws -> FinishOutcome {
        try fixture.transaction(Self.schema) { table throws in
            table.expect(contested: contested)
            for write in writes { try table.write(write) }
            return try table.finishHolding()
        }.result
    }

    private func rows(_ fixture: StoreFixture) throws -> String {
        let rows = try fixture.rows(
            "SELECT group_concat(id || coalesce(code, '-') || substr(name, 1, 1), ' ') FROM (SELECT * FROM items ORDER BY id)"
        )
        guard case .text(let text)? = rows.first?.first else { return "" }
        return String(decoding: text, as: UTF8.self)
    }

    @Test func whatAHeldRecordKeepsIsKeptFromAllWhoWantedIt() throws {
        // A long chain whose end is taken: everybody keeps what they have.
        let codes = "abcdefghijklmnop"
        let fixture = try fixture(codes)
        let letters = Array(codes)
        let changes = (0..<letters.count - 1).map { change(Int64($0 + 1), to: String(letters[$0 + 1])) }
        let outcome = try finish(fixture, changes.reversed())
        #expect(outcome.collisions.count == letters.count - 1)
        let kept = letters.enumerated().map { "\($0 + 1)\($1)\($0 == letters.count - 1 ? "o" : "n")" }
        #expect(try rows(fixture) == kept.joined(separator: " "))
    }

    @Test func aSwapBesideALoserStillSwaps() throws {
        let fixture = try fixture("abz")
        let outcome = try finish(fixture, [change(3, to: "a"), change(1, to: "b"), change(2, to: "a")])
        #expect(try rows(fixture) == "1bn 2an 3zn")
        #expect(outcome.collisions.map(\.held.first?.holder) == [key(.integer(2))])
    }

    struct Table: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        /// SQLite's words for a row with the code `bad`.
        let words: String
    }

    static let tables = [
        Table(
            testDescription: "check",
            sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT CHECK (code <> 'bad'), name TEXT)",
            words: "CHECK constraint failed: code <> 'bad'"),
        Table(
            testDescription: "trigger",
            sql: """
                CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT, name TEXT);
                CREATE TRIGGER i BEFORE INSERT ON items WHEN new.code = 'bad' BEGIN SELECT RAISE(ABORT, 'bad, is it?'); END;
                CREATE TRIGGER u BEFORE UPDATE ON items WHEN new.code = 'bad' BEGIN SELECT RAISE(ABORT, 'bad, is it?'); END
                """, words: "bad, is it?"),
        Table(
            testDescription: "foreign key",
            sql: """
                CREATE TABLE codes (code TEXT PRIMARY KEY); INSERT INTO codes VALUES ('a'), ('b'), ('c');
                CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT REFERENCES codes, name TEXT)
                """, words: "FOREIGN KEY constraint failed"),
        Table(
            testDescription: "a unique index on a part of the rows",
            sql: """
                CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT, name TEXT);
                CREATE UNIQUE INDEX i ON items (code) WHERE code = 'bad';
                INSERT INTO items VALUES (99, 'bad', '')
                """, words: "UNIQUE constraint failed: items.code"),
    ]

    @Test(arguments: tables)
    func aRowThatTheTableRefusesIsRefusedAlone(_ test: Table) throws {
        let fixture = try StoreFixture()
        try fixture.execute(test.sql)
        let schema = RecordSchema.items()
        let outcome = try fixture.transaction(schema) { table throws in
            #expect(table.mayRefuse)
            let batch = schema.batch([
                [.integer(1), .text("a"), nil], [.integer(2), .text("bad"), nil], [.integer(3), .text("b"), nil],
            ])
            #expect(try table.insert(batch, records: [0, 1, 2], run: 1) == [1])
            let isWritten = try table.write(
                RecordWrite(key: key(.integer(3)), row: .update(fields: [1], values: [.text("bad")]), base: nil))
            #expect(!isWritten)
            return try table.finishHolding()
        }.result
        #expect(outcome.refused.mapValues(\.rule) == [key(.integer(2)): test.words, key(.integer(3)): test.words])
        #expect(outcome.collisions.isEmpty)
        #expect(
            try fixture.rows("SELECT id, code FROM items WHERE id < 9 ORDER BY id")
                == [[.integer(1), SQLiteValue("a")], [.integer(3), SQLiteValue("b")]])
    }

    @Test func aRowMayReferToOneThatComesLater() throws {
        let fixture = try StoreFixture()
        try fixture.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, code INTEGER REFERENCES items, name TEXT)")
        let schema = RecordSchema.test([("id", .int), ("code", .int), ("name", .string)])
        try fixture.transaction(schema) { table throws in
            let parents: [Int64?] = [2, 3, nil, 9]
            let batch = schema.batch(
                parents.enumerated().map { [.integer(Int64($0 + 1)), $1.map { .integer($0) }, nil] })
            #expect(try table.insert(batch, records: [0, 1, 2, 3], run: 1) == [0, 1, 3])
            let outcome = try table.finish(run: 1) { _, _ in nil }
            #expect(outcome.refused.mapValues(\.rule) == [key(.integer(4)): "FOREIGN KEY constraint failed"])
        }
        #expect(try fixture.rows("SELECT id FROM items") == [[.integer(1)], [.integer(2)], [.integer(3)]])
        // And rows go in whatever order their references permit.
        try fixture.transaction(schema) { table throws in
            for id in [3, 2, 1] as [Int64] {
                let gone = schema.base([.integer(id), nil, nil], state: .remoteTombstone)
                _ = try table.write(RecordWrite(key: key(.integer(id)), row: .delete, base: gone))
            }
            let outcome = try table.finish(run: 1) { _, _ in nil }
            #expect(outcome.refused.isEmpty)
        }
        #expect(try fixture.rows("SELECT id FROM items").isEmpty)
    }

    @Test func aTableThatWouldReplaceOtherRowsDoesNot() throws {
        let fixture = try StoreFixture()
        try fixture.execute(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT REPLACE, name TEXT);
            INSERT INTO items VALUES (1, 'a', 'mine')
            """)
        let schema = RecordSchema.items()
        let outcome = try fixture.transaction(schema) { table throws in
            let batch = schema.batch([[.integer(2), .text("a"), .text("new")]])
            try table.insert(batch, records: [0], run: 1)
            return try table.finishHolding()
        }.result
        #expect(outcome.collisions.map(\.held.first?.holder) == [key(.integer(1))])
        #expect(try rows(fixture) == "1am 2-n")
    }

    @Test func aTriggerThatEndsTheTransactionEndsTheRun() throws {
        let fixture = try StoreFixture()
        try fixture.execute(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT, name TEXT);
            CREATE TRIGGER i BEFORE INSERT ON items BEGIN SELECT RAISE(ROLLBACK, 'no'); END
            """)
        let schema = RecordSchema.items()
        let store = try fixture.open()
        try store.begin()
        let (table, _) = try store.openTable(schema)
        #expect(throws: StoreError.self) {
            try table.insert(schema.batch([[.integer(1), .text("a"), nil]]), records: [0], run: 1)
        }
    }

    @Test func aTableOfOurOwnRefusesNothing() throws {
        let fixture = try StoreFixture()
        try fixture.transaction(.items()) { #expect(!$0.mayRefuse) }
        try fixture.transaction(.items(unique: [["code"]])) { #expect($0.mayRefuse) }
    }
}

import SluiceModel
import SluiceSQLite
import SluiceStore
import Testing

@Suite("Values that must be unique in tables of SQLite")
struct UniqueTests {
    private static let schema = RecordSchema.items(unique: [["code"]])

    /// A store with items 1, 2, … whose codes are the letters given; the name of each is its first code.
    private func fixture(_ codes: String) throws -> StoreFixture {
        let fixture = try StoreFixture()
        try fixture.insert(
            Self.schema,
            codes.enumerated().map { [.integer(Int64($0 + 1)), .text(String($1)), .text(String($1))] })
        return fixture
    }

    private func change(_ id: Int64, to code: String) -> RecordWrite {
        RecordWrite(
            key: key(.integer(id)), row: .update(fields: [1, 2], values: [.text(code), .text("new")]),
            base: Self.schema.base([.integer(id), .text(code), .text("new")]))
    }

    @Test func aNewRecordWaitsForItsValueToo() throws {
        let fixture = try fixture("ab")
        let collisions = try fixture.transaction(Self.schema) { table throws in
            let batch = Self.schema.batch([
                [.integer(3), .text("a"), .text("new")], [.integer(4), .text("b"), nil],
                [.integer(5), .text("c"), nil],
            ])
            try table.insert(batch, records: [0, 1, 2], run: 2)
            #expect(try table.localRow(key(.integer(3))) == nil)
            #expect(try table.baseRow(key(.integer(3))) == nil)
            try table.write(change(1, to: "z"))
            return try table.finish()
        }.result
        #expect(collisions.map(\.write.key) == [key(.integer(4))])
        #expect(collisions.map(\.held.first?.holder) == [key(.integer(2))])
        #expect(
            try fixture.rows("SELECT group_concat(id || code, ' ') FROM (SELECT * FROM items ORDER BY id)")
                == [[SQLiteValue("1z 2b 3a 5c")]])
        try fixture.transaction(Self.schema) { table throws in
            #expect(
                try table.baseRow(key(.integer(3)))
                    == Self.schema.base([.integer(3), .text("a"), .text("new")]).first(run: 2))
            #expect(try table.baseRow(key(.integer(4))) == nil)
        }
    }

    @Test func twoNewRecordsWithOneValueNameEachOther() throws {
        let fixture = try StoreFixture()
        let collisions = try fixture.transaction(Self.schema) { table throws in
            let batch = Self.schema.batch([[.integer(1), .text("a"), nil], [.integer(2), .text("a"), nil]])
            try table.insert(batch, records: [0, 1], run: 1)
            return try table.finish()
        }.result
        #expect(collisions.map(\.write.key) == [key(.integer(2))])
        #expect(collisions.map(\.held.first?.holder) == [key(.integer(1))])
        guard case .insert(let values)? = collisions.first?.write.row else {
            return #expect(Bool(false), "no insertion")
        }
        #expect(values == [.integer(2), .text("a"), .null])
        #expect(try fixture.rows("SELECT id FROM items") == [[.integer(1)]])
    }

    @Test func valuesSwapInAnAdoptedTableThatForbidsNull() throws {
        let fixture = try StoreFixture()
        try fixture.execute(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, name TEXT);
            INSERT INTO items VALUES (1, 'a', 'a'), (2, 'b', 'b'), (3, 'c', 'c')
            """)
        let collisions = try fixture.transaction(Self.schema) { table throws in
            try table.write(change(1, to: "b"))
            try table.write(change(2, to: "a"))
            try table.write(change(3, to: "d"))
            return try table.finish()
        }.result
        let codes = try fixture.rows("SELECT code FROM items ORDER BY id")
        #expect(codes == [[SQLiteValue("b")], [SQLiteValue("a")], [SQLiteValue("d")]])
        #expect(collisions.isEmpty)
    }
}

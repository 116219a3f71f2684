import SluiceModel
import SluiceSQLite
import SluiceStore
import Testing

@Suite("Statements that write records of SQLite")
struct WriteTests {
    @Test func bytesThatAreNoTextAreKept() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test([("id", .int), ("v", .string)])
        let value = FieldValue.text([0x61, 0, 0xFF])
        try fixture.insert(schema, [[.integer(1), value]])
        try fixture.transaction(schema) { table throws in
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), value])
            try table.write(.update(1, [1], [.null]))
            try table.write(.update(1, [1], [value]))
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), value])
        }
    }

    @Test func anUpdateNamesOnlyTheColumnsThatChange() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.items()
        try fixture.insert(schema, [[.integer(1), .text("a"), .text("n")]])
        try fixture.execute("CREATE TABLE log (entry TEXT)")
        for column in ["id", "code", "name"] {
            try fixture.execute(
                "CREATE TRIGGER log_\(column) AFTER UPDATE OF \(column) ON items BEGIN INSERT INTO log VALUES ('\(column)'); END"
            )
        }
        try fixture.transaction(schema) { table throws in
            try table.write(
                RecordWrite(
                    key: key(.integer(1)), row: .update(fields: [2], values: [.text("m")]),
                    base: schema.base([.integer(1), .text("a"), .text("m")])))
            // The base alone.
            try table.write(
                RecordWrite(
                    key: key(.integer(1)), row: .none, base: schema.base([.integer(1), .text("b"), .text("m")])))
            #expect(try table.finish().isEmpty)
        }
        #expect(try fixture.rows("SELECT entry FROM log") == [[SQLiteValue("name")]])
        #expect(try fixture.rows("SELECT * FROM items") == [[.integer(1), SQLiteValue("a"), SQLiteValue("m")]])
    }

    @Test func aKeyThatIsThereIsRefused() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.items()
        try fixture.insert(schema, [[.integer(1), .text("a"), .null]])
        let outcome = try fixture.transaction(schema) { table throws in
            try table.insert(schema.batch([[.integer(1), .text("secret"), .null]]), records: [0], run: 1)
            return try table.finishHolding()
        }.result
        #expect(outcome.refused.mapValues(\.rule) == [key(.integer(1)): "UNIQUE constraint failed: items.id"])
        #expect(try fixture.rows("SELECT code FROM items") == [[SQLiteValue("a")]])
    }
}

import SluiceModel
import SluiceSQLite
import SluiceStore
import Testing

@Suite("Writing records")
struct WriteTests {
    static let values: [(type: FieldType, value: FieldValue, name: String)] = [
        (.string, .null, "null"), (.string, .text(""), "an empty text"), (.string, .text("Düne 🏜️"), "a text"),
        (.string, .text([0x61, 0, 0xFF]), "bytes that are no text"), (.string, .text("007"), "digits"),
        (.string, .text(.init(repeating: 0x61, count: 100_000)), "a long text"), (.int, .integer(.min), "least"),
        (.int, .integer(.max), "greatest"), (.double, .real(0.1), "a tenth"),
        (.double, .real(.leastNonzeroMagnitude), "tiny"),
        (.double, .real(3), "an integral double"), (.decimal, .text("12345678901234567890.10"), "a decimal"),
        (.bool, .integer(1), "true"), (.bytes, .blob([]), "an empty blob"), (.bytes, .blob([0, 255, 0]), "a blob"),
        (.json, .text(#"{"a":[1,null]}"#), "json"), (.datetime, .text("2026-01-02T03:04:05Z"), "a time"),
    ]

    @Test(arguments: values)
    func whatIsInsertedIsThere(_ type: FieldType, _ value: FieldValue, _ name: String) throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test([("id", .int), ("v", type)])
        try fixture.insert(schema, [[.integer(1), value]])
        try fixture.transaction(schema) { table throws in
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), value], "\(name)")
            #expect(try table.baseRow(key(.integer(1))) == schema.base([.integer(1), value], run: 1))
            // The same by another way.
            try table.write(
                RecordWrite(
                    key: key(.integer(2)), row: .insert([.integer(2), value]), base: schema.base([.integer(2), value])))
            #expect(try table.localRow(key(.integer(2))) == [.integer(2), value])
            #expect(try table.baseRow(key(.integer(2))) == schema.base([.integer(2), value]))
            try table.write(
                RecordWrite(key: key(.integer(1)), row: .update(fields: [1], values: [.null]), base: nil))
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .null])
            try table.write(RecordWrite(key: key(.integer(1)), row: .update(fields: [1], values: [value]), base: nil))
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

    @Test func aColumnThatIsNotMappedStaysAsItIs() throws {
        let fixture = try StoreFixture()
        try fixture.execute(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT, mine TEXT); INSERT INTO items VALUES (1, 'a', 'keep')"
        )
        try fixture.transaction(.items()) { table throws in
            try table.write(
                RecordWrite(
                    key: key(.integer(1)), row: .update(fields: [1, 2], values: [.text("b"), .text("n")]), base: nil))
        }
        #expect(
            try fixture.rows("SELECT code, mine, name FROM items")
                == [[SQLiteValue("b"), SQLiteValue("keep"), SQLiteValue("n")]])
    }

    @Test func rowAndBaseAreWrittenEachByItself() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.items()
        try fixture.insert(schema, [[.integer(1), .text("a"), .null], [.integer(2), .text("b"), .null]])
        try fixture.transaction(schema) { table throws in
            try table.write(RecordWrite(key: key(.integer(1)), row: .delete, base: nil))
            #expect(try table.localRow(key(.integer(1))) == nil)
            #expect(try table.baseRow(key(.integer(1)))?.state == .live)
            let base = schema.base([.integer(2), .text("z"), nil], state: .localTombstone, isOpen: true, run: 9)
            try table.write(RecordWrite(key: key(.integer(2)), row: .none, base: base))
            #expect(try table.localRow(key(.integer(2))) == [.integer(2), .text("b"), .null])
            #expect(try table.baseRow(key(.integer(2))) == base)
        }
    }

    @Test func aBaseWithoutRunsKeepsNone() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.items()
        try fixture.transaction(schema) { table throws in
            try table.insert(schema.batch([[.integer(1), nil, nil]]), records: [0], run: nil)
            let base = try table.baseRow(key(.integer(1)))
            #expect(base != nil && base?.firstRun == nil && base?.lastRun == nil)
        }
    }

    @Test func onlyTheNamedRecordsOfABatchAreInserted() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.items()
        try fixture.transaction(schema) { table throws in
            let batch = schema.batch((1...5).map { [.integer($0), .text("c\($0)"), nil] })
            try table.insert(batch, records: [3, 1], run: 1)
            #expect(try table.liveKeys(after: nil, limit: 9) == [key(.integer(2)), key(.integer(4))])
        }
    }

    @Test func everyCombinationOfFieldsCanBeUpdated() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test([("id", .int)] + (0..<8).map { ("f\($0)", .int) })
        try fixture.insert(schema, [[.integer(1)] + (0..<8).map { _ in .integer(-1) }])
        // More combinations than statements are kept for.
        try fixture.transaction(schema) { table throws in
            for mask in 1..<256 {
                let fields = (0..<8).filter { mask & (1 << $0) != 0 }.map { $0 + 1 }
                try table.write(
                    RecordWrite(
                        key: key(.integer(1)),
                        row: .update(fields: fields, values: fields.map { _ in .integer(Int64(mask)) }), base: nil))
                let row = try #require(try table.localRow(key(.integer(1))))
                #expect(fields.allSatisfy { row[$0] == .integer(Int64(mask)) })
            }
        }
        #expect(
            try fixture.rows("SELECT f0, f1, f7 FROM items") == [[.integer(255), .integer(255), .integer(255)]])
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

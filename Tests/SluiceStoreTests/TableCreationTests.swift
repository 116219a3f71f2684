import SluiceModel
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import Testing

@Suite("A new table")
struct TableCreationTests {
    static let columnTypes: [(type: FieldType, column: String)] = [
        (.string, "TEXT"), (.uuid, "TEXT"), (.url, "TEXT"), (.enumeration, "TEXT"), (.int, "INTEGER"),
        (.double, "REAL"), (.decimal, "TEXT"), (.bool, "INTEGER"), (.date, "TEXT"), (.datetime, "TEXT"),
        (.json, "TEXT"), (.bytes, "BLOB"),
    ]

    @Test func everyTypeHasAColumnType() throws {
        #expect(Set(Self.columnTypes.map(\.type)) == Set(FieldType.allCases))
        let fixture = try StoreFixture()
        let schema = RecordSchema.test([("id", .int)] + Self.columnTypes.map { ("f_" + $0.type.rawValue, $0.type) })
        let changes = try fixture.transaction(schema) { #expect($0.wasEmpty) }.changes
        #expect(changes.map(\.kind) == [.createTable])
        #expect(changes.map(\.table) == ["items"])
        #expect(changes[0].sql.hasPrefix("CREATE TABLE"))
        let columns = try fixture.rows("SELECT name, type FROM pragma_table_info('items')")
        #expect(
            columns == [[SQLiteValue("id"), SQLiteValue("INTEGER")]]
                + Self.columnTypes.map { [SQLiteValue("f_" + $0.type.rawValue), SQLiteValue($0.column)] })
        #expect(try fixture.rows("SELECT strict FROM pragma_table_list WHERE name = 'items'") == [[.integer(1)]])
    }

    @Test func onlyTheKeyIsNotNull() throws {
        let fixture = try StoreFixture()
        try fixture.transaction(.test([("a", .string), ("b", .int), ("c", .string)], key: ["b", "a"])) { _ in }
        let columns = try fixture.rows("SELECT name, \"notnull\", pk FROM pragma_table_info('items')")
        #expect(
            columns == [
                [SQLiteValue("a"), .integer(1), .integer(2)], [SQLiteValue("b"), .integer(1), .integer(1)],
                [SQLiteValue("c"), .integer(0), .integer(0)],
            ])
    }

    @Test func anIntegerKeyIsTheRowID() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(), [[.integer(41), .text("a"), .null]])
        #expect(try fixture.rows("SELECT rowid FROM items") == [[.integer(41)]])
        #expect(try fixture.rows("SELECT count(*) FROM pragma_index_list('items')") == [[.integer(0)]])
    }

    @Test func aSecondTimeNothingChanges() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.items(unique: [["code"], ["code", "name"]])
        #expect(
            try fixture.transaction(schema) { _ in }.changes.map(\.kind) == [.createTable, .createIndex, .createIndex])
        let before = try fixture.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
        #expect(try fixture.transaction(schema) { _ in }.changes == [])
        #expect(try fixture.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name") == before)
    }

    @Test func everyUniqueGroupHasAUniqueIndex() throws {
        let fixture = try StoreFixture()
        // The names of both groups, joined, are alike.
        let schema = RecordSchema.test(
            [("id", .int), ("a_b", .string), ("a", .string), ("b", .string)], unique: [["a_b"], ["a", "b"]])
        try fixture.transaction(schema) { _ in }
        let indexes = try fixture.rows(
            """
            SELECT group_concat(i.name, '+') FROM pragma_index_list('items') AS l, pragma_index_info(l.name) AS i
            WHERE l."unique" GROUP BY l.name ORDER BY 1
            """)
        #expect(indexes == [[SQLiteValue("a+b")], [SQLiteValue("a_b")]])
        #expect(try fixture.transaction(schema) { _ in }.changes == [])
    }

    @Test(arguments: [["É"], ["code", "É"], ["É", "code"]])
    func aUniqueIndexIsMadeOnce(_ group: [String]) throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test([("id", .int), ("É", .string), ("code", .string)], unique: [group])
        #expect(try fixture.transaction(schema) { _ in }.changes.map(\.kind) == [.createTable, .createIndex])
        #expect(try fixture.transaction(schema) { _ in }.changes == [])
    }

    @Test func uniqueMeansUniqueForEveryTool() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(unique: [["code"]]), [[.integer(1), .text("a"), .null]])
        #expect(throws: SQLiteError.self) { try fixture.execute("INSERT INTO items VALUES (2, 'a', NULL)") }
    }

    @Test(arguments: [
        "with space", "quote\"d", "order", "ünï", "a\"\u{301}", "semi;colon", "[x]",
    ])
    func namesMayBeAnything(_ name: String) throws {
        let fixture = try StoreFixture()
        var schema = RecordSchema.test(
            [("id", .int), (name, .string)], unique: [[name]], table: "table " + name, stream: "stream " + name)
        schema.pipeline = "pipe " + name
        schema.entity = "Entity " + name
        try fixture.insert(schema, [[.integer(1), .text("x")]])
        try fixture.transaction(schema) { table throws in
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .text("x")])
            #expect(try table.baseRow(key(.integer(1))) == schema.base([.integer(1), .text("x")], run: 1))
            try table.write(
                RecordWrite(key: key(.integer(1)), row: .update(fields: [1], values: [.text("y")]), base: nil))
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .text("y")])
        }
    }

    @Test(arguments: ["row_hash", "fields", "state", "open", "first_run", "last_run", "State"])
    func aKeyMayBeNamedLikeAColumnOfTheBase(_ name: String) throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test([(name, .string), ("x", .int)], key: [name])
        try fixture.insert(schema, [[.text("a"), .integer(1)]])
        try fixture.transaction(schema) { table throws in
            #expect(try table.baseRow(key(.text("a")))?.entries == [.value(.text("a")), .value(.integer(1))])
            #expect(try table.liveKeys(after: nil, limit: 9) == [key(.text("a"))])
        }
    }

    @Test func everythingOfOursIsNamedSo() throws {
        let fixture = try StoreFixture()
        try fixture.transaction(.items()) { _ in }
        let tables = try fixture.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'items'")
        #expect(!tables.isEmpty)
        for row in tables {
            guard case .text(let name) = row[0] else { continue }
            #expect(String(decoding: name, as: UTF8.self).hasPrefix("_sluice_"))
        }
    }
}

@Suite("A pipeline that changes")
struct SchemaEvolutionTests {
    private let title: (String, FieldType) = ("title", .string)

    private func slots(_ fixture: StoreFixture) throws -> [[SQLiteValue]] {
        try fixture.rows("SELECT name, CAST(value AS INTEGER) FROM _sluice_schema WHERE kind = 'slot' ORDER BY 2")
    }

    @Test func aNewFieldAddsItsColumnAndASlot() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.test([("id", .int), title]), [[.integer(1), .text("Dune")]])
        let wider = RecordSchema.test([("id", .int), ("price", .double), title])
        let changes = try fixture.transaction(wider) { table throws in
            #expect(!table.wasEmpty)
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .null, .text("Dune")])
            #expect(
                try table.baseRow(key(.integer(1)))?.entries
                    == [.value(.integer(1)), .none, .value(.text("Dune"))])
            try table.insert(wider.batch([[.integer(2), .real(1.5), .text("Moby")]]), records: [0], run: 2)
        }.changes
        #expect(changes.map(\.kind) == [.addColumn])
        #expect(
            try slots(fixture) == [
                [SQLiteValue("test/items/Item/id"), .integer(0)],
                [SQLiteValue("test/items/Item/title"), .integer(1)],
                [SQLiteValue("test/items/Item/price"), .integer(2)],
            ])
        try fixture.transaction(wider) { table throws in
            #expect(
                try table.baseRow(key(.integer(2)))
                    == wider.base([.integer(2), .real(1.5), .text("Moby")], run: 2).first(run: 2))
        }
    }

    @Test func reorderedFieldsKeepTheirSlots() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.test([("id", .int), title, ("note", .string)]), [[.integer(1), .text("t"), .text("n")]])
        let before = try slots(fixture)
        let reordered = RecordSchema.test([("note", .string), title, ("id", .int)])
        let changes = try fixture.transaction(reordered) { table throws in
            #expect(
                try table.baseRow(key(.integer(1)))
                    == reordered.base([.text("n"), .text("t"), .integer(1)], run: 1))
            #expect(try table.localRow(key(.integer(1))) == [.text("n"), .text("t"), .integer(1)])
            var lookup = BaseLookup()
            try table.lookUp(reordered.batch([[.text("n"), .text("t"), .integer(1)]]), into: &lookup)
            #expect(lookup.findings == [.unchanged])
        }.changes
        #expect(changes == [])
        #expect(try slots(fixture) == before)
    }

    @Test func aRemovedFieldKeepsItsSlotAndItsColumn() throws {
        let fixture = try StoreFixture()
        let wide = RecordSchema.test([("id", .int), title, ("note", .string)])
        let narrow = RecordSchema.test([("id", .int), ("note", .string)])
        try fixture.insert(wide, [[.integer(1), .text("t"), .text("n")], [.integer(2), .text("u"), .text("o")]])
        let before = try slots(fixture)
        let changes = try fixture.transaction(narrow) { table throws in
            #expect(try table.baseRow(key(.integer(1)))?.entries == [.value(.integer(1)), .value(.text("n"))])
            try table.write(
                RecordWrite(
                    key: key(.integer(2)), row: .update(fields: [1], values: [.text("p")]),
                    base: narrow.base([.integer(2), .text("p")])))
        }.changes
        #expect(changes == [])
        #expect(try slots(fixture) == before)
        #expect(try fixture.rows("SELECT title FROM items") == [[SQLiteValue("t")], [SQLiteValue("u")]])
        try fixture.transaction(wide) { table throws in
            #expect(
                try table.baseRow(key(.integer(1)))?.entries
                    == [.value(.integer(1)), .value(.text("t")), .value(.text("n"))])
            // What the source said of a field stays true while the pipeline leaves it out.
            #expect(
                try table.baseRow(key(.integer(2)))?.entries
                    == [.value(.integer(2)), .value(.text("u")), .value(.text("p"))])
        }
    }

    @Test func anotherIdentifierIsRefusedByName() throws {
        let fixture = try StoreFixture()
        try fixture.transaction(.test([("id", .string), ("code", .string)], unique: [["code"]])) { _ in }
        let error = try #require(throws: StoreError.self) {
            try fixture.transaction(.test([("id", .string), ("code", .string)], key: ["code"])) { _ in }
        }
        #expect(error.code == .mismatch)
        #expect(error.message.contains("was id and is now code"))
    }

    @Test func isKnownFromTheStoreAlone() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test(
            [("x", .json), ("number", .int), ("repo", .string), ("price", .decimal)], key: ["repo", "number"])
        try fixture.insert(schema, [[.text("{}"), .integer(7), .text("r"), .null]])
        let store = try fixture.open(.reading)
        let table = try #require(try store.knownTable(pipeline: "test", stream: "items", entity: "Item"))
        #expect(table.schema.table == "items")
        #expect(table.schema.fields.map(\.name) == schema.fields.map(\.name))
        #expect(table.schema.fields.map(\.type) == schema.fields.map(\.type))
        #expect(table.schema.keyFields == schema.keyFields)
        let key = key(.text("r"), .integer(7))
        #expect(try table.localRow(key) == [.text("{}"), .integer(7), .text("r"), .null])
        #expect(
            try table.baseRow(key) == schema.base([.text("{}"), .integer(7), .text("r"), .null], run: 1))
        #expect(try store.knownTable(pipeline: "test", stream: "items", entity: "Other") as AnyObject? == nil)
    }

    @Test func streamsThatShareATableHaveBasesOfTheirOwn() throws {
        let fixture = try StoreFixture()
        let one = RecordSchema.test([("id", .int), title], stream: "one")
        let two = RecordSchema.test([("id", .int), title], stream: "two")
        try fixture.insert(one, [[.integer(1), .text("t")]])
        let changes = try fixture.transaction(two) { table throws in
            #expect(!table.wasEmpty)
            #expect(try table.baseRow(key(.integer(1))) == nil)
            #expect(try table.localRow(key(.integer(1))) != nil)
            #expect(try table.liveCount() == 0)
        }.changes
        #expect(changes == [])
    }

    @Test func basesWhoseNamesMeetAreKeptApart() throws {
        let fixture = try StoreFixture()
        var one = RecordSchema.test([("id", .int)], table: "one", stream: "b_c")
        one.pipeline = "a"
        var two = RecordSchema.test([("id", .int)], table: "two", stream: "c")
        two.pipeline = "a_b"
        try fixture.insert(one, [[.integer(1)]])
        try fixture.transaction(two) { (table: any RecordTable) throws in
            #expect(try table.baseRow(key(.integer(1))) == nil)
        }
        try fixture.transaction(one) { (table: any RecordTable) throws in
            #expect(try table.baseRow(key(.integer(1))) != nil)
        }
    }
}

extension BaseRow {
    /// The same base, written first by another run.
    func first(run: Int64) -> BaseRow {
        var row = self
        row.firstRun = run
        return row
    }
}

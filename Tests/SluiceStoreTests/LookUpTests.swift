import SluiceModel
import SluiceSQLite
import SluiceStore
import Testing

@Suite("A batch against the base")
struct LookUpTests {
    private static let schema = RecordSchema.items()

    private func record(_ id: Int64, _ name: String = "n") -> [FieldValue?] {
        [.integer(id), .text("c\(id)"), .text(name)]
    }

    @Test func saysWhatIsNewUnchangedAndOther() throws {
        let fixture = try StoreFixture()
        let schema = Self.schema
        try fixture.insert(schema, (1...6).map { record($0) })
        try fixture.transaction(schema) { table throws in
            for (id, base) in [
                (3, schema.base(record(3), isOpen: true)), (4, schema.base(record(4), state: .remoteTombstone)),
                (5, schema.base(record(5), state: .localTombstone)),
            ] as [(Int64, BaseRow)] {
                try table.write(RecordWrite(key: key(.integer(id)), row: .none, base: base))
            }
        }
        try fixture.transaction(schema) { table throws in
            var lookup = BaseLookup()
            lookup.rows = [99: schema.base(record(9))]
            lookup.liveCount = 42
            try table.lookUp(
                schema.batch([record(1), record(2, "changed"), record(3), record(4), record(5), record(7)]),
                into: &lookup)
            #expect(lookup.findings == [.unchanged, .other, .other, .other, .other, .new])
            #expect(lookup.liveCount == 4)
            #expect(Set(lookup.rows.keys) == [1, 2, 3, 4])
            #expect(lookup.rows[1] == schema.base(record(2), run: 1))
            #expect(lookup.rows[2] == schema.base(record(3), isOpen: true))
            #expect(lookup.rows[3]?.state == .remoteTombstone)
            #expect(lookup.rows[4]?.state == .localTombstone)
            #expect(try table.liveCount() == 5)
        }
    }

    @Test func anAbsentKeyIsNotANull() throws {
        let fixture = try StoreFixture()
        try fixture.insert(Self.schema, [[.integer(1), nil, .null]])
        try fixture.transaction(Self.schema) { table throws in
            #expect(
                try table.baseRow(key(.integer(1)))?.entries == [.value(.integer(1)), .none, .null])
            var lookup = BaseLookup()
            let batch = Self.schema.batch([[.integer(1), nil, .null]])
            try table.lookUp(batch, into: &lookup)
            #expect(lookup.findings == [.unchanged])
            try table.lookUp(Self.schema.batch([[.integer(1), .null, .null]]), into: &lookup)
            #expect(lookup.findings == [.other])
        }
    }

    @Test func anEmptyBaseSaysThatAllIsNew() throws {
        let fixture = try StoreFixture()
        try fixture.execute(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, code, name); INSERT INTO items VALUES (1, 1, 1)")
        try fixture.transaction(Self.schema) { table throws in
            #expect(!table.wasEmpty)
            var lookup = BaseLookup()
            try table.lookUp(Self.schema.batch([record(1), record(2)]), into: &lookup)
            #expect(lookup.findings == [.new, .new])
            #expect(lookup.liveCount == 0)
        }
    }

    static let damages = [
        "fields = x'70'", "fields = x'2201'", "fields = x'FF'", "state = 9", "state = -1",
        "state = 9223372036854775807",
    ]

    @Test(arguments: damages)
    func aDamagedBaseIsAnErrorAndNoTrap(_ damage: String) throws {
        let fixture = try StoreFixture()
        try fixture.insert(Self.schema, [record(1)])
        try fixture.execute("UPDATE \"_sluice_base_test_items_Item\" SET \(damage)")
        let error = try #require(throws: StoreError.self) {
            try fixture.transaction(Self.schema) { _ = try $0.baseRow(key(.integer(1))) }
        }
        #expect(error.code == .damaged)
        #expect(error.message.contains("_sluice_base_test_items_Item"))
    }

    @Test func aLocalRowMayHoldWhatNoFieldMay() throws {
        let fixture = try StoreFixture()
        try fixture.execute(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT, name TEXT);
            INSERT INTO items VALUES (1, x'00FF', CAST(x'FF' AS TEXT))
            """)
        try fixture.transaction(Self.schema) { table throws in
            #expect(try table.localRow(key(.integer(1))) == [.integer(1), .blob([0, 255]), .text([255])])
            #expect(try table.localRow(key(.integer(2))) == nil)
        }
    }
}

@Suite("The keys of live records")
struct LiveKeyTests {
    static let texts: [String] = [
        "", "a", "A", "b", "aa", "e\u{301}", "\u{E9}", "👩‍👩‍👧", "👩👩👧", "👩", "\u{200D}", "a\u{0}b", "a\u{0}", "ß", "ss", "ﬁ",
        "fi", "日本", "\u{10FFFF}", "10", "9", " a",
    ]
    static let integers: [Int64] = [.min, -1, 0, 1, 9, 10, 1 << 53, .max]

    private func pages(_ table: any RecordTable, limit: Int) throws -> [RecordKey] {
        var keys: [RecordKey] = []
        while true {
            let page = try table.liveKeys(after: keys.last, limit: limit)
            #expect(page.count <= limit)
            keys += page
            if page.count < limit || keys.count > 10_000 { return keys }
        }
    }

    @Test(arguments: [1, 2, 3, 22, 100])
    func ofTextComeInTheOrderOfTheirBytes(_ limit: Int) throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test([("id", .string)])
        // No UTF-8 either: what a record's key is, no store may change.
        let keys = Self.texts.map { Array($0.utf8) } + [[0xFF], [0xC3, 0x28]]
        try fixture.insert(schema, keys.map { [.text($0)] })
        try fixture.transaction(schema) { table throws in
            let expected = keys.sorted { $0.lexicographicallyPrecedes($1) }
            #expect(try pages(table, limit: limit) == expected.map { RecordKey([.text($0)]) })
            #expect(try table.liveCount() == keys.count)
            for bytes in keys {
                #expect(try table.localRow(key(.text(bytes))) == [.text(bytes)])
                #expect(try table.baseRow(key(.text(bytes))) != nil)
            }
            #expect(try table.baseRow(key(.text("e\u{301}\u{301}"))) == nil)
        }
    }

    @Test(arguments: [1, 3, 8, 9])
    func ofIntegersComeInTheirOrder(_ limit: Int) throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test([("id", .int)])
        try fixture.insert(schema, Self.integers.shuffled().map { [.integer($0)] })
        try fixture.transaction(schema) { table throws in
            #expect(try pages(table, limit: limit) == Self.integers.map { key(.integer($0)) })
        }
    }

    @Test(arguments: [1, 2, 5, 1_000])
    func ofSeveralFieldsComeInTheOrderOfThePrimaryKey(_ limit: Int) throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test(
            [("number", .int), ("x", .string), ("repo", .string)], key: ["repo", "number"])
        let repos = ["a", "a\u{0}", "b", "👩‍👩‍👧", "👩"]
        try fixture.insert(
            schema, repos.flatMap { repo in Self.integers.map { [.integer($0), .null, .text(repo)] } })
        try fixture.transaction(schema) { table throws in
            let sorted = repos.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let expected = sorted.flatMap { repo in Self.integers.map { key(.text(repo), .integer($0)) } }
            #expect(try pages(table, limit: limit) == expected)
            #expect(try table.baseRow(key(.text("b"), .integer(.min)))?.state == .live)
            #expect(try table.localRow(key(.text("👩"), .integer(9))) == [.integer(9), .null, .text("👩")])
        }
    }

    @Test(arguments: [FieldType.bytes, .double, .bool, .uuid])
    func mayBeOfOtherTypes(_ type: FieldType) throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test([("id", type)])
        let values: [FieldValue] =
            switch type {
            case .bytes: [.blob([]), .blob([0]), .blob([0, 1]), .blob([255])]
            case .double: [.real(-1.5), .real(0), .real(1e300)]
            case .bool: [.integer(0), .integer(1)]
            default: [.text("0a"), .text("1b")]
            }
        try fixture.insert(schema, values.reversed().map { [$0] })
        try fixture.transaction(schema) { table throws in
            #expect(try pages(table, limit: 1) == values.map { key($0) })
        }
    }

    @Test func leaveOutWhatTheSourceHasLost() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test([("id", .int)])
        try fixture.insert(schema, [[.integer(1)], [.integer(2)], [.integer(3)]])
        try fixture.transaction(schema) { table throws in
            try table.write(
                RecordWrite(
                    key: key(.integer(2)), row: .delete, base: schema.base([.integer(2)], state: .remoteTombstone)))
            try table.write(
                RecordWrite(
                    key: key(.integer(3)), row: .delete, base: schema.base([.integer(3)], state: .localTombstone)))
            #expect(try pages(table, limit: 10) == [key(.integer(1)), key(.integer(3))])
            #expect(try table.liveCount() == 2)
        }
    }
}

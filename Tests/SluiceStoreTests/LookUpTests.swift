import SluiceModel
import SluiceSQLite
import SluiceStore
import Testing

@Suite("Rows and bases that no store would write")
struct LookUpTests {
    private static let schema = RecordSchema.items()

    private func record(_ id: Int64, _ name: String = "n") -> [FieldValue?] {
        [.integer(id), .text("c\(id)"), .text(name)]
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

@Suite("Keys that SQLite alone can hold")
struct LiveKeyTests {
    static let texts = ["", "a", "b", "aa", "a\u{0}b", "a\u{0}", "\u{10FFFF}"]

    private func pages(_ table: any RecordTable, limit: Int) throws -> [RecordKey] {
        var keys: [RecordKey] = []
        while true {
            let page = try table.liveKeys(after: keys.last, limit: limit)
            #expect(page.count <= limit)
            keys += page
            if page.count < limit || keys.count > 10_000 { return keys }
        }
    }

    @Test(arguments: [1, 2, 100])
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
        }
    }
}

import SluiceModel
import SluiceSQLite
import SluiceStore
import Testing

@Suite("Values that must be unique")
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

    /// Writes changes, ends the run and gives id and code of all rows, and of all bases, as they are in the end.
    private func run(
        _ fixture: StoreFixture, _ writes: [RecordWrite]
    ) throws -> (rows: String, bases: String, collisions: [UniqueCollision]) {
        let collisions = try fixture.transaction(Self.schema) { table throws in
            for write in writes { try table.write(write) }
            return try table.finish()
        }.result
        return try fixture.transaction(Self.schema) { table throws in
            var (rows, bases) = ("", "")
            for id in 1...9 as ClosedRange<Int64> {
                if case .text(let code)? = try table.localRow(key(.integer(id)))?[1] {
                    rows += String(decoding: code, as: UTF8.self)
                }
                if case .value(.text(let code))? = try table.baseRow(key(.integer(id)))?.entries[1] {
                    bases += String(decoding: code, as: UTF8.self)
                }
            }
            #expect(try table.finish().isEmpty)
            return (rows, bases, collisions)
        }.result
    }

    /// Codes before, who takes which code in which order, and codes afterwards.
    struct Move: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: String
        let changes: KeyValuePairs<Int64, String>
        let after: String

        init(_ name: String, _ before: String, _ changes: KeyValuePairs<Int64, String>, _ after: String) {
            testDescription = name
            self.before = before
            self.changes = changes
            self.after = after
        }
    }

    static let moves: [Move] = [
        Move("two swap", "ab", [1: "b", 2: "a"], "ba"),
        Move("three in a circle", "abc", [1: "b", 2: "c", 3: "a"], "bca"),
        Move("three in the other circle", "abc", [1: "c", 2: "a", 3: "b"], "cab"),
        Move("a chain to a free value", "abc", [1: "b", 2: "c", 3: "d"], "bcd"),
        Move("a chain from its end", "abc", [3: "d", 2: "c", 1: "b"], "bcd"),
        Move("two circles", "abcd", [1: "b", 3: "d", 2: "a", 4: "c"], "badc"),
        Move("a swap beside a simple change", "abc", [1: "b", 3: "x", 2: "a"], "bax"),
    ]

    @Test(arguments: moves)
    func mayMoveWithinARun(_ move: Move) throws {
        let fixture = try fixture(move.before)
        let result = try run(fixture, move.changes.map { change($0.key, to: $0.value) })
        #expect(result.collisions.isEmpty)
        #expect(result.rows == move.after)
        #expect(result.bases == move.after)
    }

    @Test func aChainThatEndsInACollisionKeepsItsValuesAndTheOthersAreWritten() throws {
        // 1 → b, 2 → c, 3 → d, which 4 keeps; 5 and 6 swap; 7 takes a free value.
        let fixture = try fixture("abcdefg")
        let changes: KeyValuePairs<Int64, String> = [1: "b", 2: "c", 3: "d", 5: "f", 6: "e", 7: "x"]
        let result = try run(fixture, changes.map { change($0.key, to: $0.value) })
        #expect(result.rows == "abcdfex")
        #expect(result.bases == "abcdfex")
        let holders = Dictionary(
            uniqueKeysWithValues: result.collisions.map { ($0.write.key, $0.held.first?.holder) })
        #expect(
            holders == [
                key(.integer(1)): key(.integer(2)), key(.integer(2)): key(.integer(3)),
                key(.integer(3)): key(.integer(4)),
            ])
        #expect(result.collisions.allSatisfy { $0.held.map(\.field) == [1] && !$0.isWritten })
        // Nothing of what collided was written, not even its other fields.
        #expect(
            try fixture.rows("SELECT name FROM items WHERE id < 5")
                == ["a", "b", "c", "d"].map { [SQLiteValue($0)] })
    }

    @Test func theOneThatGotAWantedValueIsNamed() throws {
        // 1 and 2 both want what 3 gives up afterwards.
        let fixture = try fixture("abx")
        let result = try run(fixture, [change(1, to: "x"), change(2, to: "x"), change(3, to: "y")])
        #expect(result.rows == "xby")
        #expect(result.bases == "xby")
        #expect(result.collisions.map(\.write.key) == [key(.integer(2))])
        #expect(result.collisions.map(\.held.first?.holder) == [key(.integer(1))])
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

    @Test func aValueThatADeletedRecordHadIsFree() throws {
        let fixture = try fixture("ab")
        let result = try run(
            fixture,
            [
                change(1, to: "b"),
                RecordWrite(
                    key: key(.integer(2)), row: .delete,
                    base: Self.schema.base([.integer(2), .null, .null], state: .remoteTombstone)),
            ])
        #expect(result.collisions.isEmpty)
        #expect(result.rows == "b")
    }

    @Test func nullsAreNeverTheSame() throws {
        let fixture = try fixture("ab")
        let collisions = try fixture.transaction(Self.schema) { table throws in
            for id in 1...2 as ClosedRange<Int64> {
                try table.write(
                    RecordWrite(key: key(.integer(id)), row: .update(fields: [1], values: [.null]), base: nil))
            }
            return try table.finish()
        }.result
        #expect(collisions.isEmpty)
    }

    @Test func aGroupOfWhichOnlyAPartChangesNamesTheHolder() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.test(
            [("id", .int), ("repo", .string), ("number", .int)], unique: [["repo", "number"]])
        try fixture.insert(
            schema,
            [
                [.integer(1), .text("a"), .integer(1)], [.integer(2), .text("a"), .integer(2)],
                [.integer(3), .text("b"), .integer(2)],
            ])
        let collisions = try fixture.transaction(schema) { table throws in
            try table.write(
                RecordWrite(key: key(.integer(1)), row: .update(fields: [2], values: [.integer(2)]), base: nil))
            return try table.finish()
        }.result
        #expect(collisions.map(\.held.first?.holder) == [key(.integer(2))])
        #expect(collisions.map { $0.held.map(\.field) } == [[1, 2]])
        #expect(
            try fixture.rows("SELECT number FROM items ORDER BY id")
                == [[.integer(1)], [.integer(2)], [.integer(2)]])
    }

    @Test func groupsOfOneRecordSwapTogether() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.items(unique: [["code"], ["name"]])
        try fixture.insert(
            schema, [[.integer(1), .text("a"), .text("x")], [.integer(2), .text("b"), .text("y")]])
        let collisions = try fixture.transaction(schema) { table throws in
            try table.write(
                RecordWrite(
                    key: key(.integer(1)), row: .update(fields: [1, 2], values: [.text("b"), .text("y")]), base: nil))
            try table.write(
                RecordWrite(
                    key: key(.integer(2)), row: .update(fields: [1, 2], values: [.text("a"), .text("x")]), base: nil))
            return try table.finish()
        }.result
        #expect(collisions.isEmpty)
        #expect(
            try fixture.rows("SELECT code || name FROM items ORDER BY id") == [
                [SQLiteValue("by")], [SQLiteValue("ax")],
            ])
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

    @Test(arguments: 0..<30 as Range<UInt64>)
    func anyPermutationEndsAsItShould(_ seed: UInt64) throws {
        let codes = Array("abcdefgh")
        // A permutation that the seed decides: see Lehmer's code.
        var (left, rest, wanted) = (codes, seed &* 2_654_435_761, [Character]())
        while !left.isEmpty {
            wanted.append(left.remove(at: Int(rest % UInt64(left.count))))
            rest = rest / 3 &+ 7
        }
        let fixture = try fixture(String(codes))
        let result = try run(
            fixture, wanted.enumerated().map { change(Int64($0 + 1), to: String($1)) })
        #expect(result.collisions.isEmpty)
        #expect(result.rows == String(wanted))
        #expect(result.bases == String(wanted))
    }
}

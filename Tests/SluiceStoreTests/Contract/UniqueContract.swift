import SluiceModel
import SluiceStore
import TestSupport
import Testing

@Suite("Any store: values that must be unique")
struct UniqueContract {
    private static let schema = RecordSchema.items(unique: [["code"]])

    private func change(_ id: Int64, to code: String) -> RecordWrite {
        .update(
            id, [1, 2], [.text(code), .text("new")], base: Self.schema.base([.integer(id), .text(code), .text("new")]))
    }

    /// Writes changes and ends the run; what collides is written without the fields that do.
    private func finish(
        _ scene: StoreScene, contested: Set<UInt64> = [], _ writes: [RecordWrite]
    ) throws -> FinishOutcome {
        try scene.table(Self.schema) { table throws in
            table.expect(contested: contested)
            for write in writes { try table.write(write) }
            return try table.finishHolding()
        }
    }

    /// The codes of the rows and of the bases, in the order of the key.
    private func codes(_ scene: StoreScene) throws -> [String] {
        try scene.table(Self.schema) { table throws in
            var (rows, bases) = ("", "")
            for key in try table.liveKeys(after: nil, limit: 99) {
                rows += try table.localRow(key)?[1].words ?? ""
                bases += try table.baseRow(key)?.entries[1].value?.words ?? ""
            }
            return [rows, bases]
        }
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

    @Test(arguments: StoreUnderTest.all, moves)
    func valuesMayPassFromRowToRow(_ kind: StoreUnderTest, _ move: Move) throws {
        let scene = try StoreScene.items(kind, move.before, Self.schema)
        let outcome = try finish(scene, move.changes.map { change($0.key, to: $0.value) })
        #expect(outcome.collisions.isEmpty && outcome.refused.isEmpty)
        #expect(try codes(scene) == [move.after, move.after])
    }

    @Test(arguments: StoreUnderTest.all, Seeds.first(6))
    func anyPermutationEndsAsItShould(_ kind: StoreUnderTest, _ seed: UInt64) throws {
        // A permutation that the seed decides: see Lehmer's code.
        var (left, rest, wanted) = (Array("abcdefgh"), seed &* 2_654_435_761, "")
        while !left.isEmpty {
            wanted.append(left.remove(at: Int(rest % UInt64(left.count))))
            rest = rest / 3 &+ 7
        }
        let scene = try StoreScene.items(kind, "abcdefgh", Self.schema)
        let outcome = try finish(scene, wanted.enumerated().map { change(Int64($0 + 1), to: String($1)) })
        #expect(outcome.collisions.isEmpty)
        #expect(try codes(scene) == [wanted, wanted])
    }

    @Test(arguments: StoreUnderTest.all)
    func whatWaitsIsNotThereBeforeTheEnd(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab", Self.schema)
        try scene.table(Self.schema) { table throws in
            #expect(try !table.write(change(1, to: "b")))
            #expect(try table.localRow(key(.integer(1)))?[1] == .text("a"))
            let batch = Self.schema.batch([[.integer(3), .text("a"), nil], [.integer(4), .text("d"), nil]])
            #expect(try table.insert(batch, records: [0, 1], run: 2) == [0])
            #expect(try table.localRow(key(.integer(3))) == nil && table.baseRow(key(.integer(3))) == nil)
            #expect(try table.write(change(2, to: "c")))
            #expect(try table.finish().isEmpty)
        }
        #expect(try scene.items() == ["1 b new", "2 c new", "3 a -", "4 d -"])
    }

    // MARK: Who gets a value

    @Test(arguments: StoreUnderTest.all)
    func whoHoldsAValueKeepsItAndIsNamed(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "abc", Self.schema)
        let outcome = try finish(scene, [change(1, to: "b"), change(3, to: "d")])
        #expect(try scene.items() == ["1 a new", "2 b n", "3 d new"])
        #expect(outcome.collisions.map(\.write.key) == [key(.integer(1))])
        #expect(outcome.collisions.first?.held == [.init(field: 1, holder: key(.integer(2)))])
        #expect(outcome.collisions.first?.isWritten == true)
        #expect(outcome.contested.isEmpty)
    }

    @Test(arguments: StoreUnderTest.all)
    func whereNothingIsReducedNothingOfTheRecordIsWritten(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab", Self.schema)
        let collisions = try scene.table(Self.schema) { table throws in
            try table.write(change(1, to: "b"))
            return try table.finish()
        }
        #expect(collisions.map(\.isWritten) == [false])
        #expect(try scene.items() == ["1 a n", "2 b n"])
        #expect(try codes(scene) == ["ab", "ab"])
    }

    @Test(arguments: StoreUnderTest.all, [[1, 2, 3], [3, 2, 1], [2, 3, 1]] as [[Int64]])
    func ofSeveralThatWantOneTheSmallestKeyGetsIt(_ kind: StoreUnderTest, _ order: [Int64]) throws {
        let scene = try StoreScene.items(kind, "abcx", Self.schema)
        // 4 gives up what the others want, after them.
        let outcome = try finish(scene, order.map { change($0, to: "x") } + [change(4, to: "y")])
        #expect(try codes(scene)[0] == "xbcy")
        #expect(outcome.collisions.map(\.write.key) == [key(.integer(2)), key(.integer(3))])
        #expect(outcome.collisions.allSatisfy { $0.held.first?.holder == key(.integer(1)) })
    }

    @Test(arguments: StoreUnderTest.all)
    func aChainThatEndsAtAHolderKeepsItsValues(_ kind: StoreUnderTest) throws {
        // 1 → b, 2 → c, 3 → d, which 4 keeps; 5 and 6 swap; 7 takes a free value.
        let scene = try StoreScene.items(kind, "abcdefg", Self.schema)
        let changes: KeyValuePairs<Int64, String> = [1: "b", 2: "c", 3: "d", 5: "f", 6: "e", 7: "x"]
        let outcome = try finish(scene, changes.map { change($0.key, to: $0.value) })
        #expect(try codes(scene)[0] == "abcdfex")
        let holders = Dictionary(
            uniqueKeysWithValues: outcome.collisions.map { ($0.write.key, $0.held.first?.holder) })
        #expect(
            holders == [
                key(.integer(1)): key(.integer(2)), key(.integer(2)): key(.integer(3)),
                key(.integer(3)): key(.integer(4)),
            ])
    }

    @Test(arguments: StoreUnderTest.all)
    func aNewRecordThatDoesNotGetItsValueHasNullThere(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "a", Self.schema)
        let outcome = try scene.table(Self.schema) { table throws in
            let batch = Self.schema.batch([[.integer(2), .text("a"), .text("x")]])
            #expect(try table.insert(batch, records: [0], run: 2) == [0])
            return try table.finishHolding()
        }
        #expect(outcome.collisions.first?.held.map(\.field) == [1])
        #expect(try scene.items() == ["1 a n", "2 - x"])
    }

    @Test(arguments: StoreUnderTest.all)
    func whoWroteFirstInTheRunIsContestedAndWaitsTheNextTime(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let batch = Self.schema.batch([
            [.integer(7), .text("a"), .text("x")], [.integer(3), .text("a"), .text("y")],
        ])
        let store = try scene.place.open()
        try store.begin()
        let table = try store.openTable(Self.schema).table
        #expect(try table.insert(batch, records: [0, 1], run: 1) == [1])
        let first = try table.finishHolding(run: 1)
        #expect(first.collisions.map(\.write.key) == [key(.integer(3))])
        #expect(!first.contested.isEmpty)
        store.rollback()
        try store.begin()
        let again = try store.openTable(Self.schema).table
        again.expect(contested: first.contested)
        #expect(try again.insert(batch, records: [0, 1], run: 1) == [0, 1])
        let second = try again.finishHolding(run: 1)
        #expect(second.collisions.map(\.write.key) == [key(.integer(7))])
        #expect(second.contested.isSubset(of: first.contested))
        try store.commit()
        #expect(try scene.items() == ["3 a y", "7 - x"])
    }

    @Test(arguments: StoreUnderTest.all)
    func rowsThatWereThereBeforeAreNotContested(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab", Self.schema)
        try scene.place.insert(["id": .integer(9), "code": .text("z"), "name": .text("own")], into: "items")
        let outcome = try finish(scene, [change(1, to: "z"), change(2, to: "a")])
        #expect(outcome.contested.isEmpty)
        #expect(outcome.collisions.map(\.held.first?.holder) == [key(.integer(9)), key(.integer(1))])
        #expect(try scene.items() == ["1 a new", "2 b new", "9 z own"])
    }

    // MARK: What is free

    @Test(arguments: StoreUnderTest.all)
    func aValueThatADeletedRecordHadIsFree(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab", Self.schema)
        let gone = Self.schema.base([.integer(2), .null, .null], state: .remoteTombstone)
        let outcome = try finish(
            scene, [change(1, to: "b"), RecordWrite(key: key(.integer(2)), row: .delete, base: gone)])
        #expect(outcome.collisions.isEmpty)
        #expect(try scene.items() == ["1 b new"])
    }

    @Test(arguments: StoreUnderTest.all)
    func aValueThatAMarkedRowHasIsFree(_ kind: StoreUnderTest) throws {
        var soft = Self.schema
        soft.deletesSoftly = true
        let scene = try StoreScene.items(kind, "ab", soft)
        try scene.table(soft) { table throws in
            let gone = soft.base([.integer(2), .null, .null], state: .remoteTombstone)
            try table.write(
                RecordWrite(key: key(.integer(2)), row: .markDeleted(at: "2026-01-02T03:04:05Z", run: 2), base: gone))
            #expect(try table.write(change(1, to: "b")))
            #expect(try table.finish().isEmpty)
        }
        #expect(try scene.items() == ["1 b new", "2 b n"])
    }

    @Test(arguments: StoreUnderTest.all)
    func nullsAreNeverTheSame(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene.items(kind, "ab", Self.schema)
        let outcome = try finish(scene, [.update(1, [1], [.null]), .update(2, [1], [.null])])
        #expect(outcome.collisions.isEmpty)
        #expect(try scene.items() == ["1 - n", "2 - n"])
    }

    // MARK: Groups

    @Test(arguments: StoreUnderTest.all)
    func aGroupOfWhichOnlyAPartChangesNamesTheHolder(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = RecordSchema.test(
            [("id", .int), ("repo", .string), ("number", .int)], unique: [["repo", "number"]])
        try scene.insert(
            schema,
            [
                [.integer(1), .text("a"), .integer(1)], [.integer(2), .text("a"), .integer(2)],
                [.integer(3), .text("b"), .integer(2)],
            ])
        let collisions = try scene.table(schema) { table throws in
            try table.write(.update(1, [2], [.integer(2)]))
            return try table.finish()
        }
        #expect(
            collisions.map(\.held) == [[1, 2].map { .init(field: $0, holder: key(.integer(2))) }])
        #expect(try scene.place.rows(of: "items", ["id", "number"]).map { $0[1].words } == ["1", "2", "2"])
    }

    @Test(arguments: StoreUnderTest.all)
    func groupsOfOneRecordSwapTogether(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = RecordSchema.items(unique: [["code"], ["name"]])
        try scene.insert(schema, [[.integer(1), .text("a"), .text("x")], [.integer(2), .text("b"), .text("y")]])
        try scene.table(schema) { table throws in
            try table.write(.update(1, [1, 2], [.text("b"), .text("y")]))
            try table.write(.update(2, [1, 2], [.text("a"), .text("x")]))
            #expect(try table.finish().isEmpty)
        }
        #expect(try scene.items() == ["1 b y", "2 a x"])
    }

    @Test(arguments: StoreUnderTest.all)
    func groupsThatShareAFieldAreHeldTogether(_ kind: StoreUnderTest) throws {
        let scene = try StoreScene(kind)
        let schema = RecordSchema.test(
            [("id", .int), ("a", .string), ("b", .string), ("c", .string)], unique: [["a", "b"], ["b", "c"]])
        try scene.insert(
            schema,
            [[.integer(1), .text("1"), .text("1"), .text("1")], [.integer(2), .text("2"), .text("2"), .text("2")]])
        let outcome = try scene.table(schema) { table throws in
            try table.write(.update(2, [1, 2, 3], [.text("1"), .text("1"), .text("9")]))
            return try table.finishHolding()
        }
        #expect(outcome.collisions.first?.held.map(\.field) == [1, 2, 3])
        #expect(try scene.place.rows(of: "items", ["a", "b", "c"]).last?.map(\.words) == ["2", "2", "2"])
    }
}

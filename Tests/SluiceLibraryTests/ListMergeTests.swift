import Foundation
import Sluice
import TestSupport
import Testing

/// Lists by value that several read, change and save: a save takes out what it took out itself, and nothing else.
struct ListMergeTests {
    private static let shared = [1, 2, 3]

    static let changes:
        [(
            name: String, one: @Sendable (inout [MergedLine]) -> Void, other: @Sendable (inout [MergedLine]) -> Void,
            lines: [Int]
        )] = [
            ("both append", { $0.append(MergedLine(id: 8)) }, { $0.append(MergedLine(id: 9)) }, [1, 2, 3, 8, 9]),
            ("one appends, one removes", { $0.append(MergedLine(id: 8)) }, { $0.remove(at: 0) }, [2, 3, 8]),
            ("one removes, one appends", { $0.remove(at: 0) }, { $0.append(MergedLine(id: 9)) }, [2, 3, 9]),
            ("both remove", { $0.remove(at: 0) }, { $0.remove(at: 1) }, [3]),
            ("both remove the same", { $0.remove(at: 0) }, { $0.remove(at: 0) }, [2, 3]),
            (
                "one inserts, one appends", { $0.insert(MergedLine(id: 8), at: 1) }, { $0.append(MergedLine(id: 9)) },
                [1, 8, 2, 3, 9]
            ),
            ("one appends, one reorders", { $0.append(MergedLine(id: 8)) }, { $0.swapAt(0, 2) }, [3, 2, 1, 8]),
            ("one removes, one reorders", { $0.remove(at: 1) }, { $0.swapAt(0, 2) }, [3, 1]),
            ("one empties, one appends", { $0 = [] }, { $0.append(MergedLine(id: 9)) }, [9]),
        ]

    @Test(arguments: changes.indices) func bothStay(_ index: Int) async throws {
        let row = Self.changes[index]
        let store = try Store.temporary(MergedOrder.self, MergedLine.self)
        var order = MergedOrder(id: 1, lines: Self.shared.map { MergedLine(id: $0) })
        try await store.save(&order)
        let read = try await store.find(MergedOrder.self, 1)
        var (one, other) = (read, read)
        row.one(&one.lines)
        row.other(&other.lines)
        try await store.save(&one)
        try await store.save(&other)
        #expect(try await store.find(MergedOrder.self, 1).lines.map(\.id) == row.lines, "\(row.name)")
        #expect(Set(try await store.fetch(MergedLine.all).map(\.id)) == Set(row.lines), "\(row.name)")
    }

    /// Whatever two do, the list has what was there but what one of them took out, and what came.
    @Test(arguments: Seeds.first(20)) func nothingIsLost(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try Store.temporary(MergedOrder.self, MergedLine.self)
        var order = MergedOrder(id: 1, lines: (0..<5).map { MergedLine(id: $0) })
        try await store.save(&order)
        let read = try await store.find(MergedOrder.self, 1)
        var expected = Set(0..<5)
        for copy in 1...3 {
            var mine = read
            for step in 0..<Int.random(in: 1...3, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where !mine.lines.isEmpty:
                    let line = mine.lines.remove(at: Int.random(in: mine.lines.indices, using: &random))
                    expected.remove(line.id)
                case 1: mine.lines.shuffle(using: &random)
                default:
                    let id = copy * 100 + step
                    mine.lines.insert(MergedLine(id: id), at: Int.random(in: 0...mine.lines.count, using: &random))
                    expected.insert(id)
                }
            }
            try await store.save(&mine)
        }
        let lines = try await store.find(MergedOrder.self, 1).lines.map(\.id)
        #expect(Set(lines) == expected && lines.count == expected.count)
    }

    /// Who insists has the list as it is in the value.
    @Test func overwritingTakesTheWholeList() async throws {
        let store = try Store.temporary(MergedOrder.self, MergedLine.self)
        var order = MergedOrder(id: 1, lines: [MergedLine(id: 1)])
        try await store.save(&order)
        var mine = try await store.find(MergedOrder.self, 1)
        try await store.update(MergedOrder.self, 1) { $0.lines.append(MergedLine(id: 8)) }
        mine.lines.append(MergedLine(id: 9))
        try await store.save(&mine, overwriting: true)
        #expect(try await store.find(MergedOrder.self, 1).lines.map(\.id) == [1, 9])
    }

    // MARK: Parts of others

    /// A part that a program made, under an identifier that is a part of another record.
    @Test func aPartOfAnotherRecordIsNotOverwritten() async throws {
        let store = try Store.temporary(MergedOrder.self, MergedLine.self)
        var first = MergedOrder(id: 1, lines: [MergedLine(id: 10, text: "first")])
        try await store.save(&first)
        for saves in [false, true] {
            let error = await #expect(throws: SluiceError.self) {
                try await store.write { tx in
                    var second = MergedOrder(id: 2, lines: [MergedLine(id: 10, text: "second")])
                    if saves { try tx.save(&second) } else { try tx.insert(&second) }
                }
            }
            #expect(error?.code == .exists && error?.entity == "MergedOrder" && error?.identifier == "2")
            #expect(error?.field == "lines")
            #expect(
                error?.message
                    == "MergedOrder 2, property `lines`: MergedLine 10 is there already, with other values, and belongs to MergedOrder 1. Give the new one another identifier, or read that one and save it by itself."
            )
        }
        #expect(try await store.find(MergedOrder.self, 1).lines.map(\.text) == ["first"])
        #expect(try await store.count(MergedOrder.all) == 1)
    }

    /// What was read is meant, as is a part that has the values which are there, and one that belongs to nobody.
    @Test func aPartThatIsMeantIsSaved() async throws {
        let store = try Store.temporary(MergedOrder.self, MergedLine.self)
        var first = MergedOrder(id: 1, lines: [MergedLine(id: 10, text: "first")])
        try await store.save(&first)
        var same = MergedOrder(id: 2, lines: [MergedLine(id: 10, text: "first")])
        try await store.save(&same)
        var line = try await store.find(MergedLine.self, 10)
        line.text = "changed"
        var read = MergedOrder(id: 3, lines: [line])
        try await store.save(&read)
        var own = MergedOrder(id: 1, lines: [MergedLine(id: 10, text: "anew")])
        try await store.save(&own)
        #expect(try await store.find(MergedOrder.self, 3).lines.map(\.text) == ["anew"])
        var alone = MergedLine(id: 11, text: "alone")
        try await store.save(&alone)
        var taken = MergedOrder(id: 4, lines: [MergedLine(id: 11, text: "taken")])
        try await store.save(&taken)
        #expect(try await store.find(MergedOrder.self, 4).lines.map(\.text) == ["taken"])
    }
}

@PersistentModel struct MergedOrder {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var lines: [MergedLine]
    var origin = Origin()
}

@PersistentModel struct MergedLine {
    let id: Int
    var text = ""
    var origin = Origin()
}

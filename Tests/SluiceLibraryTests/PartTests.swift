import Foundation
import Sluice
import TestSupport
import Testing

/// Records in lists by value with `.cascade`: a part goes once no record has it.
struct PartTests {
    private static func store() async throws -> Store {
        let store = try Store.temporary(PartChest.self)
        var crates = [
            PartChest(
                id: 1, parts: [ChestPart(id: 1, code: "a", seals: [PartSeal(id: 1)]), ChestPart(id: 2, code: "b")]),
            PartChest(id: 2, parts: [ChestPart(id: 3, code: "c")]),
        ]
        try await store.save(&crates)
        // What the model does not know stays with the part.
        try await store.write { tx in
            try tx.execute("ALTER TABLE chest_part ADD COLUMN mark TEXT")
            try tx.execute("UPDATE chest_part SET mark = 'm' || id")
        }
        return store
    }

    private func marks(_ store: Store) async throws -> [String] {
        try await store.rows("SELECT mark FROM chest_part ORDER BY id").compactMap { $0.texts[0] }
    }

    static let moves: [(name: String, move: @Sendable (Transaction) throws -> Void, lists: [[Int]], spare: [Int])] = [
        (
            "the giver is saved first",
            { tx in
                var crates = try tx.fetch(PartChest.order(by: \.id))
                crates[1].parts.append(crates[0].parts.remove(at: 0))
                try tx.save(&crates)
            }, [[2], [3, 1]], []
        ),
        (
            "the taker is saved first",
            { tx in
                var crates = try tx.fetch(PartChest.order(by: \.id, .descending))
                crates[0].parts.append(crates[1].parts.remove(at: 0))
                try tx.save(&crates)
            }, [[2], [3, 1]], []
        ),
        (
            "both change parts",
            { tx in
                var crates = try tx.fetch(PartChest.order(by: \.id))
                let (first, third) = (crates[0].parts.remove(at: 0), crates[1].parts.remove(at: 0))
                crates[0].parts.append(third)
                crates[1].parts.append(first)
                try tx.save(&crates)
            }, [[2, 3], [1]], []
        ),
        (
            "from one list of a record to another one",
            { tx in try tx.update(PartChest.self, 1) { $0.spare.append($0.parts.remove(at: 0)) } }, [[2], [3]], [1]
        ),
        (
            "the giver is deleted",
            { tx in
                let part = try tx.find(PartChest.self, 1).parts[0]
                try tx.update(PartChest.self, 2) { $0.parts.append(part) }
                try tx.delete(PartChest.self, 1)
            }, [[3, 1]], []
        ),
        (
            "the giver is deleted first",
            { tx in
                let part = try tx.find(PartChest.self, 1).parts[0]
                try tx.update(PartChest.self, 1) { $0.parts.remove(at: 0) }
                try tx.delete(PartChest.self, 1)
                try tx.update(PartChest.self, 2) { $0.parts.append(part) }
            }, [[3, 1]], []
        ),
        (
            "it is changed on the way",
            { tx in
                var crates = try tx.fetch(PartChest.order(by: \.id))
                var part = crates[0].parts.remove(at: 0)
                part.code = "z"
                crates[1].parts.append(part)
                try tx.save(&crates)
            }, [[2], [3, 1]], []
        ),
    ]

    /// A part that moves is the record that it was, with what it leads to and what the model does not know.
    @Test(arguments: moves.indices) func staysTheRecord(_ index: Int) async throws {
        let row = Self.moves[index]
        let store = try await Self.store()
        try await store.write { tx in try row.move(tx) }
        let crates = try await store.fetch(PartChest.order(by: \.id))
        #expect(crates.map { $0.parts.map(\.id) } == row.lists, "\(row.name)")
        #expect(crates.flatMap { $0.spare.map(\.id) } == row.spare, "\(row.name)")
        let all = (row.lists.flatMap { $0 } + row.spare).sorted()
        #expect(try await store.fetch(ChestPart.order(by: \.id)).map(\.id) == all, "\(row.name)")
        #expect(try await marks(store) == all.map { "m\($0)" }, "\(row.name)")
        let first = (crates.flatMap(\.parts) + crates.flatMap(\.spare)).first { $0.id == 1 }
        #expect(first?.seals.map(\.id) == [1], "\(row.name)")
    }

    /// What no record has is deleted, with its own parts.
    @Test func goesWhereNoRecordHasIt() async throws {
        let store = try await Self.store()
        try await store.update(PartChest.self, 1) { $0.parts.remove(at: 0) }
        #expect(try await store.fetch(ChestPart.order(by: \.id)).map(\.id) == [2, 3])
        #expect(try await store.count(PartSeal.all) == 0)
        try await store.write { tx in
            let part = try tx.find(PartChest.self, 1).parts[0]
            try tx.update(PartChest.self, 2) { $0.spare = [part] }
        }
        // One of several that have it lets go of it.
        try await store.update(PartChest.self, 1) { $0.parts = [] }
        #expect(try await store.fetch(ChestPart.order(by: \.id)).map(\.id) == [2, 3])
        _ = try await store.write { try $0.deleteAll(PartChest.all) }
        #expect(try await store.count(ChestPart.all) == 0)
    }

    /// A part whose value is unique makes room for the one that takes its place.
    @Test(arguments: [false, true]) func makesRoom(_ hasItsIdentifier: Bool) async throws {
        let store = try await Self.store()
        try await store.write { tx in
            try tx.update(PartChest.self, 1) { $0.parts.remove(at: 0) }
            try tx.update(PartChest.self, 2) { $0.parts.append(ChestPart(id: hasItsIdentifier ? 1 : 9, code: "a")) }
        }
        #expect(try await store.find(PartChest.self, 2).parts.map(\.code) == ["c", "a"])
        #expect(try await store.count(ChestPart.all) == 3)
    }

    static let savings: [(name: String, code: String, save: @Sendable (Transaction) throws -> Void)] = [
        (
            "made and changed", "z",
            { tx in
                try tx.update(PartChest.self, 1) { $0.parts.remove(at: 0) }
                var part = ChestPart(id: 1, code: "z")
                try tx.save(&part)
            }
        ),
        (
            "read and not changed", "a",
            { tx in
                var part = try tx.find(ChestPart.self, 1)
                try tx.update(PartChest.self, 1) { $0.parts.remove(at: 0) }
                try tx.save(&part)
            }
        ),
        (
            "several that are not changed", "a",
            { tx in
                var parts = try tx.fetch(ChestPart.where { $0.id == 1 })
                try tx.update(PartChest.self, 1) { $0.parts.remove(at: 0) }
                try tx.save(&parts)
            }
        ),
        (
            "an update that changes nothing", "a",
            { tx in
                try tx.update(PartChest.self, 1) { $0.parts.remove(at: 0) }
                try tx.update(ChestPart.self, 1) { $0.code = "a" }
            }
        ),
        (
            "deleted and inserted", "y",
            { tx in
                try tx.update(PartChest.self, 1) { $0.parts.remove(at: 0) }
                try tx.delete(ChestPart.self, 1)
                var part = ChestPart(id: 1, code: "y")
                try tx.insert(&part)
            }
        ),
    ]

    /// What is saved by itself once a list has let go of it is meant to stay.
    @Test(arguments: savings.indices) func staysWhereItIsSaved(_ index: Int) async throws {
        let row = Self.savings[index]
        let store = try await Self.store()
        try await store.write { tx in try row.save(tx) }
        #expect(try await store.find(PartChest.self, 1).parts.map(\.id) == [2], "\(row.name)")
        #expect(try await store.fetch(ChestPart.where { $0.id == 1 }).map(\.code) == [row.code], "\(row.name)")
    }

    /// What is saved within an owner that was read before another one took it out is in no list, and goes.
    @Test func goesWhereAnOldOwnerIsSaved() async throws {
        let store = try await Self.store()
        try await store.write { tx in
            var chest = try tx.find(PartChest.self, 1)
            var old = chest
            chest.parts.remove(at: 0)
            try tx.save(&chest)
            old.parts[0].code = "z"
            try tx.save(&old)
        }
        #expect(try await store.find(PartChest.self, 1).parts.map(\.id) == [2])
        #expect(try await store.fetch(ChestPart.order(by: \.id)).map(\.id) == [2, 3])
    }

    /// A part makes room for nothing that it does not stand in the way of, and can still move.
    @Test func staysWhereRoomDoesNotHelp() async throws {
        let store = try await Self.store()
        try await store.write { tx in
            let part = try tx.find(PartChest.self, 1).parts[0]
            try tx.update(PartChest.self, 1) { $0.parts.remove(at: 0) }
            // The part 3 has the code, and keeps it.
            let error = #expect(throws: SluiceError.self) {
                var other = ChestPart(id: 9, code: "c")
                try tx.insert(&other)
            }
            #expect(error?.code == .unique)
            try tx.update(PartChest.self, 2) { $0.parts.append(part) }
        }
        #expect(try await store.fetch(PartChest.order(by: \.id)).map { $0.parts.map(\.id) } == [[2], [3, 1]])
        #expect(try await marks(store) == ["m1", "m2", "m3"])
    }

    /// A part that moves does not go to make room for one that its new owner gets beside it.
    @Test func makesNoRoomForItsNeighbours() async throws {
        let store = try await Self.store()
        try await store.write { tx in
            var chests = try tx.fetch(PartChest.order(by: \.id))
            let parts = chests[0].parts
            chests[0].parts = []
            var moved = parts[0]
            moved.code = "z"
            // The part 2 goes, and leaves its code.
            chests[1].parts = [ChestPart(id: 9, code: "b"), moved]
            try tx.save(&chests)
        }
        #expect(try await store.find(PartChest.self, 2).parts.map(\.code) == ["b", "z"])
        #expect(try await store.fetch(ChestPart.order(by: \.id)).map(\.id) == [1, 9])
    }

    /// Of a part of a transaction that is taken back nothing is left.
    @Test func aPartOfATransactionIsTakenBack() async throws {
        struct Stop: Error {}
        let store = try await Self.store()
        try await store.write { tx in
            _ = try? tx.part {
                try tx.update(PartChest.self, 1) { $0.parts = [] }
                throw Stop()
            }
        }
        #expect(try await store.find(PartChest.self, 1).parts.map(\.id) == [1, 2])
    }

    /// A part that a program makes under the identifier of one of another list would change that one.
    @Test func isNotMadeInAnotherList() async throws {
        let store = try await Self.store()
        let error = await #expect(throws: SluiceError.self) {
            try await store.update(PartChest.self, 2) { $0.spare = [ChestPart(id: 1, code: "z")] }
        }
        #expect(error?.code == .exists && error?.entity == "PartChest" && error?.field == "spare")
        #expect(error?.message.contains("ChestPart 1 is there already") == true)
        #expect(error?.message.contains("belongs to PartChest 1.") == true)
        #expect(try await store.find(ChestPart.self, 1).code == "a")
    }

    /// Undo of a kept write puts a moved part back.
    @Test func isTakenBack() async throws {
        let store = try await Self.store()
        let run = try await store.write(recording: .by("ann")) { tx in
            var crates = try tx.fetch(PartChest.order(by: \.id))
            crates[1].parts.append(crates[0].parts.remove(at: 0))
            try tx.save(&crates)
            return tx.recordedRun
        }
        #expect(try await store.undo(run: try #require(run)).left == 0)
        #expect(try await store.fetch(PartChest.order(by: \.id)).map { $0.parts.map(\.id) } == [[1, 2], [3]])
    }

    /// A record that was deleted with its parts and that a decision brings back has those that its source gives it.
    @Test(arguments: [false, true]) func comesBackWithIt(_ changesAPart: Bool) async throws {
        let store = try Store.temporary(PartLoad.self)
        let options = SyncOptions(source: "shop")
        func json(_ note: String, _ text: String) -> String {
            #"[{"id": 1, "note": "\#(note)", "pieces": [{"id": 1, "text": "\#(text)"}, {"id": 2, "text": "b"}]}]"#
        }
        try await store.sync(PartLoad.self, from: json("x", "a"), options)
        _ = try await store.write { try $0.delete(PartLoad.self, 1) }
        #expect(try await store.count(PartPiece.all) == 0)
        try await store.sync(PartLoad.self, from: json("y", changesAPart ? "c" : "a"), options)
        let conflict = try #require(try await store.conflicts(of: PartLoad.self).first)
        #expect(conflict.kind == .deleteEdit)
        #expect(try await store.resolve(conflict, .remote) == .resolved)
        for _ in 0..<2 {
            let load = try await store.find(PartLoad.self, 1)
            #expect(load.note == "y" && load.pieces.map(\.text) == [changesAPart ? "c" : "a", "b"])
            #expect(try await store.conflicts().isEmpty)
            try await store.sync(PartLoad.self, from: json("y", changesAPart ? "c" : "a"), options)
        }
    }

    /// A part that went with another transaction is none that can be given to a record unseen.
    @Test func saysThatItWent() async throws {
        let store = try await Self.store()
        var crates = try await store.fetch(PartChest.order(by: \.id))
        crates[1].parts.append(crates[0].parts.remove(at: 0))
        try await store.save(&crates[0])
        let error = await #expect(throws: SluiceError.self) { try await store.save(&crates[1]) }
        #expect(error?.code == .dangling && error?.entity == "PartChest" && error?.field == "parts")
        #expect(
            error?.message
                == "PartChest 2, property `parts` leads to ChestPart 1, which is not there. Save that record in the same transaction, or take it out of the property."
        )
    }
}

@PersistentModel private struct PartChest {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var parts: [ChestPart]
    @Relationship(inverse: .none, deleteRule: .cascade) var spare: [ChestPart] = []
    var origin = Origin()
}

@PersistentModel private struct ChestPart {
    let id: Int
    @Attribute(.unique) var code: String
    @Relationship(inverse: .none, deleteRule: .cascade) var seals: [PartSeal] = []
    var origin = Origin()
}

@PersistentModel private struct PartSeal {
    let id: Int
    var origin = Origin()
}

@PersistentModel private struct PartLoad {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade, json: "pieces") var pieces: [PartPiece]
    var origin = Origin()
}

@PersistentModel private struct PartPiece {
    let id: Int
    var text: String
    var origin = Origin()
}

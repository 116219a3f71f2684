import Sluice
import TestSupport
import Testing

/// Records that a program marks as deleted.
@Suite struct SoftDeletionTests {
    private static let shop = SyncOptions(source: "shop", missing: .soft(maximum: .percent(100)))
    private static let json =
        #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#

    /// A store in whose tables a source marks rows.
    private func store() async throws -> Store {
        let store = try Store.temporary(Rack.self, Jar.self, Sticker.self)
        try await store.sync(Rack.self, from: Self.json, Self.shop)
        try await store.sync(Jar.self, from: #"[{"id": 10, "rack": 1}, {"id": 11, "rack": 1}]"#, Self.shop)
        var sticker = Sticker(id: 20, rack: Ref(1))
        try await store.save(&sticker)
        return store
    }

    @Test func queriesLeaveOutWhatIsMarked() async throws {
        let store = try await store()
        #expect(try await store.delete(Rack.self, 1, .soft))
        #expect(try await store.delete(Rack.self, 1, .soft) == false)
        #expect(try await store.fetch(Rack.all).map(\.id) == [2, 3])
        #expect(try await store.fetch(Rack.all.includingDeleted()).map(\.id) == [1, 2, 3])
        let marks = try await store.rows("SELECT _deleted_at, _deleted_by_run FROM rack WHERE id = 1").map(\.texts)
        // A person has no run.
        #expect(marks.count == 1 && marks[0][0]?.hasSuffix("Z") == true && marks[0][1] == nil)
        await #expect { try await store.find(Rack.self, 1) } throws: { ($0 as? SluiceError)?.code == .notFound }
    }

    /// The first source that marks rows may come while a program that has looked for some goes on.
    @Test(arguments: [false, true]) func theFirstMarkCounts(byAnother: Bool) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/racks.db"
        let store = try Store(path, models: Rack.self, Jar.self, Sticker.self)
        try await store.sync(Rack.self, from: Self.json, SyncOptions(source: "shop"))
        try await store.update(Rack.self, 1) { $0.name = "used" }
        #expect(try await store.get(Rack.self, 1)?.name == "used")
        let other = byAnother ? try Store(path, models: Rack.self, Jar.self, Sticker.self) : store
        try await other.sync(Rack.self, from: #"[{"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#, Self.shop)
        #expect(try await other.delete(Rack.self, 2, .soft))
        #expect(try await store.get(Rack.self, 2) == nil)
        let error = await #expect(throws: SluiceError.self) {
            try await store.update(Rack.self, 2) { $0.name = "again" }
        }
        #expect(error?.code == .notFound && error?.message.contains("marked") == true)
    }

    /// Who looks for such a record, or makes one of its identifier, is told why it is not there and is there.
    @Test func errorsNameTheMark() async throws {
        let store = try await store()
        try await store.delete(Rack.self, 1, .soft)
        let missing = await #expect(throws: SluiceError.self) { try await store.find(Rack.self, 1) }
        #expect(
            missing?.message
                == "Rack 1 is marked as deleted: a query `includingDeleted()` has it, and `restore` brings it back.")
        let gone = await #expect(throws: SluiceError.self) { try await store.find(Rack.self, 9) }
        #expect(gone?.message == "There is no Rack 9.")
        for saves in [false, true] {
            let taken = await #expect(throws: SluiceError.self) {
                try await store.write { tx in
                    var rack = Rack(id: 1, name: "again", jars: [], stickers: [])
                    if saves { try tx.save(&rack) } else { try tx.insert(&rack) }
                }
            }
            #expect(taken?.code == .exists && taken?.identifier == "1")
            #expect(
                taken?.message
                    == "Rack 1 is there already, and marked as deleted. `restore` brings it back, and `deleteAll` of a query `includingDeleted()` deletes it for good."
            )
        }
        try await store.deleteAll(Rack.where { $0.id == 1 }.includingDeleted())
        var rack = Rack(id: 1, name: "again", jars: [], stickers: [])
        try await store.insert(&rack)
    }

    /// What is marked has no unique value any more, so that another record may have taken it.
    @Test func aTakenValueIsNotRestored() async throws {
        let store = try Store.temporary(Pin.self)
        let options = SyncOptions(source: "shop", missing: .soft(maximum: .percent(100)))
        try await store.sync(Pin.self, from: #"[{"id": 1, "code": "a"}, {"id": 2, "code": "b"}]"#, options)
        try await store.delete(Pin.self, 1, .soft)
        var pin = Pin(id: 3, code: "a")
        try await store.insert(&pin)
        let error = await #expect(throws: SluiceError.self) { try await store.write { try $0.restore(Pin.self, 1) } }
        #expect(error?.code == .unique && error?.identifier == "1" && error?.field == "code")
        #expect(
            error?.message
                == "Pin 1 is not restored: another record has its `code` by now. Give that one another value before, or delete it."
        )
        pin.code = "c"
        try await store.save(&pin)
        #expect(try await store.write { try $0.restore(Pin.self, 1) })
        #expect(try await store.fetch(Pin.order(by: \.id)).map(\.code) == ["a", "b", "c"])
    }

    @Test func whatCascadesIsMarkedToo() async throws {
        let store = try await store()
        var rack = try await store.find(Rack.self, 1)
        #expect(try await store.delete(&rack, .soft))
        #expect(try await store.count(Jar.all) == 0)
        #expect(try await store.count(Jar.all.includingDeleted()) == 2)
        // No source marks stickers: they stay, and lead where they led.
        #expect(try await store.find(Sticker.self, 20).rack == Ref(1))
        #expect(try await store.write { try $0.restore(Rack.self, 1) })
        #expect(try await store.write { try $0.restore(Rack.self, 1) } == false)
        #expect(try await store.fetch(Rack.all).map(\.id) == [1, 2, 3])
        #expect(try await store.rows("SELECT _deleted_at FROM rack WHERE id = 1").map(\.texts) == [[nil]])
    }

    @Test func whatDoesNotLetGoIsNotMarked() async throws {
        let store = try await store()
        var lid = Lid(id: 30, jar: Ref(10))
        try await store.save(&lid)
        await #expect { try await store.delete(Jar.self, 10, .soft) } throws: {
            ($0 as? SluiceError)?.code == .denied
        }
        #expect(try await store.count(Jar.all) == 2)
    }

    @Test func aMarkIsADeletionForTheMerge() async throws {
        let store = try await store()
        try await store.deleteAll(Rack.where { $0.id <= 2 }, .soft)
        // It stays until the source changes the record.
        let same = try await store.sync(Rack.self, from: Self.json, Self.shop)
        #expect(same.summary.conflict == 0 && same.summary.insert == 0)
        #expect(try await store.fetch(Rack.all).map(\.id) == [3])
        let changed = Self.json.replacing(#""name": "a""#, with: #""name": "new""#)
        let result = try await store.sync(Rack.self, from: changed, Self.shop)
        #expect(result.conflicts.map(\.kind) == [.deleteEdit])
    }

    @Test func aTableWithoutAMarkHasNone() async throws {
        let store = try await store()
        await #expect { try await store.delete(Sticker.self, 20, .soft) } throws: {
            ($0 as? SluiceError)?.code == .refused
        }
        #expect(try await store.count(Sticker.all) == 1)
        #expect(try await store.write { try $0.restore(Sticker.self, 20) } == false)
    }

    @Test func aRecordedMarkIsTakenBack() async throws {
        let store = try await store()
        try await store.write(recording: .by("ann")) { _ = try $0.delete(Rack.self, 1, .soft) }
        let run = try #require(try await store.history().first)
        #expect(run.command == "edit")
        try await store.undo(run: run.id)
        #expect(try await store.fetch(Rack.all).map(\.id) == [1, 2, 3])
        #expect(try await store.count(Jar.all) == 2)
    }

    /// A store in which two boxes share a tool, and one has a tool in both of its lists.
    private func boxes() async throws -> Store {
        let store = try Store.temporary(ToolBox.self)
        var boxes = [
            ToolBox(id: 1, tools: [BoxedTool(id: 1), BoxedTool(id: 2)]), ToolBox(id: 2, tools: [BoxedTool(id: 3)]),
            ToolBox(id: 3, tools: [BoxedTool(id: 4)]),
        ]
        try await store.save(&boxes)
        try await store.write { tx in
            let shared = try tx.find(ToolBox.self, 1).tools[0]
            try tx.update(ToolBox.self, 2) { $0.tools.append(shared) }
            try tx.update(ToolBox.self, 3) { $0.spare = $0.tools }
            try tx.execute("ALTER TABLE tool_box ADD COLUMN _deleted_at TEXT")
            try tx.execute("ALTER TABLE boxed_tool ADD COLUMN _deleted_at TEXT")
        }
        return store
    }

    private func tools(_ store: Store) async throws -> [Int] {
        try await store.fetch(BoxedTool.order(by: \.id)).map(\.id)
    }

    /// A part that several records have is marked with the last of them.
    @Test func aSharedPartIsMarkedWithItsLastOwner() async throws {
        let store = try await boxes()
        try await store.delete(ToolBox.self, 1, .soft)
        #expect(try await store.find(ToolBox.self, 2).tools.map(\.id) == [3, 1])
        #expect(try await tools(store) == [1, 3, 4])
        try await store.delete(ToolBox.self, 2, .soft)
        #expect(try await tools(store) == [4])
        try await store.delete(ToolBox.self, 3, .soft)
        #expect(try await tools(store) == [])
        #expect(try await store.count(BoxedTool.all.includingDeleted()) == 4)
    }

    /// A part that a marked record has and another one lets go of is marked: nobody sees it in a record any more.
    @Test(arguments: [false, true]) func aPartOfMarkedRecordsAloneIsMarked(_ isDeleted: Bool) async throws {
        let store = try await boxes()
        try await store.delete(ToolBox.self, 1, .soft)
        if isDeleted {
            try await store.delete(ToolBox.self, 2)
        } else {
            try await store.update(ToolBox.self, 2) { $0.tools = [] }
        }
        #expect(try await tools(store) == [4])
        // What the box alone had is gone, and what the marked one has is marked with it.
        let left = try await store.fetch(BoxedTool.order(by: \.id).includingDeleted()).map(\.id)
        #expect(left == [1, 2, 4])
    }

    /// Records that are marked at once take the parts along that they share.
    @Test func ownersThatAreMarkedTogetherShareNothing() async throws {
        let store = try await boxes()
        try await store.deleteAll(ToolBox.where { $0.id <= 2 }, .soft)
        #expect(try await tools(store) == [4])
        // One that goes for good takes its own along.
        try await store.delete(ToolBox.self, 3)
        #expect(try await store.count(BoxedTool.all.includingDeleted()) == 3)
    }
}

@PersistentModel private struct ToolBox {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var tools: [BoxedTool]
    @Relationship(inverse: .none, deleteRule: .cascade) var spare: [BoxedTool] = []
    var origin = Origin()
}

@PersistentModel private struct BoxedTool {
    let id: Int
    var origin = Origin()
}

@PersistentModel private struct Pin {
    let id: Int
    @Attribute(.unique) var code: String
    var origin = Origin()
}

@PersistentModel private struct Rack {
    let id: Int
    var name: String
    @Relationship(inverse: "rack", deleteRule: .cascade) var jars: Refs<Jar>
    @Relationship(inverse: "rack", deleteRule: .cascade) var stickers: Refs<Sticker>
}

@PersistentModel private struct Jar {
    let id: Int
    @Relationship(inverse: "jars", deleteRule: .nullify) var rack: Ref<Rack>?
    @Relationship(inverse: "jar", deleteRule: .deny) var lids: Refs<Lid>
}

@PersistentModel private struct Lid {
    let id: Int
    @Relationship(inverse: "lids", deleteRule: .nullify) var jar: Ref<Jar>?
}

@PersistentModel private struct Sticker {
    let id: Int
    @Relationship(inverse: "stickers", deleteRule: .nullify) var rack: Ref<Rack>?
}

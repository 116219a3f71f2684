import Sluice
import Testing

/// Properties with the names of what the macro writes.
struct PropertyNameTests {
    @Test func keepsRecordsWhosePropertiesHaveSuchNames() async throws {
        let store = try Store.temporary(Ledge.self, Bay.self)
        try await store.write { tx in
            var bay = Bay(id: 7, reader: [])
            try tx.insert(&bay)
            var shelf = Ledge(id: 1, row: "A", values: 2, box: Ref(7), part: Plank(id: 3, tx: 4))
            try tx.save(&shelf)
        }
        let shelf = try await store.find(Ledge.self, 1)
        #expect(shelf.row == "A" && shelf.values == 2 && shelf.box == Ref(7) && shelf.part?.tx == 4)
        try await store.sync(Ledge.self, from: #"[{"id": 2, "row": "B"}]"#, SyncOptions(source: "shop"))
        #expect(try await store.find(Ledge.self, 2).values == 4)
        #expect(try await store.read { tx in try tx.find(Bay.self, 7).readerCount(in: tx) } == 1)
    }

    /// Where the module makes values itself, `origin` need not be named.
    @Test func initializesWithoutOrigin() {
        #expect(Labelled(id: 1, name: "a").name == "a")
        #expect(Labelled(id: 1, name: "a", note: "n").note == "n")
    }
}

@PersistentModel struct Ledge {
    let id: Int
    var row: String
    var values: Int = 4
    @Relationship(inverse: "reader", deleteRule: .nullify) var box: Ref<Bay>?
    @Relationship(inverse: .none, deleteRule: .nullify) var part: Plank?
    var origin = Origin()
}

@PersistentModel struct Bay {
    let id: Int
    @Relationship(inverse: "box", deleteRule: .nullify) var reader: Refs<Ledge>
}

@PersistentModel struct Plank {
    let id: Int
    var tx: Int
}

@PersistentModel(initializer: true) struct Labelled {
    let id: Int
    var name: String
    var note: String?
    var origin = Origin()
}

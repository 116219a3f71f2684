import Sluice
import SluiceSQLite
import TestSupport
import Testing

/// Where rows led nowhere before, an error names the record that the program wrote.
struct DanglingReferenceTests {
    /// A store with rows that lead nowhere, as a program without foreign keys leaves them.
    private func store(_ path: String) async throws -> Store {
        let store = try Store(path, models: Rota.self, WatchPost.self)
        try await store.write { tx in
            var man = Watchman(id: 5, rotas: [])
            try tx.save(&man)
            var rotas = [Rota(id: 1, guards: [], turns: []), Rota(id: 2, guards: [], turns: [])]
            try tx.save(&rotas)
            var shift = RotaShift(id: 7)
            try tx.save(&shift)
            var post = WatchPost(id: 2, watchman: Ref(5))
            try tx.save(&post)
        }
        let shell = try Connection(path: path, mode: .existing)
        try shell.execute("PRAGMA foreign_keys = OFF")
        try shell.execute("INSERT INTO watch_post (id, watchman_id) VALUES (1, 99)")
        try shell.execute("INSERT INTO rota_guards (rota_id, watchman_id) VALUES (1, 99)")
        try shell.execute("INSERT INTO rota_turns (rota_id, watchman_id, position) VALUES (1, 99, 0)")
        try shell.execute("INSERT INTO rota_shifts (rota_id, rota_shift_id, position) VALUES (1, 99, 0)")
        return store
    }

    private static let writes: [(name: String, write: @Sendable (Transaction) throws -> Void, says: String)] = [
        (
            "a link", { tx in try tx.update(Rota.self, 2) { $0.guards.insert(98) } },
            "Rota 2, property `guards` leads to Watchman 98"
        ),
        (
            "a link of the other side", { tx in try tx.update(Watchman.self, 5) { $0.rotas.insert(97) } },
            "Watchman 5, property `rotas` leads to Rota 97"
        ),
        (
            "links of both sides",
            { tx in
                try tx.update(Watchman.self, 5) { $0.rotas.insert(2) }
                try tx.update(Rota.self, 2) { $0.guards.insert(98) }
            }, "Rota 2, property `guards` leads to Watchman 98"
        ),
        (
            "a link with an order", { tx in try tx.update(Rota.self, 2) { $0.turns.append(98) } },
            "Rota 2, property `turns` leads to Watchman 98"
        ),
        (
            "a list by value",
            { tx in
                let shift = try tx.find(RotaShift.self, 7)
                try tx.delete(RotaShift.self, 7)
                try tx.update(Rota.self, 2) { $0.shifts.append(shift) }
            }, "Rota 2, property `shifts` leads to RotaShift 7"
        ),
        (
            "a reference", { tx in try tx.update(WatchPost.self, 2) { $0.watchman = Ref(98) } },
            "WatchPost 2, property `watchman` leads to Watchman 98"
        ),
        (
            "what a record leads to is deleted", { tx in try tx.delete(Watchman.self, 5) },
            "Watchman 5 is not deleted: WatchPost 2 leads to it by `watchman`"
        ),
    ]

    @Test(arguments: writes.indices) func namesWhatWasWritten(_ index: Int) async throws {
        let row = Self.writes[index]
        let folder = try TemporaryDirectory()
        let store = try await store(folder.path + "/rotas.db")
        let error = await #expect(throws: SluiceError.self, "\(row.name)") {
            try await store.write { tx in try row.write(tx) }
        }
        #expect(error?.code == .dangling, "\(row.name)")
        #expect(error?.message.hasPrefix(row.says) == true, "\(row.name): \(error?.message ?? "")")
        await store.close()
    }
}

@PersistentModel private struct Rota {
    let id: Int
    @Relationship(inverse: "rotas", deleteRule: .nullify) var guards: Refs<Watchman>
    @Relationship(inverse: .none, deleteRule: .nullify) var turns: OrderedRefs<Watchman>
    @Relationship(inverse: .none, deleteRule: .cascade) var shifts: [RotaShift] = []
    var origin = Origin()
}

@PersistentModel private struct Watchman {
    let id: Int
    @Relationship(inverse: "guards", deleteRule: .nullify) var rotas: Refs<Rota>
    var origin = Origin()
}

@PersistentModel private struct RotaShift {
    let id: Int
    var origin = Origin()
}

@PersistentModel private struct WatchPost {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var watchman: Ref<Watchman>?
    var origin = Origin()
}

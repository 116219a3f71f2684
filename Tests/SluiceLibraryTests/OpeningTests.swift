import Foundation
import Sluice
import SluiceSQLite
import TestSupport
import Testing

/// How a store is opened: to be read, with tables that are to stay as they are.
struct OpeningTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.path + "/shop.db" }

    init() throws { folder = try TemporaryDirectory() }

    private func fill() async throws {
        let store = try Store(path, models: Mug.self)
        var mug = Mug(id: 1, color: "red")
        try await store.save(&mug)
        try await store.sync(Mug.self, from: #"[{"id": 2, "color": "blue"}]"#, SyncOptions(source: "shop"))
        await store.close()
    }

    private func options(_ change: (inout StoreOptions) -> Void) -> StoreOptions {
        var options = StoreOptions()
        change(&options)
        return options
    }

    /// The name that SQLite has for it makes no file.
    @Test func aStoreInMemoryIsGoneWithTheProgram() async throws {
        let store = try Store(":memory:", models: Mug.self)
        var mug = Mug(id: 1, color: "red")
        try await store.save(&mug)
        #expect(try await store.count(Mug.all) == 1)
        #expect(try await Store(":memory:", models: Mug.self).count(Mug.all) == 0)
        #expect(!FileManager.default.fileExists(atPath: ":memory:"))
    }

    @Test func aStoreThatIsReadIsNotWritten() async throws {
        try await fill()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let store = try Store(path, models: Mug.self, options: options { $0.access = .read })
        #expect(try await store.fetch(Mug.order(by: \.id)).map(\.color) == ["red", "blue"])
        #expect(try await store.history().map(\.pipeline) == ["shop"])
        #expect(try await store.conflicts().isEmpty)
        #expect(try await store.quarantine(of: Mug.self).isEmpty)
        let writes: [(String, @Sendable () async throws -> Void)] = [
            ("write", { try await store.write { try $0.execute("DELETE FROM mug") } }),
            ("update", { try await store.update(Mug.self, 1) { $0.color = "green" } }),
            ("sync", { try await store.sync(Mug.self, from: #"[{"id": 3, "color": "x"}]"#) }),
            ("undo", { try await store.undo(run: 1) }),
        ]
        for (name, write) in writes {
            let error = await #expect(throws: SluiceError.self, "\(name)") { try await write() }
            #expect(error?.code == .readOnly, "\(name)")
        }
        await store.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func aStoreThatIsReadHasToBeThere() async throws {
        let error = #expect(throws: SluiceError.self) {
            try Store(path, models: Mug.self, options: options { $0.access = .read })
        }
        #expect(error?.code == .ioFailed)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// What has to be said to have tables follow the models: what was not said already.
    @Test(
        arguments: [
            ("to read", .read, .extend, "Open it once with `access: .write`."),
            ("to read as they are", .read, .verify, "Open it once with `access: .write` and `schemaChanges: .extend`."),
            ("to write as they are", .write, .verify, "Open it once with `schemaChanges: .extend`."),
        ] as [(String, StoreOptions.Access, StoreOptions.SchemaRule, String)])
    func sayHowTablesFollow(
        _ name: String, _ access: StoreOptions.Access, _ rule: StoreOptions.SchemaRule, _ remedy: String
    ) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: SluiceError.self, "\(name)") {
            try Store(
                path, models: Mug.self,
                options: options {
                    $0.access = access
                    $0.schemaChanges = rule
                })
        }
        #expect(error?.code == .schemaMismatch && error?.message.hasSuffix(remedy) == true, "\(error?.message ?? "")")
    }

    /// A database of which another program made the tables is read, and has nothing that a store keeps.
    @Test func aDatabaseThatIsNoStore() async throws {
        do {
            let connection = try Connection(path: path, mode: .create)
            try connection.execute(
                "CREATE TABLE mug (id INTEGER PRIMARY KEY, color TEXT); INSERT INTO mug VALUES (1, 'red')")
        }
        let store = try Store(path, models: Mug.self, options: options { $0.access = .read })
        #expect(try await store.find(Mug.self, 1).color == "red")
        let looks: [(name: String, look: (Store) async throws -> Void)] = [
            ("history", { _ = try await $0.history() }), ("conflicts", { _ = try await $0.conflicts() }),
            ("conflicts of a model", { _ = try await $0.conflicts(of: Mug.self) }),
            ("quarantine", { _ = try await $0.quarantine(of: Mug.self) }),
            ("life", { _ = try await $0.life(of: Mug.self, 1) }),
        ]
        for (name, look) in looks {
            let error = await #expect(throws: SluiceError.self, "\(name)") { try await look(store) }
            #expect(error?.code == .notAStore, "\(name): \(error?.message ?? "")")
            #expect(error?.message.contains("nobody has written to it. Open it for writing first") == true)
        }
        // Once somebody wrote to it, it is one.
        let writer = try Store(path, models: Mug.self)
        try await writer.update(Mug.self, 1) { $0.color = "blue" }
        for (_, look) in looks { try await look(store) }
    }

    /// What differs is told, and stays as it is.
    @Test(arguments: [StoreOptions.Access.read, .write]) func tablesThatDifferAreTold(access: StoreOptions.Access)
        async throws
    {
        try await fill()
        let error = #expect(throws: SluiceError.self) {
            try Store(
                path, models: LaterMug.self,
                options: options {
                    $0.access = access
                    $0.schemaChanges = .verify
                })
        }
        #expect(error?.code == .schemaMismatch && error?.problems.count == 1)
        #expect(error?.problems.first?.contains("size") == true, "\(error?.problems ?? [])")
        let store = try Store(path, models: Mug.self, options: options { $0.schemaChanges = .verify })
        #expect(try await store.count(Mug.all) == 2)
        let columns = try await store.rows("SELECT name FROM pragma_table_info('mug')").map { $0.texts[0] }
        #expect(columns == ["id", "color"])
    }

    /// What records are looked up by gets an index, once, beside rows that are there; one by hand will do.
    @Test(arguments: [false, true]) func columnsGetIndexes(hasOwn: Bool) async throws {
        try await fill()
        func opened(_ rule: StoreOptions.SchemaRule) throws -> Store {
            try Store(path, models: IndexedMug.self, options: options { $0.schemaChanges = rule })
        }
        let error = #expect(throws: SluiceError.self) { try opened(.verify) }
        #expect(error?.problems.first?.contains("color") == true, "\(error?.problems ?? [])")
        if hasOwn {
            let store = try Store(path, models: Mug.self)
            try await store.write { try $0.execute("CREATE INDEX mug_color_size ON mug (color, id)") }
            await store.close()
        }
        let store = try opened(.extend)
        #expect(
            store.schemaChanges == (hasOwn ? [] : [#"CREATE INDEX "mug_color" ON "mug" ("color")"#]),
            "\(store.schemaChanges)")
        #expect(try await store.plan(of: IndexedMug.where { $0.color == "red" }).usesIndex)
        await store.close()
        #expect(try opened(.verify).schemaChanges.isEmpty)
        let reading = try Store(
            path, models: IndexedMug.self,
            options: options {
                $0.access = .read
                $0.schemaChanges = .verify
            })
        #expect(try await reading.count(IndexedMug.all) == 2)
    }

    /// A schema says what a new store gets, and a new store gets it.
    @Test func tellsTheStatementsOfANewStore() throws {
        let sql = try Schema(IndexedMug.self).sql()
        #expect(
            sql.first?.hasPrefix(#"CREATE TABLE "mug""#) == true && sql.last?.hasPrefix("CREATE INDEX") == true,
            "\(sql)")
        #expect(try Store(path, models: IndexedMug.self).schemaChanges == sql)
    }

    @Test func refusesIndexesThatNoQueryUses() {
        let error = #expect(throws: SluiceError.self) { try Schema(TimedMug.self) }
        #expect(
            error?.problems == [
                "`TimedMug.at` cannot be indexed: a column of the type `datetime` is compared by what its texts mean"
            ])
    }

    @Test func tablesAreReadAsTheyAre() async throws {
        try await fill()
        let store = try Store(path, models: LaterMug.self, options: options { $0.schemaChanges = .ignore })
        #expect(store.schemaChanges.isEmpty)
        #expect(try await store.rows("SELECT color FROM mug WHERE id = 1").first?.texts == ["red"])
        let error = await #expect(throws: SluiceError.self) { try await store.fetch(LaterMug.all) }
        #expect(error?.message.contains("size") == true, "\(error?.message ?? "")")
    }

    /// Who decides is said once, or with the decision.
    @Test func whoDecidesIsKept() async throws {
        let store = try Store(path, models: Mug.self, options: options { $0.who = "ann" })
        for (id, who) in [(1, nil), (2, "bob")] as [(Int, String?)] {
            try await store.sync(Mug.self, from: #"[{"id": \#(id), "color": "a"}]"#, SyncOptions(source: "shop"))
            try await store.update(Mug.self, id) { $0.color = "b" }
            try await store.sync(Mug.self, from: #"[{"id": \#(id), "color": "c"}]"#, SyncOptions(source: "shop"))
            let conflict = try #require(try await store.conflicts(of: Mug.self).first)
            try await store.resolve(conflict, .remote, who: who)
        }
        let kept = try await store.rows("SELECT who FROM _sluice_conflicts ORDER BY id").map { $0.texts[0] }
        #expect(kept == ["ann", "bob"])
    }

    // MARK: All that waits

    @Test func conflictsOfAllModelsAreListed() async throws {
        let store = try Store(path, models: Mug.self, Plate.self)
        func sync(_ color: String) async throws {
            let options = SyncOptions(source: "shop")
            try await store.sync(Mug.self, from: #"[{"id": 1, "color": "\#(color)"}]"#, options)
            try await store.sync(Plate.self, from: #"[{"id": 7, "color": "\#(color)"}]"#, options)
        }
        try await sync("a")
        try await store.update(Mug.self, 1) { $0.color = "ours" }
        try await store.update(Plate.self, 7) { $0.color = "ours" }
        try await sync("b")
        let all = try await store.conflicts()
        #expect(all.map(\.entity) == ["Mug", "Plate"] && all.map(\.record) == [#"{"id":1}"#, #"{"id":7}"#])
        #expect(all.map(\.kind) == [.editEdit, .editEdit] && all.map(\.field) == ["color", "color"])
        #expect(all[1].json(.base) == #""a""# && all[1].json(.local) == #""ours""# && all[1].json(.remote) == #""b""#)
        #expect(all[0].source == Source(pipeline: "shop", stream: "mug"))
        #expect(all[0].of(Plate.self) == nil && all[0].of(Mug.self)?.id == all[0].id)
        #expect(try await store.resolve(all[1], .remote, who: "ann") == .resolved)
        #expect(try await store.find(Plate.self, 7).color == "b")
        #expect(try await store.conflicts().map(\.entity) == ["Mug"])
    }

    /// What did not fit is tried again once the model takes it.
    @Test func recordsThatWaitAreTriedAgain() async throws {
        let options = SyncOptions(source: "shop")
        do {
            let store = try Store(path, models: Bowl.self)
            let json = #"[{"id": 1, "size": 7}, {"id": 2, "size": 50}, {"id": "x", "size": 1}, {"id": 4, "size": 1}]"#
            let result = try await store.sync(Bowl.self, from: json, options)
            #expect(result.summary == SyncSummary(insert: 1, quarantined: 3))
            try await store.sync(Bowl.self, from: #"[{"id": 5, "size": 2}]"#, options) { bowl in
                bowl.id == 5 ? .quarantine("not yet") : .keep
            }
            await store.close()
        }
        let store = try Store(path, models: LargerBowl.self)
        let result = try await store.retryQuarantine(LargerBowl.self)
        #expect(result.taken == 1 && result.stayed == 2 && result.left == 1 && result.runs.count == 1, "\(result)")
        #expect(try await store.fetch(LargerBowl.order(by: \.id)).map(\.id) == [1, 4])
        #expect(try await store.quarantine(of: LargerBowl.self).count == 3)
        #expect(try await store.history(limit: 1).first?.command == "retry")
        // What the source says afterwards is no conflict with it.
        let next = try await store.sync(LargerBowl.self, from: #"[{"id": 1, "size": 8}]"#, options)
        #expect(next.summary == SyncSummary(update: 1))
        // What is tried again and fits as little as before stays, once.
        let again = try await store.retryQuarantine(LargerBowl.self)
        #expect(again.taken == 0 && again.stayed == 2)
        #expect(try await store.quarantine(of: LargerBowl.self).count == 3)
    }
}

@PersistentModel private struct Mug {
    let id: Int
    var color: String
}

@PersistentModel(entity: "Mug") private struct IndexedMug {
    let id: Int
    @Attribute(.indexed) var color: String
}

private typealias Moment = Date

@PersistentModel private struct TimedMug {
    let id: Int
    @Attribute(.indexed) var at: Moment
}

@PersistentModel(entity: "Mug") private struct LaterMug {
    let id: Int
    var color: String
    var size: Int?
}

@PersistentModel private struct Plate {
    let id: Int
    var color: String
}

@PersistentModel private struct Bowl: Codable {
    let id: Int
    @Attribute(check: .range(1...5)) var size: Int
}

@PersistentModel(entity: "Bowl") private struct LargerBowl {
    let id: Int
    @Attribute(check: .range(1...10)) var size: Int
}

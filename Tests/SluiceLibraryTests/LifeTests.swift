import Foundation
import Sluice
import TestSupport
import Testing

/// What a store knows of a record, and the order of sources of one table.
struct LifeTests {
    private let erp = SyncOptions(source: "erp")
    private let web = SyncOptions(source: "web")

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func store(_ precedence: [Source], named name: String = "shop") throws -> Store {
        var options = StoreOptions()
        options.precedence = precedence
        return try Store(folder.path + "/\(name).db", models: Pot.self, options: options)
    }

    // MARK: Lives

    @Test func tellsWhatBecameOfARecord() async throws {
        let store = try Store.temporary(Pot.self)
        let first = try await store.sync(Pot.self, from: #"[{"id": 1, "name": "a", "volume": 1}]"#, erp)
        let second = try await store.sync(Pot.self, from: #"[{"id": 1, "name": "a", "volume": 2}]"#, erp)
        try await store.update(Pot.self, 1) { $0.title = "ours" }
        let third = try await store.sync(Pot.self, from: #"[{"id": 1, "name": "b", "volume": 2}]"#, erp)
        #expect(third.summary.conflict == 1)
        let lives = try await store.life(of: Pot.self, 1)
        let life = try #require(lives.first)
        #expect(lives.count == 1 && life.source == Source(pipeline: "erp", stream: "pot"))
        #expect(life.state == .live && life.isThere && !life.isCut)
        let title = try #require(life.field(\.title))
        #expect(title.property == "title" && title.json == #""ours""# && title.said == #""a""# && title.isEdited)
        let volume = try #require(life.field(\.volume))
        #expect(volume.json == "2" && !volume.isEdited && volume.run == second.run)
        let actions = life.changes.filter { $0.action != "base" }
        #expect(actions.map(\.action) == ["update"] && actions.map(\.run) == [second.run])
        #expect(life.firstRun == first.run)
        #expect(actions.first?.fields.map(\.property) == ["volume"])
        #expect(actions.first?.fields.first?.old == "1" && actions.first?.fields.first?.new == "2")
        #expect(actions.first?.startedAt != nil)
        #expect(life.conflicts.map(\.property) == ["title"])
    }

    @Test func tellsHowFarTheSourceHasIt() async throws {
        let store = try Store.temporary(Pot.self)
        var gone = erp
        gone.missing = .hard(maximum: .count(5))
        try await store.sync(Pot.self, from: #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3}]"#, gone)
        try await store.sync(Pot.self, from: #"[{"id": 2, "name": "b"}]"#, gone)
        let mine = try #require(try await store.life(of: Pot.self, 1).first)
        #expect(mine.state == .gone && !mine.isThere && mine.changes.first?.action == "delete")
        #expect(try await store.life(of: Pot.self, 3).first?.quarantined.count == 1)
        // Nobody knows anything of it.
        #expect(try await store.life(of: Pot.self, 9).isEmpty)
        var own = Pot(id: 4, title: "own")
        try await store.save(&own)
        let life = try #require(try await store.life(of: Pot.self, 4).first)
        #expect(life.state == .ownRow && life.isThere)
        let empty = try Store.temporary(Pot.self)
        #expect(try await empty.life(of: Pot.self, 1).isEmpty)
    }

    @Test func tellsOfEachSource() async throws {
        let store = try Store.temporary(Pot.self)
        try await store.sync(Pot.self, from: #"[{"id": 1, "name": "a"}]"#, erp)
        try await store.sync(Pot.self, from: #"[{"id": 1, "name": "a", "volume": 3}]"#, web)
        let lives = try await store.life(of: Pot.self, 1)
        #expect(lives.map(\.source.pipeline).sorted() == ["erp", "web"])
    }

    // MARK: The order of sources

    private func title(_ store: Store) async throws -> String { try await store.find(Pot.self, 1).title }

    @Test(arguments: [["erp", "web"], ["web", "erp"]]) func theFirstSourceStands(_ readings: [String]) async throws {
        let store = try store(["erp", "web"])
        func sync(_ source: String, _ name: String) async throws -> SyncSummary {
            let json = #"[{"id": 1, "name": "\#(name)"}]"#
            return try await store.sync(Pot.self, from: json, .init(source: Source(pipeline: source))).summary
        }
        for source in readings { _ = try await sync(source, "of \(source)") }
        #expect(try await title(store) == "of erp")
        #expect(try await store.conflicts().isEmpty)
        // What the second one changes is not taken, and what the first one changes is.
        #expect(try await sync("web", "newer").conflict == 0)
        #expect(try await title(store) == "of erp")
        #expect(try await sync("erp", "newest").update == 1)
        #expect(try await title(store) == "newest")
        #expect(try await store.conflicts().isEmpty)
    }

    /// A stream of its own name is put in order by it.
    @Test func streamsAreNamedAsSourcesAre() async throws {
        let (first, second) = (Source(pipeline: "erp", stream: "vessels"), Source(pipeline: "erp", stream: "pots"))
        let store = try store([first, second])
        try await store.sync(Pot.self, from: #"[{"id": 1, "name": "pots"}]"#, .init(source: second))
        try await store.sync(Pot.self, from: #"[{"id": 1, "name": "vessels"}]"#, .init(source: first))
        #expect(try await title(store) == "vessels")
        #expect(try await store.conflicts().isEmpty)
    }

    @Test func withoutAnOrderThereIsAConflict() async throws {
        let orders: [[Source]] = [[], ["web"], [Source(pipeline: "erp", stream: "others"), "web"]]
        for (number, precedence) in orders.enumerated() {
            let store = try store(precedence, named: "shop\(number)")
            try await store.sync(Pot.self, from: #"[{"id": 1, "name": "a"}]"#, erp)
            let result = try await store.sync(Pot.self, from: #"[{"id": 1, "name": "b"}]"#, web)
            #expect(result.summary.conflict == 1, "\(precedence)")
            #expect(try await title(store) == "a")
        }
    }
}

@PersistentModel private struct Pot {
    let id: Int
    @Attribute(persistentName: "label", json: "name") var title: String
    var volume: Int?
    var origin = Origin()
}

import Sluice
import TestSupport
import Testing

/// Writes of a program that the history keeps.
@Suite struct RecordingTests {
    private static let shop = SyncOptions(source: "shop")

    /// What a transaction did, and how many records the run counts for it.
    struct Write: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let counts: SyncSummary
        let body: @Sendable (Transaction) throws -> Void

        init(
            _ name: String, insert: Int = 0, update: Int = 0, delete: Int = 0,
            _ body: @escaping @Sendable (Transaction) throws -> Void
        ) {
            testDescription = name
            counts = SyncSummary(insert: insert, update: update, delete: delete)
            self.body = body
        }
    }

    private static let writes: [Write] = [
        Write("saving", update: 1) { tx in try tx.update(Article.self, 1) { $0.title = "c" } },
        Write("inserting", insert: 1) { tx in
            var article = Article(id: 3, title: "n", tags: [])
            try tx.insert(&article)
        },
        // A record that goes takes its pairs with it.
        Write("deleting", delete: 2) { tx in try tx.delete(Article.self, 1) },
        Write("a query", update: 2) { tx in try tx.update(Article.all, Article.path.title.set("same")) },
        Write("pairs", insert: 1, delete: 1) { tx in
            var article = try tx.find(Article.self, 1)
            article.tags.insert("b")
            article.tags.remove("a")
            try tx.save(&article)
        },
        Write("SQL", update: 1) { tx in try tx.execute("UPDATE article SET name = 'sql' WHERE id = 2") },
        Write("SQL that replaces", update: 1) { tx in
            try tx.execute("INSERT OR REPLACE INTO article (id, name) VALUES (2, 'again')")
        },
        Write("another identifier", insert: 1, delete: 1) { tx in
            try tx.execute("UPDATE article SET id = 9 WHERE id = 2")
        },
        Write("several changes of one record", update: 1) { tx in
            try tx.update(Article.self, 2) { $0.title = "c" }
            try tx.update(Article.self, 2) { $0.title = "d" }
        },
        Write("a part that is taken back", update: 1) { tx in
            struct Stop: Error {}
            try tx.update(Article.self, 1) { $0.title = "c" }
            try? tx.part {
                try tx.update(Article.self, 2) { $0.title = "c" }
                throw Stop()
            }
        },
    ]

    private func rows(_ store: Store) async throws -> [[String?]] {
        let articles = try await store.rows("SELECT id, name FROM article ORDER BY id").map(\.texts)
        return try await articles + store.rows("SELECT * FROM article_tags ORDER BY 1, 2").map(\.texts)
    }

    private func filled() async throws -> Store {
        let store = try Store.temporary(Article.self)
        try await store.write { tx in
            for word in ["a", "b"] {
                var tag = Tag(word: word, articles: [])
                try tx.save(&tag)
            }
            for id in [1, 2] {
                var article = Article(id: id, title: "old", tags: id == 1 ? ["a"] : [])
                try tx.save(&article)
            }
        }
        return store
    }

    /// A write that changed nothing and whose number somebody asked for is a run, which no other one is.
    @Test func aNumberThatWasAskedForIsKept() async throws {
        let store = try Store.temporary(RecordedThing.self)
        let run = try #require(try await store.write(recording: .by("ann")) { $0.recordedRun })
        try await store.write(recording: .by("bob")) { tx in
            var thing = RecordedThing(id: 1)
            try tx.insert(&thing)
        }
        #expect(try await store.history().map(\.id).sorted() == [run, run + 1])
        _ = try? await store.undo(run: run)
        #expect(try await store.count(RecordedThing.all) == 1)
        // Who does not ask for it leaves none.
        let count = try await store.history().count
        try await store.write(recording: .by("ann")) { _ in }
        #expect(try await store.history().count == count)
    }

    @Test(arguments: writes) func undoTakesItBack(_ write: Write) async throws {
        let store = try await filled()
        let before = try await rows(store)
        let run = try await store.write(recording: .by("ann")) { tx in
            try write.body(tx)
            return tx.recordedRun
        }
        let after = try await rows(store)
        #expect(after != before)
        let entry = try #require(try await store.history(limit: 1).first)
        #expect(entry.id == run && entry.command == "edit" && entry.pipeline == "local" && entry.who == "ann")
        #expect(entry.summary == write.counts)
        let undone = try await store.undo(run: entry.id)
        #expect(undone.left == 0)
        #expect(try await rows(store) == before)
        // An undo is a run like any other.
        try await store.undo(run: try #require(undone.run))
        #expect(try await rows(store) == after)
    }

    @Test func whatChangesNothingLeavesNoRun() async throws {
        let store = try await filled()
        try await store.write(recording: .on) { tx in
            try tx.update(Article.self, 1) { $0.title = "c" }
            try tx.update(Article.self, 1) { $0.title = "old" }
        }
        #expect(try await store.history().isEmpty)
        // What is not recorded leaves nothing either, also after something was.
        try await store.write(recording: .on) { try $0.update(Article.self, 1) { $0.title = "c" } }
        try await store.update(Article.self, 1) { $0.title = "d" }
        #expect(try await store.history().count == 1)
    }

    @Test func whatFailsIsNotKept() async throws {
        struct Stop: Error {}
        let store = try await filled()
        let before = try await rows(store)
        await #expect(throws: Stop.self) {
            try await store.write(recording: .on) { tx in
                try tx.delete(Article.self, 1)
                throw Stop()
            }
        }
        #expect(try await rows(store) == before)
        #expect(try await store.history().isEmpty)
        try await store.write(recording: .on) { _ = try $0.delete(Article.self, 1) }
        #expect(try await store.history().count == 1)
    }

    @Test func whatSomebodyChangedSinceStays() async throws {
        let store = try await filled()
        _ = try await store.write(recording: .on) { tx in try tx.update(Article.all, Article.path.title.set("ours")) }
        try await store.update(Article.self, 2) { $0.title = "since" }
        let run = try #require(try await store.history().first?.id)
        let undone = try await store.undo(run: run)
        #expect(undone.left == 1 && undone.summary.update == 1)
        #expect(try await store.fetch(Article.order(by: \.id)).map(\.title) == ["old", "since"])
    }

    @Test func lifeSaysWhoChangedAValue() async throws {
        var options = StoreOptions()
        options.who = "console"
        let folder = try TemporaryDirectory()
        let store = try Store(folder.path + "/shop.db", models: Pot.self, options: options)
        try await store.sync(Pot.self, from: #"[{"id": 1, "name": "a", "volume": 1}]"#, Self.shop)
        try await store.write(recording: .on) { try $0.update(Pot.self, 1) { $0.title = "ours" } }
        let lives = try await store.life(of: Pot.self, 1)
        let life = try #require(lives.first)
        // The program is no source.
        #expect(lives.count == 1 && life.source == Source(pipeline: "shop", stream: "pot"))
        let run = try #require(try await store.history().first?.id)
        let title = try #require(life.field(\.title))
        #expect(title.isEdited && title.run == run && title.said == #""a""#)
        let change = try #require(life.changes.first)
        #expect(change.run == run && change.who == "console" && change.action == "update")
        #expect(change.fields.map(\.property) == ["title"] && change.fields.first?.new == #""ours""#)
        // It is a local edit for the merge, and taking it back is as well.
        let theirs = #"[{"id": 1, "name": "b", "volume": 1}]"#
        #expect(try await store.plan(Pot.self, from: theirs, Self.shop).summary.conflict == 1)
        try await store.undo(run: run)
        #expect(try await store.sync(Pot.self, from: theirs, Self.shop).summary.update == 1)
        #expect(try await store.find(Pot.self, 1).title == "b")
    }

    @Test func lifeTellsOfRecordsThatNoSourceHas() async throws {
        let store = try Store.temporary(Pot.self)
        try await store.write(recording: .by("ann")) { tx in
            var pot = Pot(id: 4, title: "own")
            try tx.insert(&pot)
        }
        try await store.write(recording: .by("bob")) { try $0.update(Pot.self, 4) { $0.volume = 3 } }
        let lives = try await store.life(of: Pot.self, 4)
        let life = try #require(lives.first)
        #expect(lives.count == 1 && life.state == .ownRow && life.isThere)
        #expect(life.changes.map(\.who) == ["bob", "ann"] && life.changes.map(\.action) == ["update", "insert"])
    }

    @Test func othersLearnWhichRecordsChanged() async throws {
        let folder = try TemporaryDirectory()
        let (one, other) = (
            try Store(folder.path + "/shop.db", models: Pot.self), try Store(folder.path + "/shop.db", models: Pot.self)
        )
        let changes = other.changes(Pot.self)
        try await one.write(recording: .on) { tx in
            var pot = Pot(id: 4, title: "own")
            try tx.insert(&pot)
        }
        for try await change in changes {
            #expect(change.keys(of: Pot.self) == [4])
            break
        }
    }
}

@PersistentModel private struct Pot {
    let id: Int
    @Attribute(persistentName: "label", json: "name") var title: String
    var volume: Int?
    var origin = Origin()
}

@PersistentModel private struct RecordedThing {
    let id: Int
}

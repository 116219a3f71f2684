import Sluice
import Testing

/// Full-text search.
@Suite struct TextSearchTests {
    private func store() async throws -> Store {
        let store = try Store.temporary(Story.self, Teller.self)
        try await store.write { tx in
            try tx.execute("CREATE VIRTUAL TABLE story_fts USING fts5(title, text, content='story')")
            try tx.execute(
                "CREATE TRIGGER story_added AFTER INSERT ON story BEGIN INSERT INTO story_fts (rowid, title, text) VALUES (NEW.rowid, NEW.title, NEW.text); END"
            )
            var teller = Teller(id: 1, name: "Ann")
            try tx.save(&teller)
            var stories = [
                Story(id: "a", title: "The sea", text: "A ship and a storm", teller: Ref(1)),
                Story(id: "b", title: "A storm", text: nil, teller: nil),
                Story(id: "c", title: "Quiet", text: "nothing happens", teller: Ref(1)),
            ]
            try tx.save(&stories)
        }
        return store
    }

    @Test(arguments: [
        ("storm", ["b"], ["a"]), ("STORM", ["b"], ["a"]), ("sea OR quiet", ["a", "c"], []), ("sto*", ["b"], ["a"]),
        ("\"a ship\"", [], ["a"]), ("whale", [], []), ("nothing NOT ship", [], ["c"]),
    ]) func findsWords(_ words: String, _ inTitle: [String], _ inText: [String]) async throws {
        let store = try await store()
        #expect(try await store.fetch(Story.where { $0.title.matches(fts: words) }).map(\.id) == inTitle)
        #expect(try await store.fetch(Story.where { $0.text.matches(fts: words) }).map(\.id) == inText)
    }

    @Test func goesWithOtherConditions() async throws {
        let store = try await store()
        let query = Story.where { $0.title.matches(fts: "storm") || $0.teller.name == "Ann" }
        #expect(try await store.fetch(query.order(by: \.title)).map(\.id) == ["b", "c", "a"])
        #expect(query.sql.contains("MATCH ?"))
        #expect(try await store.count(Story.where { $0.title.matches(fts: "storm") && $0.text.isNotNil }) == 0)
    }

    /// What is searched for is bound, and says nothing else.
    @Test func takesNoSQL() async throws {
        let store = try await store()
        await #expect(throws: SluiceError.self) {
            try await store.fetch(Story.where { $0.title.matches(fts: "') OR 1=1 --") })
        }
        #expect(try await store.count(Story.all) == 3)
    }

    @Test func saysWhatHasNoIndex() async throws {
        let store = try await store()
        await #expect {
            try await store.fetch(Teller.where { $0.name.matches(fts: "ann") })
        } throws: { error in
            let error = error as? SluiceError
            return error?.code == .invalidSQL && error?.message.contains("CREATE VIRTUAL TABLE \"teller_fts\"") == true
        }
        await #expect {
            try await store.fetch(Story.where { $0.title.lowercased.matches(fts: "sea") })
        } throws: { ($0 as? SluiceError)?.message.contains("searches a property") == true }
    }
}

@PersistentModel private struct Story {
    let id: String
    var title: String
    var text: String?
    @Relationship(inverse: .none, deleteRule: .nullify) var teller: Ref<Teller>?
}

@PersistentModel private struct Teller {
    let id: Int
    var name: String
}

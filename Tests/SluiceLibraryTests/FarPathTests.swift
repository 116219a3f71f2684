import Sluice
import SluiceTesting
import Testing

@PersistentModel private struct Scribe {
    let id: Int
    @Relationship(inverse: "scribe", deleteRule: .nullify) var novels: Refs<Novel>
}

@PersistentModel private struct Novel {
    let id: Int
    var title: String
    @Relationship(inverse: "novels", deleteRule: .nullify) var scribe: Ref<Scribe>?
    @Relationship(inverse: "novels", deleteRule: .nullify) var marks: Refs<Mark>
}

@PersistentModel private struct Mark {
    let id: Int
    var word: String
    @Relationship(inverse: "marks", deleteRule: .nullify) var novels: Refs<Novel>
}

@PersistentModel private struct Notice {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var novel: Ref<Novel>?
}

/// Conditions over records that what a reference leads to leads to.
struct FarPathTests {
    private func store() async throws -> Store {
        let store = try Store.temporary(Scribe.self, Novel.self, Mark.self, Notice.self)
        var marks = [Mark(id: 1, word: "old", novels: Refs([])), Mark(id: 2, word: "desert", novels: Refs([]))]
        var scribes = [Scribe(id: 1, novels: Refs([])), Scribe(id: 2, novels: Refs([]))]
        try await store.save(&marks)
        try await store.save(&scribes)
        var novels = [
            Novel(id: 1, title: "Emma", scribe: Ref(1), marks: Refs([1])),
            Novel(id: 2, title: "Persuasion", scribe: Ref(1), marks: Refs([])),
            Novel(id: 3, title: "Dune", scribe: Ref(2), marks: Refs([1, 2])),
            Novel(id: 4, title: "x", scribe: nil, marks: Refs([])),
        ]
        try await store.save(&novels)
        var notices = (1...5).map { Notice(id: $0, novel: $0 < 5 ? Ref($0) : nil) }
        try await store.save(&notices)
        return store
    }

    @Test func leadThroughAReference() async throws {
        let store = try await store()
        func notices(_ condition: (Notice.Paths) -> Condition<Notice>) async throws -> [Int] {
            try await store.fetch(Notice.where(condition).order(by: \.id)).map(\.id)
        }
        func novels(_ condition: (Novel.Paths) -> Condition<Novel>) async throws -> [Int] {
            try await store.fetch(Novel.where(condition).order(by: \.id)).map(\.id)
        }
        #expect(try await notices { $0.novel.marks.any { $0.word == "old" } } == [1, 3])
        #expect(try await notices { $0.novel.marks.none { $0.word == "desert" } } == [1, 2, 4, 5])
        #expect(try await notices { $0.novel.marks.all { $0.word == "old" } } == [1, 2, 4, 5])
        #expect(try await notices { $0.novel.marks.count == 2 } == [3])
        #expect(try await notices { $0.novel.scribe.novels.any { $0.title == "Emma" } } == [1, 2])
        // The same model on both sides.
        #expect(try await novels { $0.scribe.novels.any { $0.title == "Emma" } } == [1, 2])
        #expect(try await novels { $0.scribe.novels.any { $0.marks.any { $0.word == "desert" } } } == [3])
        #expect(try await novels { $0.marks.any { $0.novels.any { $0.scribe.id == 2 } } } == [1, 3])
    }

    @Test func compareReferences() async throws {
        let store = try await store()
        func novels(_ condition: (Novel.Paths) -> Condition<Novel>) async throws -> [Int] {
            try await store.fetch(Novel.where(condition).order(by: \.id)).map(\.id)
        }
        #expect(try await novels { $0.scribe != nil } == [1, 2, 3])
        #expect(try await novels { $0.scribe == nil } == [4])
        #expect(try await novels { $0.scribe != Ref(1) } == [3, 4])
        #expect(try await novels { $0.scribe != 1 } == [3, 4])
        #expect(try await novels { $0.scribe.id.in([1, 7]) } == [1, 2])
    }

    /// Lists of keys and of references, with nil for those that lead nowhere.
    @Test func areInLists() async throws {
        let store = try await store()
        func novels(_ condition: (Novel.Paths) -> Condition<Novel>) async throws -> [Int] {
            try await store.fetch(Novel.where(condition).order(by: \.id)).map(\.id)
        }
        #expect(try await novels { $0.scribe.in([1, 7]) } == [1, 2])
        #expect(try await novels { $0.scribe.in([2, nil]) } == [3, 4])
        #expect(try await novels { $0.scribe.in([]) } == [])
        #expect(try await novels { !$0.scribe.in([1]) } == [3, 4])
        #expect(try await novels { $0.scribe.in([Ref(2)]) } == [3])
        let scribes = try await store.fetch(Novel.order(by: \.id).limit(1)).map(\.scribe)
        #expect(try await novels { $0.scribe.in(scribes) } == [1, 2])
        #expect(try await novels { $0.scribe.in(scribes + [nil]) } == [1, 2, 4])
        #expect(try await novels { $0.scribe.in(Set([1, 2])) && $0.title.hasPrefix("D") } == [3])
        // A reference of what a reference leads to, and many keys in one statement, by the index.
        #expect(
            try await store.fetch(Notice.where { $0.novel.scribe.in([1]) }.order(by: \.id)).map(\.id) == [1, 2])
        let many = Novel.where { $0.scribe.in(1...50_000) }
        #expect(try await store.fetch(many).count == 3)
        #expect(!many.sql.contains("JOIN"))
        try await store.requireIndex(for: many)
    }
}

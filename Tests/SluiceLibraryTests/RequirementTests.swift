import Foundation
import Sluice
import SluiceTesting
import Testing

/// Forgets half of what it stores.
enum Lossy: ValueTransform {
    static func stored(_ value: Int) -> Int { value / 2 }
    static func value(_ stored: Int) throws -> Int { stored }
}

@PersistentModel
struct Reading {
    let id: Int
    @Attribute(storageMethod: .transformed(Lossy.self)) var value: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var note: Ref<Note>?
}

struct RequirementTests {
    @Test func findsWhatDoesNotComeBack() async throws {
        try await Book(
            id: 1, title: "T", pageCount: 3, kind: .essay, price: 2, settings: Settings(retries: 2),
            color: Color(red: 1, green: 2, blue: 3)
        ).requireRoundTrip()
        try await Note(text: "the store gives its identifier").requireRoundTrip()
        let store = try Store.temporary(Note.self)
        var note = Note(text: "a")
        try await store.save(&note)
        try await store.find(Note.self, 1).requireRoundTrip()
        // What it leads to need not be there.
        try await Reading(id: 1, value: 0, note: Ref(7)).requireRoundTrip()
        let failure = await #expect(throws: RequirementFailed.self) {
            try await Reading(id: 1, value: 8).requireRoundTrip()
        }
        #expect(failure?.description == "The Reading does not come back as it was saved; not the same: `value`.")
    }

    @Test func findsQueriesWithoutAnIndex() async throws {
        let store = try Store.temporary(Note.self, Tag.self, Article.self)
        try await store.requireIndex(for: Note.where { $0.id == 1 })
        try await store.requireIndex(for: Tag.where { $0.word == "a" })
        let failure = await #expect(throws: RequirementFailed.self) {
            try await store.requireIndex(for: Note.where { $0.text == "a" })
        }
        #expect(failure?.description.contains("SCAN") == true)
        #expect(try await store.plan(of: Note.where { $0.id == 1 }).usesIndex)
    }

    @Test func findsWhatIsWritten() async throws {
        let store = try Store.temporary(Note.self)
        var note = Note(text: "a")
        try await store.save(&note)
        let read = try await store.requireUnchanged {
            var read = try await store.find(Note.self, 1)
            try await store.save(&read)
            return read
        }
        #expect(read.text == "a")
        let failure = await #expect(throws: RequirementFailed.self) {
            try await store.requireUnchanged { try await store.update(Note.self, 1) { $0.text = "b" } }
        }
        #expect(failure?.description == "1 row was written.")
    }

    /// A run that changes nothing is no row, and one that changes something is named by its tables.
    @Test func findsWhatASyncWrites() async throws {
        let store = try Store.temporary(Tag.self, Article.self)
        let options = SyncOptions(source: "shop")
        let json = #"[{"word": "a"}]"#
        try await store.sync(Tag.self, from: json, options)
        let result = try await store.requireUnchanged { try await store.sync(Tag.self, from: json, options) }
        #expect(result.summary == SyncSummary(unchanged: 1))
        let failure = await #expect(throws: RequirementFailed.self) {
            try await store.requireUnchanged {
                try await store.sync(Tag.self, from: #"[{"word": "b"}]"#, options)
            }
        }
        #expect(failure?.description == "A run wrote to the table `\(Tag.model.description.table)`.")
    }
}

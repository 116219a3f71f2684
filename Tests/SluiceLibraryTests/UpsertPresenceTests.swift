import Foundation
import Sluice
import Testing

/// What a value of which a source speaks in part does to a record that is there, and to one that is not.
struct UpsertPresenceTests {
    private static let options = SyncOptions(source: "shop")

    private static func repair(_ id: Int = 1, note: String? = "n", tags: Refs<PresentTag> = []) -> PresentRepair {
        PresentRepair(
            id: id, state: "open", price: Decimal(string: "1.50"), note: note, place: PresentPlace(row: 1, shelf: "a"),
            tags: tags, lines: [PresentLine(id: id * 10, text: "x")])
    }

    private func store() async throws -> Store {
        let store = try Store.temporary(PresentRepair.self, PresentTag.self, PresentLine.self)
        var tags = [PresentTag(id: 1), PresentTag(id: 2)]
        try await store.save(&tags)
        return store
    }

    static let parts: [(name: String, present: FieldSet<PresentRepair>)] = [
        ("a list of links", [\.tags]), ("an optional property", [\.note]), ("a required one", [\.state]),
        ("a part of a composition", [\.place.row]), ("nothing", []), ("all", .all),
        ("all and the links", .all(with: \.tags)),
    ]

    /// A new record has the values of all its properties, whichever of them the source spoke of: it can be read.
    @Test(arguments: parts.indices) func aNewRecordHasAllValues(_ index: Int) async throws {
        let (name, present) = Self.parts[index]
        let store = try await store()
        let value = Self.repair(tags: [1, 2])
        let result = try await store.sync(Upserts([Upsert(value, present: present)]), Self.options)
        #expect(result.summary == SyncSummary(insert: 1), "\(name)")
        let read = try await store.find(PresentRepair.self, 1)
        #expect(read.state == "open" && read.note == "n" && read.price == Decimal(string: "1.50"), "\(name)")
        #expect(read.place == value.place, "\(name)")
        let again = try await store.sync(Upsert(value, present: present), Self.options)
        #expect(again.summary == SyncSummary(unchanged: 1), "\(name)")
    }

    /// Of a record that is there the source speaks of what is named, and of nothing else: neither does it fill what is empty, nor is
    /// it in conflict with what people changed.
    @Test func aRecordThatIsThereHasWhatIsNamed() async throws {
        let store = try await store()
        try await store.sync([Self.repair(note: nil)], Self.options)
        try await store.update(PresentRepair.self, 1) { $0.state = "ours" }
        var value = Self.repair(note: "theirs", tags: [2])
        value.state = "theirs"
        value.price = 9
        let named = try await store.sync(Upsert(value, present: [\.price]), Self.options)
        #expect(named.summary == SyncSummary(update: 1))
        var read = try await store.find(PresentRepair.self, 1)
        #expect(read.state == "ours" && read.note == nil && read.price == 9)
        let links = try await store.sync(Upsert(value, present: [\.tags]), Self.options)
        #expect(links.summary.conflict == 0)
        read = try await store.find(PresentRepair.self, 1)
        #expect(read.state == "ours" && read.note == nil)
        let keys = try await store.read { [read] in try read.tags.keys(in: $0) }
        #expect(keys == [2])
        let all = try await store.sync(Upsert(value, present: .all(with: \.tags)), Self.options)
        #expect(all.summary.conflict == 1)
        #expect(try await store.find(PresentRepair.self, 1).note == "theirs")
    }

    /// A record that people deleted stays deleted as long as the source says nothing new of it.
    @Test func aDeletedRecordStaysDeleted() async throws {
        let store = try await store()
        try await store.sync([Self.repair()], Self.options)
        _ = try await store.write { try $0.delete(PresentRepair.self, 1) }
        var value = Self.repair()
        value.state = "other"
        let result = try await store.sync(Upsert(value, present: [\.note]), Self.options)
        #expect(result.summary.conflict == 0)
        #expect(try await store.count(PresentRepair.all) == 0)
    }

    /// The warning says what to write.
    @Test func theWarningNamesTheCall() async throws {
        let store = try await store()
        let result = try await store.sync([Self.repair(tags: [1])], Self.options)
        #expect(
            result.problems.map(\.message) == [
                "`PresentRepair.tags` has records, and nothing of them was merged: values say nothing of links. Name it, as in `Upsert(value, present: .all(with: \\.tags))`, merge the JSON with `sync(_:from:)`, or save the values."
            ])
    }
}

@Composition struct PresentPlace: Equatable {
    var row: Int
    var shelf: String
}

@PersistentModel struct PresentRepair {
    let id: Int
    var state: String
    var price: Decimal?
    var note: String?
    @Attribute(storageMethod: .composition) var place: PresentPlace?
    @Relationship(inverse: .none, deleteRule: .nullify, json: "tags") var tags: Refs<PresentTag>
    @Relationship(inverse: .none, deleteRule: .cascade, json: "lines") var lines: [PresentLine]
    var origin = Origin()
}

@PersistentModel struct PresentTag { let id: Int }

@PersistentModel struct PresentLine {
    let id: Int
    var text: String
}

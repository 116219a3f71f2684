import Foundation
import Sluice
import TestSupport
import Testing

/// Records that nothing identifies, and those that all their values do.
struct IdentificationTests {
    @Test func recordsWithoutAnIdentifierAreInsertedAndDeleted() async throws {
        let store = try Store.temporary(Entry.self)
        try await store.insert(Entry(text: "a", level: 1))
        try await store.insert([Entry(text: "a", level: 1), Entry(text: "b", level: 2)])
        // Equal values are several records, in the order in which they came.
        #expect(try await store.fetch(Entry.all).map(\.text) == ["a", "a", "b"])
        #expect(try await store.fetch(Entry.where { $0.level > 1 }).map(\.text) == ["b"])
        #expect(try await store.deleteAll(Entry.where { $0.text == "a" }) == 2)
        #expect(try await store.count(Entry.all) == 1)
        let columns = try await store.rows("SELECT name FROM pragma_table_info('entry')").map { $0.texts[0] }
        #expect(columns == ["text", "level", "_id"])
    }

    /// The compiler warns of it where it knows the model; where it does not, it is an error all the same.
    @Test func recordsWithoutAnIdentifierAreNotSaved() async throws {
        @Sendable func save<M: PersistentModel>(_ value: M, _ tx: Transaction) throws {
            var copy = value
            try tx.save(&copy)
        }
        @Sendable func delete<M: PersistentModel>(_ value: M, _ tx: Transaction) throws {
            var copy = value
            try tx.delete(&copy)
        }
        let store = try Store.temporary(Entry.self)
        try await store.insert(Entry(text: "a", level: 1))
        try await store.write { tx in
            let saved = #expect(throws: SluiceError.self) { try save(Entry(text: "a", level: 1), tx) }
            let deleted = #expect(throws: SluiceError.self) { try delete(Entry(text: "a", level: 1), tx) }
            #expect(saved?.code == .refused && deleted?.code == .refused && deleted?.entity == "Entry")
        }
        #expect(try await store.count(Entry.all) == 1)
    }

    @Test func aRecordThatCannotBeReadIsFoundByItsRow() async throws {
        let store = try Store.temporary(Entry.self)
        try await store.write { try $0.execute("INSERT INTO entry (text) VALUES ('a')") }
        let error = await #expect(throws: SluiceError.self) { try await store.fetch(Entry.all) }
        #expect(error?.identifier == "1" && error?.field == "level")
    }

    /// They lead to others, and others to them by the column that they have.
    @Test func recordsWithoutAnIdentifierLeadToOthers() async throws {
        let store = try Store.temporary(Machine.self)
        try await store.write { tx in
            var machine = Machine(id: 1, events: [])
            try tx.save(&machine)
            try tx.insert([Event(text: "on", machine: Ref(1)), Event(text: "off", machine: Ref(1))])
        }
        let texts = try await store.read { reader in
            try reader.find(Machine.self, 1).events.load(in: reader).map(\.text)
        }
        #expect(texts == ["on", "off"])
        try await store.write { _ = try $0.delete(Machine.self, 1) }
        #expect(try await store.count(Event.all) == 0)
    }

    @Test func aSourceIsRefused() async throws {
        let store = try Store.temporary(Entry.self)
        let error = await #expect(throws: SluiceError.self) {
            try await store.sync(Entry.self, from: #"[{"text": "a", "level": 1}]"#)
        }
        #expect(error?.code == .refused && error?.message.contains("`identifier: .content`") == true)
    }

    @Test func modelsThatLeadToThemByKeysAreRefused() {
        let error = #expect(throws: SluiceError.self) { try Schema(Pointing.self) }
        #expect(error?.problems.count == 1)
        #expect(error?.problems.first?.contains("whose records have no identifier") == true, "\(error?.problems ?? [])")
    }

    // MARK: Content

    @Test func equalValuesAreOneRecord() async throws {
        let store = try Store.temporary(Fact.self)
        var facts = [
            Fact(word: "a", number: 1, price: 2), Fact(word: "a", number: 1, price: Decimal(string: "2.00")),
            Fact(word: nil, number: 1, price: nil),
        ]
        try await store.save(&facts)
        #expect(try await store.count(Fact.all) == 2)
        let key = try #require(facts[0].savedIdentifier)
        #expect(key.count == 32 && key == facts[1].identifier)
        #expect(try await store.find(Fact.self, key).word == "a")
        var first = facts[0]
        #expect(try await store.delete(&first))
        #expect(try await store.count(Fact.all) == 1)
    }

    /// What was read and changed would be another record, and nobody would see that the first stays.
    @Test func aChangedValueIsAnotherRecord() async throws {
        let store = try Store.temporary(Fact.self)
        var fact = Fact(word: "a", number: 1, price: nil)
        try await store.save(&fact)
        fact.number = 2
        let error = await #expect(throws: SluiceError.self) { try await store.save(&fact) }
        #expect(error?.code == .identifierChanged)
        var empty = Fact(word: nil, number: nil, price: nil)
        let none = await #expect(throws: SluiceError.self) { try await store.save(&empty) }
        #expect(none?.code == .box && none?.message.contains("none of its properties has a value") == true)
    }

    /// The key is that which a source's record has.
    @Test func aSourceKnowsTheRecords() async throws {
        let store = try Store.temporary(Fact.self)
        var fact = Fact(word: "a", number: 1, price: 2)
        try await store.save(&fact)
        let json = #"[{"word": "a", "number": 1, "price": "2.0"}, {"word": "b", "number": 1, "price": 2}]"#
        let first = try await store.sync(Fact.self, from: json, SyncOptions(source: "shop"))
        #expect(first.summary == SyncSummary(insert: 1, unchanged: 1), "\(first.summary)")
        let again = try await store.sync(Fact.self, from: json, SyncOptions(source: "shop"))
        #expect(again.summary == SyncSummary(unchanged: 2))
        let values = try await store.sync([Fact(word: "b", number: 1, price: 2)], SyncOptions(source: "client"))
        #expect(values.summary == SyncSummary(unchanged: 1), "\(values.summary)")
    }
}

@PersistentModel(identifier: .none) private struct Entry {
    let text: String
    let level: Int
}

@PersistentModel private struct Machine {
    let id: Int
    @Relationship(inverse: "machine", deleteRule: .cascade) var events: Refs<Event>
}

@PersistentModel(identifier: .none) private struct Event {
    let text: String
    @Relationship(inverse: "events", deleteRule: .nullify) let machine: Ref<Machine>?
}

@PersistentModel private struct Pointing {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var entries: Refs<Entry>
}

@PersistentModel(identifier: .content) private struct Fact {
    var word: String?
    var number: Int?
    var price: Decimal?
    var origin = Origin()
}

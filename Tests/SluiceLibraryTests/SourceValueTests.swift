import Foundation
import Sluice
import TestSupport
import Testing

/// What a source says is taken where the properties of the model can have it, so that each record of a table can be read.
struct SourceValueTests {
    /// A member of a record that no property can have.
    struct Misfit: CustomTestStringConvertible, Sendable {
        let name: String
        let json: String
        let property: String
        let type: String
        var testDescription: String { name }
    }

    static let misfits = [
        Misfit(name: "an enum", json: #""state":"haunted""#, property: "state", type: "State"),
        Misfit(name: "a raw value", json: #""size":"huge""#, property: "size", type: "Size"),
        Misfit(name: "JSON of another form", json: #""tags":{"a":1}"#, property: "tags", type: "Array<String>"),
        Misfit(name: "what a transform refuses", json: #""color":-1"#, property: "color", type: "Shade"),
        Misfit(name: "a number that is too large", json: #""small":70000"#, property: "small", type: "Int16"),
        Misfit(name: "a part", json: #""place":{"side":"north"}"#, property: "place.side", type: "Side"),
    ]

    @Test(arguments: misfits) func aRecordThatNobodyCouldReadIsKeptAside(_ misfit: Misfit) async throws {
        let store = try Store.temporary(House.self)
        let json = #"[{"id":1,\#(misfit.json)},{"id":2,"state":"sold","size":"small","tags":[],"color":0,"small":1}]"#
        let result = try await store.sync(House.self, from: json, .init(source: "town"))
        #expect(result.summary == SyncSummary(insert: 1, quarantined: 1))
        let record = try #require(result.quarantined.first)
        #expect(record.message == "The value of `\(misfit.property)` is no `\(misfit.type)`." && record.identifier == 1)
        #expect(try await store.fetch(House.all).map(\.id) == [2])
        #expect(try await store.quarantine(of: House.self).map(\.identifier) == [1])
        // It comes in once it fits, and null is no value of the type.
        let again = try await store.sync(House.self, from: #"{"id":1,"state":null}"#, .init(source: "town"))
        #expect(again.summary == SyncSummary(insert: 1))
    }

    @Test func recordsThatWaitAreGivenUp() async throws {
        let store = try Store.temporary(House.self)
        try await store.sync(House.self, from: #"[{"id":1,"state":"haunted"},{"id":"x"}]"#, .init(source: "town"))
        let waiting = try await store.quarantine(of: House.self)
        #expect(waiting.map(\.identifier) == [1, nil])
        #expect(try await store.drop(waiting, who: "ann") == 2)
        #expect(try await store.quarantine(of: House.self).isEmpty)
        #expect(try await store.drop(waiting) == 0)
        let run = try #require(try await store.history(limit: 1).first)
        try await store.undo(run: run.id)
        #expect(try await store.quarantine(of: House.self).count == 2)
    }

    /// Where the model says what an unreadable value means, it is taken.
    @Test func aFallbackTakesWhatItIsFor() async throws {
        let store = try Store.temporary(House.self)
        try await store.sync(House.self, from: #"{"id":1,"mood":"odd"}"#, .init(source: "town"))
        #expect(try await store.find(House.self, 1).mood == .calm)
    }

    // MARK: Where the records stand

    @Test func aPathToAListMeansItsElements() async throws {
        let store = try Store.temporary(House.self)
        func sync(_ json: String, _ records: String) async throws -> SyncSummary {
            try await store.sync(House.self, from: json, .init(source: "town", records: records)).summary
        }
        #expect(try await sync(#"{"data":{"items":[{"id":1},{"id":2}]}}"#, "data.items") == SyncSummary(insert: 2))
        #expect(try await sync(#"{"data":{"items":[{"id":1},{"id":2}]}}"#, "data.items[*]").unchanged == 2)
        #expect(try await sync(#"{"data":{"id":1}}"#, "data") == SyncSummary(unchanged: 1))
        #expect(try await sync(#"{"data":[]}"#, "data") == SyncSummary())
        let error = await #expect(throws: SluiceError.self) { try await sync(#"{"data":[]}"#, "items") }
        #expect(error?.code == .invalidJSON)
    }

    /// All pages together are what the source has, so what one of them lacks is not gone.
    @Test func pagesAreOneSync() async throws {
        let store = try Store.temporary(House.self)
        let options = SyncOptions(source: "town", records: "items", missing: .hard())
        let pages = [#"{"items":[{"id":1},{"id":2}]}"#, #"{"items":[{"id":3}]}"#]
        let first = try await store.sync(House.self, pages: pages, options)
        #expect(first.summary == SyncSummary(insert: 3))
        let bytes = try await store.sync(House.self, pages: pages.map { Array($0.utf8) }, options)
        #expect(bytes.summary == SyncSummary(unchanged: 3))
        let data = try await store.sync(House.self, pages: pages.map { Data($0.utf8) }, options)
        #expect(data.summary == SyncSummary(unchanged: 3))
    }

    /// A required property is looked for under its key, which may be another one than its name in the store.
    @Test func whatIsMissingIsNamedByItsPlace() async throws {
        let store = try Store.temporary(Firm.self)
        let result = try await store.sync(Firm.self, from: #"[{"id":1,"label":"Acme"}]"#, .init(source: "town"))
        #expect(
            result.quarantined.map(\.message)
                == ["The required field `label` is missing at `/name`."])
    }

    // MARK: Words

    /// What is said of a sync names what a program can do, and no options of the command line.
    @Test func remediesAreThoseOfPrograms() async throws {
        let store = try Store.temporary(House.self, Sale.self)
        let times = try await store.sync(
            Sale.self, from: #"[{"id":1,"at":"2026-11-20T09:30:00"}]"#, .init(source: "town"))
        #expect(
            times.quarantined.map(\.description) == [
                "Sale 1, `/at`: Expected a time such as 2026-01-31T12:00:00Z or 2026-01-31T12:00:00+01:00, found \"2026-11-20T09:30:00\"."
            ])
        let options = SyncOptions(source: "town", missing: .hard(maximum: .percent(100)))
        try await store.sync(House.self, from: #"[{"id":1,"state":"open"},{"id":2}]"#, options)
        let empty = try await store.sync(House.self, from: "[]", options)
        let refusal = try #require(empty.problems.first { $0.code == "deletes_refused" })
        #expect(refusal.message.contains("`minimumRecords: 1`") && refusal.message.contains("limits of `missing`"))
        #expect(!refusal.message.contains("--"), "\(refusal.message)")
        // A conflict over a whole record takes no value.
        try await store.update(House.self, 1) { $0.state = .sold }
        let gone = try await store.sync(House.self, from: #"[{"id":2}]"#, options)
        let conflict = try #require(gone.conflicts.first)
        let error = await #expect(throws: SluiceError.self) { try await store.resolve(conflict, .set(\.state, .open)) }
        #expect(error?.message.contains("takes `.local` or `.remote`") == true, "\(error?.message ?? "")")
    }

    // MARK: Which record it is

    @Test func aConflictKnowsItsRecord() async throws {
        let store = try Store.temporary(Lot.self)
        try await store.sync(Lot.self, from: #"[{"street":"a","number":1,"owner":"x"}]"#, .init(source: "town"))
        let key = Lot.Identifier(street: "a", number: 1)
        try await store.update(Lot.self, key) { $0.owner = "y" }
        let result = try await store.sync(
            Lot.self, from: #"[{"street":"a","number":1,"owner":"z"}]"#, .init(source: "town"))
        #expect(result.conflicts.map(\.identifier) == [key])
    }
}

private enum State: String, StoredValue { case open, sold }
private enum Side: String, StoredValue { case left, right }

private enum Shade: ValueTransform {
    struct NoShade: Error {}
    static func stored(_ value: UInt8) -> Int { Int(value) }
    static func value(_ stored: Int) throws -> UInt8 {
        guard let value = UInt8(exactly: stored) else { throw NoShade() }
        return value
    }
}

@Composition private struct Place {
    var side: Side?
}

@PersistentModel private struct House {
    enum Size: String { case small, large }
    enum Mood: String { case calm, loud }
    let id: Int
    var state: State?
    @Attribute(storageMethod: .raw) var size: Size?
    @Attribute(storageMethod: .codable) var tags: [String]?
    @Attribute(storageMethod: .transformed(Shade.self)) var color: UInt8?
    var small: Int16?
    @Attribute(storageMethod: .composition) var place: Place?
    @Attribute(storageMethod: .raw, decodeFailurePolicy: .fallbackToDefaultValue) var mood: Mood = .calm
    var origin = Origin()
}

@PersistentModel private struct Sale {
    let id: Int
    var at: Date?
}

@PersistentModel private struct Firm {
    let id: Int
    @Attribute(persistentName: "label") var name: String
}

@PersistentModel private struct Lot {
    @Attribute(.identifier) let street: String
    @Attribute(.identifier) let number: Int
    var owner: String
    var origin = Origin()
}

/// A closure that looks at each record gets it as the mapping reads it.
struct TypedStageTests {
    private let options = SyncOptions(source: "town")

    /// The mapping, and not the type's own way of decoding, says where JSON has a value and how it is written.
    @Test func theMappingMakesTheValue() async throws {
        let store = try Store.temporary(Shelf.self)
        let json = #"[{"id":1,"is_open":true,"price":"1.10","owner":{"name":"Ann"}},{"id":2,"price":"x"}]"#
        let result = try await store.sync(Shelf.self, from: json, options) { shelf in
            #expect(shelf.isOpen && shelf.price == Decimal(string: "1.1") && shelf.note == "none")
            shelf.owner = shelf.owner.map { $0 + "!" }
            return .keep
        }
        #expect(result.summary == SyncSummary(insert: 1, quarantined: 1))
        #expect(result.quarantined.first?.json == #"{"id":2,"price":"x"}"#)
        let shelf = try await store.find(Shelf.self, 1)
        #expect(shelf.owner == "Ann!" && shelf.note == "none")
        // What the source did not say and nobody touched is absent: what people changed of it stays.
        try await store.update(Shelf.self, 1) { $0.note = "ours" }
        let again = try await store.sync(Shelf.self, from: #"{"id":1,"price":2}"#, options) { _ in .keep }
        #expect(again.summary == SyncSummary(update: 1))
        #expect(try await store.find(Shelf.self, 1).note == "ours")
    }

    @Test func whatTheClosureDoesNotWantIsLeftOutOrKeptAside() async throws {
        let store = try Store.temporary(Shelf.self)
        struct Unwanted: Error {}
        let json = #"[{"id":1},{"id":2},{"id":3},{"id":4}]"#
        let result = try await store.sync(Shelf.self, from: json, options) { shelf in
            switch shelf.id {
            case 1: return .keep
            case 2: return .skip
            case 3: return .quarantine("not yet")
            default: throw Unwanted()
            }
        }
        #expect(result.summary == SyncSummary(insert: 1, quarantined: 2) && result.skipped == 1)
        #expect(result.quarantined.map(\.identifier) == [3, 4])
        #expect(result.quarantined.first?.message == "not yet")
    }
}

@PersistentModel(names: .snakeCase) private struct Shelf {
    let id: Int
    var isOpen = true
    var price: Decimal?
    @Attribute(json: "owner.name") var owner: String?
    var note: String = "none"
    var origin = Origin()
}

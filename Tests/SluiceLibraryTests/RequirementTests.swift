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

/// Halves what it stores, and doubles what it reads: the column is the same each time.
enum Halved: ValueTransform {
    static func stored(_ value: Int) -> Int { value / 2 }
    static func value(_ stored: Int) throws -> Int { stored * 2 }
}

/// Keeps a word without its case, as a type that nothing tells apart, or as one that its model does.
enum Lowered: ValueTransform {
    static func stored(_ value: Shouted) -> String { value.word.lowercased() }
    static func value(_ stored: String) throws -> Shouted { Shouted(word: stored) }
}

struct Shouted { var word: String }

@PersistentModel struct HalvedReading {
    let id: Int
    @Attribute(storageMethod: .transformed(Halved.self)) var value: Int?
    var at: Date?
    @Attribute(storageMethod: .codable) var days: [Date] = []
    @Attribute(storageMethod: .composition) var span: HalvedSpan?
    @Relationship(inverse: .none, deleteRule: .cascade) var lines: [HalvedLine] = []
    var origin = Origin()
}

@PersistentModel struct HalvedLine {
    let id: Int
    @Attribute(storageMethod: .transformed(Halved.self)) var value: Int
}

@Composition struct HalvedSpan: Equatable { var begin: Date }

@PersistentModel struct ShoutedReading {
    let id: Int
    @Attribute(storageMethod: .transformed(Lowered.self)) var word: Shouted
}

@PersistentModel struct ToldReading {
    let id: Int
    @Attribute(storageMethod: .transformed(Lowered.self)) var word: Shouted
}

extension ToldReading: Equatable {
    static func == (left: ToldReading, right: ToldReading) -> Bool { left.word.word == right.word.word }
}

struct RequirementTests {
    /// What is lost although the column is the same each time, by the properties that say so.
    @Test func findsWhatTransformsLose() async throws {
        func expectLoss(_ properties: String?, _ what: String, _ body: () async throws -> Void) async {
            do {
                try await body()
                #expect(properties == nil, "\(what)")
            } catch {
                let loss = properties.map { "not the same: \($0)." } ?? "nothing"
                #expect("\(error)".hasSuffix(loss), "\(what): \(error)")
            }
        }
        await expectLoss("`value`", "an odd number") { try await HalvedReading(id: 1, value: 3).requireRoundTrip() }
        await expectLoss(nil, "an even number") { try await HalvedReading(id: 1, value: 4).requireRoundTrip() }
        await expectLoss(nil, "no number") { try await HalvedReading(id: 1).requireRoundTrip() }
        await expectLoss("`lines`", "an odd number of a record by value") {
            try await HalvedReading(id: 1, lines: [HalvedLine(id: 1, value: 2), HalvedLine(id: 2, value: 5)])
                .requireRoundTrip()
        }
        // A time that a program makes is none of a transform's faults, wherever it stands.
        let fine = Date(timeIntervalSinceReferenceDate: 0.123_456_789_123)
        for date in [Date(), fine] {
            await expectLoss(nil, "a time") {
                try await HalvedReading(id: 1, at: date, days: [date], span: HalvedSpan(begin: date)).requireRoundTrip()
            }
        }
        // Nothing tells such values apart, unless the model does.
        await expectLoss(nil, "a type without `==`") {
            try await ShoutedReading(id: 1, word: Shouted(word: "A")).requireRoundTrip()
        }
        await expectLoss("`word`", "a model with `==`") {
            try await ToldReading(id: 1, word: Shouted(word: "A")).requireRoundTrip()
        }
        await expectLoss(nil, "a model with `==`, of the same") {
            try await ToldReading(id: 1, word: Shouted(word: "a")).requireRoundTrip()
        }
    }

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

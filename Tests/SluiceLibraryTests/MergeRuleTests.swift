import Sluice
import Testing

/// What models say of how their records are merged.
@Suite struct MergeRuleTests {
    private static let shop = SyncOptions(source: "shop")

    /// Changes of both sides, and what becomes of them.
    struct Merge: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let edit: @Sendable (inout Product) -> Void
        /// What the source says then.
        let json: String
        /// What the call says.
        var policy: SyncOptions.ConflictPolicy?
        var conflicts = 0
        var quarantined = 0
        /// Whether the record is as it should be.
        let isRight: @Sendable (Product) -> Bool
    }

    private static let merges: [Merge] = [
        Merge(
            testDescription: "the model decides", edit: { $0.title = "ours" }, json: #"{"title": "theirs"}"#,
            isRight: { $0.title == "theirs" }),
        Merge(
            testDescription: "a property goes before the model", edit: { $0.note = "ours" },
            json: #"{"note": "theirs"}"#, isRight: { $0.note == "ours" }),
        Merge(
            testDescription: "a call goes before both", edit: { ($0.title, $0.note) = ("ours", "ours") },
            json: #"{"title": "theirs", "note": "theirs"}"#, policy: .manual, conflicts: 1,
            isRight: { $0.title == "ours" && $0.note == "ours" }),
        Merge(
            testDescription: "case makes no difference", edit: { _ in }, json: #"{"code": "AB"}"#,
            isRight: { $0.code == "ab" }),
        Merge(
            testDescription: "elements are merged", edit: { $0.words = ["a", "b", "ours"] },
            json: #"{"words": ["a", "theirs"]}"#, isRight: { Set($0.words) == ["a", "ours", "theirs"] }),
        Merge(
            testDescription: "keys are merged", edit: { $0.sizes = ["w": 9, "h": 2] },
            json: #"{"sizes": {"w": 1, "h": 7}}"#, isRight: { $0.sizes == ["w": 9, "h": 7] }),
        Merge(
            testDescription: "people own it", edit: { _ in }, json: #"{"shelf": "theirs"}"#,
            isRight: { $0.shelf == "first" }),
        Merge(
            testDescription: "an absent key is null", edit: { _ in }, json: #"{"hint": null}"#,
            isRight: { $0.discount == nil }),
        Merge(
            testDescription: "an initial value is for new records", edit: { $0.title = "first" },
            json: #"{"hint": "first"}"#, isRight: { $0.room == 2 }),
        Merge(
            testDescription: "an absent key is the initial value", edit: { _ in }, json: #"{"hint": "first"}"#,
            isRight: { $0.rank == 8 }),
        Merge(
            testDescription: "an initial value gives way to people", edit: { $0.rank = 5 },
            json: #"{"hint": "first"}"#, isRight: { $0.rank == 5 }),
        Merge(
            testDescription: "a null says nothing", edit: { _ in }, json: #"{"hint": null, "discount": 5}"#,
            isRight: { $0.hint == "first" && $0.discount == 5 }),
        Merge(
            testDescription: "an absent key is refused", edit: { _ in }, json: #"{"code": "new"}"#, quarantined: 1,
            isRight: { $0.needed == "first" }),
    ]

    private static let first =
        #"{"id": 1, "title": "first", "note": "first", "code": "ab", "words": ["a", "b"], "sizes": {"w": 1, "h": 2}, "shelf": "first", "discount": 5, "hint": "first", "needed": "first", "room": 2, "rank": 2}"#

    @Test(arguments: merges) func decidesAsTheModelSays(_ merge: Merge) async throws {
        let store = try Store.temporary(Product.self)
        try await store.sync(Product.self, from: Self.first, Self.shop)
        try await store.update(Product.self, 1, merge.edit)
        let needed = merge.quarantined > 0 ? "" : #""needed": "first", "#
        let title = merge.json.contains("title") ? "" : #""title": "first", "#
        let json = #"{"id": 1, \#(needed)\#(title)"# + merge.json.dropFirst()
        let result = try await store.sync(
            Product.self, from: json, .init(source: "shop", onConflict: merge.policy))
        #expect(result.summary.conflict == merge.conflicts && result.summary.quarantined == merge.quarantined)
        let product = try await store.find(Product.self, 1)
        #expect(merge.isRight(product), "\(product)")
    }

    @Test func theNewestStands() async throws {
        let store = try Store.temporary(Timed.self)
        try await store.sync(Timed.self, from: #"{"id": 1, "title": "a", "changed": 1}"#, Self.shop)
        try await store.update(Timed.self, 1) { ($0.title, $0.changed) = ("ours", 5) }
        try await store.sync(Timed.self, from: #"{"id": 1, "title": "older", "changed": 3}"#, Self.shop)
        #expect(try await store.find(Timed.self, 1).title == "ours")
        try await store.sync(Timed.self, from: #"{"id": 1, "title": "newer", "changed": 7}"#, Self.shop)
        #expect(try await store.find(Timed.self, 1).title == "newer")
    }

    @Test(arguments: [
        ("theirs", ["c"]), ("added", ["a", "b", "c", "ours"]), ("both", ["c", "ours"]),
    ]) func mergesListsOfRecords(_ property: String, _ wanted: [String]) async throws {
        let store = try Store.temporary(Listed.self)
        var words = ["a", "b", "c", "ours"].map { Word(word: $0) }
        try await store.save(&words)
        try await store.sync(
            Listed.self, from: #"{"id": 1, "theirs": ["a", "b"], "added": ["a", "b"], "both": ["a", "b"]}"#, Self.shop)
        try await store.update(Listed.self, 1) { $0.both.insert("ours") }
        try await store.update(Listed.self, 1) { $0.added.insert("ours") }
        try await store.write { try $0.execute("INSERT INTO listed_theirs VALUES (1, 'ours')") }
        try await store.sync(
            Listed.self, from: #"{"id": 1, "theirs": ["c"], "added": ["c"], "both": ["c"]}"#, Self.shop)
        let found = try await store.rows(SQL(unchecked: "SELECT word_word FROM listed_\(property) ORDER BY 1"))
        #expect(found.map { $0.texts[0] } == wanted)
    }

    @Test func upsertsAndStagesGoByThemAsWell() async throws {
        let store = try Store.temporary(Product.self)
        try await store.sync(Product.self, from: Self.first, Self.shop)
        try await store.update(Product.self, 1) { $0.title = "ours" }
        let theirs = #"{"id": 1, "title": "theirs", "needed": "first"}"#
        let staged = try await store.sync(Product.self, from: theirs, Self.shop) { product in
            product.title += "!"
            return .keep
        }
        #expect(staged.summary.conflict == 0)
        #expect(try await store.find(Product.self, 1).title == "theirs!")
        var product = try await store.find(Product.self, 1)
        try await store.update(Product.self, 1) { $0.title = "ours" }
        product.title = "upserted"
        try await store.sync(Upsert(product, present: [\.title, \.needed]), Self.shop)
        #expect(try await store.find(Product.self, 1).title == "upserted")
    }
}

@PersistentModel(onConflict: .remoteWins) struct Product {
    let id: Int
    var title: String
    @Attribute(onConflict: .localWins) var note: String?
    @Attribute(compare: .ci) var code: String?
    @Attribute(storageMethod: .codable, compare: .set) var words: [String] = []
    @Attribute(storageMethod: .codable, compare: .json) var sizes: [String: Int]?
    @Attribute(owner: .local) var shelf: String?
    @Attribute(onMissing: .setNull) var discount: Int?
    @Attribute(onNull: .keep) var hint: String?
    @Attribute(onMissing: .fail) var needed: String?
    var room = 8
    @Attribute(onMissing: .default) var rank = 8
    var origin = Origin()
}

@PersistentModel(onConflict: .newestWins, newest: "changed") private struct Timed {
    let id: Int
    var title: String
    var changed: Int
}

@PersistentModel private struct Word {
    @Attribute(.identifier) let word: String
}

@PersistentModel private struct Listed {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify, json: "theirs", merge: .replace) var theirs: Refs<Word>
    @Relationship(inverse: .none, deleteRule: .nullify, json: "added", merge: .addOnly) var added: Refs<Word>
    @Relationship(inverse: .none, deleteRule: .nullify, json: "both") var both: Refs<Word>
}

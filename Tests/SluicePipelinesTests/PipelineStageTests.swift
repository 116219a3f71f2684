import Foundation
import Sluice
import SluicePipelines
import TestSupport
import Testing

/// A program's look at each record of a pipeline's run.
struct PipelineStageTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }

    private func pipeline(
        fields: String = "id: int, title: {type: string, required: true}, price: decimal", stream: String = ""
    ) throws -> Pipeline {
        try write(
            "books.yaml",
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book:
                table: books
                primary_key: [id]
                fields: {\(fields)}
            streams: [{name: books, entity: Book, path: books.json\(stream)}]
            """)
        return try Pipeline(contentsOf: folder.path + "/books.yaml", models: StagedBook.self)
    }

    private func store() throws -> Store { try Store(folder.path + "/shop.db", models: StagedBook.self) }

    // MARK: What the closure makes of a record

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var json = #"[{"id": 1, "title": " Dune ", "price": "12.50"}]"#
        let look: @Sendable (inout StagedBook) throws -> Stage
        var summary = SyncSummary(insert: 1)
        var skipped = 0
        var titles: [String] = []
        var reason: String?
    }

    private struct Unwanted: Error, CustomStringConvertible { let description = "It is not wanted." }

    static let cases = [
        Case(testDescription: "kept as it is", look: { _ in .keep }, titles: [" Dune "]),
        Case(
            testDescription: "another value",
            look: { book in
                book.title = book.title.trimmingCharacters(in: .whitespaces)
                return .keep
            }, titles: ["Dune"]),
        Case(testDescription: "left out", look: { _ in .skip }, summary: SyncSummary(), skipped: 1),
        Case(
            testDescription: "kept aside", look: { _ in .quarantine("not yet") }, summary: SyncSummary(quarantined: 1),
            reason: "not yet"),
        Case(
            testDescription: "an error", look: { _ in throw Unwanted() }, summary: SyncSummary(quarantined: 1),
            reason: "It is not wanted."),
        Case(
            testDescription: "a value that a check refuses",
            look: { book in
                book.title = ""
                return .keep
            }, summary: SyncSummary(quarantined: 1), reason: "`title` has 0 characters, not 1...."),
        Case(
            testDescription: "a property of which the pipeline knows nothing",
            look: { book in
                book.note = "n"
                return .keep
            }, summary: SyncSummary(quarantined: 1),
            reason:
                "`note` has another value than the source's, and no field of the pipeline fills its column `note`."),
        Case(
            testDescription: "another identifier",
            look: { book in
                book = StagedBook(id: 7, title: "7")
                return .keep
            }, titles: ["7"]),
        Case(
            testDescription: "some of several",
            json: #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}, {"id": 3, "title": "c"}, {"id": 4}]"#,
            look: { book in
                switch book.id {
                case 1: return .skip
                case 2: return .quarantine("b")
                default:
                    book.title += "!"
                    return .keep
                }
            }, summary: SyncSummary(insert: 1, quarantined: 2), skipped: 1, titles: ["c!"], reason: "b"),
        Case(
            testDescription: "one of two that have the same identifier",
            json: #"[{"id": 1, "title": "a"}, {"id": 2, "title": "x"}, {"id": 1, "title": "b"}]"#,
            look: { book in
                book.title += "!"
                return .keep
            }, summary: SyncSummary(insert: 2), titles: ["b!", "x!"]),
    ]

    @Test(arguments: cases)
    func decidesAboutEachRecord(_ item: Case) async throws {
        let store = try store()
        try write("books.json", item.json)
        let pipeline = try pipeline().stage(StagedBook.self, item.look)
        let plan = try await store.plan(pipeline)
        #expect(plan.summary == item.summary, "\(plan.problems)")
        let report = try await store.run(pipeline)
        #expect(report.summary == item.summary && report.streams.first?.skipped == item.skipped, "\(report.problems)")
        #expect(try await store.fetch(StagedBook.order(by: \.title)).map(\.title) == item.titles)
        #expect(try await store.quarantine(of: StagedBook.self).first?.message == item.reason)
        // What the program makes of it is what the source says.
        #expect(try await store.run(pipeline).summary.unchanged == item.summary.insert)
        // And pages of the program go the same way.
        let other = try Store(folder.path + "/other.db", models: StagedBook.self)
        #expect(try await pipeline.stream("books").sync(item.json, in: other).summary == item.summary)
    }

    /// A record that the program leaves out is listed all the same, so that its row stays as it is.
    @Test func keepsRowsOfRecordsThatAreLeftOut() async throws {
        let store = try store()
        let pipeline = try pipeline(stream: ", delete_missing: {mode: hard, max_delete: 100%}")
        try write("books.json", #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}, {"id": 3, "title": "c"}]"#)
        try await store.run(pipeline)
        try write("books.json", #"[{"id": 1, "title": "other"}, {"id": 2, "title": "b"}]"#)
        let tidy = try pipeline.stage(StagedBook.self) { book in book.id == 1 ? .skip : .keep }
        let report = try await store.run(tidy)
        #expect(report.summary == SyncSummary(delete: 1, unchanged: 1), "\(report.problems)")
        #expect(try await store.fetch(StagedBook.order(by: \.id)).map(\.title) == ["a", "b"])
    }

    @Test func valuesAreThoseOfTheMapping() async throws {
        let store = try store()
        try write("books.json", #"[{"id": 1, "name": {"en": "Dune"}, "seen": 86400}, {"id": 2, "seen": null}]"#)
        let fields = """
            id: int, title: {type: string, from: name.en, default: none, required: true}, price: decimal,
            seen: {type: datetime, format: unix}
            """
        let pipeline = try pipeline(fields: fields).stage(StagedBook.self) { book in
            if book.id == 2 { return book.title == "none" && book.seen == nil ? .keep : .skip }
            guard book.title == "Dune", let seen = book.seen, seen.timeIntervalSince1970 == 86_400 else { return .skip }
            book.seen = seen.addingTimeInterval(60)
            book.price = Decimal(string: "1.10")
            return .keep
        }
        let report = try await store.run(pipeline)
        #expect(report.summary == SyncSummary(insert: 2), "\(report.problems)")
        #expect(
            try await store.rows("SELECT title, price, seen FROM books ORDER BY id").map(\.texts)
                == [["Dune", "1.1", "1970-01-02T00:01:00Z"], ["none", nil, nil]])
        #expect(try await store.run(pipeline).summary == SyncSummary(unchanged: 2))
    }

    @Test func whatThePipelineRequiresStaysThere() async throws {
        try write("loose.json", #"[{"id": 1, "title": "a"}]"#)
        try write(
            "loose.yaml",
            """
            version: 1
            name: loose
            source: {base_url: "file:."}
            entities:
              Note: {primary_key: [id], fields: {id: int, title: {type: string, required: true}}}
            streams: [{name: notes, entity: Note, path: loose.json}]
            """)
        let store = try Store(folder.path + "/loose.db", models: Note.self)
        let pipeline = try Pipeline(contentsOf: folder.path + "/loose.yaml", models: Note.self).stage(Note.self) {
            $0.title = nil
            return .keep
        }
        #expect(try await store.run(pipeline).summary == SyncSummary(quarantined: 1))
        #expect(
            try await store.quarantine(of: Note.self).first?.message
                == "The field `title` is required, and a program made it null.")
    }

    /// A key that the source did not send and the closure did not touch says nothing, and what people changed stays.
    @Test func mergesThreeWays() async throws {
        let store = try store()
        let pipeline = try pipeline().stage(StagedBook.self) { book in
            book.title = book.title.uppercased()
            return .keep
        }
        try write("books.json", #"[{"id": 1, "title": "a", "price": 1}]"#)
        try await store.run(pipeline)
        try await store.update(StagedBook.self, 1) { $0.price = 9 }
        try write("books.json", #"[{"id": 1, "title": "b"}]"#)
        #expect(try await store.run(pipeline).summary == SyncSummary(update: 1))
        let book = try await store.find(StagedBook.self, 1)
        #expect(book.title == "B" && book.price == 9)
        try await store.update(StagedBook.self, 1) { $0.title = "ours" }
        try write("books.json", #"[{"id": 1, "title": "c"}]"#)
        let report = try await store.run(pipeline)
        #expect(report.summary == SyncSummary(conflict: 1))
        #expect(try await store.conflicts(of: StagedBook.self).first?.sides(\.title)?.remote == "C")
    }

    /// Texts that are known from a run without a closure are looked at, and the other way round.
    @Test func knowsNoRecordByItsText() async throws {
        let store = try store()
        let plain = try pipeline()
        try write("books.json", #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#)
        for _ in 0..<2 { try await store.run(plain) }
        let loud = try plain.stage(StagedBook.self) { book in
            if book.id == 1 { book.title = "A" }
            return .keep
        }
        #expect(try await store.run(loud).summary == SyncSummary(update: 1, unchanged: 1))
        #expect(try await store.run(plain).summary == SyncSummary(update: 1, unchanged: 1))
        #expect(try await store.find(StagedBook.self, 1).title == "a")
    }

    @Test func aFieldByWhichTheNextRunReadsOnStays() async throws {
        let store = try store()
        try write("books.json", #"[{"id": 1, "title": "a", "seen": "2026-01-01T00:00:00Z"}]"#)
        let fields = "id: int, title: {type: string, required: true}, price: decimal, seen: datetime"
        let pipeline = try pipeline(fields: fields, stream: ", incremental: {cursor_field: seen, client_side: true}")
            .stage(StagedBook.self) { book in
                book.seen = Date(timeIntervalSince1970: 0)
                return .keep
            }
        let report = try await store.run(pipeline)
        #expect(report.summary == SyncSummary(quarantined: 1), "\(report.problems)")
        #expect(
            try await store.quarantine(of: StagedBook.self).first?.message.contains("reads on from the field `seen`")
                == true)
    }

    @Test func endsWithItsTask() async throws {
        let store = try store()
        try write("books.json", #"[{"id": 1, "title": "a"}]"#)
        let pipeline = try pipeline().stage(StagedBook.self) { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await store.run(pipeline) }
        #expect(try await store.quarantine(of: StagedBook.self).isEmpty)
    }

    // MARK: What cannot be looked at

    @Test func refusesModelsThatThePipelineDoesNotFill() throws {
        let pipeline = try pipeline()
        let none = #expect(throws: SluiceError.self) { try pipeline.stage(Note.self) { _ in .keep } }
        #expect(none?.code == .notFound && none?.message.contains("`note`") == true)
        let other = #expect(throws: SluiceError.self) { try pipeline.stage(StrictBook.self) { _ in .keep } }
        #expect(other?.code == .definitionDiffers)
    }

    // MARK: Records within others

    private func carts<M: PersistentModel>(_ model: M.Type) throws -> Pipeline {
        try write(
            "carts.yaml",
            """
            version: 1
            name: carts
            source: {base_url: "file:."}
            entities:
              Cart:
                table: carts
                primary_key: [id]
                fields: {id: int, note: string, buyer: {ref: Buyer, from: buyer, required: true}}
              Buyer: {table: buyers, primary_key: [id], fields: {id: int, name: {type: string, required: true}}}
            streams: [{name: carts, entity: Cart, path: carts.json}]
            """)
        return try Pipeline(contentsOf: folder.path + "/carts.yaml", models: model)
    }

    struct Held: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let look: @Sendable (inout StagedCart) -> Void
        /// The property that has other records; nil where the record is merged.
        var property: String?
    }

    static let held = [
        Held(testDescription: "nothing", look: { _ in }),
        Held(testDescription: "another value", look: { $0.note = "m" }),
        Held(testDescription: "none, as before", look: { ($0.buyer, $0.items) = (nil, []) }),
        Held(
            testDescription: "a record", look: { $0.buyer = StagedBuyer(id: 8, name: "Cy") }, property: "buyer"),
        Held(
            testDescription: "the source's own record", look: { $0.buyer = StagedBuyer(id: 7, name: "Ann") },
            property: "buyer"),
        Held(
            testDescription: "a list", look: { $0.items = [StagedItem(id: 1)] }, property: "items"),
        Held(
            testDescription: "a record and a value",
            look: { ($0.note, $0.buyer) = ("m", StagedBuyer(id: 8, name: "Cy")) }, property: "buyer"),
    ]

    /// A run takes records within others from the source: a closure does not see them, and what it makes of them keeps the record
    /// aside.
    @Test(arguments: held) func leavesRecordsWithinOthersToTheSource(_ item: Held) async throws {
        try write("carts.json", #"[{"id": 1, "note": "n", "buyer": {"id": 7, "name": "Ann"}}]"#)
        let store = try Store(folder.path + "/carts.db", models: StagedCart.self)
        let pipeline = try carts(StagedCart.self).stage(StagedCart.self) { cart in
            if cart.buyer != nil || !cart.items.isEmpty { return .quarantine("seen") }
            item.look(&cart)
            return .keep
        }
        let report = try await store.run(pipeline)
        let carts = try await store.fetch(StagedCart.all)
        if let property = item.property {
            #expect(report.summary.quarantined == 1 && carts.isEmpty)
            #expect(
                try await store.quarantine(of: StagedCart.self).map(\.message) == [
                    "`\(property)` has other records than before. A run takes the records within others from the source, and no closure changes them."
                ])
        } else {
            #expect(report.summary.insert == 1, "\(report.problems)")
            #expect(carts.map(\.buyer) == [StagedBuyer(id: 7, name: "Ann")] && carts.map(\.items) == [[]])
        }
    }

    /// No value can be made without a record that it needs, which is not there before the run stores it.
    @Test func refusesModelsThatNeedARecordOfTheirOwn() throws {
        let pipeline = try carts(StagedCart.self)
        let error = #expect(throws: SluiceError.self) { try pipeline.stage(NeedyCart.self) { _ in .keep } }
        #expect(error?.code == .refused && error?.field == "buyer", "\(String(describing: error))")
    }
}

@PersistentModel(entity: "Cart", table: "carts") struct StagedCart {
    let id: Int
    var note: String?
    @Relationship(inverse: .none, deleteRule: .nullify) var buyer: StagedBuyer?
    @Relationship(inverse: .none, deleteRule: .cascade) var items: [StagedItem]
}

@PersistentModel(entity: "Cart", table: "carts") private struct NeedyCart {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .deny) var buyer: StagedBuyer
}

@PersistentModel(entity: "Buyer", table: "buyers") struct StagedBuyer: Equatable {
    let id: Int
    var name: String
}

@PersistentModel struct StagedItem: Equatable {
    let id: Int
}

@PersistentModel(entity: "Book", table: "books") struct StagedBook {
    let id: Int
    @Attribute(check: .length(1...)) var title: String
    var price: Decimal?
    var seen: Date?
    var note: String?
    var origin = Origin()
}

@PersistentModel(entity: "Book", table: "books") private struct StrictBook {
    let id: Int
    var title: String
    var price: Decimal
}

@PersistentModel private struct Note {
    let id: Int
    var title: String?
}

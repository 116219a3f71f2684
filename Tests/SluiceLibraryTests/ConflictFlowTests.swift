import Foundation
import Sluice
import Testing

/// From a source's JSON by an edit and a conflict to a decision, and all the way back.
struct ConflictFlowTests {
    @Test func aConflictIsDecidedAndAllIsUndone() async throws {
        let store = try Store.temporary(FlowBook.self)
        let first = #"[{"id":1,"title":"Dune","price":"12.50","author":{"name":"Herbert"}}]"#
        try await store.sync(FlowBook.self, from: first, .init(source: "shop"))
        try await store.update(FlowBook.self, 1) { $0.title = "Dune (1965)" }
        let news = #"[{"id":1,"title":"Dune, a novel","price":"13.90"},{"id":"x"}]"#
        let result = try await store.sync(FlowBook.self, from: news, .init(source: "shop"))
        #expect(result.summary == SyncSummary(conflict: 1, quarantined: 1))
        let conflict = try await store.conflicts(of: FlowBook.self)[0]
        let sides = try #require(try conflict.sides(\.title))
        #expect(sides.base == "Dune" && sides.local == "Dune (1965)" && sides.remote == "Dune, a novel")
        try await store.resolve(conflict, .remote, who: "ann")
        let again = try await store.sync(
            FlowBook.self, from: #"[{"id":1,"title":"Dune, a novel","price":"13.90"}]"#, .init(source: "shop"))
        #expect(again.summary == SyncSummary(unchanged: 1))
        try await store.undo(run: try await store.history()[1].id)
        #expect(try await store.find(FlowBook.self, 1).title == "Dune (1965)")
        try await store.undo(run: try #require(result.run))
        let book = try await store.find(FlowBook.self, 1)
        #expect(book.title == "Dune (1965)" && book.price == Decimal(string: "12.50") && book.author == "Herbert")
    }

    /// No value is a value of an optional property, and not the same as what nobody knows.
    @Test func sidesOfAnOptionalProperty() async throws {
        let store = try Store.temporary(FlowBook.self)
        try await store.sync(FlowBook.self, from: #"[{"id":1,"title":"Dune","price":"12.50"}]"#, .init(source: "shop"))
        try await store.update(FlowBook.self, 1) { $0.price = nil }
        try await store.sync(FlowBook.self, from: #"[{"id":1,"title":"Dune","price":"13.90"}]"#, .init(source: "shop"))
        let conflict = try #require(try await store.conflicts(of: FlowBook.self).first)
        let sides = try #require(try conflict.sides(\.price))
        #expect(conflict.kind == .clearEdit && sides.local == .some(nil))
        #expect(sides.base == Decimal(string: "12.50") && sides.remote == Decimal(string: "13.90"))
    }
}

@PersistentModel(names: .snakeCase)
private struct FlowBook: Codable {
    let id: Int
    var title: String
    var price: Decimal?
    @Attribute(json: "author.name") var author: String?
    var origin = Origin()
}

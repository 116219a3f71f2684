// JSON from a source, an edit by a person, and a decision: who wins, and what is undone.
import Checking
import Foundation
import Sluice

@PersistentModel(names: .snakeCase)
struct Book: Codable {
    let id: Int
    var title: String
    var price: Decimal?
    @Attribute(json: "author.name") var author: String?
    var origin = Origin()
}

@main enum ConflictProgram {
    static func main() async throws {
        let store = try Store.temporary(Book.self)
        let first = #"[{"id":1,"title":"Dune","price":"12.50","author":{"name":"Herbert"}}]"#
        try await store.sync(Book.self, from: first, .init(source: "shop"))
        try await store.update(Book.self, 1) { $0.title = "Dune (1965)" }

        let news = #"[{"id":1,"title":"Dune, a novel","price":"13.90"},{"id":"x"}]"#
        let result = try await store.sync(Book.self, from: news, .init(source: "shop"))
        check(result.summary == SyncSummary(conflict: 1, quarantined: 1), "one conflict, one record kept aside")

        let book = try await store.find(Book.self, 1)
        check(book.title == "Dune (1965)", "the person's title stays")
        check(book.price == Decimal(string: "13.90"), "the source's price is taken")
        check(book.author == "Herbert", "and what is absent says nothing")

        let conflict = try await store.conflicts(of: Book.self)[0]
        let sides = try conflict.sides(\.title)
        check(sides?.base == "Dune" && sides?.remote == "Dune, a novel", "the conflict has three sides")
        check(sides?.local == "Dune (1965)", "and one of them is the person's")
        try await store.resolve(conflict, .remote, who: "ann")
        let again = try await store.sync(
            Book.self, from: #"[{"id":1,"title":"Dune, a novel","price":"13.90"}]"#, .init(source: "shop"))
        check(again.summary == SyncSummary(unchanged: 1), "what was decided is no news")

        let undo = try await store.undo(run: try await store.history()[1].id)
        check(undo.run != nil, "the decision is undone")
        check(try await store.find(Book.self, 1).title == "Dune (1965)", "and the person's title is back")
        if let run = result.run { try await store.undo(run: run) }
        check(try await store.find(Book.self, 1).price == Decimal(string: "12.50"), "a sync is undone as well")
    }
}

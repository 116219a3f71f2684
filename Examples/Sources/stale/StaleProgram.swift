// A value that was read before a sync does not take the sync back.
import Checking
import Foundation
import Sluice

@PersistentModel
struct Book {
    let id: Int
    var title: String
    var price: Decimal?
    var origin = Origin()
}

@main enum StaleProgram {
    static func main() async throws {
        let store = try Store.temporary(Book.self)
        try await store.sync(Book.self, from: #"[{"id":1,"title":"A","price":"1"}]"#, .init(source: "shop"))
        var mine = try await store.find(Book.self, 1)
        let news = #"[{"id":1,"title":"A","price":"2"}]"#
        try await store.sync(Book.self, from: news, .init(source: "shop"))
        mine.title = "B"
        try await store.save(&mine)
        check(try await store.find(Book.self, 1).price == 2, "the sync's price stands")
        let again = try await store.sync(Book.self, from: news, .init(source: "shop"))
        check(again.summary == SyncSummary(unchanged: 1), "and it is no edit")

        mine.price = 9
        try await store.update(Book.self, 1) { $0.price = 3 }
        do {
            try await store.save(&mine)
            check(false, "what both changed is noticed")
        } catch let error as SluiceError {
            check(error.code == .stale && error.field == "price", "what both changed is noticed")
        }
    }
}

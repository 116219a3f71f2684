import Foundation
import Sluice
import Testing

struct QueryTests {
    private func store() async throws -> Store {
        let store = try Store.temporary(Book.self)
        let prices: [String?] = ["2", "10", "9.5", nil, "1e1", "-3"]
        var books = prices.enumerated().map { index, price in
            Book(
                id: index + 1, title: ["Dune", "dünn", "Emma", "Émile", "DUNE II", "x"][index], pageCount: nil,
                kind: index % 2 == 0 ? .novel : .essay, price: nil, settings: nil, color: nil)
        }
        try await store.save(&books)
        for (index, price) in prices.enumerated() {
            guard let price else { continue }
            let id = index + 1
            try await store.write { try $0.execute("UPDATE \(Book.self) SET price = \(price) WHERE id = \(id)") }
        }
        return store
    }

    /// Decimals are texts, and compare as numbers.
    @Test func comparesByValue() async throws {
        let store = try await store()
        func ids(_ query: Query<Book>) async throws -> [Int] { try await store.fetch(query).map(\.id) }
        #expect(try await ids(Book.where { $0.price > 9 }) == [2, 3, 5])
        #expect(try await ids(Book.where { $0.price == 10 }) == [2, 5])
        #expect(try await ids(Book.where { $0.price != 10 }) == [1, 3, 4, 6])
        #expect(try await ids(Book.where { $0.price == nil }) == [4])
        #expect(try await ids(Book.order(by: \.price)) == [4, 6, 1, 3, 2, 5])
        #expect(try await ids(Book.order(by: \.price, .descending).limit(2)) == [2, 5])
        #expect(try await ids(Book.where { $0.kind == .essay && !($0.price < 5) }) == [2, 4])
        #expect(try await ids(Book.where { $0.kind.in([.novel]) || $0.id == 6 }.limit(2, offset: 1)) == [3, 5])
    }

    /// The first of a query's records and whether it has any are of those that it is limited to.
    @Test(arguments: [(20, 0), (2, 3), (2, 5), (2, 6), (1, 100), (0, 0)])
    func theFirstIsOfThoseItIsLimitedTo(_ limit: Int, _ offset: Int) async throws {
        let store = try await store()
        let query = Book.order(by: \.id).limit(limit, offset: offset)
        let all = try await store.fetch(query)
        #expect(try await store.first(query)?.id == all.first?.id)
        #expect(try await store.exists(query) == !all.isEmpty)
        #expect(try await store.count(query) == all.count)
    }

    @Test func comparesTexts() async throws {
        let store = try await store()
        func ids(_ query: Query<Book>) async throws -> [Int] { try await store.fetch(query).map(\.id) }
        #expect(try await ids(Book.where { $0.title.contains("dun") }) == [1, 5])
        #expect(try await ids(Book.where { $0.title.contains("DÜN") }) == [2])
        #expect(try await ids(Book.where { $0.title.contains("dun", caseSensitive: true) }) == [])
        #expect(try await ids(Book.where { $0.title.hasPrefix("Du") }) == [1])
        #expect(try await ids(Book.where { $0.title.hasSuffix("le") }) == [4])
        #expect(try await ids(Book.where { $0.title.hasPrefix("100%") }) == [])
    }

    @Test func comparesPatterns() async throws {
        let store = try await store()
        func ids(_ pattern: String) async throws -> [Int] {
            try await store.fetch(Book.where { $0.title.like(pattern) }).map(\.id)
        }
        #expect(try await ids("dun%") == [1, 5])
        #expect(try await ids("_") == [6])
        #expect(try await ids(#"\_"#) == [])
        #expect(try await ids("%'%") == [])
    }

    @Test func ordersTexts() async throws {
        let store = try Store.temporary(Note.self)
        for text in ["b", "A", "Ä", "a", "B", "ä"] {
            var note = Note(text: text)
            try await store.save(&note)
        }
        func texts(_ order: QueryOrder) async throws -> String {
            try await store.fetch(Note.order(by: \.text, order)).map(\.text).joined()
        }
        #expect(try await texts(.ascending) == "ABabÄä")
        #expect(try await texts(.descending) == "äÄbaBA")
        #expect(try await texts(.ascending(.caseInsensitive)) == "AabBÄä")
        #expect(try await texts(.descending(.caseInsensitive)) == "ÄäbBAa")
    }

    @Test func looksIntoJSON() async throws {
        let store = try await store()
        for (id, json) in [(1, #"{"retries":3}"#), (2, #"{"retries":4,"a":{"b":["x","y"]}}"#), (3, "{"), (4, "[true]")]
        {
            try await store.write { try $0.execute("UPDATE \(Book.self) SET settings = \(json) WHERE id = \(id)") }
        }
        func ids(_ query: Query<Book>) async throws -> [Int] {
            try await store.value(query.select { $0.id.countDistinct() }) == 0
                ? [] : try await store.fetch(query.select { ($0.id, $0.title) }).map(\.0)
        }
        #expect(try await ids(Book.where { $0.settings.json("retries") == 3 }) == [1])
        #expect(try await ids(Book.where { $0.settings.json("retries") > 3 }) == [2])
        #expect(try await ids(Book.where { $0.settings.json("a.b[1]") == "y" }) == [2])
        #expect(try await ids(Book.where { $0.settings.json("retries", as: Int.self).isNil }) == [3, 4, 5, 6])
        #expect(try await ids(Book.where { $0.settings.json("') OR 1 --") == 1 }) == [])
        let error = await #expect(throws: SluiceError.self) {
            try await store.count(Book.where { $0.settings.json("a[") == 1 })
        }
        #expect(error?.code == .invalidSQL)
    }

    @Test func countsAndLooks() async throws {
        let store = try await store()
        try await store.read { reader throws in
            #expect(try reader.count(Book.where { $0.price > 9 }) == 3)
            #expect(try reader.count(Book.where { $0.price > 9 }.limit(2)) == 2)
            #expect(try reader.exists(Book.where { $0.title == "Emma" }))
            #expect(try !reader.exists(Book.where { $0.title == "Ema" }))
            #expect(try reader.first(Book.order(by: \.title, .descending))?.title == "Émile")
        }
    }

    @Test func looksUpByTheIndex() async throws {
        let store = try await store()
        let sql = Book.where { $0.id == 3 }.sql
        let plan = try await store.rows(
            SQL(unchecked: "EXPLAIN QUERY PLAN " + sql.replacingOccurrences(of: "?", with: "3")))
        #expect(plan.first?["detail"].map { "\($0)" }?.contains("SEARCH") == true)
    }

    @Test func bindsValuesAndQuotesNames() async throws {
        let query = Book.where { $0.title == "x'; DROP TABLE books; --" }
        #expect(!query.sql.contains("DROP") && query.sql.contains("\"page_count\""))
        let store = try await store()
        #expect(try await store.count(query) == 0)
        #expect(Book.path.pageCount.raw == "page_count")
    }

    @Test func readersEnd() async throws {
        let store = try await store()
        nonisolated(unsafe) var kept: Reader?
        try await store.read { unsafe kept = $0 }
        let reader = try unsafe #require(kept)
        let error = #expect(throws: SluiceError.self) { try reader.count(Book.all) }
        #expect(error?.code == .ended)
    }
}

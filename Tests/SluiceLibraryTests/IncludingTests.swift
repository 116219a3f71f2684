import Foundation
import Sluice
import Testing

struct IncludingTests {
    private func company() async throws -> Store {
        let store = try Store.temporary(Shop.self)
        try await store.write { tx in
            for id in 1...3 {
                var shop = Shop(id: id, name: "S\(id)", employees: [])
                try tx.save(&shop)
            }
            for id in 1...9 {
                var employee = Employee(
                    id: id, name: "E\(id)", shop: id == 9 ? nil : Ref((id % 2) + 1), boss: nil, reports: [])
                try tx.save(&employee)
            }
        }
        return store
    }

    @Test func bringsReferencesAlong() async throws {
        let store = try await company()
        let all = try await store.fetch(Employee.all.including(\.shop, \.boss))
        #expect(all.map { $0.shop?.value?.name } == ["S2", "S1", "S2", "S1", "S2", "S1", "S2", "S1", nil])
        // Nobody asked for what those lead to.
        #expect(try await store.fetch(Employee.all).allSatisfy { $0.shop?.value == nil })
    }

    @Test func bringsMembersAlong() async throws {
        let store = try await company()
        let shops = try await store.fetch(Shop.including(\.employees))
        #expect(shops.map { $0.employees.values?.map(\.id) } == [[2, 4, 6, 8], [1, 3, 5, 7], []])
        #expect(shops[0].employees.values?.first?.shop?.key == 1)
    }

    @Test func bringsPairsAlong() async throws {
        let store = try Store.temporary(Article.self)
        try await store.write { tx in
            var (swift, sql) = (Tag(word: "swift", articles: []), Tag(word: "sql \"x\"", articles: []))
            try tx.save(&swift)
            try tx.save(&sql)
            var first = Article(id: 1, title: "A", tags: ["swift", "sql \"x\""])
            var second = Article(id: 2, title: "B", tags: ["swift"])
            try tx.save(&first)
            try tx.save(&second)
        }
        let articles = try await store.fetch(Article.including(\.tags))
        #expect(articles.map { $0.tags.values?.map(\.word) } == [["sql \"x\"", "swift"], ["swift"]])
        let tags = try await store.fetch(Tag.including(\.articles))
        #expect(tags.map { $0.articles.values?.map(\.title) } == [["A"], ["A", "B"]])
    }

    @Test func leavesWhatIsSavedAsItIs() async throws {
        let store = try await company()
        var shop = try #require(try await store.fetch(Shop.including(\.employees)).first)
        shop.name = "new"
        try await store.save(&shop)
        #expect(try await store.fetch(Employee.where { $0.shop == 1 }).count == 4)
    }
}

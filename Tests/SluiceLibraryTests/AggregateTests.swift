import Foundation
import Sluice
import TestSupport
import Testing

struct AggregateTests {
    private func shelf() async throws -> Store {
        let store = try Store.temporary(Book.self)
        try await store.write { tx in
            let prices: [Decimal?] = [Decimal(string: "0.10"), Decimal(string: "0.20"), nil, Decimal(string: "-3")]
            for (index, price) in prices.enumerated() {
                var book = Book(
                    id: index + 1, title: "T\(index)", pageCount: index == 2 ? nil : 100 * (index + 1),
                    kind: index == 3 ? .essay : .novel, price: price, settings: nil, color: nil)
                try tx.insert(&book)
            }
        }
        return store
    }

    @Test func summarisesAllRecords() async throws {
        let store = try await shelf()
        #expect(try await store.value(Book.select { $0.price.sum() }) == Decimal(string: "-2.70"))
        #expect(try await store.value(Book.select { $0.price.min() }) == Decimal(-3))
        #expect(try await store.value(Book.select { $0.price.max() }) == Decimal(string: "0.2"))
        #expect(try await store.value(Book.select { $0.price.average() }) == Decimal(string: "-0.9"))
        #expect(try await store.value(Book.select { $0.pageCount.sum() }) == 700)
        #expect(try await store.value(Book.select { $0.pageCount.average() }) == 700.0 / 3)
        #expect(try await store.value(Book.select { $0.id.max() }) == 4)
        #expect(try await store.value(Book.select { $0.pageCount.count() }) == 3)
        #expect(try await store.value(Book.select { $0.kind.countDistinct() }) == 2)
        #expect(try await store.value(Book.where { $0.id > 9 }.select { $0.price.sum() }) == nil)
        #expect(try await store.value(Book.where { $0.id > 9 }.select { $0.count() }) == 0)
        let titles = try await store.value(Book.where { $0.id < 3 }.select { $0.title.joined(separator: "', ") })
        #expect(titles.map { $0.components(separatedBy: "', ").sorted() } == ["T0", "T1"])
        #expect(try await store.value(Book.where { $0.id > 9 }.select { $0.title.joined(separator: ",") }) == nil)
        // What is limited are records.
        let firstTwo = Book.order(by: \.id).limit(2).select { $0.price.sum() }
        #expect(try await store.value(firstTwo) == Decimal(string: "0.3"))
    }

    @Test func summarisesGroups() async throws {
        let store = try await shelf()
        let groups = try await store.fetch(Book.group(by: \.kind) { ($0.kind, $0.count(), $0.price.sum()) })
        #expect(groups.map(\.0) == [.essay, .novel] && groups.map(\.1) == [1, 3])
        #expect(groups.map(\.2) == [Decimal(-3), Decimal(string: "0.3")])
        let large = Book.group(by: \.kind) { ($0.kind, $0.count()) }.having { $0.count() > 1 }
        #expect(try await store.fetch(large).map(\.0) == [.novel])
        #expect(large.sql.contains("HAVING"))
    }

    @Test func selectsProperties() async throws {
        let store = try await shelf()
        let rows = try await store.fetch(
            Book.where { $0.id < 3 }.order(by: \.id, .descending).select { ($0.title, $0.pageCount) })
        #expect(rows.map(\.0) == ["T1", "T0"] && rows.map(\.1) == [200, 100])
        let error = await #expect(throws: SluiceError.self) {
            try await store.write { try $0.execute("UPDATE books SET kind = 'poem' WHERE id = 1") }
            _ = try await store.fetch(Book.select { ($0.kind, $0.id) })
        }
        #expect(error?.code == .unbox)
    }

    @Test func selectsThroughReferences() async throws {
        let store = try Store.temporary(Employee.self)
        try await store.write { tx in
            var shop = Shop(id: 1, name: "Carpets", employees: [])
            var ann = Employee(id: 1, name: "Ann", shop: Ref(1), boss: nil, reports: [])
            var bob = Employee(id: 2, name: "Bob", shop: nil, boss: Ref(1), reports: [])
            try tx.save(&shop)
            try tx.save(&ann)
            try tx.save(&bob)
        }
        // What leads nowhere has no value.
        let rows = try await store.fetch(Employee.order(by: \.id).select { ($0.name, $0.shop.name, $0.boss.shop.name) })
        #expect(rows.map(\.1) == ["Carpets", nil] && rows.map(\.2) == [nil, "Carpets"])
        let groups = try await store.fetch(Employee.group(by: \.shop.name) { ($0.shop.name, $0.count()) })
        #expect(groups.map(\.0) == [nil, "Carpets"] && groups.map(\.1) == [1, 1])
        func ids(_ condition: (Employee.Paths) -> Condition<Employee>) async throws -> [Int] {
            try await store.fetch(Employee.where(condition)).map(\.id)
        }
        let names = ["Carpets", "Rugs"]
        #expect(try await ids { $0.shop.name.in(names) } == [1])
        #expect(try await ids { $0.shop.name != "Carpets" } == [2])
        #expect(try await ids { $0.boss.name == $0.name } == [])
        #expect(try await ids { $0.name != $0.boss.name } == [1, 2])
        #expect(try await ids { $0.shop.name.between("A"..."D") } == [1])
    }

    /// Sums of many numbers are what adding them by hand gives, whatever their digits.
    @Test func sumsDecimalsExactly() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("AggregateTests.sumsDecimalsExactly: seed \(seed)")
        var chance = SeededGenerator(seed: seed)
        let store = try Store.temporary(Book.self)
        var cents: Int = 0
        let numbers = (1...500).map { _ in Int.random(in: -1_000_000_000_000...1_000_000_000_000, using: &chance) }
        try await store.write { tx in
            for (index, number) in numbers.enumerated() {
                var book = Book(
                    id: index, title: "", pageCount: nil, kind: .novel,
                    price: Decimal(number) / 1000, settings: nil, color: nil)
                try tx.insert(&book)
            }
        }
        for number in numbers { cents += number }
        #expect(try await store.value(Book.select { $0.price.sum() }) == Decimal(cents) / 1000)
    }
}

import Foundation
import Sluice
import Testing

/// Lists of values are one value of a statement, however long they are.
struct ValueListTests {
    private func store() async throws -> Store {
        let store = try Store.temporary(Sample.self, Rate.self, Blob.self)
        var samples = (0..<10).map { number in
            Sample(
                id: number, word: "w\(number)", weight: Double(number) / 10, price: Decimal(number) / 2,
                at: Date(timeIntervalSince1970: Double(number)), raw: [UInt8(number), 0])
        }
        samples[9] = Sample(id: 9, word: "a\0b", weight: nil, price: nil, at: nil, raw: nil)
        try await store.save(&samples)
        return store
    }

    private func ids(_ store: Store, _ body: (Sample.Paths) -> Condition<Sample>) async throws -> [Int] {
        try await store.fetch(Sample.where(body)).map(\.id)
    }

    @Test(arguments: [0, 1, 990, 1_001, 40_000]) func takeAnyNumber(_ more: Int) async throws {
        let store = try await store()
        let numbers = [3, 5] + (0..<more).map { 1_000 + $0 }
        #expect(try await ids(store) { $0.id.in(numbers) } == [3, 5])
        #expect(try await ids(store) { !$0.id.in(numbers) } == [0, 1, 2, 4, 6, 7, 8, 9])
        #expect(try await ids(store) { $0.word.in(numbers.map { "w\($0)" }) } == [3, 5])
        #expect(try await ids(store) { $0.word.in(["a\0b"] + numbers.map { "w\($0)" }) } == [3, 5, 9])
        let weights = [0.3, 0.7] + (0..<more).map { 1 + Double($0) / 7 }
        #expect(try await ids(store) { $0.weight.in(weights) } == [3, 7])
    }

    @Test func compareAsValuesDo() async throws {
        let store = try await store()
        #expect(try await ids(store) { $0.id.in([Int]()) } == [])
        #expect(try await ids(store) { $0.id.in([Int.max, Int.min, 4]) } == [4])
        #expect(try await ids(store) { $0.weight.in([nil, 0.3]) } == [3, 9])
        #expect(try await ids(store) { $0.weight.in([Double?.none]) } == [9])
        #expect(try await ids(store) { $0.raw.in([[2, 0], [7, 0], []]) } == [2, 7])
        #expect(try await ids(store) { $0.word.in(["\"'\\", "a", "a\0c", "w1\u{0301}"]) } == [])
        #expect(try await ids(store) { $0.at.in([Date(timeIntervalSince1970: 6)]) } == [6])
        // Another spelling of the same number.
        try await store.write { try $0.execute("UPDATE samples SET price = '1.50' WHERE id = 3") }
        #expect(try await ids(store) { $0.price.in([Decimal(3) / 2, 2]) } == [3, 4])
        #expect(try await store.plan(of: Sample.where { $0.id.in([1, 2, 3]) }).usesIndex)
        #expect(try await !store.plan(of: Sample.where { $0.word.in(["a", "b"]) }).usesIndex)
    }

    @Test func areKeysOfAnyType() async throws {
        let store = try await store()
        try await store.write { tx in
            var rates = [Rate(id: 0.1, name: "a"), Rate(id: 0.2, name: "b")]
            try tx.insert(&rates)
            var blobs = [Blob(id: [1, 2], rate: Ref(0.1)), Blob(id: [3], rate: Ref(0.2))]
            try tx.insert(&blobs)
        }
        #expect(try await store.find(Rate.self, [0.1, 0.3]).mapValues(\.name) == [0.1: "a"])
        #expect(try await store.find(Blob.self, [[3], [4]]).keys.sorted { $0.count < $1.count } == [[3]])
        let blobs = try await store.fetch(Blob.including(\.rate))
        #expect(blobs.map { $0.rate?.value?.name } == ["a", "b"])
    }
}

@PersistentModel(table: "samples") private struct Sample {
    let id: Int
    var word: String
    var weight: Double?
    var price: Decimal?
    var at: Date?
    var raw: [UInt8]?
}

@PersistentModel private struct Rate {
    let id: Double
    var name: String
}

@PersistentModel private struct Blob {
    let id: [UInt8]
    @Relationship(inverse: .none, deleteRule: .nullify) var rate: Ref<Rate>?
}

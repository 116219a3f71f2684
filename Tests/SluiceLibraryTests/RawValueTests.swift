import Sluice
import Testing

/// Properties that are stored as raw values, in conditions.
struct RawValueTests {
    /// A condition, and the goods that it holds for.
    private static let rows: [(name: String, condition: Condition<Good>, ids: [Int])] = [
        ("is", Good.path.size == .small, [1, 3]),
        ("is not", Good.path.size != .small, [2]),
        ("is one of", Good.path.size.in([.small, .large]), [1, 2, 3]),
        ("is none of none", Good.path.size.in([]), []),
        ("is, and may be nil", Good.path.other == .large, [1]),
        ("is not, and may be nil", Good.path.other != .large, [2, 3]),
        ("is nil", Good.path.other == nil, [2, 3]),
        ("is a variable that is nil", Good.path.other == Optional<Size>.none, [2, 3]),
        ("is one of, and may be nil", Good.path.other.in([Size.large]), [1]),
        ("through a reference", Good.path.next.size == .large, [1]),
        ("what is a stored value as well is compared as one", Good.path.kind == .essay, [2]),
        ("a raw value that is a number", Good.path.level == .high, [3]),
    ]

    private func store() async throws -> Store {
        let store = try Store.temporary(Good.self)
        var goods = [
            Good(id: 1, size: .small, other: .large, coded: .small, kind: .novel, level: .low, next: Ref(2)),
            Good(id: 2, size: .large, other: nil, coded: nil, kind: .essay, level: .low, next: nil),
            Good(id: 3, size: .small, other: nil, coded: nil, kind: .novel, level: .high, next: nil),
        ]
        try await store.save(&goods)
        return store
    }

    @Test func areCompared() async throws {
        let store = try await store()
        for (name, condition, ids) in Self.rows {
            let found = try await store.fetch(Good.where { _ in condition }.order(by: \.id)).map(\.id)
            #expect(found == ids, "\(name)")
        }
    }

    /// What `Codable` makes of a value is no raw value, though its type has one.
    @Test func areNoneWhereTheColumnHoldsSomethingElse() async throws {
        let store = try await store()
        for condition in [Good.path.coded == .small, Good.path.coded != .small, Good.path.coded.in([Size.small])] {
            let error = await #expect(throws: SluiceError.self) { try await store.count(Good.where { _ in condition }) }
            #expect(error?.code == .box && error?.field == "coded")
        }
        #expect(try await store.count(Good.where { $0.coded.isNil }) == 2)
    }
}

private enum Size: String, Codable { case small, large }

private enum Level: Int { case low, high }

@PersistentModel(table: "goods") private struct Good {
    let id: Int
    @Attribute(storageMethod: .raw) var size: Size
    @Attribute(storageMethod: .raw) var other: Size?
    @Attribute(storageMethod: .codable) var coded: Size?
    var kind: Kind
    @Attribute(storageMethod: .raw) var level: Level
    @Relationship(inverse: .none, deleteRule: .nullify) var next: Ref<Good>?
}

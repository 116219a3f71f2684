import Foundation
import Sluice
import Synchronization
import Testing

/// Values that are decoded by `Decodable`: within other types, and for a closure that looks at each.
struct MappedDecodingTests {
    /// The model is the mapping, also of values that are decoded: names, paths, decimals and times are those of a sync without
    /// a look.
    @Test(arguments: ["mapping", "stage", "upserts"])
    func findsPropertiesWhereTheModelSays(_ way: String) async throws {
        let store = try Store.temporary(MappedSupplier.self)
        let record = #"""
            {"id": 1, "company_name": "Acme", "contact": {"mail": "a@b"}, "is_active": true, "price": "1.10",
             "since": "2026-11-20T09:30:00+01:00", "name": "other"}
            """#
        let options = SyncOptions(source: "shop", mismatch: .throw)
        let page = Array(#"{"items": [\#(record)]}"#.utf8)
        switch way {
        case "mapping": try await store.sync(MappedSupplier.self, from: "[\(record)]", options)
        case "stage": try await store.sync(MappedSupplier.self, from: "[\(record)]", options) { _ in .keep }
        default: try await store.sync(JSONDecoder().decode(MappedPage.self, from: Data(page)).items, options)
        }
        let found = try await store.find(MappedSupplier.self, 1)
        #expect(found.name == "Acme" && found.mail == "a@b" && found.isActive && found.price == Decimal(string: "1.10"))
        #expect(found.since == Date(timeIntervalSince1970: 1_795_163_400))
        // What is absent says nothing, and what does not fit is kept aside.
        let next =
            #"[{"id": 1, "company_name": "Acme 2", "is_active": false, "price": 2}, {"id": 2, "price": "1.10x"}]"#
        let result = try await store.sync(MappedSupplier.self, from: next, .init(source: "shop")) { _ in .keep }
        #expect(result.summary == SyncSummary(update: 1, quarantined: 1), "\(result.quarantined.map(\.message))")
        let second = try await store.find(MappedSupplier.self, 1)
        #expect(second.name == "Acme 2" && second.mail == "a@b" && !second.isActive && second.price == 2)
    }
}

extension MappedDecodingTests {
    /// A decoder that gives names of its own finds what it names so.
    @Test func leavesNamesToTheDecoder() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let json = #"{"items": [{"id": 1, "company_name": "x", "name": "Acme", "is_active": true, "price": 1}]}"#
        let page = try decoder.decode(MappedPage.self, from: Data(json.utf8))
        #expect(page.items.values.map(\.value.isActive) == [true], "\(page.items.failures.map(\.message))")
    }
}

/// What is said of values is known without what the store would keep of them, unless they hold others.
extension MappedDecodingTests {
    @Test(arguments: [("plain", 0), ("holding", 2)])
    func storesNothingBeforeItsTime(_ name: String, _ boxed: Int) throws {
        let json = Data(#"[{"id": 1, "color": 7, "inner": {"id": 2, "color": 8}}]"#.utf8)
        let counter = BoxCounter()
        let properties: Int = try BoxCounter.$current.withValue(counter) {
            switch name {
            case "plain":
                let value = try JSONDecoder().decode(Upserts<PlainPaint>.self, from: json).values[0]
                return value.present == [\.id, \.color] ? value.value.color : -1
            default: return try JSONDecoder().decode(Upserts<HoldingPaint>.self, from: json).values[0].value.color
            }
        }
        #expect(properties == 7)
        #expect(counter.count == boxed)
    }

    /// What the store cannot keep is kept aside like what cannot be decoded, at its place in the list.
    @Test func keepsAsideWhatCannotBeStored() async throws {
        let store = try Store.temporary(PlainPaint.self)
        let json = #"[{"id": 1, "color": 7}, {"id": "x"}, {"id": 3, "color": -1}, {"id": 4, "color": 2}]"#
        let upserts = try JSONDecoder().decode(Upserts<PlainPaint>.self, from: Data(json.utf8))
        #expect(upserts.values.count == 3 && upserts.failures.map(\.index) == [1])
        let result = try await store.sync(upserts, .init(source: "shop"))
        #expect(result.summary == SyncSummary(insert: 2, quarantined: 2), "\(result.problems)")
        let places = try await store.quarantine(of: PlainPaint.self).map(\.json)
        #expect(places.sorted() == [#"{"element":1}"#, #"{"element":2}"#])
        #expect(result.quarantined.contains { $0.message.contains("`color`") }, "\(result.quarantined.map(\.message))")
    }
}

/// Counts the values that are made ready for the store.
private final class BoxCounter: Sendable {
    @TaskLocal static var current: BoxCounter?
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
}

private enum Paint: ValueTransform {
    struct NoPaint: Error {}
    static func stored(_ value: Int) throws -> Int {
        BoxCounter.current?.add()
        if value < 0 { throw NoPaint() }
        return value
    }
    static func value(_ stored: Int) -> Int { stored }
}

@PersistentModel private struct PlainPaint: Decodable {
    let id: Int
    @Attribute(storageMethod: .transformed(Paint.self)) var color: Int
}

@PersistentModel private struct HoldingPaint: Decodable {
    let id: Int
    @Attribute(storageMethod: .transformed(Paint.self)) var color: Int
    @Relationship(inverse: .none, deleteRule: .nullify, json: "inner") var inner: PlainPaint?
}

@PersistentModel(names: .snakeCase) private struct MappedSupplier: Decodable {
    let id: Int
    @Attribute(json: "company_name") var name: String
    @Attribute(json: "contact.mail") var mail: String?
    var isActive: Bool
    var price: Decimal
    var since: Date?
}

private struct MappedPage: Decodable {
    let items: Upserts<MappedSupplier>
}

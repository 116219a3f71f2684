import Foundation
import Sluice
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

import Foundation
import Sluice
import Testing

/// Where within a record the value stands that keeps it aside.
struct MisfitPlaceTests {
    private static let options = SyncOptions(source: "s")

    private static func basket(_ lines: String, _ rest: String = "") -> String {
        #"[{"id": 1, "lines": [\#(lines)]\#(rest)}]"#
    }

    private static let good = #"{"id": 1, "quantity": 1, "kind": "part"}"#

    static let misfits: [(name: String, json: String, pointer: String, message: String)] = [
        (
            "a wrong type", basket(#"\#(good), {"id": 2, "quantity": "x", "kind": "part"}"#), "/lines/1/quantity",
            #"Expected a whole number of 64 bits, found the text "x"."#
        ),
        (
            "a missing key", basket(#"{"id": 2, "kind": "part"}"#), "/lines/0/quantity",
            "The required field `quantity` is missing."
        ),
        (
            "a broken check",
            basket(#"\#(good), \#(good.replacing("1,", with: "3,")), {"id": 4, "quantity": 700, "kind": "part"}"#),
            "/lines/2/quantity", "`quantity` is not within 1...99."
        ),
        (
            "no value of an enum", basket(#"\#(good), {"id": 2, "quantity": 1, "kind": "no"}"#), "/lines/1/kind",
            "`no` is no `BasketKind`: `kind` is one of `part`, `work`."
        ),
        (
            "a list within a list",
            basket(
                #"\#(good), {"id": 2, "quantity": 1, "kind": "part", "marks": [{"id": 1, "text": "abc"}, {"id": 2, "text": ""}]}"#
            ),
            "/lines/1/marks/1/text", "`text` has 0 characters, not 1...3."
        ),
        (
            "of the record itself", basket(good, #", "total": 0"#), "/total", "`total` is not within 1...99."
        ),
        (
            "a record by value", basket(good, #", "first": {"id": 9, "quantity": 0, "kind": "part"}"#),
            "/first/quantity",
            "`quantity` is not within 1...99."
        ),
    ]

    @Test(arguments: misfits.indices) func namesThePlace(_ index: Int) async throws {
        let (name, json, pointer, message) = Self.misfits[index]
        for looks in [false, true] {
            let store = try Store.temporary(MisfitBasket.self)
            let result =
                looks
                ? try await store.sync(MisfitBasket.self, from: json, Self.options) { @Sendable _ in .keep }
                : try await store.sync(MisfitBasket.self, from: json, Self.options)
            let record = try #require(result.quarantined.first, "\(name)")
            #expect(record.pointer == pointer, "\(name)")
            #expect(record.message.hasPrefix(message), "\(name): \(record.message)")
            #expect(record.description.hasPrefix("MisfitBasket 1, `\(pointer)`: "), "\(name)")
            #expect(try await store.count(MisfitBasket.all) == 0, "\(name)")
        }
    }
}

enum BasketKind: String, StoredValue, CaseIterable { case part, work }

@PersistentModel struct MisfitBasket {
    let id: Int
    @Attribute(check: .range(1...99)) var total: Int?
    @Relationship(inverse: .none, deleteRule: .nullify) var first: MisfitLine?
    @Relationship(inverse: .none, deleteRule: .cascade, json: "lines") var lines: [MisfitLine]
}

@PersistentModel struct MisfitLine {
    let id: Int
    @Attribute(check: .range(1...99)) var quantity: Int
    var kind: BasketKind
    @Relationship(inverse: .none, deleteRule: .cascade, json: "marks") var marks: [MisfitMark]
}

@PersistentModel struct MisfitMark {
    let id: Int
    @Attribute(check: .length(1...3)) var text: String
}

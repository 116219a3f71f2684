import SluiceSQLStore
import Testing

/// Which foreign keys of a database say what a reference says, and which say something else.
@Suite("Foreign keys and references") struct ForeignKeyTests {
    /// Foreign keys beside the reference of `(a, b)` to `(x, y)` of `t`.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Columns, target and its columns of each.
        let keys: [(String, String, String)]
        let leads: Bool
        let contradicts: Bool

        init(_ name: String, _ keys: [(String, String, String)], leads: Bool = false, contradicts: Bool = false) {
            (testDescription, self.keys, self.leads, self.contradicts) = (name, keys, leads, contradicts)
        }
    }

    static let cases = [
        Case("none", []),
        Case("the same", [("a b", "t", "x y")], leads: true),
        Case("the same in another order and spelling", [("B A", "T", "y X")], leads: true),
        Case("the identifier of a table that is not there yet", [("a b", "t", "")], leads: true),
        Case("the columns the other way round", [("a b", "t", "y x")], contradicts: true),
        Case("another column", [("a b", "t", "x z")], contradicts: true),
        Case("another table", [("a b", "u", "x y")], contradicts: true),
        Case("another table, and the same", [("a b", "u", "x y"), ("a b", "t", "x y")], leads: true),
        Case("a part of it", [("a", "t", "x")]),
        Case("a part of it to another column", [("a", "t", "z")], contradicts: true),
        Case("a part of it to another table", [("a", "tenants", "id")]),
        Case("more than it", [("a b c", "t", "x y z")]),
        Case("more than it to another column", [("c a", "t", "c id")], contradicts: true),
        Case("other columns", [("c", "t", "z"), ("d e", "u", "x y")]),
    ]

    @Test(arguments: cases) func areTrustedWhereTheyLeadToTheVeryColumns(_ example: Case) {
        func names(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        let keys = example.keys.map {
            SQLForeignKey(columns: names($0.0), target: $0.1, targetColumns: names($0.2))
        }
        #expect(keys.lead(["a", "b"], to: "t", ["x", "y"]) == example.leads)
        #expect((keys.contradiction(of: ["a", "b"], to: "t", ["x", "y"]) != nil) == example.contradicts)
    }
}

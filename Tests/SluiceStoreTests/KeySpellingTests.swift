import SluiceSQLite
import TestSupport
import Testing

@testable import SluiceModel
@testable import SluicePostgresStore
@testable import SluiceSQLiteStore

/// How people write identifiers, and how these are compared.
@Suite("The spelling of identifiers")
struct KeySpellingTests {
    static let others: [(text: String, identifier: String)] = [
        ("4.50", "4.5"), ("4.500", "4.5"), ("10.0", "10"), ("+4", "4"), ("04.5", "4.5"), ("-04.5", "-4.5"),
        (".5", "0.5"),
        ("-.5", "-0.5"), ("5.", "5"), ("-0", "0"), ("0.0", "0"), ("45e-1", "4.5"), ("1E2", "100"),
        ("1.50e60", "1.5e60"), ("1" + String(repeating: "0", count: 45), "1e45"),
    ]

    @Test("Another spelling has the one of an identifier, and is found in a table", arguments: others)
    func other(_ text: String, _ identifier: String) throws {
        #expect(KeySpelling(text, .decimal)?.new == identifier)
        #expect(KeySpelling(identifier, .decimal) == nil)
        let connection = try Connection(path: ":memory:", mode: .temporary)
        #expect(try connection.integer("SELECT \(KeySpelling.mayBeOther("'\(text)'", .decimal) ?? "")") == 1)
    }

    @Test(
        "What is no number, or is written so already, stays",
        arguments: [
            "4.5", "10", "0", "-4.5", "1.5e60", "abc", "4.5.6", "", "-", ".", "--5", "4,50", "4a5", "1e", "0x10",
        ])
    func same(_ text: String) { #expect(KeySpelling(text, .decimal) == nil) }

    @Test(
        "What PostgreSQL gives back has the same spelling",
        arguments: ["4.50", "10.0", "0.000", "-3.10", "7", "1" + String(repeating: "0", count: 45)])
    func ofPostgres(_ text: String) {
        let canonical = PostgresKeyType(.decimal).canonical(FieldValue(text))
        #expect(canonical == FieldValue(KeySpelling(text, .decimal)?.new ?? text))
    }

    private static let uuid = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"

    @Test(
        "A UUID in capital letters or without hyphens is the same",
        arguments: [uuid.uppercased(), uuid.replacing("-", with: ""), uuid.replacing("a", with: "A")])
    func otherUUID(_ text: String) throws {
        #expect(KeySpelling(text, .uuid)?.new == Self.uuid)
        let connection = try Connection(path: ":memory:", mode: .temporary)
        #expect(try connection.integer("SELECT \(KeySpelling.mayBeOther("'\(text)'", .uuid) ?? "")") == 1)
    }

    @Test(
        "What is no UUID, or is written so already, stays", arguments: [uuid, "", "0190A1B2", "X" + uuid.dropFirst()])
    func sameUUID(_ text: String) { #expect(KeySpelling(text, .uuid) == nil) }

    @Test("Other types have one spelling", arguments: FieldType.allCases.filter { ![.decimal, .uuid].contains($0) })
    func otherTypes(_ type: FieldType) {
        #expect(KeySpelling("4.50", type) == nil && KeySpelling.mayBeOther("a", type) == nil)
    }
}

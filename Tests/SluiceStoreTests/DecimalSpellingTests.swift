import SluiceSQLite
import TestSupport
import Testing

@testable import SluiceModel
@testable import SluicePostgresStore
@testable import SluiceSQLiteStore

/// How people write decimals, and how they are written as identifiers.
@Suite("Decimals that identify records")
struct DecimalSpellingTests {
    static let others: [(text: String, identifier: String)] = [
        ("4.50", "4.5"), ("4.500", "4.5"), ("10.0", "10"), ("+4", "4"), ("04.5", "4.5"), ("-04.5", "-4.5"),
        (".5", "0.5"),
        ("-.5", "-0.5"), ("5.", "5"), ("-0", "0"), ("0.0", "0"), ("45e-1", "4.5"), ("1E2", "100"),
        ("1.50e60", "1.5e60"), ("1" + String(repeating: "0", count: 45), "1e45"),
    ]

    @Test("Another spelling has the one of an identifier, and is found in a table", arguments: others)
    func other(_ text: String, _ identifier: String) throws {
        #expect(DecimalSpelling(text)?.new == identifier)
        #expect(DecimalSpelling(identifier) == nil)
        let connection = try Connection(path: ":memory:", mode: .create)
        #expect(try connection.integer("SELECT \(DecimalSpelling.mayBeOther("'\(text)'"))") == 1)
    }

    @Test(
        "What is no number, or is written so already, stays",
        arguments: [
            "4.5", "10", "0", "-4.5", "1.5e60", "abc", "4.5.6", "", "-", ".", "--5", "4,50", "4a5", "1e", "0x10",
        ])
    func same(_ text: String) { #expect(DecimalSpelling(text) == nil) }

    @Test(
        "What PostgreSQL gives back has the same spelling",
        arguments: ["4.50", "10.0", "0.000", "-3.10", "7", "1" + String(repeating: "0", count: 45)])
    func ofPostgres(_ text: String) {
        let canonical = PostgresKeyType(.decimal).canonical(FieldValue(text))
        #expect(canonical == FieldValue(DecimalSpelling(text)?.new ?? text))
    }
}

import SluicePostgres
import TestSupport
import Testing

@Suite("A numeric of PostgreSQL")
struct NumericTests {
    /// Texts, and the same as PostgreSQL writes it.
    static let texts: [(String, String)] = [
        ("0", "0"), ("-0", "0"), ("0.0", "0.0"), ("0.00000", "0.00000"), ("1", "1"), ("-1", "-1"), ("+7", "7"),
        ("007.50", "7.50"), ("9999", "9999"), ("10000", "10000"), ("99999999", "99999999"), ("100000000", "100000000"),
        ("1.0", "1.0"), ("1.00", "1.00"), (".5", "0.5"), ("5.", "5"), ("0.1234", "0.1234"), ("0.00001", "0.00001"),
        ("0.000012345", "0.000012345"), ("-0.00000000012", "-0.00000000012"), ("12345.6789", "12345.6789"),
        ("1e6", "1000000"), ("1.5e3", "1500"), ("1.50e1", "15.0"), ("1E-5", "0.00001"), ("-12.5e-3", "-0.0125"),
        ("120000e-4", "12.0000"), ("0e10", "0"), ("0e-3", "0.000"),
        ("1e131071", "1" + String(repeating: "0", count: 131_071)),
        ("1e-16383", "0." + String(repeating: "0", count: 16_382) + "1"),
        ("12345678901234567890.12345678901234567890", "12345678901234567890.12345678901234567890"),
    ]

    @Test(arguments: texts)
    func aTextIsTheNumberThatPostgreSQLReads(_ text: String, _ written: String) throws {
        let number = try #require(PostgresNumeric(text: Array(text.utf8)))
        #expect(number.text == Array(written.utf8))
        let result = try connected().run(
            "SELECT $1, $1::text, $2::numeric, $2::numeric::text", [.numeric(number), PostgresValue(text)])
        #expect(
            result.values == [[.numeric(number), PostgresValue(written), .numeric(number), PostgresValue(written)]])
    }

    @Test(arguments: [
        "", "-", ".", "e5", "1e", "1e+", "1e5x", "1x", "0x10", "1 ", " 1", "--1", "1.2.3", "1e131072", "1e-16384",
        "1e99999999999999999999", "1e-99999999999999999999", "NaN", "Infinity", "١",
    ])
    func otherTextsAreNil(_ text: String) { #expect(PostgresNumeric(text: Array(text.utf8)) == nil) }

    @Test func scaleIsNoPartOfTheValue() throws {
        let numbers = try ["1.0", "1.00", "1", "10e-1"].map { try #require(PostgresNumeric(text: Array($0.utf8))) }
        for number in numbers { #expect(number.hasValue(of: numbers[0])) }
        #expect(numbers[0] != numbers[1])
        let other = try #require(PostgresNumeric(text: Array("-1".utf8)))
        #expect(!other.hasValue(of: numbers[0]))
    }

    /// Against the server's own reading, in one statement.
    @Test(arguments: [UInt64.random(in: 0...999_999), 3])
    func randomTextsAreTheNumbersThatPostgreSQLReads(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var (numbers, texts) = (PostgresArray(of: .numeric), PostgresArray(of: .text))
        for _ in 0..<2000 {
            func digits(_ count: ClosedRange<Int>) -> String {
                String((0..<Int.random(in: count, using: &random)).map { _ in random.pick(Array("00012389")) })
            }
            var text = (random.chance(50) ? "-" : "") + digits(1...15)
            if random.chance(60) { text += "." + digits(0...15) }
            if random.chance(40) { text += "e\(Int.random(in: -25...25, using: &random))" }
            numbers.append(.numeric(try #require(PostgresNumeric(text: Array(text.utf8)))))
            texts.append(PostgresValue(text))
        }
        var parameters = PostgresParameters()
        parameters.append(numbers)
        parameters.append(texts)
        let result = try connected().run(
            PostgresStatement(
                """
                SELECT text, number::text FROM unnest($1, $2) AS row(number, text)
                WHERE number::text <> text::numeric::text
                """, parameters))
        #expect(result.values == [], "seed \(seed)")
    }
}

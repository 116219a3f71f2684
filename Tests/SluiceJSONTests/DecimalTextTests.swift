import SluiceJSON
import Testing

@Suite struct DecimalTextTests {
    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("0.00", "0"), ("0e999999999999999999999999", "0"),
        ("1", "1"), ("1.0", "1"), ("10e-1", "1"), ("0.1e+1", "1"), ("100E-2", "1"), ("-1.50", "-1.5"),
        ("1500", "1500"), ("1.5e3", "1500"), ("15e2", "1500"), ("0.015", "0.015"), ("1.5E-2", "0.015"),
        ("123456789012345678901234567890.120", "123456789012345678901234567890.12"),
        ("1e39", "1" + String(repeating: "0", count: 39)), ("1e40", "1e40"), ("10e39", "1e40"),
        ("1e-41", "0." + String(repeating: "0", count: 40) + "1"), ("1e-42", "1e-42"), ("0.1e-41", "1e-42"),
        ("12.5e300", "1.25e301"), ("1e999999999", "1e999999999"), ("10e999999999", "1e1000000000"),
        ("1e-999999999", "1e-999999999"), ("0.01e1000000001", "1e999999999"),
        ("1e99999999999999999999", "1e99999999999999999999"), ("10e99999999999999999999", "1e100000000000000000000"),
        ("0.1e100000000000000000000", "1e99999999999999999999"), ("1e00000000000000000000000005", "100000"),
        ("10e-100000000000000000000", "1e-99999999999999999999"), ("1e999999999999999999", "1e999999999999999999"),
        ("100e999999999999999999", "1e1000000000000000001"), ("0.001e1000000000000000002", "1e999999999999999999"),
    ])
    func equalValuesHaveOneText(token: String, expected: String) {
        #expect(DecimalText.normalized(token) == expected)
        #expect(DecimalText.normalized(expected) == expected)
        if expected != "0" {
            let opposite = token.hasPrefix("-") ? String(token.dropFirst()) : "-" + token
            let expectedOpposite = expected.hasPrefix("-") ? String(expected.dropFirst()) : "-" + expected
            #expect(DecimalText.normalized(opposite) == expectedOpposite)
        }
    }

    @Test(arguments: [
        "", "-", "+1", "01", ".5", "1.", "1.e1", "1e", "1e+", " 1", "1 ", "1x", "0x1", "NaN", "--1", "1.2.3", "1e1.5",
    ])
    func whatIsNoNumberIsRefused(text: String) {
        #expect(DecimalText.normalized(text) == nil)
    }

    /// The same value written with the point elsewhere.
    @Test(arguments: UInt64(1)...50)
    func movingThePointChangesNothing(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        let digits = String(random.below(9) + 1) + String(random.below(1_000_000))
        let exponent = random.below(200) - 100
        let expected = DecimalText.normalized("\(digits)e\(exponent)")
        for places in 1..<digits.count {
            let whole = digits.prefix(digits.count - places)
            let fraction = digits.suffix(places)
            #expect(DecimalText.normalized("\(whole).\(fraction)00e\(exponent + places)") == expected)
        }
        let zeros = String(repeating: "0", count: 30)
        #expect(DecimalText.normalized("\(digits)\(zeros)e\(exponent - 30)") == expected)
        #expect(
            DecimalText.normalized("0.\(zeros)\(digits)E+0\(exponent + 30 + digits.count)") == expected
                || exponent + 30 + digits.count < 0)
    }
}

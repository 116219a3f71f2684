import SluiceYAML
import Testing

@Suite struct CoreSchemaTests {
    @Test(arguments: ["", "~", "null", "Null", "NULL"])
    func null(text: String) { #expect(CoreSchema.resolve(text) == .null) }

    @Test(arguments: [
        ("true", true), ("True", true), ("TRUE", true), ("false", false), ("False", false), ("FALSE", false),
    ])
    func bool(text: String, value: Bool) { #expect(CoreSchema.resolve(text) == .bool(value)) }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("+12", 12), ("007", 7), ("0o17", 15), ("0xfF", 255), ("9223372036854775807", Int.max),
        ("-9223372036854775808", Int.min),
    ])
    func int(text: String, value: Int) { #expect(CoreSchema.resolve(text) == .int(value)) }

    @Test(arguments: [
        ("1.5", 1.5), (".5", 0.5), ("1.", 1), ("-1e3", -1000), ("+.5E-1", 0.05), ("9223372036854775808", 0x1p63),
        (".inf", .infinity), ("-.INF", -.infinity), ("+.Inf", .infinity), ("0xffffffffffffffff", 0x1p64),
        ("1e400", .infinity),
        ("0o10000000000000000000000", 0x1p66),
    ])
    func double(text: String, value: Double) { #expect(CoreSchema.resolve(text) == .double(value)) }

    @Test(arguments: [".nan", ".NaN", ".NAN"])
    func notANumber(text: String) {
        guard case .double(let value) = CoreSchema.resolve(text) else {
            Issue.record("expected a number type")
            return
        }
        #expect(value.isNaN)
    }

    @Test(arguments: [
        "yes", "no", "on", "off", "y", "n", "tRUE", "nULL", "nan", "inf", ".iNF", "+.nan", "1_000", "1:30", "0b1",
        "0o8",
        "0xg", "0x", "0o", "+0x1", "-", "+", ".", "-.", "e3", "1e", "1e+", "1.5.5", "1 ", "2024-01-01", "0o-1", "٣",
        "1e3f", "infinity", "0x1p3", "<<", "=",
    ])
    func text(text: String) { #expect(CoreSchema.resolve(text) == .string) }
}

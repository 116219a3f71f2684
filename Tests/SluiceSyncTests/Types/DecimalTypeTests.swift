import SluiceModel
import SluicePipeline
import Testing

/// What a `decimal` takes: a number as JSON writes it, or a text that is one. No digit is lost, and what is equal by
/// value is equal.
@Suite struct DecimalTypeTests {
    private static let expected = "Expected a decimal number"
    private static let long = "123456789012345678901234567890.123456789012345678901234567890"

    static let cases: [TypeCase] = [
        .takes("a fraction", "1.5", "1.5"), .takes("a fraction as text", #""1.5""#, "1.5"),
        .takes("zeros at the end stay", "9.50", "9.50"), .takes("and as text", #""9.50""#, "9.50"),
        .takes("a whole number", "12", "12"), .takes("less than zero", "-12.30", "-12.30"),
        .takes("zero", "0", "0"), .takes("zero with digits", "0.00", "0.00"),
        .takes("zero below zero", "-0", "0"), .takes("zero below zero with digits", #""-0.00""#, "0"),
        .takes("beyond the digits of a double", "9007199254740993", "9007199254740993"),
        .takes("a tenth stays a tenth", "0.1", "0.1"), .takes("sixty digits", long, long),
        .takes("sixty digits as text", "\"\(long)\"", long),
        .takes("an exponent is written out", "1e3", "1000"), .takes("with a sign", "1E+3", "1000"),
        .takes("below zero", "25e-1", "2.5"), .takes("with a fraction", "-1.25E2", "-125"),
        .takes("as text", #""0.1e-7""#, "0.00000001"),
        .takes("an exponent of nothing", "1.50e0", "1.5"), .takes("zero with an exponent", "0e9", "0"),
        .takes("an exponent of forty", "1e39", "1" + String(repeating: "0", count: 39)),
        .takes("an exponent that would be long", "15e299", "1.5e300"),
        .takes("and one below zero", "1.5e-300", "1.5e-300"),
        .takes("an exponent beyond every double", "1e400", "1e400"),
        .takes("an exponent beyond every integer", "1e99999999999999999999", "1e99999999999999999999"),
        .refuses("empty", #""""#, expected), .refuses("a comma", #""1,5""#, expected),
        .refuses("thousands", #""1,000.00""#, expected),
        .refuses("an underline", #""1_000""#, expected), .refuses("a plus", #""+1.5""#, expected),
        .refuses("no whole part", #"".5""#, expected),
        .refuses("no fraction", #""5.""#, expected), .refuses("no exponent", #""1e""#, expected),
        .refuses("half an exponent", #""1e+""#, expected),
        .refuses("a zero before it", #""007""#, expected), .refuses("a blank before it", #"" 1.5""#, expected),
        .refuses("a blank behind it", #""1.5 ""#, expected),
        .refuses("a currency", #""€1.50""#, expected), .refuses("a percentage", #""15%""#, expected),
        .refuses("hexadecimal", #""0x10""#, expected),
        .refuses("not a number", #""NaN""#, expected), .refuses("infinity", #""Infinity""#, expected),
        .refuses("digits of another script", #""١٢""#, expected),
        .refuses("two points", #""1.2.3""#, expected), .refuses("a truth value", "false", expected),
        .refuses("an object", #"{"amount":1}"#, expected),
        .refuses("a list", "[1.5]", expected),
    ]

    @Test(arguments: cases)
    func aDecimalLosesNothing(item: TypeCase) throws { try item.check(field("v", .decimal)) }

    /// A key has one spelling for each value, so that SQL finds it.
    @Test(arguments: [
        TypeCase.takes("zeros at the end", "1.50", "1.5"), .takes("a whole number with a point", #""1.0""#, "1"),
        .takes("an exponent", "15e-1", "1.5"), .takes("zero", "-0.0", "0"),
    ])
    func aKeyIsInItsShortestForm(item: TypeCase) throws { try item.check(field("v", .decimal), isKey: true) }

    @Test(arguments: [
        TypePair("1.10", "1.1", isEqual: true), TypePair("1.10", #""11e-1""#, isEqual: true),
        TypePair("0.1e-7", "1E-8", isEqual: true),
        TypePair("-0", "0.00", isEqual: true), TypePair("1e400", #""10e399""#, isEqual: true),
        TypePair("1.10", "1.11", isEqual: false),
        TypePair("1", "-1", isEqual: false), TypePair("1e400", "1e401", isEqual: false),
        TypePair("123456789012345678901234567890.10", "123456789012345678901234567890.1", isEqual: true),
        TypePair("123456789012345678901234567890.1", "123456789012345678901234567890.2", isEqual: false),
        TypePair("0.1", "0.1000000000000000055511151231257827", isEqual: false),
    ])
    func whatIsEqualByValueIsEqual(pair: TypePair) throws { try pair.check(field("v", .decimal)) }
}

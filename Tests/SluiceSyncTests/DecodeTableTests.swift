import SluiceJSON
import SluicePipeline
import TestSupport
import Testing

@testable import SluiceDecode
@testable import SluiceModel
@testable import SluiceReport

/// One JSON value and what it becomes in a field of some type.
struct ValueCase: CustomTestStringConvertible, Sendable {
    let type: FieldType
    let json: String
    /// Nil is a mismatch.
    let stored: FieldValue?
    var format: String?
    var timezone: String?
    var values: [String] = []

    init(
        _ type: FieldType, _ json: String, _ stored: FieldValue?, format: String? = nil, timezone: String? = nil,
        values: [String] = []
    ) {
        self.type = type
        self.json = json
        self.stored = stored
        self.format = format
        self.timezone = timezone
        self.values = values
    }

    init(
        _ type: FieldType, _ json: String, text: String, format: String? = nil, timezone: String? = nil,
        values: [String] = []
    ) {
        self.init(type, json, FieldValue(text), format: format, timezone: timezone, values: values)
    }

    var testDescription: String {
        let extra = [format, timezone].compactMap { $0 }.map { " " + $0 }.joined()
        return "\(type.rawValue)\(extra) of \(json.prefix(50))"
    }
}

@Suite("One value in one type")
struct DecodeTableTests {
    @Test("Whole numbers", arguments: Self.integers)
    func integer(_ value: ValueCase) throws { try check(value) }

    @Test("Doubles", arguments: Self.doubles)
    func double(_ value: ValueCase) throws { try check(value) }

    @Test(
        "What a double cannot hold is said with what can",
        arguments: [
            ("9007199254740993", "9007199254740993 cannot be stored exactly as a double; use int or decimal."),
            (
                "18446744073709551615",
                "18446744073709551615 cannot be stored exactly as a double; use decimal or string."
            ), ("1e400", "1e400 is beyond the range of a double; use decimal."),
        ])
    func doubleMessage(json: String, message: String) throws {
        let decoding = Decoding(fields: [try field("v", .double)])
        #expect(try decoding.batch(of: "{\"v\": \(json)}").failures.map(\.message) == [message])
    }

    @Test(
        "What 64 bits cannot hold is said with what can",
        arguments: [
            ("9223372036854775808", " It is larger; use `decimal` or `string`."),
            ("-9223372036854775809", " It is larger; use `decimal` or `string`."),
            (#""18446744073709551615""#, " It is larger; use `decimal` or `string`."),
            ("1e30", " It is larger; use `decimal` or `string`."),
            ("18446744073709551615.0", " It is larger; use `decimal` or `string`."), ("1.5", ""), ("0.1", ""),
            (#""x""#, ""), ("1e-500", ""),
        ])
    func integerMessage(json: String, advice: String) throws {
        let decoding = Decoding(fields: [try field("v", .int)])
        let message = try #require(try decoding.batch(of: "{\"v\": \(json)}").failures.first?.message)
        #expect(message.hasSuffix("\(json).\(advice)"))
        for type in [FieldType.decimal, .string] where !advice.isEmpty {
            #expect(try Decoding(fields: [try field("v", type)]).batch(of: "{\"v\": \(json)}").failures.isEmpty)
        }
    }

    /// A whole number is taken where the double that stands for it is that number.
    @Test("Whole numbers are held exactly or refused")
    func wholeNumbers() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let converter = ValueConverter(type: .double)
        let parser = JSONParser()
        for _ in 0..<2000 {
            let shift = Int.random(in: 0..<120, using: &generator)
            let number = (UInt128(UInt64.random(in: .min ... .max, using: &generator)) << 56) >> shift
            let isHeld = UInt128(exactly: Double(number)) == number
            let value = try? converter.value(of: unsafe parser.parse(Array("\(number)".utf8))).value
            #expect(value == (isHeld ? .real(Double(number)) : nil), "\(number), seed \(seed)")
        }
    }

    @Test("Text and Booleans", arguments: Self.texts)
    func text(_ value: ValueCase) throws { try check(value) }

    @Test("Dates", arguments: Self.dates)
    func date(_ value: ValueCase) throws { try check(value) }

    @Test("Times", arguments: Self.times)
    func time(_ value: ValueCase) throws { try check(value) }

    @Test("Times of mail and HTTP", arguments: Self.mailTimes)
    func mailTime(_ value: ValueCase) throws { try check(value) }

    /// A cursor is sent as it is read.
    @Test(
        "Times of mail and HTTP are written as they are read",
        arguments: [
            ("rfc2822", "Sun, 06 Nov 1994 08:49:37 +0000"), ("rfc850", "Sunday, 06-Nov-94 08:49:37 GMT"),
            ("http_date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ])
    func written(format: String, text: String) throws {
        let moment = try #require(Timestamp(seconds: 784_111_777))
        let format = TimeFormat(format)
        #expect(moment.text(format) == text)
        #expect(
            unsafe Array(text.utf8).withUnsafeBytes { unsafe format.timestamp(text: $0, defaultOffset: nil) } == moment)
    }

    @Test("Times by pattern and by number", arguments: Self.formats)
    func format(_ value: ValueCase) throws { try check(value) }

    /// A zone is asked for where neither the format nor the field gives one.
    @Test(arguments: [(nil, true), ("+02:00", false)] as [(String?, Bool)])
    func whatATimeNeedsIsSaid(_ timezone: String?, asksForZone: Bool) throws {
        let fields = [try field("v", .datetime, format: "%Y-%m-%d %H:%M:%S", timezone: timezone)]
        let failures = try Decoding(fields: fields).batch(of: #"[{"v": "2027-07-12T20:00"}]"#).failures
        let message = try #require(failures.first?.message)
        #expect(message.contains("Expected a time as `format` says: `%Y-%m-%d %H:%M:%S`"), "\(message)")
        #expect(message.contains("with its zone") == asksForZone, "\(message)")
    }

    private func check(_ value: ValueCase) throws {
        let decoding = Decoding(fields: [
            try field("v", value.type, format: value.format, timezone: value.timezone, values: value.values)
        ])
        let outcome = try #require(try decoding.one("{\"v\": \(value.json)}"))
        if let stored = value.stored {
            #expect(outcome == .values([stored]))
        } else {
            let written = try Tree(value.json).compact
            #expect(outcome == .refused(reason: "type_mismatch", pointer: "/v", value: written))
        }
    }

    static let integers: [ValueCase] = [
        ValueCase(.int, "12", .integer(12)), ValueCase(.int, "\"12\"", .integer(12)),
        ValueCase(.int, "1.0", .integer(1)), ValueCase(.int, "\"1.0\"", .integer(1)), ValueCase(.int, "1.5", nil),
        ValueCase(.int, "1e3", .integer(1000)), ValueCase(.int, "1E+3", .integer(1000)),
        ValueCase(.int, "1200e-2", .integer(12)), ValueCase(.int, "1201e-2", nil),
        ValueCase(.int, "0", .integer(0)), ValueCase(.int, "-0", .integer(0)), ValueCase(.int, "\"-0\"", .integer(0)),
        ValueCase(.int, "0.0", .integer(0)), ValueCase(.int, "-0.0", .integer(0)), ValueCase(.int, "0e9", .integer(0)),
        ValueCase(.int, "-7", .integer(-7)), ValueCase(.int, "9007199254740993", .integer(9_007_199_254_740_993)),
        ValueCase(.int, "\"9007199254740993\"", .integer(9_007_199_254_740_993)),
        ValueCase(.int, "9007199254740993.0", .integer(9_007_199_254_740_993)),
        ValueCase(.int, "9223372036854775807", .integer(.max)), ValueCase(.int, "9223372036854775808", nil),
        ValueCase(.int, "-9223372036854775808", .integer(.min)), ValueCase(.int, "-9223372036854775809", nil),
        ValueCase(.int, "18446744073709551615", nil), ValueCase(.int, "123456789012345678901234567890", nil),
        ValueCase(.int, "1e18", .integer(1_000_000_000_000_000_000)), ValueCase(.int, "1e19", nil),
        ValueCase(.int, "1e999999999", nil), ValueCase(.int, "1e-999999999", nil),
        ValueCase(.int, "1e99999999999999999999", nil),
        ValueCase(.int, "\"\"", nil), ValueCase(.int, "\" 12\"", nil), ValueCase(.int, "\"12 \"", nil),
        ValueCase(.int, "\"+12\"", nil), ValueCase(.int, "\"012\"", nil), ValueCase(.int, "\"0x10\"", nil),
        ValueCase(.int, "\"1_000\"", nil), ValueCase(.int, "\"1,000\"", nil), ValueCase(.int, "\"twelve\"", nil),
        ValueCase(.int, "true", nil), ValueCase(.int, "false", nil), ValueCase(.int, "[1]", nil),
        ValueCase(.int, "{}", nil), ValueCase(.int, "[]", nil),
    ]

    static let doubles: [ValueCase] = [
        ValueCase(.double, "1.5", .real(1.5)), ValueCase(.double, "\"1.5\"", .real(1.5)),
        ValueCase(.double, "1", .real(1)), ValueCase(.double, "1e300", .real(1e300)),
        ValueCase(.double, "-2.5e-3", .real(-0.0025)), ValueCase(.double, "0.1", .real(0.1)),
        ValueCase(.double, "9007199254740992", .real(9_007_199_254_740_992)),
        ValueCase(.double, "9007199254740993", nil), ValueCase(.double, "\"9007199254740993\"", nil),
        ValueCase(.double, "9223372036854775807", nil), ValueCase(.double, "1e400", nil),
        ValueCase(.double, "9223372036854775808", .real(9_223_372_036_854_775_808)),
        ValueCase(.double, "9223372036854775809", nil), ValueCase(.double, "-9223372036854775809", nil),
        ValueCase(.double, "18446744073709551616.0", .real(18_446_744_073_709_551_616)),
        ValueCase(.double, "18446744073709551617.0", nil), ValueCase(.double, "36893488147419103233", nil),
        ValueCase(.double, "100000000000000000000", .real(1e20)),
        ValueCase(.double, "6.02214076e23", .real(6.02214076e23)),
        ValueCase(.double, "123456789012345678901.5", .real(123_456_789_012_345_678_901.5)),
        ValueCase(.double, String(repeating: "9", count: 100), nil),
        ValueCase(.double, "\"-\(String(repeating: "1", count: 100))\"", nil),
        ValueCase(.double, String(repeating: "9", count: 400), nil), ValueCase(.double, "1e-400", nil),
        ValueCase(.double, "-1e400", nil),
        ValueCase(.double, "\"nan\"", nil), ValueCase(.double, "\"inf\"", nil), ValueCase(.double, "\"0x1p3\"", nil),
        ValueCase(.double, "\"\"", nil), ValueCase(.double, "true", nil), ValueCase(.double, "[1.5]", nil),
    ]

    static let texts: [ValueCase] = [
        ValueCase(.string, "\"a\"", text: "a"), ValueCase(.string, "\"\"", text: ""),
        ValueCase(.string, "\"\\u00e9\\ud83d\\ude00\\n\\u0000\"", text: "é😀\n\u{0}"),
        ValueCase(.string, "12", text: "12"), ValueCase(.string, "1.10", text: "1.10"),
        ValueCase(.string, "1E5", text: "1E5"), ValueCase(.string, "true", nil), ValueCase(.string, "[]", nil),
        ValueCase(.string, "{}", nil),
        ValueCase(.bool, "true", .integer(1)), ValueCase(.bool, "false", .integer(0)),
        ValueCase(.bool, "\"true\"", nil),
        ValueCase(.bool, "1", nil), ValueCase(.bool, "0", nil), ValueCase(.bool, "\"\"", nil),
        ValueCase(.bool, "[]", nil),
    ]

    static let dates: [ValueCase] = [
        ValueCase(.date, "\"2026-01-31\"", text: "2026-01-31"), ValueCase(.date, "\"2024-02-29\"", text: "2024-02-29"),
        ValueCase(.date, "\"2000-02-29\"", text: "2000-02-29"), ValueCase(.date, "\"0001-01-01\"", text: "0001-01-01"),
        ValueCase(.date, "\"9999-12-31\"", text: "9999-12-31"), ValueCase(.date, "\"2025-02-29\"", nil),
        ValueCase(.date, "\"1900-02-29\"", nil), ValueCase(.date, "\"2026-13-01\"", nil),
        ValueCase(.date, "\"2026-00-01\"", nil), ValueCase(.date, "\"2026-04-31\"", nil),
        ValueCase(.date, "\"2026-1-31\"", nil), ValueCase(.date, "\"31.01.2026\"", nil), ValueCase(.date, "\"\"", nil),
        ValueCase(.date, "20260131", nil), ValueCase(.date, "true", nil),
        ValueCase(.date, "\"2026-01-31T12:00:00Z\"", nil),
        ValueCase(.date, "\"31.01.2026\"", text: "2026-01-31", format: "%d.%m.%Y"),
        ValueCase(.date, "\"Jan 5, 2026\"", text: "2026-01-05", format: "%b %d, %Y"),
        ValueCase(.date, "\"31.02.2026\"", nil, format: "%d.%m.%Y"),
        ValueCase(.date, "20260131", text: "2026-01-31", format: "%Y%m%d"),
        ValueCase(.date, "\"20260131\"", text: "2026-01-31", format: "%Y%m%d"),
        ValueCase(.date, "20261331", nil, format: "%Y%m%d"), ValueCase(.date, "2026013", nil, format: "%Y%m%d%H"),
        ValueCase(.date, "20260131.5", nil, format: "%Y%m%d"), ValueCase(.date, "20260131", nil, format: "%d.%m.%Y"),
        ValueCase(.date, "1769817600", text: "2026-01-31", format: "unix"),
        ValueCase(.date, "1769817601", nil, format: "unix"),
        // With the midnight that begins them, in whatever offset it is written.
        ValueCase(.date, "\"1994-11-06T00:00:00Z\"", text: "1994-11-06"),
        ValueCase(.date, "\"1994-11-06T00:00:00.000Z\"", text: "1994-11-06"),
        ValueCase(.date, "\"1994-11-06 00:00:00\"", text: "1994-11-06"),
        ValueCase(.date, "\"1994-11-06T00:00:00+01:00\"", text: "1994-11-06"),
        ValueCase(.date, "\"1994-11-06T00:00:00-08:00\"", text: "1994-11-06"),
        ValueCase(.date, "\"0000-01-01T00:00:00+01:00\"", text: "0000-01-01"),
        ValueCase(.date, "\"1994-11-06T00:00:00.5Z\"", nil), ValueCase(.date, "\"1994-11-06T00:00:01Z\"", nil),
        // Midnight in UTC, which is not what is written.
        ValueCase(.date, "\"1994-11-06T01:00:00+01:00\"", nil),
        ValueCase(.date, "\"1994-11-05T23:00:00-01:00\"", nil), ValueCase(.date, "\"1994-11-06T\"", nil),
        ValueCase(.date, "\"1994-11-06\"", text: "1994-11-06", format: "rfc3339"),
        ValueCase(.date, "\"1994-11-06T00:00:00+01:00\"", text: "1994-11-06", format: "rfc3339"),
        ValueCase(.date, "\"1994-11-06T00:00:00Z\"", nil, format: "date"),
        ValueCase(.date, "\"06.11.1994 00:00 +0100\"", text: "1994-11-06", format: "%d.%m.%Y %H:%M %z"),
        ValueCase(.date, "\"06.11.1994 23:30 -0100\"", text: "1994-11-06", format: "%d.%m.%Y %H:%M %z"),
    ]

    static let times: [ValueCase] = [
        ValueCase(.datetime, "\"2026-01-31T12:00:00Z\"", text: "2026-01-31T12:00:00Z"),
        ValueCase(.datetime, "\"2026-01-31t12:00:00z\"", text: "2026-01-31T12:00:00Z"),
        ValueCase(.datetime, "\"2026-01-31 12:00:00Z\"", text: "2026-01-31T12:00:00Z"),
        ValueCase(.datetime, "\"2026-01-31T12:00:00.500Z\"", text: "2026-01-31T12:00:00.5Z"),
        ValueCase(.datetime, "\"2026-01-31T12:00:00.000Z\"", text: "2026-01-31T12:00:00Z"),
        ValueCase(.datetime, "\"2026-01-31T12:00:00.123456789012Z\"", text: "2026-01-31T12:00:00.123456789012Z"),
        ValueCase(.datetime, "\"2026-01-31T23:30:00-02:00\"", text: "2026-02-01T01:30:00Z"),
        ValueCase(.datetime, "\"2026-03-01T00:15:00+05:45\"", text: "2026-02-28T18:30:00Z"),
        ValueCase(.datetime, "\"2026-01-31T12:00:00-00:00\"", text: "2026-01-31T12:00:00Z"),
        ValueCase(.datetime, "\"1969-12-31T23:59:59.25Z\"", text: "1969-12-31T23:59:59.25Z"),
        ValueCase(.datetime, "\"0000-01-01T00:30:00+01:00\"", nil),
        ValueCase(.datetime, "\"9999-12-31T23:30:00-01:00\"", nil),
        ValueCase(.datetime, "\"2026-01-31T12:00:00\"", nil),
        ValueCase(.datetime, "\"2026-01-31T12:00:00\"", text: "2026-01-31T12:00:00Z", timezone: "UTC"),
        ValueCase(.datetime, "\"2026-01-31T12:00:00\"", text: "2026-01-31T10:00:00Z", timezone: "+02:00"),
        ValueCase(.datetime, "\"2026-01-31T12:00:00+01:00\"", text: "2026-01-31T11:00:00Z", timezone: "+02:00"),
        ValueCase(.datetime, "\"2026-01-31\"", nil), ValueCase(.datetime, "\"2026-01-31T24:00:00Z\"", nil),
        ValueCase(.datetime, "\"2026-01-31T12:60:00Z\"", nil), ValueCase(.datetime, "\"2026-01-31T12:00Z\"", nil),
        ValueCase(.datetime, "\"2026-02-30T12:00:00Z\"", nil), ValueCase(.datetime, "\"2026-02-29T12:00:00Z\"", nil),
        ValueCase(.datetime, "\"2026-01-31T12:00:00.Z\"", nil),
        ValueCase(.datetime, "\"2026-01-31T12:00:00+0100\"", nil),
        ValueCase(.datetime, "\"2026-01-31T12:00:00Zx\"", nil), ValueCase(.datetime, "\"yesterday\"", nil),
        ValueCase(.datetime, "1769860800", nil), ValueCase(.datetime, "true", nil), ValueCase(.datetime, "\"\"", nil),
    ]

    static let mailTimes: [ValueCase] = [
        ValueCase(.datetime, "\"Sun, 06 Nov 1994 08:49:37 +0100\"", text: "1994-11-06T07:49:37Z", format: "rfc2822"),
        ValueCase(.datetime, "\"6 Nov 94 08:49 EST\"", text: "1994-11-06T13:49:00Z", format: "rfc2822"),
        ValueCase(
            .datetime, "\"Sun,  6 Nov 1994 08:49:37 -0000 (a comment)\"", text: "1994-11-06T08:49:37Z",
            format: "rfc2822"),
        ValueCase(.datetime, "\"06 nov 2049 08:49:37 GMT\"", text: "2049-11-06T08:49:37Z", format: "rfc2822"),
        ValueCase(.datetime, "\"06 Nov 49 08:49:37 Z\"", text: "2049-11-06T08:49:37Z", format: "rfc2822"),
        ValueCase(.datetime, "\"06 Nov 50 08:49:37 UT\"", text: "1950-11-06T08:49:37Z", format: "rfc2822"),
        ValueCase(.datetime, "\"Mon, 06 Nov 1994 08:49:37 GMT\"", nil, format: "rfc2822"),
        ValueCase(.datetime, "\"Sun, 06 Nov 1994 08:49:37\"", nil, format: "rfc2822"),
        ValueCase(.datetime, "\"Sun, 06 Nov 1994 08:49:37 A\"", nil, format: "rfc2822"),
        ValueCase(.datetime, "\"Sun, 31 Feb 1994 08:49:37 GMT\"", nil, format: "rfc2822"),
        ValueCase(.datetime, "\"Sun, 06 Nov 1994 24:00:00 GMT\"", nil, format: "rfc2822"),
        ValueCase(.datetime, "\"Sun, 06 November 1994 08:49:37 GMT\"", nil, format: "rfc2822"),
        ValueCase(.datetime, "\"\"", nil, format: "rfc2822"), ValueCase(.datetime, "784111777", nil, format: "rfc2822"),
        ValueCase(.date, "\"Sun, 06 Nov 1994 00:00:00 GMT\"", text: "1994-11-06", format: "rfc2822"),
        ValueCase(.date, "\"Sun, 06 Nov 1994 00:00:00 +0100\"", text: "1994-11-06", format: "rfc2822"),
        ValueCase(.date, "\"Sun, 06 Nov 1994 00:00 EST\"", text: "1994-11-06", format: "rfc2822"),
        ValueCase(.date, "\"Sunday, 06-Nov-94 00:00:00 GMT\"", text: "1994-11-06", format: "http_date"),
        ValueCase(.date, "\"Sun, 06 Nov 1994 01:00:00 +0100\"", nil, format: "rfc2822"),
        ValueCase(.date, "\"Sun, 06 Nov 1994 00:00:01 GMT\"", nil, format: "rfc2822"),
        ValueCase(.datetime, "\"Sunday, 06-Nov-94 08:49:37 GMT\"", text: "1994-11-06T08:49:37Z", format: "rfc850"),
        ValueCase(.datetime, "\"Sun, 06-Nov-1994 08:49:37 GMT\"", text: "1994-11-06T08:49:37Z", format: "rfc850"),
        ValueCase(.datetime, "\"Sunday, 06-Nov-94 08:49 GMT\"", nil, format: "rfc850"),
        ValueCase(.datetime, "\"06-Nov-94 08:49:37 GMT\"", nil, format: "rfc850"),
        ValueCase(.datetime, "\"Sun, 06 Nov 1994 08:49:37 GMT\"", text: "1994-11-06T08:49:37Z", format: "http_date"),
        ValueCase(.datetime, "\"Sunday, 06-Nov-94 08:49:37 GMT\"", text: "1994-11-06T08:49:37Z", format: "http_date"),
        ValueCase(.datetime, "\"Sun Nov  6 08:49:37 1994\"", text: "1994-11-06T08:49:37Z", format: "http_date"),
        ValueCase(.datetime, "\"Sun, 06 Nov 1994 08:49:37 +0100\"", nil, format: "http_date"),
    ]

    static let formats: [ValueCase] = [
        ValueCase(.datetime, "1769860800", text: "2026-01-31T12:00:00Z", format: "unix"),
        ValueCase(.datetime, "\"1769860800\"", text: "2026-01-31T12:00:00Z", format: "unix"),
        ValueCase(.datetime, "1769860800.25", text: "2026-01-31T12:00:00.25Z", format: "unix"),
        ValueCase(.datetime, "-1.25", text: "1969-12-31T23:59:58.75Z", format: "unix"),
        ValueCase(.datetime, "-1", text: "1969-12-31T23:59:59Z", format: "unix"),
        ValueCase(.datetime, "0", text: "1970-01-01T00:00:00Z", format: "unix"),
        ValueCase(.datetime, "1.7698608e9", text: "2026-01-31T12:00:00Z", format: "unix"),
        ValueCase(.datetime, "9223372036854775807", nil, format: "unix"),
        ValueCase(.datetime, "1e30", nil, format: "unix"),
        ValueCase(.datetime, "253402300799", text: "9999-12-31T23:59:59Z", format: "unix"),
        ValueCase(.datetime, "253402300800", nil, format: "unix"),
        ValueCase(.datetime, "\"soon\"", nil, format: "unix"),
        ValueCase(.datetime, "1769860800123", text: "2026-01-31T12:00:00.123Z", format: "unix_ms"),
        ValueCase(.datetime, "1769860800000", text: "2026-01-31T12:00:00Z", format: "unix_ms"),
        ValueCase(.datetime, "-1", text: "1969-12-31T23:59:59.999Z", format: "unix_ms"),
        ValueCase(
            .datetime, "\"31/01/2026 12:00:00 +0100\"", text: "2026-01-31T11:00:00Z", format: "%d/%m/%Y %H:%M:%S %z"),
        ValueCase(.datetime, "\"31/01/2026 12:00\"", nil, format: "%d/%m/%Y %H:%M"),
        ValueCase(
            .datetime, "\"31/01/2026 12:00\"", text: "2026-01-31T12:00:00Z", format: "%d/%m/%Y %H:%M", timezone: "UTC"),
        ValueCase(
            .datetime, "\"01/31/26 12:30:00 AM\"", text: "2026-01-31T00:30:00Z", format: "%m/%d/%y %I:%M:%S %p",
            timezone: "UTC"),
        ValueCase(
            .datetime, "\"01/31/26 12:30:00 pm\"", text: "2026-01-31T12:30:00Z", format: "%D %I:%M:%S %p",
            timezone: "UTC"),
        ValueCase(.datetime, "\"2026-060T01:02:03Z\"", text: "2026-03-01T01:02:03Z", format: "%Y-%jT%T%z"),
        ValueCase(.datetime, "\"2026-366T01:02:03Z\"", nil, format: "%Y-%jT%T%z"),
        ValueCase(
            .datetime, "\"31 January 2026 12.00.00.5 GMT\"", text: "2026-01-31T12:00:00.5Z",
            format: "%d %B %Y %H.%M.%S.%f %Z"),
        ValueCase(.datetime, "\"100%\"", nil, format: "%Y%%", timezone: "UTC"),
        ValueCase(.datetime, "\"2026%\"", text: "2026-01-01T00:00:00Z", format: "%Y%%", timezone: "UTC"),
        ValueCase(.datetime, "\"2026-01-31 13:00 PM\"", nil, format: "%F %I:%M %p", timezone: "UTC"),
    ]
}

@Suite("What counts as equal")
struct DecodeEqualityTests {
    struct Pair: CustomTestStringConvertible, Sendable {
        let type: FieldType
        let left: String
        let right: String
        let isEqual: Bool
        var testDescription: String { "\(type.rawValue): \(left) \(isEqual ? "=" : "≠") \(right)" }
    }

    static let pairs: [Pair] = [
        Pair(
            type: .datetime, left: "\"2026-01-31T12:00:00Z\"", right: "\"2026-01-31T13:00:00.000+01:00\"", isEqual: true
        ),
        Pair(type: .datetime, left: "\"2026-01-31T12:00:00Z\"", right: "\"2026-01-31T12:00:00.1Z\"", isEqual: false),
        Pair(type: .int, left: "\"12\"", right: "12.0", isEqual: true),
        Pair(type: .double, left: "-0.0", right: "0", isEqual: true),
        Pair(type: .string, left: "\"e\\u0301\"", right: "\"\\u00e9\"", isEqual: false),
        Pair(type: .string, left: "1.10", right: "1.1", isEqual: false),
    ]

    @Test("Digests and row hashes", arguments: Self.pairs)
    func digests(_ pair: Pair) throws {
        let decoding = Decoding(fields: [try field("v", pair.type)])
        let batch = try decoding.batch(of: "[{\"v\":\(pair.left)},{\"v\":\(pair.right)}]").batch
        try #require(batch.count == 2)
        #expect((batch.digest(record: 0, field: 0) == batch.digest(record: 1, field: 0)) == pair.isEqual)
        #expect((batch.rowHashes[0] == batch.rowHashes[1]) == pair.isEqual)
    }

    @Test(
        "A value that was stored has the digest that decoding gave it",
        arguments: DecodeTableTests.integers + DecodeTableTests.doubles + DecodeTableTests.texts
            + DecodeTableTests.dates
            + DecodeTableTests.times)
    func stored(_ value: ValueCase) throws {
        guard let stored = value.stored else { return }
        let decoding = Decoding(fields: [
            try field("v", value.type, format: value.format, timezone: value.timezone, values: value.values)
        ])
        let batch = try decoding.batch(of: "{\"v\": \(value.json)}").batch
        #expect(
            CanonicalValue().digest(of: stored, type: value.type, comparison: .exact)
                == batch.digest(record: 0, field: 0))
    }
}

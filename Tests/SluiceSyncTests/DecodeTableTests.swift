import SluiceMerge
import SluicePipeline
import Testing

@testable import SluiceSync

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

    @Test("Decimals", arguments: Self.decimals)
    func decimal(_ value: ValueCase) throws { try check(value) }

    @Test("Text, UUIDs, URLs, enums, Booleans", arguments: Self.texts)
    func text(_ value: ValueCase) throws { try check(value) }

    @Test("Dates", arguments: Self.dates)
    func date(_ value: ValueCase) throws { try check(value) }

    @Test("Times", arguments: Self.times)
    func time(_ value: ValueCase) throws { try check(value) }

    @Test("Times by pattern and by number", arguments: Self.formats)
    func format(_ value: ValueCase) throws { try check(value) }

    @Test("JSON and bytes", arguments: Self.documents)
    func document(_ value: ValueCase) throws { try check(value) }

    private func check(_ value: ValueCase) throws {
        let decoding = Decoding(fields: [
            try field("v", value.type, format: value.format, timezone: value.timezone, values: value.values)
        ])
        let outcome = try #require(try decoding.one("{\"v\": \(value.json)}"))
        if let stored = value.stored {
            #expect(outcome == .values([stored]))
        } else {
            let reason = value.type == .enumeration && !value.json.hasPrefix("t") ? "not_allowed" : "type_mismatch"
            let written = try Tree(value.json).compact
            #expect(outcome == .refused(reason: reason, pointer: "/v", value: written))
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
        ValueCase(.double, "-1e400", nil),
        ValueCase(.double, "\"nan\"", nil), ValueCase(.double, "\"inf\"", nil), ValueCase(.double, "\"0x1p3\"", nil),
        ValueCase(.double, "\"\"", nil), ValueCase(.double, "true", nil), ValueCase(.double, "[1.5]", nil),
    ]

    static let decimals: [ValueCase] = [
        ValueCase(.decimal, "1.10", text: "1.10"), ValueCase(.decimal, "\"1.10\"", text: "1.10"),
        ValueCase(.decimal, "0.1e-7", text: "0.1e-7"), ValueCase(.decimal, "1", text: "1"),
        ValueCase(.decimal, "-0", text: "-0"), ValueCase(.decimal, "1e400", text: "1e400"),
        ValueCase(
            .decimal, "123456789012345678901234567890.123456789012345678901234567890",
            text: "123456789012345678901234567890.123456789012345678901234567890"),
        ValueCase(.decimal, "9007199254740993", text: "9007199254740993"),
        ValueCase(.decimal, "\"1,10\"", nil), ValueCase(.decimal, "\"\"", nil), ValueCase(.decimal, "\".5\"", nil),
        ValueCase(.decimal, "\"5.\"", nil), ValueCase(.decimal, "\"1e\"", nil), ValueCase(.decimal, "false", nil),
        ValueCase(.decimal, "{\"amount\":1}", nil),
    ]

    static let texts: [ValueCase] = [
        ValueCase(.string, "\"a\"", text: "a"), ValueCase(.string, "\"\"", text: ""),
        ValueCase(.string, "\"\\u00e9\\ud83d\\ude00\\n\\u0000\"", text: "é😀\n\u{0}"),
        ValueCase(.string, "12", text: "12"), ValueCase(.string, "1.10", text: "1.10"),
        ValueCase(.string, "1E5", text: "1E5"), ValueCase(.string, "true", nil), ValueCase(.string, "[]", nil),
        ValueCase(.string, "{}", nil),
        ValueCase(
            .uuid, "\"9B2F1F6E-8C1E-4A3F-9F53-0A4F4E1F6C11\"", text: "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11"),
        ValueCase(
            .uuid, "\"9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11\"", text: "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11"),
        ValueCase(.uuid, "\"9b2f1f6e8c1e4a3f9f530a4f4e1f6c11\"", nil),
        ValueCase(.uuid, "\"{9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c1}\"", nil),
        ValueCase(.uuid, "\"9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c1g\"", nil),
        ValueCase(.uuid, "\"9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c1\"", nil), ValueCase(.uuid, "\"\"", nil),
        ValueCase(.uuid, "7", nil),
        ValueCase(.url, "\"https://Example.org/A?b=%20#c\"", text: "https://Example.org/A?b=%20#c"),
        ValueCase(.url, "\"mailto:a@b.c\"", text: "mailto:a@b.c"),
        ValueCase(.url, "\"urn:isbn:1\"", text: "urn:isbn:1"),
        ValueCase(.url, "\"https://bücher.example/\"", text: "https://bücher.example/"),
        ValueCase(.url, "\"/relative\"", nil), ValueCase(.url, "\"example.org\"", nil), ValueCase(.url, "\"\"", nil),
        ValueCase(.url, "\"https:\"", nil), ValueCase(.url, "\"https://a b\"", nil), ValueCase(.url, "\"1a:b\"", nil),
        ValueCase(.url, "\"https://a\\u0000b\"", nil), ValueCase(.url, "5", nil), ValueCase(.url, "{}", nil),
        ValueCase(.enumeration, "\"open\"", text: "open", values: ["open", "closed"]),
        ValueCase(.enumeration, "1", text: "1", values: ["1", "2"]),
        ValueCase(.enumeration, "\"Open\"", nil, values: ["open", "closed"]),
        ValueCase(.enumeration, "\"\"", nil, values: ["open", "closed"]),
        ValueCase(.enumeration, "3", nil, values: ["1", "2"]),
        ValueCase(.enumeration, "true", nil, values: ["true"]),
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
        ValueCase(.date, "1769817600", text: "2026-01-31", format: "unix"),
        ValueCase(.date, "1769817601", nil, format: "unix"),
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

    static let documents: [ValueCase] = [
        ValueCase(
            .json, "{ \"b\" : 1.10, \"a\" : [ true , null , \"x\\u0041\" ] }",
            text: "{\"b\":1.10,\"a\":[true,null,\"xA\"]}"),
        ValueCase(.json, "[ ]", text: "[]"), ValueCase(.json, "\"text\"", text: "\"text\""),
        ValueCase(.json, "12", text: "12"),
        ValueCase(.json, "false", text: "false"),
        ValueCase(.json, "12345678901234567890123", text: "12345678901234567890123"),
        ValueCase(.json, "{\"\": {}}", text: "{\"\":{}}"),
        ValueCase(.bytes, "\"AAECAw==\"", .blob([0, 1, 2, 3])), ValueCase(.bytes, "\"\"", .blob([])),
        ValueCase(.bytes, "\"/+8=\"", .blob([0xFF, 0xEF])), ValueCase(.bytes, "\"TWFu\"", .blob(Array("Man".utf8))),
        ValueCase(.bytes, "\"TWE=\"", .blob(Array("Ma".utf8))), ValueCase(.bytes, "\"TQ==\"", .blob(Array("M".utf8))),
        ValueCase(.bytes, "\"TQ\"", nil), ValueCase(.bytes, "\"TQ=\"", nil), ValueCase(.bytes, "\"TR==\"", nil),
        ValueCase(.bytes, "\"T===\"", nil), ValueCase(.bytes, "\"====\"", nil), ValueCase(.bytes, "\"TQ==TQ==\"", nil),
        ValueCase(.bytes, "\"-_8=\"", nil), ValueCase(.bytes, "\"TW Fu\"", nil), ValueCase(.bytes, "5", nil),
        ValueCase(.bytes, "[]", nil),
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
        Pair(type: .decimal, left: "1.10", right: "1.1", isEqual: true),
        Pair(type: .decimal, left: "1.10", right: "\"11e-1\"", isEqual: true),
        Pair(type: .decimal, left: "0.1e-7", right: "1E-8", isEqual: true),
        Pair(type: .decimal, left: "-0", right: "0.00", isEqual: true),
        Pair(type: .decimal, left: "1.10", right: "1.11", isEqual: false),
        Pair(type: .decimal, left: "1", right: "-1", isEqual: false),
        Pair(
            type: .decimal, left: "123456789012345678901234567890.10", right: "123456789012345678901234567890.1",
            isEqual: true),
        Pair(
            type: .decimal, left: "123456789012345678901234567890.1", right: "123456789012345678901234567890.2",
            isEqual: false),
        Pair(type: .json, left: "{\"a\":1,\"b\":[1,2]}", right: "{\"b\":[1.0,20e-1],\"a\":1}", isEqual: true),
        Pair(type: .json, left: "[1,2]", right: "[2,1]", isEqual: false),
        Pair(type: .json, left: "{\"a\":null}", right: "{}", isEqual: false),
        Pair(type: .json, left: "\"1\"", right: "1", isEqual: false),
        Pair(type: .json, left: "{\"a\":{\"x\":1,\"y\":2}}", right: "{\"a\":{\"y\":2,\"x\":1}}", isEqual: true),
        Pair(
            type: .datetime, left: "\"2026-01-31T12:00:00Z\"", right: "\"2026-01-31T13:00:00.000+01:00\"", isEqual: true
        ),
        Pair(type: .datetime, left: "\"2026-01-31T12:00:00Z\"", right: "\"2026-01-31T12:00:00.1Z\"", isEqual: false),
        Pair(
            type: .uuid, left: "\"9B2F1F6E-8C1E-4A3F-9F53-0A4F4E1F6C11\"",
            right: "\"9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11\"", isEqual: true),
        Pair(type: .int, left: "\"12\"", right: "12.0", isEqual: true),
        Pair(type: .double, left: "-0.0", right: "0", isEqual: true),
        Pair(type: .string, left: "\"e\\u0301\"", right: "\"\\u00e9\"", isEqual: false),
        Pair(type: .string, left: "1.10", right: "1.1", isEqual: false),
        Pair(type: .url, left: "\"http://A\"", right: "\"http://a\"", isEqual: false),
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
        arguments: DecodeTableTests.integers + DecodeTableTests.doubles + DecodeTableTests.decimals
            + DecodeTableTests.texts + DecodeTableTests.dates + DecodeTableTests.times + DecodeTableTests.documents)
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

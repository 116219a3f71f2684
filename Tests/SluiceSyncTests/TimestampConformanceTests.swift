import Foundation
import TestSupport
import Testing

@testable import SluiceModel

/// What a `date` and a `datetime` take: the profile is RFC 3339, without leap seconds, which no store counts.
@Suite struct TimestampConformanceTests {
    private struct Group: Decodable {
        struct Case: Decodable {
            let description: String
            let data: Value
            let valid: Bool
        }
        let tests: [Case]
    }

    /// Only texts matter here; the suite also has values of other types, which it calls valid.
    private enum Value: Decodable {
        case text(String)
        case other

        init(from decoder: any Decoder) throws {
            self = (try? decoder.singleValueContainer().decode(String.self)).map(Value.text) ?? .other
        }
    }

    private static func cases(_ name: String) throws -> [(text: String, isValid: Bool)] {
        let bytes = try Conformance.bytes("timestamps/\(name)")
        return try JSONDecoder().decode([Group].self, from: Data(bytes)).flatMap(\.tests).compactMap { test in
            if case .text(let text) = test.data { (text, test.valid) } else { nil }
        }
    }

    private static func isDatetime(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { utf8 in unsafe Timestamp(rfc3339: UnsafeRawBufferPointer(utf8)) } != nil
    }

    private static func isDate(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { utf8 in unsafe Timestamp(date: UnsafeRawBufferPointer(utf8)) } != nil
    }

    @Test(.enabled(if: Conformance.isAvailable, "the timestamp suites are not beside the project"))
    func datetimesAreThoseOfTheProfile() throws {
        var different: [String] = []
        let cases = try Self.cases("format-date-time.json")
        for test in cases {
            if Self.isDatetime(test.text) != test.isValid { different.append(test.text) }
        }
        #expect(cases.count > 25)
        // Valid leap seconds are the one thing that the profile leaves out.
        #expect(different.allSatisfy { $0.contains(":60") }, "\(different)")
    }

    @Test(.enabled(if: Conformance.isAvailable, "the timestamp suites are not beside the project"))
    func datesAreThoseOfTheProfile() throws {
        let cases = try Self.cases("format-date.json")
        #expect(cases.count > 60)
        for test in cases {
            #expect(Self.isDate(test.text) == test.isValid, "\(test.text)")
        }
    }
}

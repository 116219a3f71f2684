import FoundationEssentials
import SluiceHTTP
import TestSupport
import Testing

@Suite struct HTTPDateTests {
    static let now = Duration.seconds(1_559_559_600)

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800), ("Monday, 03-Jun-69 00:00:00 GMT", 3_137_443_200),
    ])
    func aDateIsRead(_ text: String, _ seconds: Int) {
        #expect(HTTPDate(text, now: Self.now)?.sinceEpoch == .seconds(seconds))
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 31 Apr 2024 00:00:00 GMT",
        "Sun, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
        "Sat, 01 Jan 0000 00:00:00 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT",
    ])
    func whatIsNoDateIsRefused(_ text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }

    @Test(
        arguments: [
            (["7"], 7), (["0"], 0), (["\t42 "], 42), (["2", "3"], 2), (["Mon, 03 Jun 2019 11:30:12 GMT"], 1812),
            (["Mon, 03 Jun 2019 10:00:00 GMT"], 0), (["-1"], nil), (["+1"], nil), (["1.0"], nil), ([""], nil),
            (["²"], nil),
            ([], nil), (["99999999999999999999"], 100 * 365 * 86_400),
        ] as [([String], Int?)])
    func retryAfterIsReadInBothForms(_ values: [String], _ seconds: Int?) {
        let headers = HTTPHeaders(values.map { HTTPField("retry-after", $0) })
        #expect(RetryAfter.delay(headers, now: Self.now) == seconds.map { .seconds($0) })
    }

    @Test(
        arguments: [
            ("2.0", 2), ("2.5", 3), ("0.00", 0), (" 7 ", 7), ("2.", nil), (".5", nil), ("1.0.0", nil), ("-1.0", nil),
        ]
            as [(String, Int?)])
    func aFractionOfSecondsIsWaitedForToo(_ value: String, _ seconds: Int?) {
        let headers = HTTPHeaders([HTTPField("retry-after", value)])
        #expect(RetryAfter.tolerantDelay(headers, now: Self.now) == seconds.map { .seconds($0) })
    }

    private struct RetryAfterRow: Decodable {
        let header: [String]
        let valid: Bool
        let seconds: Int?
        let now: String?
    }

    @Test(.enabled(if: Conformance.isAvailable))
    func theRetryAfterSuiteAgrees() throws {
        let bytes = try Conformance.bytes("http-dates/retry-after.json")
        let rows = try JSONDecoder().decode([RetryAfterRow].self, from: Data(bytes))
        #expect(rows.count == 22)
        for row in rows {
            let now = try row.now.map { try Date.ISO8601FormatStyle().parse($0).timeIntervalSince1970 } ?? 0
            let headers = HTTPHeaders(row.header.map { HTTPField("Retry-After", $0) })
            let expected: Duration? = row.valid ? .seconds(try #require(row.seconds)) : nil
            #expect(RetryAfter.delay(headers, now: .seconds(Int(now))) == expected, "\(row.header)")
        }
    }

    private struct DateRow: Decodable {
        let input: String
        let epoch: Int
        let valid: Bool
    }

    /// The reader is stricter than libcurl's: what both take must be the same moment.
    @Test(.enabled(if: Conformance.isAvailable))
    func aDateThatCurlReadsTooIsTheSameMoment() throws {
        let bytes = try Conformance.bytes("http-dates/curl-getdate.json")
        let rows = try JSONDecoder().decode([DateRow].self, from: Data(bytes))
        var taken = 0
        for row in rows {
            guard let date = HTTPDate(row.input, now: Self.now) else { continue }
            taken += 1
            #expect(row.valid && date.sinceEpoch == .seconds(row.epoch), "\(row.input)")
        }
        #expect(taken >= 3)
    }
}

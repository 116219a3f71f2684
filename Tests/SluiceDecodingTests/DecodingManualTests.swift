import Foundation
import SluiceDecoding
import Testing

private struct Novel: Decodable { let firstPrinted: Date }

/// The code of the page `SluiceDecoding`.
struct DecodingManualTests {
    @Test func decodesAsThePageSays() throws {
        let decoder = TapeDecoder()
        decoder.keyStrategy = .convertFromSnakeCase
        decoder.dateStrategy = .iso8601
        let novel = try decoder.decode(Novel.self, from: Array(#"{"first_printed": "1847-10-19T00:00:00Z"}"#.utf8))
        #expect(novel.firstPrinted == Date(timeIntervalSince1970: -3_856_377_600))
    }
}

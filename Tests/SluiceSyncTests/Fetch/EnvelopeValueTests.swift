import SluiceJSON
import Testing

@testable import SluiceDecode

/// What sources write for yes, no and numbers: pages and lists within records read it alike.
@Suite("What members around records say")
struct EnvelopeValueTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let json: String
        var flag: Bool?
        var answer: Bool?
        var number: Int?
        var testDescription: String { json }

        init(_ json: String, flag: Bool? = nil, answer: Bool? = nil, number: Int? = nil) {
            (self.json, self.flag, self.answer, self.number) = (json, flag, answer ?? flag, number)
        }
    }

    static let cases = [
        Case("true", flag: true), Case("false", flag: false), Case(#""true""#, flag: true),
        Case(#""FALSE""#, flag: false),
        Case("1", answer: true, number: 1), Case("0", answer: false, number: 0), Case("1.0", answer: true, number: 1),
        Case(#""1""#, answer: true, number: 1), Case(#""0""#, answer: false, number: 0),
        Case(#""1.0""#, answer: true, number: 1), Case("2", number: 2), Case(#""25""#, number: 25),
        Case(#""25.00""#, number: 25), Case("-1", number: -1), Case(#""""#), Case("null"), Case(#""yes""#),
        Case(#""2.5""#), Case(#""2.""#), Case(#"".0""#), Case(#""0x10""#), Case(#""1e3""#),
    ]

    @Test(arguments: cases) func isRead(_ test: Case) throws {
        let root = try JSONDocument(#"{"a":\#(test.json)}"#).root
        try unsafe root.withElement { element in
            let value = try #require(element.member(named: "a").flatMap { Envelope.Value($0) })
            #expect(value.flag == test.flag)
            #expect(value.answer == test.answer)
            #expect(value.number == test.number)
        }
    }
}

import SluiceJSON
import Testing

@Suite struct JSONWriterTests {
    private func compact(_ text: String) throws -> String {
        try withElement(text) { root in
            var bytes: [UInt8] = []
            JSONWriter.append(root, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private func canonical(_ text: String) throws -> String {
        try withElement(text) { root in
            var bytes: [UInt8] = []
            JSONWriter.appendCanonical(root, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("[ ]", "[]"), ("{ }", "{}"), (" null ", "null"), ("[true , false]", "[true,false]"),
        (#"{ "b" : 1 , "a" : [ 1.50 , -0 , 1E+2 ] }"#, #"{"b":1,"a":[1.50,-0,1E+2]}"#),
        (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#),
        (#""\u0041\/\u00e9\ud83d\ude80""#, #""A/é🚀""#),
        (#""\"\\\b\f\n\r\t\u0000\u001f\u007f""#, "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\u{7F}\""),
        ("[12345678901234567890123, 9223372036854775807]", "[12345678901234567890123,9223372036854775807]"),
    ])
    func compactTextKeepsOrderAndNumbers(text: String, expected: String) throws {
        #expect(try compact(text) == expected)
    }

    @Test(arguments: [
        (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#),
        (#"{"a":1,"b":0,"a":2}"#, #"{"a":2,"b":0}"#),
        (#"{"a":1,"a":2,"a":{"c":1,"b":2.0}}"#, #"{"a":{"b":2,"c":1}}"#),
        (
            "{\"\u{FFFD}\":1,\"\u{10000}\":2,\"\":3,\"a\":4,\"aa\":5,\"A\":6}",
            "{\"\":3,\"A\":6,\"a\":4,\"aa\":5,\"\u{FFFD}\":1,\"\u{10000}\":2}"
        ),
        (#"["\u0041","\/"]"#, #"["A","/"]"#),
        ("[1.0, 10e-1, 1E0, 1]", "[1,1,1,1]"),
        ("[-0, 0e99, 0.000]", "[0,0,0]"),
    ])
    func canonicalTextDoesNotDependOnRepresentation(text: String, expected: String) throws {
        #expect(try canonical(text) == expected)
        #expect(try canonical(expected) == expected)
    }

    @Test(arguments: UInt64(1)...60)
    func compactTextMeansTheSame(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let text = random.document()
        let written = try compact(text)
        #expect(ReferenceParser.parse(written.utf8) == ReferenceParser.parse(text.utf8))
        #expect(try compact(written) == written)
        #expect(try canonical(written) == canonical(text))
        #expect(try canonical(canonical(text)) == canonical(text))
    }

    @Test func stringsAreWrittenFromTheirBytes() {
        var bytes: [UInt8] = []
        JSONWriter.append("a\"b\\c\n\u{1}é", to: &bytes)
        JSONWriter.append("", to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #""a\"b\\c\n\u0001é""""#)
    }

    @Test func theDeepestValueIsWritten() throws {
        let depth = JSONParser.defaultMaximumDepth / 2
        let text = String(repeating: #"{"b":1,"a":["#, count: depth) + String(repeating: "]}", count: depth)
        #expect(try compact(text) == text)
        #expect(try canonical(text).utf8.count == text.utf8.count)
    }
}

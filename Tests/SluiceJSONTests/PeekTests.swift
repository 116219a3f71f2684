import SluiceJSON
import Testing

/// What is found by reading no further than the value.
@Suite struct PeekTests {
    private static func peek(_ text: String, _ names: [String]) -> String? {
        var bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeMutableBytes { bytes in
            let record = unsafe RawRecord(bytes: UnsafeRawBufferPointer(bytes), byteOffset: 0, ordinal: 0)
            return unsafe record.peek(names.map { Array($0.utf8) }).map { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        var names = ["id"]
        let value: String?

        var testDescription: String { "\(names.joined(separator: ".")) of \(text)" }
    }

    static let rows: [Row] = [
        Row(text: #"{"id":1}"#, value: "1"),
        Row(text: #" { "id" : -1.5e3 , "a" : 2 } "#, value: "-1.5e3"),
        Row(text: #"{"a":"id","id":"x\"}"}"#, value: #""x\"}""#),
        Row(text: #"{"a":{"id":1},"b":[{"id":2}],"id":{"id":3}}"#, value: #"{"id":3}"#),
        Row(text: #"{"a":{"id":1},"b":[{"id":2}],"id":{"id":3}}"#, names: ["id", "id"], value: "3"),
        Row(text: #"{"a":"\\","b":"\\\"","id":true}"#, value: "true"),
        Row(text: #"{"sys":{"type":"t","id":"k"},"id":1}"#, names: ["sys", "id"], value: #""k""#),
        Row(text: #"{"id":1,"id":2}"#, value: "1"),
        Row(text: #"{"id":1,"#, value: "1"),
        Row(text: #"{"id":1"#, value: nil),
        Row(text: #"{"\u0069d":1}"#, value: nil),
        Row(text: #"{"ids":1,"i":2,"":3}"#, value: nil),
        Row(text: #"{"":3}"#, names: [""], value: "3"),
        Row(text: #"{"a":1}"#, names: ["a", "b"], value: nil),
        Row(text: "[1]", value: nil), Row(text: "{}", value: nil), Row(text: "", value: nil),
        Row(text: "{", value: nil),
        Row(text: #"{"id"}"#, value: nil), Row(text: #"{"id":}"#, value: nil), Row(text: #"{"id"#, value: nil),
    ]

    @Test(arguments: rows)
    func aValueIsFoundWhereItIsWrittenPlainly(_ row: Row) {
        #expect(Self.peek(row.text, row.names) == row.value)
    }

    @Test(arguments: UInt64(1)...40)
    func whatIsFoundIsWhatTheParserFinds(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let parser = JSONParser()
        for _ in 0..<50 {
            let members = (0..<random.below(5)).map { "\"m\($0)\":" + random.document(depth: 3) }
            let text = "{" + members.joined(separator: ",") + "}"
            for index in 0..<6 {
                let whole = try unsafe parser.parse(Array(text.utf8)).member(named: "m\(index)").map {
                    ReferenceValue($0)
                }
                let found = Self.peek(text, ["m\(index)"])
                #expect((found == nil) == (whole == nil), "seed \(seed): \(text)")
                guard let found else { continue }
                #expect(ReferenceParser.parse(Array(found.utf8)) == whole, "seed \(seed): \(text)")
            }
        }
    }
}

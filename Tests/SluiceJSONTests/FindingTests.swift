import SluiceJSON
import Testing

/// An error says what it found where something else should be.
@Suite struct FindingTests {
    @Test(arguments: [
        (#"{"a": NaN}"#, "line 1, column 7: Expected a value here, found `NaN`."),
        (#"{"a": [1,]}"#, "line 1, column 10: Expected a value here, found `]`."),
        (#"{"a": 1 "b": 2}"#, "line 1, column 9: Expected a comma or `}` here, found `\"`."),
        ("[1 // one\n]", "line 1, column 4: Expected a comma or `]` here, found `//`."),
        ("[1, \u{FEFF}2]", "line 1, column 5: Expected a value here, found `\u{FEFF}2`."),
        (
            "[\(String(repeating: "x", count: 100))]",
            "line 1, column 2: Expected a value here, found `xxxxxxxxxxxxxxxxxxxxxxxx`."
        ),
        ("abc", "line 1, column 1: Expected a value here, found `abc`."),
        ("[1", "line 1, column 3: The text ends before the value is complete."),
        (#"["\x"]"#, "line 1, column 3: This escape is not one of JSON's."),
    ])
    func whatIsFoundIsTold(text: String, words: String) throws {
        for (size, piece) in [(64, Int.max), (1 << 16, .max), (64, 1), (64, 3)] {
            let bytes = Array(text.utf8)
            var position = 0
            let reader = try unsafe JSONRecordReader(records: nil, bufferSize: size) { buffer in
                let count = min(buffer.count, piece, bytes.count - position)
                unsafe buffer.copyBytes(from: bytes[position..<position + count])
                position += count
                return count
            }
            let parser = JSONParser()
            let error = try #require(throws: JSONError.self) {
                while let record = try reader.next() {
                    do throws(JSONError) {
                        _ = try unsafe parser.parse(record.bytes)
                    } catch {
                        throw reader.located(error, in: record)
                    }
                }
            }
            #expect("\(error)" == words)
        }
    }
}

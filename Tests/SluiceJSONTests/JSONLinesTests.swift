import SluiceJSON
import Testing

@Suite struct JSONLinesTests {
    @Test(arguments: [
        ("lines", "{\"a\":1}\n[2]\n3\n", ["{\"a\":1}", "[2]", "3"]),
        ("no line feed at the end", "1\n2", ["1", "2"]),
        ("blank lines", "\n\n1\n  \n\t\r\n2\n\n", ["1", "2"]),
        ("carriage returns", "1\r\n{}\r\n", ["1", "{}"]),
        ("space around", "  1  \n\t2\t", ["1", "2"]),
        ("mark", "\u{FEFF}1\n2", ["1", "2"]),
        ("mark alone", "\u{FEFF}\n2", ["2"]),
        ("nothing", "", []),
        ("no value", " \n ", []),
    ])
    func eachLineIsARecord(name: String, text: String, records: [String]) throws {
        for piece in [1, 2, 3, 7, 64] {
            #expect(try recordTexts(text.utf8, format: .jsonl, pieces: piece) == records, "pieces of \(piece)")
        }
    }

    @Test func aPathIsFollowedInEachLine() throws {
        let text = "{\"d\":[1,2]}\n\n{\"d\":[]}\r\n{\"x\":0}\n{\"d\":[3]}"
        for piece in [1, 7, 4096] {
            let path = try JSONPath(parsing: "$.d[*]")
            #expect(try recordTexts(text.utf8, path: path, format: .jsonl, pieces: piece) == ["1", "2", "3"])
            let members = "{\"d\":{\"a\":1}}\n{\"d\":{\"b\":2}}"
            let object = try JSONPath(parsing: "$.d")
            #expect(
                try recordTexts(members.utf8, path: object, members: true, format: .jsonl, pieces: piece)
                    == ["a=1", "b=2"])
        }
    }

    @Test(
        arguments: [
            ("html", nil, "<html>\n", JSONError.Code.html, 1, 1),
            ("mark within", nil, "1\n\u{FEFF}2", .unexpectedCharacter, 2, 1),
            ("truncated line", "$.d[*]", "{\"d\":[1]}\n{\"d\":[1\n{\"d\":[]}", .truncated, 2, 8),
            ("wrong type", "$.d[*]", "{\"d\":[1]}\n{\"d\":7}", .wrongType, 2, 6),
        ] as [(String, String?, String, JSONError.Code, Int, Int)])
    func errorsSayWhere(
        name: String, path: String?, text: String, code: JSONError.Code, line: Int, column: Int
    ) throws {
        let path = try path.map { try JSONPath(parsing: $0) }
        for piece in [1, 4096] {
            let error = #expect(throws: JSONError.self) {
                _ = try recordTexts(text.utf8, path: path, format: .jsonl, pieces: piece)
            }
            #expect(error?.code == code)
            #expect(error?.line == line)
            #expect(error?.column == column)
        }
    }

    @Test func offsetsAndCountsAreThoseOfTheDocument() throws {
        let reader = try unsafe JSONRecordReader(
            records: nil, format: .jsonl, source: source(Array("\n {}\n 12\n".utf8)))
        #expect(try reader.next()?.byteOffset == 2)
        #expect(try reader.next()?.byteOffset == 6)
        #expect(try reader.next() == nil)
        #expect(reader.recordCount == 2)
        #expect(reader.byteCount == 9)
        #expect(reader.pathWasFound)
    }
}

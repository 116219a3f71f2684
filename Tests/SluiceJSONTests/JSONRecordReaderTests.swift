import SluiceJSON
import Testing

@Suite struct JSONRecordReaderTests {
    struct PathCase: Sendable, CustomTestStringConvertible {
        var name: String
        var path: String?
        var members = false
        var document: String
        var records: [String]
        var pointers: [String]
        var isFound = true

        var testDescription: String { name }
    }

    static let paths: [PathCase] = [
        .init(
            name: "array", path: nil, document: " [1, {\"a\":[2]} ,\"x\"]\n", records: ["1", "{\"a\":[2]}", "\"x\""],
            pointers: ["/0", "/1", "/2"]),
        .init(name: "empty array", path: nil, document: "[ ]", records: [], pointers: []),
        .init(name: "object", path: nil, document: " {\"a\": 1} ", records: ["{\"a\": 1}"], pointers: [""]),
        .init(name: "root", path: "$", document: "[1, 2]", records: ["[1, 2]"], pointers: [""]),
        .init(name: "root number", path: "$", document: "12.5", records: ["12.5"], pointers: [""]),
        .init(
            name: "elements", path: "$[*]", document: "[true,null]", records: ["true", "null"], pointers: ["/0", "/1"]),
        .init(
            name: "member", path: "$.data[*]", document: #"{"a":[1],"data":[2,3],"b":"]"}"#, records: ["2", "3"],
            pointers: ["/data/0", "/data/1"]),
        .init(
            name: "singular", path: "$.data", document: #"{"data":[2,3]}"#, records: ["data=[2,3]"], pointers: ["/data"]
        ),
        .init(
            name: "long", path: "$.a.b[1].c[*]", document: #"{"a":{"b":[{"c":[0]},{"x":[9],"c":[1,2]},{"c":[3]}]}}"#,
            records: ["1", "2"], pointers: ["/a/b/1/c/0", "/a/b/1/c/1"]),
        .init(
            name: "nested wildcards", path: "$[*].items[*]",
            document: #"[{"items":[1]},{"id":2},{"items":[]},{"items":[3,4]}]"#, records: ["1", "3", "4"],
            pointers: ["/0/items/0", "/3/items/0", "/3/items/1"]),
        .init(
            name: "same name deeper", path: "$.a[*]", document: #"{"b":{"a":[1]},"c":[{"a":[2]}],"a":[3]}"#,
            records: ["3"], pointers: ["/a/0"]),
        .init(
            name: "name twice", path: "$.a[*]", document: #"{"a":[1],"a":[2]}"#, records: ["1", "2"],
            pointers: ["/a/0", "/a/0"]),
        .init(
            name: "escaped name", path: "$['a/~é\"']", document: #"{"a\/~\u00e9\"":7}"#, records: ["a/~é\"=7"],
            pointers: ["/a~1~0é\""]),
        .init(
            name: "name that begins alike", path: "$.ab", document: #"{"a":1,"abc":2,"":3,"ab":4}"#, records: ["ab=4"],
            pointers: ["/ab"]),
        .init(name: "empty name", path: "$['']", document: #"{"a":1,"":2}"#, records: ["=2"], pointers: ["/"]),
        .init(
            name: "wildcard over members", path: "$.r.*", document: #"{"r":{"x":1,"y":[2]}}"#,
            records: ["x=1", "y=[2]"], pointers: ["/r/x", "/r/y"]),
        .init(
            name: "members", path: "$.v", members: true, document: #"{"v":{"1.0":{"a":1},"1.\u0031":{}}}"#,
            records: ["1.0={\"a\":1}", "1.1={}"], pointers: ["/v/1.0", "/v/1.1"]),
        .init(
            name: "members of the root", path: nil, members: true, document: #"{"":1,"b":2}"#, records: ["=1", "b=2"],
            pointers: ["/", "/b"]),
        .init(
            name: "members in an array", path: "$[*]", members: true, document: #"[{"a":1},{},{"b":2}]"#,
            records: ["a=1", "b=2"], pointers: ["/0/a", "/2/b"]),
        .init(
            name: "name above", path: "$.*.a", document: #"{"x":{"a":1},"y":{"b":0,"a":2}}"#, records: ["a=1", "a=2"],
            pointers: ["/x/a", "/y/a"]),
        .init(
            name: "brackets in strings", path: nil, document: #"[{"a":"}]\"}"},["\\"],"]"]"#,
            records: [#"{"a":"}]\"}"}"#, #"["\\"]"#, #""]""#], pointers: ["/0", "/1", "/2"]),
        .init(
            name: "missing", path: "$.data[*]", document: #"{"other":[1]}"#, records: [], pointers: [], isFound: false),
        .init(name: "null", path: "$.data[*]", document: #"{"data":null}"#, records: [], pointers: [], isFound: false),
        .init(
            name: "null above", path: "$.data.items[*]", document: #"{"data":null}"#, records: [], pointers: [],
            isFound: false),
        .init(name: "empty container", path: "$.data[*]", document: #"{"data":[]}"#, records: [], pointers: []),
        .init(name: "nothing to expand", path: "$[*].items[*]", document: "[]", records: [], pointers: []),
        .init(
            name: "expanded in vain", path: "$[*].items[*]", document: #"[{"a":1}]"#, records: [], pointers: [],
            isFound: false),
        .init(
            name: "no such index", path: "$[2].a[*]", document: #"[{"a":[1]}]"#, records: [], pointers: [],
            isFound: false),
    ]

    @Test(arguments: paths)
    func pathsAreFollowed(example: PathCase) throws {
        for piece in [1, 2, 3, 7, 64, 4096] {
            let bytes = Array(example.document.utf8)
            let reader = try unsafe JSONRecordReader(
                records: try example.path.map { try JSONPath(parsing: $0) }, members: example.members, bufferSize: 64,
                source: source(bytes, pieces: piece))
            var texts: [String] = []
            var pointers: [String] = []
            while let record = try reader.next() {
                #expect(record.ordinal == texts.count)
                let text = unsafe String(decoding: record.bytes, as: UTF8.self)
                #expect(unsafe bytes[record.byteOffset...].prefix(record.bytes.count).elementsEqual(record.bytes))
                texts.append(record.member.map { "\($0)=\(text)" } ?? text)
                pointers.append(reader.pointer)
            }
            #expect(try reader.next() == nil)
            #expect(texts == example.records, "pieces of \(piece)")
            #expect(pointers == example.pointers)
            #expect(reader.pathWasFound == example.isFound)
            #expect(reader.recordCount == example.records.count)
            #expect(reader.byteCount == bytes.count)
        }
    }

    struct ErrorCase: Sendable, CustomTestStringConvertible {
        var name: String
        var path: String?
        var members = false
        var document: String
        var code: JSONError.Code
        var line: Int
        var column: Int
        var says = ""
        var pointer: String?

        var testDescription: String { name }
    }

    static let errors: [ErrorCase] = [
        .init(name: "empty", path: nil, document: "", code: .empty, line: 1, column: 1),
        .init(name: "blank", path: nil, document: " \n\n ", code: .empty, line: 3, column: 2),
        .init(name: "html", path: nil, document: "\n <html>", code: .html, line: 2, column: 2, says: "HTML"),
        .init(
            name: "root is a string", path: nil, document: "\"x\"", code: .wrongType, line: 1, column: 1,
            says: "a string", pointer: ""),
        .init(
            name: "root is null", path: nil, document: "null", code: .wrongType, line: 1, column: 1, says: "null",
            pointer: ""),
        .init(
            name: "data is a string", path: "$.data[*]", document: "{\n\"data\": \"x\"}", code: .wrongType, line: 2,
            column: 9, says: "a string", pointer: "/data"),
        .init(
            name: "data is a number", path: "$.data.x[*]", document: #"{"data": -1}"#, code: .wrongType, line: 1,
            column: 10, says: "an object", pointer: "/data"),
        .init(
            name: "root is an array", path: "$.data", document: "[1]", code: .wrongType, line: 1, column: 1,
            says: "an array", pointer: ""),
        .init(
            name: "index into an object", path: "$[0]", document: "{}", code: .wrongType, line: 1, column: 1,
            says: "an object", pointer: ""),
        .init(
            name: "members of an array", path: "$.v", members: true, document: #"{"v":[1]}"#, code: .wrongType, line: 1,
            column: 6, says: "an array", pointer: "/v"),
        .init(
            name: "element is a boolean", path: "$[*].a[*]", document: #"[{"a":[]},true]"#, code: .wrongType, line: 1,
            column: 11, says: "a boolean", pointer: "/1"),
        .init(
            name: "truncated in a record", path: nil, document: "[{\"a\":1},\n{\"b\":", code: .truncated, line: 2,
            column: 6),
        .init(name: "truncated behind a record", path: nil, document: "[1,2", code: .truncated, line: 1, column: 5),
        .init(name: "trailing content", path: nil, document: "[1]\n\n]", code: .trailingContent, line: 3, column: 1),
        .init(
            name: "trailing content of an object", path: nil, document: "{} {}", code: .trailingContent, line: 1,
            column: 4),
        .init(name: "no comma", path: nil, document: "[{}\n{}]", code: .unexpectedCharacter, line: 2, column: 1),
        .init(
            name: "bad sibling", path: "$.d[*]", document: #"{"a":[1,{"x":tru}],"d":[1]}"#, code: .invalidLiteral,
            line: 1, column: 14),
        .init(
            name: "bad number beside", path: "$.d[*]", document: #"{"d":[1],"a":01}"#, code: .invalidNumber, line: 1,
            column: 15),
        .init(name: "bad record number", path: nil, document: "[1,-]", code: .invalidNumber, line: 1, column: 5),
        .init(name: "unclosed name", path: "$.d[*]", document: "{\n\"d", code: .unclosedString, line: 2, column: 1),
        .init(
            name: "bad escape beside", path: "$.d[*]", document: #"{"a":"\q"}"#, code: .invalidEscape, line: 1,
            column: 7),
        .init(name: "half a mark", path: nil, document: "\u{FFFE}[]", code: .unexpectedCharacter, line: 1, column: 1),
    ]

    @Test(arguments: errors)
    func errorsSayWhatAndWhere(example: ErrorCase) throws {
        for piece in [1, 3, 4096] {
            let reader = try unsafe JSONRecordReader(
                records: try example.path.map { try JSONPath(parsing: $0) }, members: example.members, bufferSize: 64,
                source: source(Array(example.document.utf8), pieces: piece))
            let error = #expect(throws: JSONError.self) { while try reader.next() != nil {} }
            #expect(error?.code == example.code)
            #expect(error?.line == example.line)
            #expect(error?.column == example.column)
            #expect(error?.message.contains(example.says) == true || example.says.isEmpty, "\(error?.message ?? "")")
            #expect(error?.pointer == example.pointer)
            #expect(#expect(throws: JSONError.self) { try reader.next() } == error)
        }
    }

    @Test func anErrorInARecordIsPlacedInTheDocument() throws {
        let text = "[{\"a\":1},\n {\"a\":\n  tru}]"
        let reader = try unsafe JSONRecordReader(records: nil, bufferSize: 64, source: source(Array(text.utf8)))
        let parser = JSONParser()
        _ = try reader.next()
        let record = try #require(try reader.next())
        do {
            _ = try unsafe parser.parse(record.bytes)
            Issue.record("the record is not valid")
        } catch {
            let error = reader.located(error, in: record)
            #expect(error.byteOffset == 19)
            #expect(error.line == 3)
            #expect(error.column == 3)
        }
    }

    @Test func linesAreCountedInWhatIsNoLongerInMemory() throws {
        let lines = String(repeating: "{\"a\": \"some text\"},\n", count: 500)
        let text = "[" + lines + "  x]"
        let reader = try unsafe JSONRecordReader(records: nil, bufferSize: 64, source: source(Array(text.utf8)))
        let error = #expect(throws: JSONError.self) { while try reader.next() != nil {} }
        #expect(error?.line == 501)
        #expect(error?.column == 3)
    }

    private struct ReadFailure: Error {}

    @Test func whatTheSourceThrowsComesThrough() throws {
        var calls = 0
        let reader = try unsafe JSONRecordReader(records: nil) { buffer in
            calls += 1
            if calls > 1 { throw ReadFailure() }
            unsafe buffer.copyBytes(from: "[1,2".utf8)
            return 4
        }
        #expect(try reader.next()?.ordinal == 0)
        #expect(throws: ReadFailure.self) { try reader.next() }
        #expect(throws: ReadFailure.self) { try reader.next() }
        #expect(calls == 2)
    }

    @Test func aFailedReadIsNoEnd() throws {
        let reader = try unsafe JSONRecordReader(records: nil, format: .jsonl) { _ in -1 }
        #expect(throws: JSONError.self) { try reader.next() }
    }
}

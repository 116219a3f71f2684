import SluiceJSON
import Testing

/// Paths to records that need the whole document.
@Suite struct RecordSearchTests {
    struct PathCase: Sendable, CustomTestStringConvertible {
        var name: String
        var path: String
        var members = false
        var format = JSONRecordReader.Format.json
        var document: String
        var records: [String]
        var pointers: [String]
        var isFound = true

        var testDescription: String { name }
    }

    static let paths: [PathCase] = [
        .init(
            name: "filter", path: "$.items[?@.active == true]",
            document: #" {"items":[{"id":1,"active":true}, {"id":2} ,{"id":"]","active":true}]}"#,
            records: [#"{"id":1,"active":true}"#, #"{"id":"]","active":true}"#], pointers: ["/items/0", "/items/2"]),
        .init(
            name: "filter in vain", path: "$.items[?@.active]", document: #"{"items":[{"id":1}]}"#, records: [],
            pointers: []),
        .init(
            name: "nothing to filter", path: "$.items[?@.active]", document: #"{"rows":[{"id":1}]}"#, records: [],
            pointers: [], isFound: false),
        .init(
            name: "nothing to filter but a number", path: "$.items[?@.active]", document: #"{"items":1}"#, records: [],
            pointers: [], isFound: false),
        .init(
            name: "members", path: "$.v[?@ > 1]", document: #"{"v":{"a":1,"b/":2,"\u0063":3}}"#,
            records: ["b/=2", "c=3"], pointers: ["/v/b~1", "/v/c"]),
        .init(
            name: "descendants", path: "$..id", document: #"{"id":1,"a":[{"id":"x\""},{"b":{"id":null}}]}"#,
            records: ["id=1", #"id="x\"""#, "id=null"], pointers: ["/id", "/a/0/id", "/a/1/b/id"]),
        .init(name: "last", path: "$[-1]", document: "[1,2,-3.5e7 ]", records: ["-3.5e7"], pointers: ["/2"]),
        .init(name: "no last", path: "$[-1]", document: "[]", records: [], pointers: [], isFound: false),
        .init(
            name: "slice", path: "$[1:3]", document: "[1,true,false,4]", records: ["true", "false"],
            pointers: ["/1", "/2"]),
        .init(
            name: "backwards", path: "$[::-1]", document: "[1,[2],3]", records: ["3", "[2]", "1"],
            pointers: ["/2", "/1", "/0"]),
        .init(
            name: "several", path: "$['b','a'][*]", document: #"{"a":[1],"b":[2,3]}"#, records: ["2", "3", "1"],
            pointers: ["/b/0", "/b/1", "/a/0"]),
        .init(
            name: "the same twice", path: "$[0,0]", document: "[{}]", records: ["{}", "{}"], pointers: ["/0", "/0"]),
        .init(
            name: "members of what is found", path: "$[?@.x]", members: true, document: #"[{"x":{},"y":[0]},{"z":1}]"#,
            records: ["x={}", "y=[0]"], pointers: ["/0/x", "/0/y"]),
        .init(
            name: "members of null", path: "$[-1]", members: true, document: "[null]", records: [], pointers: []),
        .init(
            name: "lines", path: "$.d[?@ > 1]", format: .jsonl, document: "{\"d\":[1,2]}\n\n {\"d\":[]}\n{\"d\":[3]}",
            records: ["2", "3"], pointers: ["/d/1", "/d/0"]),
        .init(
            name: "byte order mark", path: "$[-1:]", document: "\u{FEFF}[1,2]", records: ["2"], pointers: ["/1"]),
    ]

    @Test(arguments: paths)
    func pathsAreFollowed(example: PathCase) throws {
        for piece in [1, 7, 4096] {
            let bytes = Array(example.document.utf8)
            let reader = try unsafe JSONRecordReader(
                records: try JSONPath(parsing: example.path), members: example.members, format: example.format,
                bufferSize: 64, source: source(bytes, pieces: piece))
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

    /// A path that both ways can follow gives the same.
    @Test(arguments: ["$.a[*]", "$.b.*", "$[*][*]", "$.a[1]"])
    func bothWaysAgree(text: String) throws {
        let document = #"{"a":[1,{"x":[2]},"s"],"b":{"c":null,"d":[true]}}"#
        let streamed = try recordTexts(document.utf8, path: JSONPath(parsing: text))
        // A slice of all, or the same name twice: no longer a plain path.
        let searched = try recordTexts(document.utf8, path: JSONPath(parsing: text + "[?1==2]"))
        #expect(searched.isEmpty && !streamed.isEmpty)
        let general = text.replacing("[*]", with: "[?1==1]").replacing(".*", with: "[?1==1]").replacing(
            "[1]", with: "[1:2]")
        let found = try recordTexts(document.utf8, path: JSONPath(parsing: general))
        #expect(found == streamed)
    }

    @Test(arguments: [
        (#"[{"a":1},"#, JSONError.Code.truncated, 1, 10), ("[1,\n tru]", .invalidLiteral, 2, 2), ("", .empty, 1, 1),
        ("[1]\n]", .trailingContent, 2, 1), ("<p>", .html, 1, 1),
    ])
    func errorsSayWhatAndWhere(document: String, code: JSONError.Code, line: Int, column: Int) throws {
        let reader = try unsafe JSONRecordReader(
            records: JSONPath(parsing: "$[?@.a]"), bufferSize: 64, source: source(Array(document.utf8), pieces: 3))
        let error = #expect(throws: JSONError.self) { while try reader.next() != nil {} }
        #expect(error?.code == code)
        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test func membersOfSomethingElseAreAnError() throws {
        let reader = try unsafe JSONRecordReader(
            records: JSONPath(parsing: "$.v[?@ != 1]"), members: true,
            source: source(Array("{\"v\":[{\"a\":1},\n [1]]}".utf8)))
        let error = #expect(throws: JSONError.self) { try reader.next() }
        #expect(error?.code == .wrongType)
        #expect(error?.pointer == "/v/1")
        #expect(error?.line == 2)
        #expect(error?.column == 2)
    }

    @Test func theDocumentIsLimited() throws {
        let document = Array("[\(String(repeating: "1,", count: 600))1]".utf8)
        let reader = try unsafe JSONRecordReader(
            records: JSONPath(parsing: "$[-1]"), maximumDocumentBytes: 1_000, bufferSize: 64,
            source: source(document, pieces: 100))
        let error = #expect(throws: JSONError.self) { try reader.next() }
        #expect(error?.code == .documentTooLarge)
        #expect(error?.message.contains("larger than the limit of 1000 bytes") == true)
        #expect(reader.byteCount < 1_200)
        // A path that is followed while the document streams past has no such limit.
        let streamed = try unsafe JSONRecordReader(
            records: JSONPath(parsing: "$[600]"), maximumDocumentBytes: 1_000, source: source(document))
        #expect(try streamed.next()?.byteOffset == 1_201)
    }

    @Test func recordsAreLimitedToo() throws {
        let reader = try unsafe JSONRecordReader(
            records: JSONPath(parsing: "$[0,1]"), maximumRecordBytes: 5, source: source(Array("[1,[2,3,4]]".utf8)))
        #expect(try reader.next() != nil)
        let error = #expect(throws: JSONError.self) { try reader.next() }
        #expect(error?.code == .recordTooLarge)
        #expect(error?.column == 4)
    }

    @Test func aPathThatIsTooCostlyIsAnError() throws {
        let document = "[" + (0..<4_000).map { "[\($0)]" }.joined(separator: ",") + "]"
        let reader = try unsafe JSONRecordReader(
            records: JSONPath(parsing: "$[?count($..*) == count($..*)]"), source: source(Array(document.utf8)))
        let error = #expect(throws: JSONError.self) { try reader.next() }
        #expect(error?.code == .pathTooCostly)
    }
}

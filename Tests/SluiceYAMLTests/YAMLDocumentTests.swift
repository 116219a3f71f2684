import SluiceYAML
import Testing

@Suite struct YAMLDocumentTests {
    private func read(_ text: String) -> YAMLDocument { YAMLDocument(reading: Array(text.utf8)) }

    @Test func nodesKnowWhereTheyStand() throws {
        let document = read("a: 1\nlist:\n  - x\n  - {b: 'two', 図: \"c\"}\n")
        #expect(document.problems == [])
        let members = try #require(document.root?.mapping)
        #expect(members.map(\.name) == ["a", "list"])
        #expect(members[0].key.start == Mark(line: 1, column: 1))
        #expect(members[0].value.start == Mark(line: 1, column: 4))
        #expect(members[0].value.end == Mark(line: 1, column: 5))
        let list = try #require(members[1].value.sequence)
        #expect(members[1].value.start == Mark(line: 3, column: 3))
        #expect(list[0].start == Mark(line: 3, column: 5))
        let inner = try #require(list[1].mapping)
        #expect(inner[1].key.start == Mark(line: 4, column: 16))
        #expect(inner[1].value.start == Mark(line: 4, column: 19))
        #expect(inner[1].value.end == Mark(line: 4, column: 22))
    }

    @Test(arguments: [
        ("x", YAMLScalar.Style.plain, YAMLValue.string, "x"), ("12", .plain, .int(12), "12"),
        ("1.50", .plain, .double(1.5), "1.50"), ("'12'", .singleQuoted, .string, "12"),
        ("\"a\\tb\"", .doubleQuoted, .string, "a\tb"), ("|\n  12\n", .literal, .string, "12\n"),
        (">-\n  a\n  b\n", .folded, .string, "a b"), ("no", .plain, .string, "no"), ("", .plain, .null, ""),
        ("!!str 12", .plain, .string, "12"), ("! 12", .plain, .string, "12"),
        ("!!int \"12\"", .doubleQuoted, .int(12), "12"),
        ("!!float 1", .plain, .double(1), "1"), ("!!null ''", .singleQuoted, .null, ""),
    ])
    func scalar(text: String, style: YAMLScalar.Style, value: YAMLValue, characters: String) throws {
        let document = read("k: \(text)")
        #expect(document.problems == [])
        let scalar = try #require(document.root?.mapping?.first?.value.scalar)
        #expect(scalar == YAMLScalar(text: characters, style: style, value: value))
    }

    @Test func duplicateKeysNameBothPlaces() {
        let document = read("a: 1\nb:\n  c: 1\n  'c': 2\na: 2\n")
        #expect(document.problems.map(\.code) == [.duplicateKey, .duplicateKey])
        #expect(document.problems.map(\.mark) == [Mark(line: 4, column: 3), Mark(line: 5, column: 1)])
        #expect(document.problems.map(\.contextMark) == [Mark(line: 3, column: 3), Mark(line: 1, column: 1)])
        #expect(document.root != nil)
    }

    @Test(arguments: [
        ("a: !t 1", Mark(line: 1, column: 4)),
        ("a: !t [1]", Mark(line: 1, column: 4)), ("a: !!set {}", Mark(line: 1, column: 4)),
        ("a: !!int x", Mark(line: 1, column: 4)),
        ("a: 1\n---\nb: 2", Mark(line: 2, column: 1)), ("? [a]\n: b", Mark(line: 1, column: 3)),
        ("{{ a }}", Mark(line: 1, column: 2)),
    ])
    func refused(text: String, mark: Mark) {
        let document = read(text)
        #expect(document.problems.map(\.code) == [.unsupported])
        #expect(document.problems.first?.mark == mark)
    }

    @Test(arguments: [
        ("a:\n\tb: 1", Mark(line: 2, column: 1)), ("a: 'b", Mark(line: 1, column: 4)),
        ("a: b: c", Mark(line: 1, column: 5)),
        ("a: [1, 2", Mark(line: 1, column: 4)), ("a: @b", Mark(line: 1, column: 4)),
        ("a: 1\n b: 2", Mark(line: 2, column: 3)),
        ("- a\nb: 1", Mark(line: 2, column: 1)),
    ])
    func syntaxError(text: String, mark: Mark) {
        let document = read(text)
        #expect(document.root == nil)
        #expect(document.problems.map(\.code) == [.syntax])
        #expect(document.problems.first?.mark == mark)
    }

    @Test func syntaxErrorNamesTheContext() {
        let problem = read("a: 1\nb: {c: 1\n").problems.first
        #expect(problem?.contextMark == Mark(line: 2, column: 4))
        #expect(problem?.message.contains("line 2, column 4") == true)
    }

    @Test(arguments: ["", "# a\n", "---\n...\n", "\u{FEFF}"])
    func nothing(text: String) {
        let document = read(text)
        #expect(document.problems == [])
        #expect(document.root?.scalar?.value ?? .null == .null)
    }

    @Test func byteOrderMarkTakesNoColumn() {
        #expect(read("\u{FEFF}a: 1").root?.mapping?.first?.value.start == Mark(line: 1, column: 4))
    }

    @Test(arguments: [
        ([0x61, 0x3A, 0x20, 0xFF] as [UInt8], Mark(line: 1, column: 4)),
        ([0x61, 0x0A, 0xC3, 0xA9, 0xE2, 0x82] as [UInt8], Mark(line: 2, column: 2)),
        ([0xFF, 0xFE, 0x61, 0x00] as [UInt8], Mark(line: 1, column: 1)),
        ([0x61, 0x3A, 0x20, 0x07] as [UInt8], Mark(line: 1, column: 4)),
        ([0xC0, 0x80] as [UInt8], Mark(line: 1, column: 1)),
    ])
    func encoding(bytes: [UInt8], mark: Mark) {
        let document = YAMLDocument(reading: bytes)
        #expect(document.problems.map(\.code) == [.encoding])
        #expect(document.problems.first?.mark == mark)
    }

    @Test func limits() {
        var limits = YAMLDocument.Limits()
        limits.maximumDepth = 2
        limits.maximumBytes = 10
        #expect(YAMLDocument(reading: Array("[[1]]".utf8), limits: limits).problems == [])
        #expect(YAMLDocument(reading: Array("[[[1]]]".utf8), limits: limits).problems.map(\.code) == [.limit])
        #expect(YAMLDocument(reading: Array("'123456789'".utf8), limits: limits).problems.map(\.code) == [.limit])
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["[", "{a: ", "- ", "? ", "'", "!", "&a ", "# \n", "a: ", "{{", "\"\\u"])
    func repeatedPiecesEnd(piece: String) {
        _ = read(String(repeating: piece, count: 100_000))
    }

    @Test func linesAreThoseOfLibyaml() {
        let text = "a: 1\r\nb: 2\rc: '\u{85}\u{2028}x'\nd: 4"
        let lines = SourceLines(Array(text.utf8))
        #expect(lines.count == 6)
        #expect((1...6).map { lines.line($0) } == ["a: 1", "b: 2", "c: '", "", "x'", "d: 4"])
        #expect(lines.line(0) == nil)
        #expect(lines.line(7) == nil)
        #expect(read(text).root?.mapping?.last?.key.start == Mark(line: 6, column: 1))
    }
}

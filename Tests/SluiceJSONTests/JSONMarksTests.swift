import SluiceJSON
import Testing

/// Texts with halves of surrogate pairs and with values that are nested too deeply, marked and restored.
@Suite struct JSONMarksTests {
    /// U+FDD0, which no literal may hold.
    private static let mark = String(decoding: [0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self)

    @Test(arguments: [
        (#"{"a":"\ud83d"}"#, 1), (#"["\udc00\ud800","\uD800"]"#, 3), (#"["\ud83d\ude00"]"#, 0), (#"["\\ud800"]"#, 0),
        (#"["\ufdd0","\ud800"]"#, 1), ("[\"\(mark)\",\"\\ud800\"]", 1), (#"["\ud800\n\udfff"]"#, 2),
    ])
    func restored(text: String, halves: Int) throws {
        let bytes = Array(text.utf8)
        let marks = JSONMarks(bytes)
        #expect(marks.text.count == bytes.count)
        #expect(zip(marks.text, bytes).count { $0 != $1 } > 0 || halves == 0)
        // A parser takes it, and what it writes leads back: by the form in which texts are written.
        let back = try #require(marks.restored(Self.written(marks.text))).text
        #expect(
            back.lowercased().components(of: "\\ud").count - 1 == halves + text.components(of: #"\\ud"#).count - 1,
            "\(back)")
    }

    /// More kinds than there are marks.
    @Test func manyKinds() throws {
        let text = "[\"" + (0xD800..<0xD850).map { "\\u" + String($0, radix: 16) + "-" }.joined() + "\"]"
        let marks = JSONMarks(Array(text.utf8))
        let parser = JSONParser()
        #expect(throws: Never.self) { try unsafe parser.parse(marks.text) }
        #expect(try #require(marks.restored(marks.text)).text.hasPrefix("[\""))
    }

    /// What a text holds around a value of so many levels, and whether the value is marked.
    static let deep: [(before: String, levels: Int, after: String, isMarked: Bool)] = [
        ("[1,", 39, ",2]", false), ("[1,", 40, ",2]", true), (#"{"a":"["#, 40, #"","b":["]"]}"#, false),
        (#"[{"a":"\"[","b":"#, 60, "}]", true), (#"["\ud800","#, 80, #",{"c":"]"}]"#, true),
        (#"["\#(mark)","\ufdd1","#, 90, "]", true),
    ]

    @Test("A value that is nested too deeply is marked as a whole, and comes back as it was", arguments: deep)
    func deepValues(before: String, levels: Int, after: String, isMarked: Bool) throws {
        let value = isMarked || !before.hasSuffix("[")
        let nested = value ? String(repeating: "[", count: levels) + "7" + String(repeating: "]", count: levels) : ""
        let text = before + nested + after
        let marks = JSONMarks(Array(text.utf8), maximumDepth: 40)
        #expect(marks.text.count == text.utf8.count)
        #expect((marks.text != Array(text.utf8)) == isMarked)
        let written = try Self.written(marks.text, maximumDepth: 40)
        let restored = try #require(marks.restored(written)).text
        // What a parser takes of the text is what it takes of the one that came back.
        #expect(
            try Self.written(JSONText.tamed(Array(restored.utf8))) == Self.written(JSONText.tamed(Array(text.utf8))))
        #expect(restored.contains(nested))
        #expect(marks.restored(written, limit: restored.utf8.count) != nil)
        #expect(marks.restored(written, limit: restored.utf8.count - 1) == nil)
    }

    @Test(
        "A mark that is no value of its own gives the value for the whole text",
        arguments: [
            #"{"MARK":1}"#, #"{"a":"\"MARK\""}"#, #"["x MARK"]"#, #"["MARK x"]"#, "[\"\(mark)\"]", #"["MARK MARK"]"#,
        ])
    func within(text: String) throws {
        let value = String(repeating: "[", count: 50) + String(repeating: "]", count: 50)
        let marks = JSONMarks(Array("[\(value)]".utf8), maximumDepth: 40)
        let made = text.replacing("MARK", with: "\(Self.mark)0\(Self.mark)")
        // The levels above stay where they were.
        #expect(try #require(marks.restored(Array(made.utf8))).text == String(value.dropFirst(19).dropLast(19)))
    }

    /// What a parser makes of a text, as text.
    private static func written(_ text: [UInt8], maximumDepth: Int = JSONParser.defaultMaximumDepth) throws -> [UInt8] {
        var written: [UInt8] = []
        let parser = JSONParser(maximumDepth: maximumDepth)
        JSONWriter.append(try unsafe parser.parse(text), to: &written)
        return written
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}

import SluiceJSON
import Testing

/// Texts with halves of surrogate pairs, marked and restored.
@Suite struct SurrogateMarksTests {
    /// U+FDD0, which no literal may hold.
    private static let mark = String(decoding: [0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self)

    @Test(arguments: [
        (#"{"a":"\ud83d"}"#, 1), (#"["\udc00\ud800","\uD800"]"#, 3), (#"["\ud83d\ude00"]"#, 0), (#"["\\ud800"]"#, 0),
        (#"["\ufdd0","\ud800"]"#, 1), ("[\"\(mark)\",\"\\ud800\"]", 1), (#"["\ud800\n\udfff"]"#, 2),
    ])
    func restored(text: String, halves: Int) throws {
        let bytes = Array(text.utf8)
        let marks = SurrogateMarks(bytes)
        #expect(marks.text.count == bytes.count)
        #expect(zip(marks.text, bytes).count { $0 != $1 } > 0 || halves == 0)
        // A parser takes it, and what it writes leads back: by the form in which texts are written.
        var written: [UInt8] = []
        let parser = JSONParser()
        JSONWriter.append(try unsafe parser.parse(marks.text), to: &written)
        let back = String(decoding: marks.restored(written), as: UTF8.self)
        #expect(
            back.lowercased().components(of: "\\ud").count - 1 == halves + text.components(of: #"\\ud"#).count - 1,
            "\(back)")
    }

    /// More kinds than there are marks.
    @Test func manyKinds() throws {
        let text = "[\"" + (0xD800..<0xD850).map { "\\u" + String($0, radix: 16) + "-" }.joined() + "\"]"
        let marks = SurrogateMarks(Array(text.utf8))
        let parser = JSONParser()
        #expect(throws: Never.self) { try unsafe parser.parse(marks.text) }
        let restored = String(decoding: marks.restored(marks.text), as: UTF8.self)
        #expect(restored.hasPrefix("[\""))
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}

import SluiceCommands
import Testing

@Suite struct WordDiffTests {
    @Test(arguments: [
        ("a b c", "a b c", "a b c"), ("a b c", "a x c", "a [-b-]{+x+} c"), ("", "new", "{+new+}"),
        ("old", "", "[-old-]"),
        ("one two three", "one 2 3", "one [-two three-]{+2 3+}"), ("a, b", "a; b", "a[-,-]{+;+} b"),
        ("start", "start end", "start{+ end+}"), ("über alles", "unter alles", "[-über-]{+unter+} alles"),
    ])
    func wordsAreMarked(_ old: String, _ new: String, _ expected: String) {
        #expect(WordDiff(from: old, to: new).text == expected)
    }

    @Test func whatStaysTheSameIsCut() {
        let same = Array(repeating: "word", count: 100).joined(separator: " ")
        let text = WordDiff(from: "a \(same) b", to: "x \(same) y").text
        #expect(text.hasPrefix("[-a-]{+x+} word word") && text.hasSuffix("word [-b-]{+y+}"))
        #expect(text.contains(" … ") && text.count < 120)
    }

    @Test func veryLongTextsAreComparedFromTheirEnds() {
        let old = (0..<50_000).map { "a\($0)" }.joined(separator: " ")
        let new = (0..<50_000).map { "b\($0)" }.joined(separator: " ")
        let text = WordDiff(from: "x \(old) y", to: "x \(new) y").text
        #expect(text.hasPrefix("x [-a0 a1 ") && text.hasSuffix(" b49999+} y"))
    }

    @Test func linesAreNoLongerThanTheTerminal() {
        let text = WordDiff.wrapped(Array(repeating: "word", count: 60).joined(separator: " "), indent: "  ")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 96 && $0.hasPrefix("  word") })
    }
}

import SluiceCommands
import Testing

@Suite struct WordDiffTests {
    @Test(arguments: [
        ("a b c", "a b c", "a b c"), ("a b c", "a x c", "a [-b-]{+x+} c"), ("", "new", "{+new+}"), ("", "", ""),
        ("old", "", "[-old-]"), ("same ", "same", "same[- -]"),
        ("one two three", "one 2 3", "one [-two three-]{+2 3+}"), ("a, b", "a; b", "a[-,-]{+;+} b"),
        ("start", "start end", "start{+ end+}"), ("start end", "end", "[-start -]end"),
        ("über alles", "unter alles", "[-über-]{+unter+} alles"),
        // What two words share by chance is no island between them.
        ("costs 12.50 now", "costs 13.90 now", "costs [-12.50-]{+13.90+} now"),
        ("inherit an old boat", "inherit a boat", "inherit [-an old-]{+a+} boat"),
        // But what is long enough stays, and so do line breaks.
        ("a long day and b", "x long day and y", "[-a-]{+x+} long day and [-b-]{+y+}"),
        ("one\ntwo\n", "eins\nzwei\n", "[-one-]{+eins+}\n[-two-]{+zwei+}\n"),
        ("a\r\nb", "a\nb", "a[-\r-]\nb"),
        // Scripts without blanks go character by character, and no character is torn apart.
        ("灯台守の手紙", "灯台守の日記", "灯台守の[-手紙-]{+日記+}"), ("x 👩‍🚀 y", "x 👩‍🔬 y", "x [-👩‍🚀-]{+👩‍🔬+} y"),
        ("e\u{301}a", "éa", "[-e\u{301}a-]{+éa+}"),
    ])
    func wordsAreMarked(_ old: String, _ new: String, _ expected: String) {
        #expect(WordDiff(from: old, to: new).text == expected)
    }

    /// A diff must give back both texts, whatever they are.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func bothTextsAreInIt(seed: UInt64) {
        var state = seed &+ 0x9E37_79B9_7F4A_7C15
        func next(_ bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        let words = ["a", "bb", "ccc", " ", "  ", "\n", "é", "e\u{301}", "灯", "👩‍🚀", ".", "\r\n", "\u{301}"]
        func text() -> String { (0..<next(24)).map { _ in words[next(UInt64(words.count))] }.joined() }
        let (old, new) = (text(), text())
        let pieces = WordDiff(from: old, to: new).pieces
        func side(_ other: WordDiff.Side) -> [UInt8] {
            pieces.filter { $0.side != other }.flatMap { Array($0.text.utf8) }
        }
        #expect(side(.new) == Array(old.utf8), "seed \(seed)")
        #expect(side(.old) == Array(new.utf8), "seed \(seed)")
        #expect(!pieces.contains { $0.text.isEmpty })
    }

    @Test func veryLongTextsAreComparedFromTheirEnds() {
        let old = (0..<100_000).map { "a\($0)" }.joined(separator: " ")
        let new = (0..<100_000).map { "b\($0)" }.joined(separator: " ")
        let pieces = WordDiff(from: "x \(old) y", to: "x \(new) y").pieces
        #expect(pieces.map(\.side) == [.both, .old, .new, .both])
        #expect(pieces.first?.text == "x " && pieces.last?.text == " y")
        let text = WordDiffLayout(width: 90).text(of: WordDiff(from: old, to: new), style: TextStyle(isColored: false))
        #expect(text.hasPrefix("[-a0 a1 ") && text.contains(" … ") && text.hasSuffix("b99999+}\n"))
        #expect(text.count < 1200)
    }

    @Test func textsThatHaveLittleInCommonAreReplaced() {
        let old = (0..<5000).map { "a\($0)" }.joined(separator: " ")
        let new = (0..<5000).map { "b\($0)" }.joined(separator: " ")
        #expect(WordDiff(from: old, to: new).pieces.map(\.side) == [.old, .new])
        #expect(WordDiff(from: "\(old) end", to: "\(old) END").pieces.map(\.side) == [.both, .old, .new])
    }
}

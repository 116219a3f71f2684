import SluiceCommands
import Testing

@Suite struct WordDiffLayoutTests {
    private func text(
        _ old: String, _ new: String, width: Int = 90, limit: Int? = nil, isColored: Bool = false
    ) -> String {
        WordDiffLayout(width: width, limit: limit)
            .text(of: WordDiff(from: old, to: new), style: TextStyle(isColored: isColored))
    }

    private func words(_ count: Int) -> String { (0..<count).map { "word\($0)" }.joined(separator: " ") }

    @Test func whatStaysTheSameIsCut() {
        let text = text("a \(words(100)) b", "x \(words(100)) y", width: 120)
        #expect(text.hasPrefix("[-a-]{+x+} word0 word1") && text.hasSuffix("word99 [-b-]{+y+}\n"))
        #expect(text.contains(" … ") && text.count < 120)
    }

    @Test func linesAreNoLongerThanTheTerminal() {
        let text = text("start", "start " + words(60), width: 40)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 40 })
        #expect(text.hasPrefix("start{+ word0 word1") && text.hasSuffix("word59+}\n"))
    }

    @Test func aWordThatIsLongerThanALineIsBroken() {
        let text = text("", String(repeating: "x", count: 100), width: 40)
        #expect(text.split(separator: "\n").map(\.count) == [40, 40, 24])
    }

    @Test func aLineOfTheTextIsALine() {
        #expect(text("one\ntwo\tthree", "one\ntwo\tdrei") == "one\\n\ntwo\\t[-three-]{+drei+}\n")
    }

    @Test func nothingReachesTheTerminal() {
        let text = text("a\u{1B}[2J b", "a\u{1B}[2J \u{202E}c\u{85}d")
        #expect(text == "a\\u{1B}[2J [-b-]{+\\u{202E}c\\u{85}d+}\n")
    }

    @Test func thereIsAMostOfLines() {
        let text = text("", words(200), width: 40, limit: 3)
        #expect(text.split(separator: "\n").count == 4)
        #expect(text.hasSuffix("more lines\n"))
    }

    @Test func changesAreRedAndGreen() {
        #expect(
            text("a b c", "a x c", isColored: true) == "a \u{1B}[31m[-b-]\u{1B}[0m\u{1B}[32m{+x+}\u{1B}[0m c\n")
        // A colour ends with its line.
        let lines = text("", words(20), width: 40, isColored: true).split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[32m") && $0.hasSuffix("\u{1B}[0m") })
    }
}

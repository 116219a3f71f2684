import SluiceDiagnostics
import Testing

@Suite struct TextWidthTests {
    @Test(arguments: [
        ("", 0), ("Dune", 4), ("Größe", 5), ("東京", 4), ("ｱｲｳ", 3), ("ＡＢ", 4), ("한국어", 6), ("𠮷野家", 6),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("e\u{301}", 1), ("a\u{300}\u{301}\u{302}b", 2), ("नमस्ते", 4),
        ("📚", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2), ("🇨🇭", 2), ("1️⃣", 2), ("❤️", 2), ("❤", 1), ("⌚", 2),
        ("→", 1), ("…", 1), ("“”", 2), ("葛\u{E0100}", 2), ("می\u{200C}خواهم", 7), ("、。", 4), ("𗀀", 2),
    ])
    func aTextTakesAsManyColumnsAsATerminalShows(text: String, columns: Int) {
        #expect(TextWidth.of(text) == columns)
    }

    @Test func theBeginningThatFitsTearsNoCharacterApart() {
        #expect(TextWidth.prefix(of: "東京都", columns: 5) == "東京")
        #expect(TextWidth.prefix(of: "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", columns: 3) == "👩‍👩‍👧‍👦")
        #expect(TextWidth.prefix(of: "abc", columns: 0) == "")
    }
}

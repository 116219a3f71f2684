import SluiceCommands
import Testing

@Suite struct ShortTextTests {
    private let long = "\"" + String(repeating: "a", count: 200)

    @Test func shortTextStaysAsItIs() {
        #expect(ShortText.of("\"abc\"") == "\"abc\"")
        #expect(ShortText.pair("1", "2") == ("1", "2"))
        #expect(ShortText.of(String(repeating: "x", count: 60)).count == 60)
    }

    @Test func longTextIsCutAndAStringKeepsItsQuote() {
        let cut = ShortText.of(long + "\"")
        #expect(cut.count == 60)
        #expect(cut.hasSuffix("a…\""))
        #expect(ShortText.of(String(repeating: "1", count: 61)).hasSuffix("1…"))
    }

    /// A record in a narrow place is told by something of its first value.
    @Test(arguments: [(20, #"title "Printer …", …"#), (60, #"title "Printer on fire", body "Since Monday""#), (8, "…")])
    func aLineBeginsWithTheFirstValue(_ width: Int, _ text: String) {
        let members = [(name: "title", value: #""Printer on fire""#), (name: "body", value: #""Since Monday""#)]
        #expect(RecordLabel.line(members, width: width) == text)
    }

    @Test func aPairIsCutAroundWhereItDiffers() {
        let (old, new) = ShortText.pair(long + "old" + long + "\"", long + "new" + long + "\"")
        #expect(old.contains("old") && new.contains("new"))
        #expect(old.count <= 60 && new.count <= 60)
        #expect(old.hasPrefix("\"…a") && new.hasSuffix("…\""))
    }

    @Test func aPairThatDiffersAtItsEndShowsTheEnd() {
        let (old, new) = ShortText.pair(long + "1\"", long + "2\"")
        #expect(old.hasSuffix("a1\"") && new.hasSuffix("a2\""))
    }

    @Test func marksWithoutEndAreCut() {
        let pile = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(ShortText.of(pile).utf8.count < 2000)
        let (old, new) = ShortText.pair(pile, long + pile)
        #expect(old.utf8.count < 2000 && new.utf8.count < 2000)
        #expect(ShortText.pair(pile, "b" + pile).new.utf8.count < 2000)
        #expect(ShortText.of("e\u{301}") == "e\u{301}")
    }

    @Test func charactersAreNotTornApart() {
        let family = String(repeating: "👩‍🚀", count: 100)
        #expect(ShortText.of(family, width: 10) == String(repeating: "👩‍🚀", count: 4) + "…")
    }

    @Test func aTextIsCutByTheColumnsThatItTakes() {
        #expect(ShortText.of(String(repeating: "東", count: 30)) == String(repeating: "東", count: 30))
        #expect(ShortText.of(String(repeating: "東", count: 31)) == String(repeating: "東", count: 29) + "…")
        // An escape takes more than the character does.
        #expect(ShortText.of("ab\u{200B}cd", width: 9) == "ab…")
        #expect(ShortText.of("ab\u{200B}cd", width: 12) == "ab\\u{200B}cd")
        let (old, new) = ShortText.pair(
            String(repeating: "東", count: 50) + "a", String(repeating: "東", count: 50) + "b")
        #expect(old == "…" + String(repeating: "東", count: 10) + "a" && new.hasSuffix("東b"))
    }
}

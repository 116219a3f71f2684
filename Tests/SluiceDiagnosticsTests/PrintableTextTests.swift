import SluiceDiagnostics
import Testing

@Suite struct PrintableTextTests {
    @Test(arguments: [
        ("a\u{200B}b", "a\\u{200B}b"), ("\u{2060}", "\\u{2060}"), ("soft\u{AD}hyphen", "soft\\u{AD}hyphen"),
        ("\u{FEFF}x", "\\u{FEFF}x"), ("\u{61C}\u{202E}\u{2066}", "\\u{61C}\\u{202E}\\u{2066}"),
        ("\u{E000}", "\\u{E000}"), ("\u{F0000}", "\\u{F0000}"), ("\u{10FFFD}", "\\u{10FFFD}"),
        ("a\u{E0001}\u{E0041}\u{E007F}", "a\\u{E0001}\\u{E0041}\\u{E007F}"), ("\u{FFFE}", "\\u{FFFE}"),
        ("\u{FFF9}", "\\u{FFF9}"), ("\u{3164}", "\\u{3164}"), ("\u{2028}\u{85}", "\\u{2028}\\u{85}"),
        ("a\u{200D}b", "a\\u{200D}b"), ("a\u{FE0F}", "a\\u{FE0F}"), ("\u{200D}", "\\u{200D}"),
        ("é\u{FE00}\u{FE01}", "é\u{FE00}\\u{FE01}"), ("a\u{1B}[2J\n\t", "a\\u{1B}[2J\\n\\t"),
    ])
    func whatIsNotSeenIsEscaped(text: String, escaped: String) {
        #expect(PrintableText.escape(text) == escaped)
    }

    @Test(arguments: [
        "Dune", "Größe", "東京", "👩‍👩‍👧‍👦", "🏳️‍🌈", "❤️‍🔥", "1️⃣", "👍🏽", "🇨🇭", "葛\u{E0100}", "می\u{200C}خواهم", "क्\u{200D}ष",
        "e\u{301}", "مرحبا", "שלום", "a\u{A0}b",
    ])
    func whatIsSeenStays(text: String) {
        #expect(PrintableText.escape(text) == text)
    }
}

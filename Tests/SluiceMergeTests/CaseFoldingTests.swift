import SluiceModel
import Testing

@Suite("Text without case")
struct CaseFoldingTests {
    private static func folded(_ text: String) -> [UInt8] { folded(Array(text.utf8)) }

    private static func folded(_ bytes: [UInt8]) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe CaseFolding.folded($0) }
    }

    @Test(arguments: [
        ("ASCII", "Dune", "dUNE"), ("nothing", "", ""), ("accents", "ÉCOLE", "école"), ("Greek", "ΣΑΣ", "σας"),
        ("Cyrillic", "МИР", "мир"), ("Deseret, beyond 16 bits", "𐐀", "𐐨"), ("sharp s", "ẞ", "ß"),
        ("long s", "ſ", "S"), ("the sign of Kelvin", "\u{212A}", "k"), ("the sign of micro", "\u{B5}", "\u{3BC}"),
        ("Cherokee", "\u{13A0}", "\u{AB70}"), ("title case", "ǅ", "ǆ"),
    ])
    func isTheSame(_ name: String, _ left: String, _ right: String) {
        #expect(Self.folded(left) == Self.folded(right), "\(name)")
    }

    @Test(arguments: [
        ("letters", "a", "b"), ("accents", "e", "é"), ("one letter is one letter", "ß", "ss"),
        ("i without its dot", "ı", "i"), ("I with a dot", "İ", "i"), ("composition", "\u{E9}", "e\u{301}"),
        ("a ligature", "ﬁ", "fi"), ("signs that ASCII keeps 32 apart", "[", "{"), ("digits", "1", "١"),
    ])
    func isNotTheSame(_ name: String, _ left: String, _ right: String) {
        #expect(Self.folded(left) != Self.folded(right), "\(name)")
    }

    @Test func whatIsNoUTF8IsFoldedByItsASCII() {
        #expect(Self.folded([0x41, 0xFF, 0x5A]) == [0x61, 0xFF, 0x7A])
    }

    @Test func foldingAgainChangesNothing() {
        for value in 0...0x2FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let once = Self.folded(String(scalar))
            #expect(Self.folded(once) == once, "\(value)")
        }
    }
}

@Suite("Digests of other ways to compare")
struct ComparisonDigestTests {
    @Test func noneIsThatOfAnother() {
        let text = Array("dune".utf8)
        let digests = [
            FieldDigest.text(text), unsafe text.withUnsafeBytes { unsafe FieldDigest.ignoringCase($0) },
            FieldDigest.set([text]), FieldDigest.text(Array("[dune]".utf8)),
        ]
        #expect(Set(digests).count == digests.count)
    }

    @Test func aSetHasNoOrderAndNoRepetition() {
        let (a, b) = (Array("1".utf8), Array("\"1\"".utf8))
        #expect(FieldDigest.set([a, b]) == FieldDigest.set([b, a, a]))
        #expect(FieldDigest.set([a]) != FieldDigest.set([b]))
        #expect(FieldDigest.set([]) != 0)
        #expect(FieldDigest.set([a]) != FieldDigest.set([a, b]))
    }
}

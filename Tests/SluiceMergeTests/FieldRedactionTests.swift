import SluiceModel
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 100_000),
            "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"
        ),
    ])
    func isThatOfItsStandard(_ text: String, _ digest: String) {
        #expect(String(decoding: SHA256.hexadecimal(of: Array(text.utf8)), as: UTF8.self) == digest)
    }

    /// Around the ends of blocks, where the padding changes; from another program.
    @Test(arguments: [
        (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
        (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
        (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
        (120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
    ])
    func isRightAtTheEndsOfBlocks(_ count: Int, _ digest: String) {
        let found = String(decoding: SHA256.hexadecimal(of: [UInt8](repeating: 0x61, count: count)), as: UTF8.self)
        #expect(found == digest)
    }
}

@Suite("What is kept of redacted values")
struct FieldRedactionTests {
    private static let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test(arguments: [
        (FieldRedaction.hash, FieldValue("abc"), FieldValue(hash)), (.hash, .null, .null),
        (.drop, FieldValue("abc"), .null), (.drop, .integer(7), .null), (.drop, .null, .null),
        (.mask, FieldValue("4111 1111 1111 1234"), FieldValue("***1234")),
        (.mask, FieldValue("eleven char"), FieldValue("***")),
        (.mask, FieldValue("twelve chars"), FieldValue("***hars")),
        (.mask, FieldValue("ääääääääääääääééé"), FieldValue("***äééé")), (.mask, FieldValue(""), FieldValue("***")),
        (.mask, .null, .null), (.hash, .integer(7), FieldValue("***")), (.mask, .blob([1]), FieldValue("***")),
    ])
    func isThis(_ redaction: FieldRedaction, _ value: FieldValue, _ kept: FieldValue) {
        #expect(redaction.kept(value, comparison: .exact) == kept)
        // What is kept stands for itself.
        if redaction != .hash || kept != FieldValue("***") {
            #expect(redaction.stored(kept, comparison: .exact) == kept)
            #expect(redaction.shown(kept, comparison: .exact) == kept)
        }
        #expect(redaction.stored(value, comparison: .exact) == kept)
    }

    @Test func caseMakesNoDifferenceWhereItIsNotCompared() {
        let hash = FieldValue(Self.hash)
        #expect(FieldRedaction.hash.kept(FieldValue("ABC"), comparison: .ignoringCase) == hash)
        #expect(FieldRedaction.hash.kept(FieldValue("ABC"), comparison: .exact) != hash)
    }

    @Test func whatWasDroppedIsNotShownAndYetSeenToBeThere() {
        #expect(FieldRedaction.drop.shown(.integer(7), comparison: .exact) == FieldValue("***"))
        #expect(FieldRedaction.drop.stored(.integer(7), comparison: .exact) == .null)
        #expect(FieldRedaction.drop.shown(.null, comparison: .exact) == .null)
    }
}

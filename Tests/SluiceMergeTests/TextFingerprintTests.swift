import SluiceModel
import Testing

/// What is kept of the texts of records.
@Suite("Marks of texts")
struct TextFingerprintTests {
    @Test func mentionsComeBack() {
        let mentions: [TextFingerprint.Mention] = [
            .embedded(part: 0, key: .max, content: 0), .children(part: 1, count: 0),
            .embedded(part: 127, key: 1, content: .max), .children(part: 127, count: 70_000),
        ]
        var bytes: [UInt8] = []
        for mention in mentions { TextFingerprint.append(mention, to: &bytes) }
        #expect(Self.mentions(bytes) == mentions)
        // What was cut off is left out, and no count is beyond sums.
        #expect(Self.mentions(bytes.dropLast()) == Array(mentions.dropLast()))
        #expect(Self.mentions([0x81] + Array(repeating: 0xFF, count: 8)) == [.children(part: 1, count: 4_294_967_295)])
        // Who wants no more gets no more.
        #expect(Self.mentions(bytes, most: 2) == Array(mentions.prefix(2)))
    }

    private static func mentions(_ bytes: [UInt8], most: Int = .max) -> [TextFingerprint.Mention] {
        var mentions: [TextFingerprint.Mention] = []
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe TextFingerprint.forEachMention(in: bytes) { mention in
                mentions.append(mention)
                return mentions.count < most
            }
        }
        return mentions
    }

    @Test func marksStandWhereTheirRecordsDo() {
        var marks = TextFingerprints()
        #expect(marks.isEmpty && marks[0] == nil)
        marks.append(hash: 7)
        marks.append(hash: 8, within: [1, 2])
        marks.append(hash: 9)
        #expect(
            (0..<3).map { marks[$0] } == [
                TextFingerprint(hash: 7), TextFingerprint(hash: 8, within: [1, 2]), TextFingerprint(hash: 9),
            ])
    }
}

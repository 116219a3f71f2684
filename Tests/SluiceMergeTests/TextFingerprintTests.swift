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
        #expect(Array(TextFingerprint.mentions(bytes[...])) == mentions)
        // What was cut off is left out, and no count is beyond sums.
        #expect(Array(TextFingerprint.mentions(bytes.dropLast())) == Array(mentions.dropLast()))
        #expect(
            Array(TextFingerprint.mentions([0x81] + Array(repeating: 0xFF, count: 8)))
                == [.children(part: 1, count: 4_294_967_295)])
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

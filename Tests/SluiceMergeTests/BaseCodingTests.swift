import SluiceModel
import TestSupport
import Testing

@Suite("The blob of a base row")
struct BaseCodingTests {
    @Test func theDocumentedExampleHolds() {
        let entries: [BaseEntry] = [.value(.integer(7)), .value(FieldValue("Dune")), .null]
        #expect(BaseCoding.encode(entries) == [0x21, 0x07, 0x50, 0x04, 0x44, 0x75, 0x6E, 0x65, 0x10])
    }

    /// Both sides of every width, with the bytes that each takes.
    static let integers: [(value: Int64, width: Int)] =
        [(0, 1), (1, 1), (-1, 1), (.max, 8), (.min, 8)]
        + (1..<8).flatMap { width -> [(value: Int64, width: Int)] in
            let limit = Int64(1) << (8 * width - 1)
            return [(limit - 1, width), (-limit, width), (limit, width + 1), (-limit - 1, width + 1)]
        }

    @Test(arguments: integers)
    func anIntegerTakesAsManyBytesAsItNeeds(_ value: Int64, _ width: Int) {
        let blob = BaseCoding.encode([.value(.integer(value))])
        #expect(blob.count == 1 + width)
        #expect(blob.first == 0x20 | UInt8(width))
        #expect(BaseCoding.decode(blob, slotCount: 1) == [.value(.integer(value))])
    }

    @Test(arguments: [0, -0.0, 1, -1.5, .pi, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    func aDoubleKeepsItsBits(_ value: Double) throws {
        let entries = try #require(BaseCoding.decode(BaseCoding.encode([.value(.real(value))]), slotCount: 1))
        guard case .value(.real(let found)) = entries[0] else { return #expect(Bool(false), "\(entries)") }
        #expect(found.bitPattern == value.bitPattern)
    }

    @Test(arguments: [0, 1, 24, 25, 255])
    func aShortTextOrBlobIsKept(_ length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: 255 - $0) }
        let entries: [BaseEntry] = [.value(.text(bytes)), .value(.blob(bytes)), .null]
        #expect(BaseCoding.decode(BaseCoding.encode(entries), slotCount: 3) == entries)
    }

    @Test(arguments: [(256, 2), (1024, 2), (65_535, 2), (65_536, 3)])
    func aLongTextOrBlobIsKeptInFullWhereItIsGiven(_ length: Int, _ lengthBytes: Int) {
        let bytes = [UInt8](repeating: 0x61, count: length)
        let entries: [BaseEntry] = [.value(.text(bytes)), .value(.blob(bytes)), .null]
        let blob = BaseCoding.encode(entries)
        #expect(blob.count == 2 * (1 + lengthBytes + length) + 1)
        #expect(blob[0] == 0x70 | UInt8(lengthBytes))
        #expect(BaseCoding.decode(blob, slotCount: 3) == entries)
    }

    @Test(arguments: [0, 1, 0x8000_0000_0000_0000, .max] as [UInt64])
    func aDigestIsKept(_ digest: UInt64) {
        #expect(BaseCoding.decode(BaseCoding.encode([.digest(digest)]), slotCount: 1) == [.digest(digest)])
    }

    @Test func slotsBeyondTheEndSayNothing() {
        let blob = BaseCoding.encode([.null])
        #expect(BaseCoding.decode(blob, slotCount: 3) == [.null, .none, .none])
        #expect(BaseCoding.decode([], slotCount: 2) == [.none, .none])
        #expect(BaseCoding.decode([], slotCount: 0) == [])
    }

    @Test func aNullValueIsNull() {
        #expect(BaseCoding.encode([.value(.null)]) == BaseCoding.encode([.null]))
    }

    @Test(arguments: [0, 24, 25, 1024, 1025])
    func anEntryIsTheValueOrTheDigestOfItsCanonicalForm(_ length: Int) {
        let value = FieldValue.text([UInt8](repeating: 0x61, count: length))
        for (keeping, longest) in [(BaseKeeping.digest, 24), (.short, 1024), (.full, 1 << 20)] {
            let entry = BaseEntry(value: value, digest: 77, keeping: keeping)
            #expect(entry == (length <= longest ? .value(value) : .digest(77)))
            #expect(entry.value == (length <= longest ? value : nil))
        }
        #expect(BaseEntry(value: value, digest: 77) == BaseEntry(value: value, digest: 77, keeping: .short))
    }

    @Test func nullAndNothingAreDifferentEntries() {
        #expect(BaseEntry(value: .null, digest: FieldDigest.null) == .null)
        #expect(BaseEntry.null.value == .null)
        #expect(BaseEntry.none.value == nil)
    }
}

@Suite("A damaged blob of a base row")
struct DamagedBaseTests {
    @Test(
        arguments: [
            ("an integer of no bytes", [0x20]), ("an integer of nine bytes", [0x29, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
            ("an integer cut short", [0x22, 1]), ("a double cut short", [0x30, 1, 2, 3, 4, 5, 6, 7]),
            ("a digest cut short", [0x40, 1]), ("a text without a length", [0x50]), ("a text cut short", [0x50, 2, 1]),
            ("a blob cut short", [0x60, 255, 1]), ("an unknown tag", [0x90]), ("the last tag", [0xFF]),
            ("nothing with a length", [0x01]), ("null with a length", [0x1F]),
            ("a double with a length", [0x31, 1, 2, 3, 4, 5, 6, 7, 8]),
            ("a digest with a length", [0x48, 1, 2, 3, 4, 5, 6, 7, 8]), ("a text with a length", [0x51, 1, 1]),
            ("a blob with a length", [0x6F, 0]), ("a long text without a length", [0x70]),
            ("a long text of too long a length", [0x75, 1, 0, 0, 0, 0, 0x61]), ("a long length cut short", [0x72, 1]),
            ("a long text cut short", [0x71, 2, 1]), ("a long blob cut short", [0x84, 255, 255, 255, 255, 1]),
        ] as [(String, [UInt8])])
    func isRefused(_ name: String, _ blob: [UInt8]) {
        #expect(BaseCoding.decode(blob, slotCount: 1) == nil, "\(name)")
    }

    private static func entry(using random: inout SeededGenerator) -> BaseEntry {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return .none
        case 1: return .null
        case 2: return .value(.integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)))
        case 3: return .value(.real(Double(Int32.random(in: .min ... .max, using: &random)) / 3))
        case 4: return .digest(random.next())
        default:
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            return Bool.random(using: &random) ? .value(.text(bytes)) : .value(.blob(bytes))
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func randomEntriesSurviveAndEveryCutIsNoticedOrEndsBetweenEntries(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let entries = (0..<Int.random(in: 1...20, using: &random)).map { _ in Self.entry(using: &random) }
        let blob = BaseCoding.encode(entries)
        #expect(BaseCoding.decode(blob, slotCount: entries.count) == entries)

        let ends = Set((0...entries.count).map { BaseCoding.encode(Array(entries.prefix($0))).count })
        for cut in 0..<blob.count {
            let decoded = BaseCoding.decode(Array(blob.prefix(cut)), slotCount: 0)
            #expect((decoded != nil) == ends.contains(cut), "cut at \(cut)")
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func randomBytesNeverTrapAndWhatIsReadCanBeWrittenAgain(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let blob = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                // Half of the bytes are tags, so that more than the first entry is reached.
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...9, using: &random) << 4 : UInt8.random(in: 0...255, using: &random)
            }
            let slots = Int.random(in: 0...60, using: &random)
            guard let entries = BaseCoding.decode(blob, slotCount: slots) else { continue }
            #expect(entries.count >= slots)
            let again = BaseCoding.decode(BaseCoding.encode(entries), slotCount: slots)
            #expect(again?.count == entries.count, "\(blob)")
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func oneChangedByteNeverTraps(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let entries = (0..<8).map { _ in Self.entry(using: &random) }
        let blob = BaseCoding.encode(entries)
        for position in blob.indices {
            var damaged = blob
            damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let decoded = BaseCoding.decode(damaged, slotCount: 8)
            #expect(decoded != entries || decoded == nil)
        }
    }
}

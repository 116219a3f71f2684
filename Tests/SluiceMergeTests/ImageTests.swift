import SluiceModel
import Testing

@Suite("What is kept to put rows and bases back")
struct ImageTests {
    static let image = BaseImage(
        rowHash: 0xFEDC_BA98_7654_3210, state: .live, isOpen: true, firstRun: 3, lastRun: nil,
        slots: [.value(.integer(7)), .none, .null, .value(FieldValue("Dune")), .digest(99)])

    static func changed(_ change: (inout BaseImage) -> Void) -> BaseImage {
        var image = image
        change(&image)
        return image
    }

    static let others: [BaseImage] = [
        image, changed { $0.rowHash = 0 }, changed { $0.state = .localTombstone }, changed { $0.isOpen = false },
        changed { ($0.firstRun, $0.lastRun) = (nil, 9) }, changed { $0.slots[1] = .value(.real(0.5)) },
        changed { $0.slots[4] = .none }, changed { $0.slots.append(.value(FieldValue("new"))) },
        changed { $0.slots = [] },
    ]

    @Test(arguments: others) func anImageIsReadAsItWasWritten(_ image: BaseImage) {
        #expect(BaseImage(encoded: image.encoded) == image)
        var missed = image
        missed.missedScans = 2
        #expect(BaseImage(encoded: missed.encoded) == missed)
        #expect(image.applying(image.difference(to: missed)) == missed)
    }

    @Test(arguments: others) func aDifferenceLeadsToTheOtherImage(_ other: BaseImage) throws {
        let there = try #require(Self.image.applying(Self.image.difference(to: other)))
        #expect(there.saysTheSame(as: other) && there.rowHash == other.rowHash)
        let back = try #require(other.applying(other.difference(to: Self.image)))
        #expect(back.saysTheSame(as: Self.image) && back.rowHash == Self.image.rowHash)
    }

    @Test func aDifferenceIsSmall() {
        let other = Self.changed { $0.slots[3] = .value(FieldValue("Emma")) }
        #expect(Self.image.difference(to: other).count < Self.image.encoded.count)
    }

    @Test func theHashIsNothingThatIsSaid() {
        #expect(Self.image.saysTheSame(as: Self.changed { $0.rowHash = 1 }))
        #expect(Self.image.saysTheSame(as: Self.changed { $0.slots.append(.none) }))
        for other in Self.others.dropFirst(2) { #expect(!Self.image.saysTheSame(as: other)) }
    }

    @Test(arguments: [
        [], [0x21], [0xFF], BaseCoding.encode([.null, .null, .null, .null, .null]),
        BaseCoding.encode([.value(.integer(1)), .value(.integer(7)), .value(.integer(0)), .null, .null]),
    ])
    func whatIsNoImageIsRefused(_ bytes: [UInt8]) {
        #expect(BaseImage(encoded: bytes) == nil)
        #expect(Self.image.applying(bytes) == nil)
    }

    @Test func aDifferenceOfAnImpossibleSlotIsRefused() {
        for slot in [-1, 1 << 40] as [Int64] {
            let bytes = Self.changed { $0.slots = [] }.encoded + BaseCoding.encode([.value(.integer(slot)), .null])
            #expect(Self.image.applying(bytes) == nil)
        }
    }

    static let rows: [RowImage] = [
        RowImage([]),
        RowImage([
            RowImage.Column(name: "id", value: .integer(.min)), RowImage.Column(name: "naïve \" name", value: .null),
            RowImage.Column(name: "", value: .real(-0.0)), RowImage.Column(name: "x", value: .text([0xFF, 0])),
            RowImage.Column(name: "long", value: .text(Array(repeating: 0x61, count: 70_000))),
            RowImage.Column(name: "blob", value: .blob([0, 1, 2])),
        ]),
    ]

    @Test(arguments: rows) func aRowIsReadAsItWasWritten(_ row: RowImage) {
        #expect(RowImage(encoded: row.encoded) == row)
        #expect(row["ID"] == row.columns.first?.value)
    }

    @Test func aRowThatIsCutOrSpoiltIsRefused() {
        let bytes = Self.rows[1].encoded
        for end in [1, 3, 8, 11, 40, bytes.count - 1] {
            #expect(RowImage(encoded: Array(bytes[..<end])) == nil, "\(end)")
        }
        #expect(RowImage(encoded: [0x01, 0x61, 0x09]) == nil)
        #expect(RowImage(encoded: Array(repeating: 0xFF, count: 40)) == nil)
    }
}

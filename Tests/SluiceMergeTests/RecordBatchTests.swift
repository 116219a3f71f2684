import SluiceModel
import Testing

@Suite("A batch of records")
struct RecordBatchTests {
    /// One record with every kind of value.
    private static func batch(longText: [UInt8]) -> RecordBatch {
        var batch = RecordBatch(fieldCount: 7, capacity: 1)
        batch.bytes = Array("xDune".utf8) + [0, 255] + longText
        batch.cells = [
            Cell(kind: .integer, payload: -7), Cell(kind: .text, payload: 1, length: 4),
            Cell(kind: .blob, payload: 5, length: 2), Cell(kind: .null), Cell(kind: .absent),
            Cell(kind: .real, payload: Int64(bitPattern: 1.5.bitPattern)),
            Cell(kind: .text, payload: 7, length: UInt32(longText.count)),
        ]
        batch.digests = [
            FieldDigest.integer(-7), FieldDigest.text(Array("Dune".utf8)), KeyHash.valueHash(.blob([0, 255])),
            FieldDigest.null, 0, FieldDigest.real(1.5), 0xC0FFEE,
        ]
        batch.rowHashes = [1]
        batch.keyHashes = [2]
        batch.origins = [RecordOrigin(page: 0, ordinal: 0)]
        return batch
    }

    private let longText = [UInt8](repeating: 0x61, count: 25)

    @Test func givesCopiesOfItsValues() {
        let batch = Self.batch(longText: longText)
        #expect(batch.count == 1)
        #expect(
            (0..<7).map { batch.value(record: 0, field: $0) } == [
                .integer(-7), FieldValue("Dune"), .blob([0, 255]), .null, nil, .real(1.5), .text(longText),
            ])
        #expect(batch.digest(record: 0, field: 4) == 0)
    }

    private static func schema(_ keeping: BaseKeeping = .digest) -> RecordSchema {
        var fields = (0..<7).map { RecordSchema.Field(name: "f\($0)", column: "f\($0)", type: .string) }
        fields[6].baseKeeping = keeping
        return RecordSchema(pipeline: "p", stream: "s", entity: "E", table: "e", fields: fields, keyFields: [1, 0])
    }

    @Test(arguments: [BaseKeeping.digest, .full])
    func isWrittenAsItsEntriesAre(_ keeping: BaseKeeping) {
        let batch = Self.batch(longText: longText)
        let entries: [BaseEntry] = (0..<7).map { field in
            batch.value(record: 0, field: field).map {
                BaseEntry(
                    value: $0, digest: batch.digest(record: 0, field: field), keeping: field == 6 ? keeping : .short)
            } ?? .none
        }
        var blob: [UInt8] = [1, 2, 3]
        BaseCoding.encode(
            batch, record: 0, fieldOfSlot: Array(0..<7), schema: Self.schema(keeping), into: &blob)
        #expect(blob == BaseCoding.encode(entries))
        #expect(entries[6] == (keeping == .full ? .value(.text(longText)) : .digest(0xC0FFEE)))
    }

    @Test func isWrittenInTheOrderOfTheSlots() {
        let batch = Self.batch(longText: longText)
        var blob: [UInt8] = []
        BaseCoding.encode(batch, record: 0, fieldOfSlot: [3, -1, 0], schema: Self.schema(), into: &blob)
        #expect(BaseCoding.decode(blob, slotCount: 3) == [.null, .none, .value(.integer(-7))])
    }

    @Test func namesTheKeyInItsOwnOrder() {
        #expect(
            Self.batch(longText: longText).key(of: 0, schema: Self.schema())
                == RecordKey([FieldValue("Dune"), .integer(-7)]))
    }
}

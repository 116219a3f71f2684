import SluiceDecode
import SluiceJSON
import SluiceModel
import SluicePages
import SluicePipeline
import SluiceStore
import SluiceSystem
import TestSupport
import Testing

/// Records of which only the keys were read, as a stage hands them over.
@Suite("Batches of records whose texts are compared as they are read")
struct FingerprintBatchTests {
    private static let keys = Array(Int64(1)...8)
    private static func text(_ key: Int64) -> String { #"{"id":\#(key),"a":"a\#(key)"}"# }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The keys of the records that had marks, as far as these are there.
        let marked: [Int64]
        /// Whether the marks behind these never come.
        var breaksOff = false
        /// The keys of those whose texts are other ones.
        var changed: Set<Int64> = []
        /// How many records are compared, and the positions of those that are not as they were.
        let compared: Int
        let others: [Int]
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "all as they were", marked: keys, compared: 8, others: []),
        Case(name: "some are others", marked: keys, changed: [2, 8], compared: 8, others: [1, 7]),
        Case(name: "some are new", marked: [1, 2, 4, 5, 6, 8], compared: 8, others: [2, 6]),
        Case(name: "no marks", marked: [], compared: 8, others: Array(0..<8)),
        Case(name: "marks of the first", marked: [1, 2, 3], breaksOff: true, changed: [2], compared: 3, others: [1]),
        Case(name: "marks that do not come", marked: [], breaksOff: true, compared: 0, others: []),
    ]

    @Test("Batches", arguments: cases)
    func batches(_ example: Case) throws {
        let shop = try Workshop()
        try shop.put("[" + Self.keys.map(Self.text).joined(separator: ",") + "]")
        let pipeline = shop.pipeline
        let (stream, entity) = (pipeline.streams[0], pipeline.entities[0])
        let schema = RecordSchema(
            pipeline: "shop", stream: "items", entity: "Item", table: "items",
            fields: entity.fields.map { RecordSchema.Field(name: $0.name, column: $0.column, type: $0.type) },
            keyFields: [0])
        var plan = try DecodePlan(entity: entity, schema: schema, entriesKey: nil, stream: stream)
        plan.textSeed = 1
        var marks = TextMarks()
        for key in example.marked {
            let text = Self.text(key) + (example.changed.contains(key) ? " " : "")
            marks.append(key, hash: KeyHash.combine(1, FieldDigest.text(Array(text.utf8))))
        }
        let source = TextsBeside()
        if !example.breaksOff || !example.marked.isEmpty { source.push(marks, areLast: !example.breaksOff) }
        if example.breaksOff { source.close() }
        let file = shop.directory.file("remote.json")
        let stage = DecodeStage(
            pages: [Page(content: .file(path: file), name: file, fileStem: "remote")], stream: stream,
            maximumRecordBytes: 1 << 20, plan: plan, tools: DecodeTools(), cancellation: Cancellation(),
            pace: FingerprintPace(), marks: source)
        stage.start()
        defer { stage.stop() }
        guard case .fingerprinted(let batch)? = stage.next() else {
            Issue.record("No batch of keys came.")
            return
        }
        #expect(batch.records.count == 8 && batch.comparedCount == example.compared)
        #expect(batch.found.others == example.others)
        #expect(batch.isCompared == (batch.changes != nil))
        if let changes = batch.changes {
            #expect(changes.failures.isEmpty && changes.filteredCount == 0)
            let decoded = (0..<changes.records.count).map { changes.records.value(record: $0, field: 1) }
            #expect(decoded == example.others.map { FieldValue("a\(Self.keys[$0])") })
        }
        // Who finds out by itself has the texts of all that may have changed.
        for row in example.others + Array(example.compared..<8) {
            #expect(batch.withRecord(row) { String(decoding: $0.copy, as: UTF8.self) } == Self.text(Self.keys[row]))
        }
        let rest = batch.uncompared
        #expect(
            (0..<rest.count).map { rest.key(of: $0, schema: schema) }
                == Self.keys[example.compared...].map { RecordKey([.integer($0)]) })
        #expect(rest.textFingerprints.hashes == Array(batch.records.textFingerprints.hashes[example.compared...]))
    }

    /// What two parts of a batch found is what the whole would have.
    @Test func findingsOfPartsAreThoseOfTheWhole() {
        var (first, second) = (TextLookup(), TextLookup())
        first.others = [1]
        first.within.add([1, 2], of: 0)
        second.others = [0, 2]
        second.within.add([3], of: 1)
        let all = first.followed(by: second, at: 2, count: 3)
        #expect(all.others == [1, 2, 4] && all.within == [0: [1, 2], 3: [3]])
    }
}

import Dispatch
import SluiceModel
import SluiceReconcile
import SluiceStore
import TestSupport
import Testing

/// Texts that are compared with marks which somebody else reads.
@Suite("Marks of texts that are read beside a run")
struct TextsInOrderTests {
    private static let schema = RecordSchema(
        pipeline: "p", stream: "s", entity: "E", table: "t",
        fields: [RecordSchema.Field(name: "id", column: "id", type: .int)], keyFields: [0])

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The keys of what has a mark, as they are handed over.
        let marks: [[Int64]]
        /// Whether the last marks are there; the reading breaks off otherwise.
        var isWhole = true
        /// The keys of the records, in batches.
        let batches: [[Int64]]
        /// The keys of those that are as they were, by batch; nil where the store has to be asked.
        let known: [[Int64]?]
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "all are as they were", marks: [[1, 2, 3]], batches: [[1, 2, 3]], known: [[1, 2, 3]]),
        Case(name: "no marks", marks: [[]], batches: [[1], [2]], known: [[], []]),
        Case(name: "marks between records", marks: [[1, 2, 5, 9]], batches: [[2, 9]], known: [[2, 9]]),
        Case(name: "records between marks", marks: [[2, 9]], batches: [[1, 2, 5, 9, 11]], known: [[2, 9]]),
        Case(
            name: "marks in pieces", marks: [[1], [2, 3], [], [7]], batches: [[1, 2], [3, 7]],
            known: [[1, 2], [3, 7]]),
        Case(
            name: "negative keys", marks: [[.min, -3, 0, .max]], batches: [[.min, -3], [.max]],
            known: [[.min, -3], [.max]]),
        Case(name: "a key that comes again", marks: [[1, 2]], batches: [[1, 1], [2]], known: [nil, nil]),
        Case(name: "another order", marks: [[1, 2, 3]], batches: [[2], [1], [3]], known: [[2], nil, nil]),
        Case(
            name: "the reading breaks off", marks: [[1], [2]], isWhole: false, batches: [[1], [2], [3]],
            known: [[1], [2], nil]),
        Case(name: "nothing is read", marks: [], isWhole: false, batches: [[1]], known: [nil]),
    ]

    @Test("Records", arguments: cases)
    func records(_ example: Case) {
        let source = TextsBeside()
        var texts = TextsInOrder(source, of: Self.schema)
        for (index, keys) in example.marks.enumerated() {
            let areLast = example.isWhole && index == example.marks.count - 1
            // There is room for a few, as there is for who does not fall behind.
            if index < 3 { source.push(Self.marks(keys), areLast: areLast) }
        }
        if !example.isWhole { source.close() }
        let rest = example.marks.dropFirst(3).map(Self.marks)
        let done = Gate()
        DispatchQueue(label: "reader").async {
            for (index, marks) in rest.enumerated() { source.push(marks, areLast: index == rest.count - 1) }
            done.open()
        }
        for (keys, known) in zip(example.batches, example.known) {
            var lookup = TextLookup()
            let isLookedUp = texts.lookUp(Self.batch(keys), into: &lookup)
            #expect(isLookedUp == (known != nil), "\(keys)")
            guard let known, isLookedUp else { continue }
            #expect(lookup.others == keys.indices.filter { !known.contains(keys[$0]) }, "\(keys)")
            for (row, key) in keys.enumerated() where known.contains(key) {
                #expect(lookup.within[row].map { Array($0) } == (key % 2 == 0 ? nil : Self.within(key)), "\(key)")
            }
        }
        source.close()
        #expect(done.wait())
    }

    @Test func anotherTextIsAnotherRecord() {
        let source = TextsBeside()
        source.push(Self.marks([1, 2]), areLast: true)
        var texts = TextsInOrder(source, of: Self.schema)
        var lookup = TextLookup()
        #expect(texts.lookUp(Self.batch([1, 2], hash: { $0 == 2 ? 7 : Self.hash($0) }), into: &lookup))
        #expect(lookup.others == [1])
    }

    @Test func marksThatAreNotThereYetAreNotWaitedFor() {
        let source = TextsBeside()
        var texts = TextsInOrder(source, of: Self.schema)
        var lookup = TextLookup()
        #expect(!texts.lookUp(Self.batch([1]), into: &lookup))
        source.push(Self.marks([1, 2]), areLast: true)
        #expect(texts.lookUp(Self.batch([2]), into: &lookup))
        #expect(lookup.others.isEmpty)
    }

    @Test func whoHasMoreToDoIsNotWaitedForLater() {
        let source = TextsBeside(isPrompt: false)
        var texts = TextsInOrder(source, of: Self.schema)
        func isLookedUp(_ keys: [Int64], others: [Int] = []) -> Bool {
            var lookup = TextLookup()
            return texts.lookUp(Self.batch(keys), into: &lookup) && lookup.others == others
        }
        source.push(Self.marks([1, 2]), areLast: false)
        #expect(isLookedUp([1]) && !isLookedUp([2, 3]) && !isLookedUp([4]))
        // What came too late is passed over.
        source.push(Self.marks([3, 4, 6, 8]), areLast: false)
        #expect(isLookedUp([6, 7], others: [1]) && isLookedUp([8]))
        // Who is left behind for good need not go on.
        for key in Int64(9)..<30 { #expect(!isLookedUp([key])) }
        #expect(!source.push(Self.marks([30]), areLast: true))
    }

    @Test func whoGivesUpStandsInNobodysWay() {
        let source = TextsBeside()
        source.push(Self.marks([1, 2]), areLast: false)
        var texts = TextsInOrder(source, of: Self.schema)
        var lookup = TextLookup()
        #expect(!texts.lookUp(Self.batch([2, 1]), into: &lookup))
        for _ in 0..<20 { #expect(!source.push(Self.marks([3]), areLast: false)) }
    }

    // MARK: Records

    private static func hash(_ key: Int64) -> UInt64 { UInt64(bitPattern: key) &* 31 &+ 5 }
    private static func within(_ key: Int64) -> [UInt8] { [UInt8(truncatingIfNeeded: key), 1] }

    /// Marks of which every other one has something within it.
    private static func marks(_ keys: [Int64]) -> TextMarks {
        var marks = TextMarks()
        for key in keys {
            if key % 2 != 0 { marks.within.add(within(key), of: marks.keys.count) }
            marks.append(key, hash: hash(key))
        }
        return marks
    }

    private static func batch(_ keys: [Int64], hash: (Int64) -> UInt64 = hash) -> RecordBatch {
        var batch = RecordBatch(fieldCount: 1)
        for (ordinal, key) in keys.enumerated() {
            batch.cells.append(Cell(kind: .integer, payload: key))
            batch.digests.append(FieldDigest.integer(key))
            batch.close(rowHash: 1, keyHash: hash(key), origin: RecordOrigin(page: 0, ordinal: ordinal))
            batch.textFingerprints.append(hash: hash(key))
        }
        return batch
    }
}

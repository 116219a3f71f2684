import SluiceModel
import SluiceReconcile
import SluiceStore
import TestSupport
import Testing

/// What a plan learns of the records that a source had, from what reads the store beside it.
@Suite("Records that are taken down beside a plan")
struct LiveTallyTests {
    private static let mapping = RecordMapping(pipeline: "p", stream: "s", entity: "E")

    private func schema(_ table: String = "t", stream: String = "s") -> RecordSchema {
        let fields = [RecordSchema.Field(name: "id", column: "id", type: .int)]
        return RecordSchema(
            pipeline: "p", stream: stream, entity: "E", table: table, fields: fields, keyFields: [0])
    }

    private func page(_ keys: [Int64]?, isLast: Bool) -> ComparedRows {
        var page = ComparedRows(isExact: true)
        page.listed = keys
        page.last = isLast ? nil : RecordKey([.integer(keys?.last ?? 0)])
        return page
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var pages: [[Int64]?]
        var endsEarly = false
        var table = "t"
        var stream = "s"
        /// How many records are known; nil where nothing is.
        let count: Int?
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "none", pages: [[]], count: 0),
        Case(name: "one page", pages: [[1, 5]], count: 2),
        Case(name: "several pages", pages: [[-7, 1], [5], [9]], count: 4),
        Case(name: "the reading breaks off", pages: [[1, 5]], endsEarly: true, count: nil),
        Case(name: "keys are not told", pages: [[1], nil], count: nil),
        Case(name: "another table", pages: [[1]], table: "other", count: nil),
        Case(name: "another stream", pages: [[1]], stream: "other", count: nil),
    ]

    @Test("Records", arguments: cases)
    func records(_ example: Case) {
        let tally = LiveTally(of: Self.mapping, room: SpillableHashes.Room())
        let schema = schema(example.table, stream: example.stream)
        for (index, keys) in example.pages.enumerated() {
            let isLast = index == example.pages.count - 1 && !example.endsEarly
            tally.accept(page(keys, isLast: isLast), of: schema)
        }
        tally.end()
        #expect(tally.keys(of: self.schema())?.count == example.count)
        // What is known once stays known.
        #expect(tally.keys(of: self.schema())?.count == example.count)
    }

    @Test func othersAreNotWaitedForOnceItsOwnTableIsRead() {
        let tally = LiveTally(of: Self.mapping, room: SpillableHashes.Room())
        tally.accept(page([1, 2, 3], isLast: true), of: schema())
        #expect(tally.keys(of: schema())?.count == 3)
    }
}

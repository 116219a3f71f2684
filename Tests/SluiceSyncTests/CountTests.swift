import SluicePipeline
import SluiceSQLiteStore
import SluiceStore
import SluiceSystem
import TestSupport
import Testing

@testable import SluiceDecode
@testable import SluiceFetch
@testable import SluiceMerge
@testable import SluiceModel
@testable import SluiceReconcile
@testable import SluiceReport
@testable import SluiceSync

/// Every record that was read has one outcome, or the run fails.
@Suite("Counts that do not add up")
struct CountTests {
    /// A table that does its work and tells of it wrongly.
    private final class LyingTable: RecordTable {
        let table: any RecordTable
        private var lies: Bool

        init(_ table: any RecordTable, lies: Bool) {
            self.table = table
            self.lies = lies
        }

        var schema: RecordSchema { table.schema }
        var wasEmpty: Bool { table.wasEmpty }
        var isNew: Bool { table.isNew }
        var mayRefuse: Bool { table.mayRefuse }

        func lookUp(_ batch: borrowing RecordBatch, into lookup: inout BaseLookup) throws {
            try table.lookUp(batch, into: &lookup)
            // Something is said to be known of one record, and nothing is.
            if lies { lookup.findings[0] = .other }
            lies = false
        }

        func lookUpTexts(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) throws {
            try table.lookUpTexts(batch, into: &lookup)
        }
        func note(_ mark: TextMark?, of key: RecordKey) throws { try table.note(mark, of: key) }
        func eachSettled(_ visit: (RecordKey, UInt64) -> Void) throws { try table.eachSettled(visit) }
        func expect(contested: Set<UInt64>) { table.expect(contested: contested) }
        func finish(
            run: Int64?, holding reduce: (RecordWrite, [Int]) throws -> RecordWrite?
        ) throws -> FinishOutcome { try table.finish(run: run, holding: reduce) }
        func baseRow(_ key: RecordKey) throws -> BaseRow? { try table.baseRow(key) }
        func localRow(_ key: RecordKey) throws -> [FieldValue]? { try table.localRow(key) }
        func insert(_ batch: borrowing RecordBatch, records: [Int], run: Int64?) throws -> Set<Int> {
            try table.insert(batch, records: records, run: run)
        }
        func write(_ write: RecordWrite) throws -> Bool { try table.write(write) }
        func baseImage(_ key: RecordKey) throws -> BaseImage? { try table.baseImage(key) }
        func wholeRow(_ key: RecordKey) throws -> RowImage? { try table.wholeRow(key) }
        var fieldOfSlot: [Int] { table.fieldOfSlot }
        func keys(firstWrittenBy run: Int64, after last: RecordKey?, limit: Int) throws -> [RecordKey] {
            try table.keys(firstWrittenBy: run, after: last, limit: limit)
        }
        func liveCount() throws -> Int { try table.liveCount() }
        func count(of state: BaseState) throws -> Int { try table.count(of: state) }
        func liveKeys(after last: RecordKey?, limit: Int) throws -> [RecordKey] {
            try table.liveKeys(after: last, limit: limit)
        }
        func liveKeys(under owner: RecordKey) throws -> [RecordKey] { try table.liveKeys(under: owner) }
        func rowKeys(under owner: RecordKey) throws -> [RecordKey] { try table.rowKeys(under: owner) }
        func waitingTargets(_ key: RecordKey) throws -> [String: [RecordKey]] { try table.waitingTargets(key) }
        func hasRows(under owner: RecordKey) throws -> Bool { try table.hasRows(under: owner) }
        func comparedRows(
            after last: RecordKey?, limit: Int, unless isSame: (UInt64, borrowing RowCells) -> Bool
        ) throws -> (rows: [ComparedRow], last: RecordKey?) {
            try table.comparedRows(after: last, limit: limit, unless: isSame)
        }
        func keysWithoutBase(after last: RecordKey?, limit: Int) throws -> (keys: [RecordKey], last: RecordKey?) {
            try table.keysWithoutBase(after: last, limit: limit)
        }
    }

    private func perform(lies: Bool) throws -> StreamReport {
        let shop = try Workshop()
        try shop.put(#"[{"id":1,"a":"x"},{"id":2},{"no":"key"},{"id":2,"a":"y"}]"#)
        let (stream, entity) = (shop.pipeline.streams[0], shop.pipeline.entities[0])
        let schema = RecordSchema(pipeline: shop.pipeline, stream: stream, entity: entity)
        let store = try SQLiteRecordStore(path: shop.store, mode: .create)
        try store.begin()
        defer { store.rollback() }
        let table = LyingTable(try store.openTable(schema).table, lies: lies)
        let options = SyncOptions(storePath: shop.store, command: .run, version: "test", cancellation: Cancellation())
        var run = StreamRun(
            stream: stream, entity: entity, pages: try FilePages.find(base: shop.directory.path, stream: stream),
            plan: try DecodePlan(entity: entity, schema: schema, entriesKey: nil),
            context: StreamMerger.Context(
                store: store, table: table, observer: Recorder(), run: 1, time: "2026-01-01T00:00:00Z"),
            parts: [], maximumRecordBytes: 1 << 20, options: options)
        var duplicates = DuplicateIndex()
        duplicates.note(
            RecordKey([.integer(2)]), hash: KeyHash.hash(RecordKey([.integer(2)])), ordinal: 3)
        return try run.perform(known: Foresight(duplicates: duplicates)).report
    }

    @Test("What is told truly adds up")
    func truth() throws {
        let report = try perform(lies: false)
        #expect(report.read == 4 && report.duplicates == 1)
        #expect(report.summary.text == "insert 2, quarantined 1")
    }

    @Test("A record without an outcome ends the run")
    func missing() throws {
        let error = #expect(throws: SyncError.self) { _ = try perform(lies: true) }
        #expect(error?.code == .miscounted)
        #expect(error?.message.contains("4 records were read and 3 outcomes counted") == true)
    }
}

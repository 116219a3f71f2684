import SluicePages
import SluicePipeline
import SluiceSQLiteStore
import SluiceStore
import SluiceStores
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
    private final class LyingTable: ForwardingTable {
        private var lies: Bool

        init(_ table: any RecordTable, lies: Bool) {
            self.lies = lies
            super.init(table)
        }

        override func lookUp(_ batch: borrowing RecordBatch, into lookup: inout BaseLookup) throws {
            try super.lookUp(batch, into: &lookup)
            // Something is said to be known of one record, and nothing is.
            if lies { lookup.findings[0] = .other }
            lies = false
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
        let options = SyncOptions(
            store: StoreAddress(file: shop.store), command: .run, version: "test", cancellation: Cancellation())
        var run = StreamRun(
            stream: stream, entity: entity, pages: try FilePages.find(base: shop.directory.path, stream: stream),
            plan: try DecodePlan(entity: entity, schema: schema, entriesKey: nil),
            context: StreamMerger.Context(
                store: store, table: table, observer: Recorder(), run: 1, time: "2026-01-01T00:00:00Z"),
            parts: [], maximumRecordBytes: 1 << 20, options: options)
        var duplicates = DuplicateIndex()
        duplicates.record(
            RecordKey([.integer(2)]), hash: KeyHash.hash(RecordKey([.integer(2)])), ordinal: 3)
        return try run.perform(known: AttemptNeeds(duplicates: duplicates)).report
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

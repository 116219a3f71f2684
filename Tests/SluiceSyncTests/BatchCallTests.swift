import SluiceDiagnostics
import SluicePages
import SluicePipeline
import SluicePipelineFiles
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

/// A store on another machine answers each call after a while, so a batch asks it a constant number of times.
@Suite("Calls of the store for a batch of records")
struct BatchCallTests {
    /// Counts the calls that read or write records.
    private final class Calls {
        /// By entity and by what is called.
        var all: [String: [String: Int]] = [:]
        /// Of these those that come once for each batch.
        var batches: [String: Int] = [:]
    }

    private final class CountingTable: ForwardingTable {
        private let calls: Calls

        init(_ table: any RecordTable, _ calls: Calls) {
            self.calls = calls
            super.init(table)
        }

        private func count(_ name: String = #function) {
            calls.all[schema.entity, default: [:]][name, default: 0] += 1
        }

        override func lookUp(_ batch: borrowing RecordBatch, into lookup: inout BaseLookup) throws {
            count()
            calls.batches[schema.entity, default: 0] += 1
            try super.lookUp(batch, into: &lookup)
        }
        override func lookUpTexts(_ batch: borrowing RecordBatch, into lookup: inout TextLookup) throws {
            count()
            try super.lookUpTexts(batch, into: &lookup)
        }
        override func record(_ marks: [(key: RecordKey, mark: TextFingerprint?)]) throws {
            count()
            try super.record(marks)
        }
        override func baseRows(_ keys: [RecordKey]) throws -> [BaseRow?] {
            count()
            return try super.baseRows(keys)
        }
        override func localRows(_ keys: [RecordKey]) throws -> [[FieldValue]?] {
            count()
            return try super.localRows(keys)
        }
        override func insert(_ batch: borrowing RecordBatch, records: [Int], run: Int64?) throws -> Set<Int> {
            count()
            return try super.insert(batch, records: records, run: run)
        }
        override func write(_ writes: [RecordWrite]) throws -> Set<Int> {
            count()
            return try super.write(writes)
        }
        override func liveKeys(
            after last: RecordKey?, limit: Int, unless isLeftOut: (UInt64) -> Bool
        ) throws -> (keys: [RecordKey], last: RecordKey?) {
            count()
            return try super.liveKeys(after: last, limit: limit, unless: isLeftOut)
        }
        override func liveKeys(under owners: [RecordKey]) throws -> [[RecordKey]] {
            count()
            return try super.liveKeys(under: owners)
        }
        override func rowKeys(under owners: [RecordKey]) throws -> [[RecordKey]] {
            count()
            return try super.rowKeys(under: owners)
        }
        override func hasRows(under owners: [RecordKey]) throws -> [Bool] {
            count()
            return try super.hasRows(under: owners)
        }
    }

    /// What happens to all records at once.
    enum Life: String, CaseIterable {
        case inserted, unchanged, changed, inConflict
        case statedDeleted, gone, goneEdited, deletedHere, deletedHereAndChanged, returned
        case childrenAdded, childrenGone, childrenChanged, childrenInConflict, listReplaced, listInConflict
        case embeddedChanged, linksChanged
        case deletedHereAndRevived, editedAndTaken, listTaken, listKept

        /// What decides conflicts.
        var policy: String {
            switch self {
            case .deletedHereAndRevived, .editedAndTaken, .listTaken: "remote_wins"
            case .listKept: "local_wins"
            default: "manual"
            }
        }

        /// How many calls a batch may take. What comes back below records that come back is forgotten first.
        var mostCalls: Int { self == .deletedHereAndRevived ? 11 : 10 }

        /// What somebody does to the store in between.
        var edit: String? {
            switch self {
            case .inConflict, .goneEdited, .editedAndTaken: "UPDATE orders SET note = 'mine'"
            case .deletedHere, .deletedHereAndChanged, .deletedHereAndRevived:
                "DELETE FROM line; DELETE FROM stop; DELETE FROM orders_tags; DELETE FROM orders"
            case .childrenInConflict: "UPDATE line SET text = 'mine'"
            case .listInConflict, .listTaken, .listKept: "UPDATE stop SET city = 'mine'"
            default: nil
            }
        }

        /// What the source says of a record the second time; nil where it has it no longer.
        func record(_ id: Int) -> String? {
            switch self {
            case .inserted, .unchanged, .deletedHere, .returned: BatchCallTests.record(id)
            case .changed, .inConflict, .deletedHereAndChanged, .deletedHereAndRevived, .editedAndTaken:
                BatchCallTests.record(id, note: "new")
            case .statedDeleted: BatchCallTests.record(id, isDeleted: true)
            case .gone, .goneEdited: nil
            case .childrenAdded: BatchCallTests.record(id, lines: ["a", "b", "c"])
            case .childrenGone: BatchCallTests.record(id, lines: [])
            case .childrenChanged, .childrenInConflict: BatchCallTests.record(id, lines: ["x", "y"])
            case .listReplaced, .listInConflict, .listTaken, .listKept: BatchCallTests.record(id, stops: ["Oslo"])
            case .embeddedChanged: BatchCallTests.record(id, customer: "Eve")
            case .linksChanged: BatchCallTests.record(id, tags: [2, 3])
            }
        }
    }

    private static let count = 1_000

    static func record(
        _ id: Int, note: String = "a", lines: [String] = ["a", "b"], stops: [String] = ["Rome", "Bern"],
        customer: String = "Ada", tags: [Int] = [1, 2], isDeleted: Bool = false
    ) -> String {
        let lines = lines.enumerated().map { #"{"id":\#($0),"text":"\#($1)"}"# }.joined(separator: ",")
        let stops = stops.map { #"{"city":"\#($0)"}"# }.joined(separator: ",")
        let tags = tags.map { #"{"id":\#($0)}"# }.joined(separator: ",")
        return """
            {"id":\(id),"note":"\(note)","deleted":\(isDeleted),"lines":[\(lines)],"stops":[\(stops)],
             "customer":{"id":\(id),"name":"\(customer)"},"tags":[\(tags)]}
            """
    }

    static func pipeline(_ directory: String, policy: String) throws -> PipelineDefinition {
        let text = """
            version: 1
            name: orders
            source: {base_url: "file:\(directory)"}
            merge: {on_conflict: \(policy)}
            entities:
              Order:
                table: orders
                primary_key: id
                fields:
                  id: int
                  note: string
                  customer: {ref: Customer, from: customer}
                  tags: {refs: Tag, from: "tags[*].id"}
                children:
                  lines: {entity: Line, from: "lines[*]", key: [id]}
                  stops: {entity: Stop, from: "stops[*]", ordered: true}
              Line:
                fields: {id: int, text: string}
              Stop:
                fields: {city: string}
              Customer:
                primary_key: id
                fields: {id: int, name: string}
              Tag:
                primary_key: id
                fields: {id: int}
            streams:
              - {name: tags, entity: Tag, path: tags.json}
              - {name: orders, entity: Order, path: remote.json, deleted_when: ".deleted == true",
                 delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let definition else { throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems)) }
        return definition
    }

    @Test(arguments: Life.allCases)
    func atMostTenForABatch(_ life: Life) throws {
        let shop = try Workshop()
        let definition = try Self.pipeline(shop.directory.path, policy: life.policy)
        shop.definition = definition
        try shop.put(#"[{"id":1},{"id":2},{"id":3}]"#, as: "tags.json")
        func put(_ record: (Int) -> String?) throws {
            try shop.put("[" + (1...Self.count).compactMap(record).joined(separator: ",") + "]")
        }
        try put { life == .inserted ? nil : Self.record($0) }
        #expect(shop.sync().report.status == .succeeded)
        if life == .returned {
            try put { _ in nil }
            #expect(shop.sync().report.status == .succeeded)
        }
        if let edit = life.edit { try shop.sql(edit) }
        try put(life.record)

        let calls = Calls()
        let sqlite = try SQLiteRecordStore(path: shop.store, mode: .create)
        try sqlite.begin()
        defer { sqlite.rollback() }
        let store = ForwardingStore(sqlite) { CountingTable($0, calls) }
        var changes: [SchemaChange] = []
        let engine = SyncEngine(
            pipeline: definition,
            options: SyncOptions(
                store: StoreAddress(file: shop.store), command: .run, version: "test", cancellation: Cancellation()),
            observer: Recorder())
        for stream in definition.streams where stream.name == "orders" {
            let entity = try #require(definition.entity(named: stream.entity))
            let schema = RecordSchema(pipeline: definition, stream: stream, entity: entity)
            let base = StreamTarget(
                stream: stream, entity: entity, table: try store.openTable(schema).table, store: store,
                observer: Recorder(), run: 99, time: "2026-01-01T00:00:00Z", reading: nil)
            var run = try engine.streamRun(
                base, try FilePages.find(base: shop.directory.path, stream: stream), nil, &changes)
            let outcome = try run.perform(known: AttemptNeeds())
            #expect(outcome.needs == nil)
        }
        // What is gone is looked for beside the batches: 1,000 records, and then no more of them.
        let gone = life == .gone || life == .goneEdited ? 2 : 0
        for (entity, names) in calls.all.sorted(by: { $0.key < $1.key }) {
            let count = names.values.reduce(0, +)
            let batches = max(calls.batches[entity] ?? 0, (calls.batches["Order"] ?? 0) + gone)
            #expect(count <= life.mostCalls * batches, "\(count) calls for \(batches) batches of \(entity): \(names)")
        }
    }
}

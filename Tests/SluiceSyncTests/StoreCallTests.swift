import SluiceModel
import SluicePipeline
import SluicePostgresStore
import SluiceStore
import SluiceSystem
import TestSupport
import Testing

@testable import SluiceDecode
@testable import SluiceFetch
@testable import SluiceReconcile
@testable import SluiceReport
@testable import SluiceReview
@testable import SluiceSync

/// A store on another machine answers each call after a while: how often it is asked does not depend on how many records
/// there are, whatever becomes of them. Ledgers are parts of the store.
@Suite("Calls of the store and its ledgers")
struct StoreCallTests {
    /// What happens to all records.
    enum Life: String, CaseIterable {
        case edited, lineEdited, listEdited, deletedHere, changedWithin, editedAndGone, editedWithinAndGone, allEdited
        case listTaken, listKept, unchanged
        /// No record can be read the second time, or the table refuses each of them.
        case unreadable, refused

        /// Whether anything waits for a decision.
        var isAsked: Bool { ![.listTaken, .listKept, .unchanged].contains(self) && !isQuarantined }

        /// Whether all records are in quarantine.
        var isQuarantined: Bool { self == .unreadable || self == .refused }

        var policy: String {
            switch self {
            case .listTaken: "remote_wins"
            case .listKept: "local_wins"
            default: "manual"
            }
        }

        /// What somebody does to the store in between.
        var edit: String {
            let (order, line, stop) = (
                "UPDATE orders SET note = 'mine'", "UPDATE line SET text = 'mine'", "UPDATE stop SET city = 'mine'"
            )
            switch self {
            case .edited, .editedAndGone: return order
            case .lineEdited, .editedWithinAndGone: return line
            case .listEdited, .listTaken, .listKept: return stop
            case .deletedHere, .changedWithin:
                return "DELETE FROM line; DELETE FROM stop; DELETE FROM orders_tags; DELETE FROM orders"
            case .allEdited: return [order, line, stop].joined(separator: "; ")
            case .unchanged, .unreadable, .refused: return ""
            }
        }

        /// What the source says of a record, the second and the third time; nil where it has it no longer.
        func record(_ id: Int, time: Int) -> String? {
            switch self {
            case .editedAndGone, .editedWithinAndGone: nil
            case .edited, .deletedHere: BatchCallTests.record(id, note: "new \(time)")
            case .lineEdited, .changedWithin: BatchCallTests.record(id, lines: ["x", "y \(time)"])
            case .listEdited, .listTaken, .listKept: BatchCallTests.record(id, stops: ["Oslo", "y \(time)"])
            case .allEdited:
                BatchCallTests.record(id, note: "new \(time)", lines: ["x", "y \(time)"], stops: ["Oslo \(time)"])
            case .unchanged: BatchCallTests.record(id)
            case .unreadable: time == 2 ? #"{"id":\#(id),"note":{"x":1}}"# : BatchCallTests.record(id)
            case .refused: BatchCallTests.record(id, note: time == 2 ? "refused" : "a")
            }
        }
    }

    /// What is done then, and counted.
    enum Step: String, CaseIterable {
        /// What the source says is read.
        case read
        /// It is read once more, with other values, while all that it came to waits for a decision.
        case readAgain
        case takeLocal, takeRemote
        case undoRun, undoDecisions

        var resolution: Resolution? {
            switch self {
            case .takeLocal: .local
            case .takeRemote, .undoDecisions: .remote
            case .read, .readAgain, .undoRun: nil
            }
        }
    }

    /// How often something was called.
    private final class Calls {
        var all: [String: Int] = [:]
        var total: Int { all.values.reduce(0, +) }

        /// What was called more often than before, as text.
        func differences(from others: Calls) -> [String] {
            all.filter { $0.value > others.all[$0.key] ?? 0 }.sorted { $0.key < $1.key }.map {
                "\($0.key) \(others.all[$0.key] ?? 0) → \($0.value)"
            }
        }
    }

    /// A store of orders, of which each becomes what its life says.
    private struct Scene {
        let shop: Workshop
        private let definition: PipelineDefinition
        private let life: Life
        private let count: Int
        /// Whether what the source says the second time was read.
        private var isRead = false

        init(_ life: Life, count: Int, in database: (any WorkshopDatabase)?) throws {
            (self.life, self.count) = (life, count)
            shop = try Workshop()
            if let database { shop.database = database }
            definition = try BatchCallTests.pipeline(shop.directory.path, policy: life.policy)
            (shop.definition, shop.name) = (definition, "orders")
            try shop.put(#"[{"id":1},{"id":2},{"id":3}]"#, as: "tags.json")
            try put { BatchCallTests.record($0) }
            try sync()
            if !life.edit.isEmpty { try shop.sql(life.edit) }
            if life == .refused {
                try TableRule(event: "UPDATE", table: "orders", condition: "new.note = 'refused'").make(in: shop)
            }
            try put { life.record($0, time: 2) }
        }

        private func put(_ record: (Int) -> String?) throws {
            try shop.put("[" + (1...count).compactMap(record).joined(separator: ",") + "]")
        }

        private func sync() throws {
            let report = shop.sync().report
            guard report.status == .succeeded else { throw Workshop.Disagreement(what: "\(report.problems)") }
        }

        /// Has become what a step begins with.
        private mutating func prepare(_ step: Step) throws {
            if step == .read { return }
            if !isRead {
                try sync()
                isRead = true
            }
            if step == .readAgain { try put { life.record($0, time: 3) } }
            if step == .undoDecisions {
                let store = try shop.open(.settling)
                try store.begin()
                try decide(.remote, in: store)
                try store.commit()
            }
        }

        func decide(_ resolution: Resolution, in store: any RecordStore) throws {
            var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, resolution) }
            try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        }

        func read(in store: any RecordStore) throws {
            var changes: [SchemaChange] = []
            let engine = SyncEngine(
                pipeline: definition,
                options: SyncOptions(
                    store: shop.database.address, command: .run, version: "test", cancellation: Cancellation()),
                observer: Recorder())
            for stream in definition.streams where stream.name == "orders" {
                let entity = try #require(definition.entity(named: stream.entity))
                let schema = RecordSchema(pipeline: definition, stream: stream, entity: entity)
                let base = StreamTarget(
                    stream: stream, entity: entity, table: try store.openTable(schema).table, store: store,
                    observer: Recorder(), run: 99, time: "2026-01-01T00:00:00Z", reading: nil)
                var run = try engine.streamRun(
                    base, try FilePages.find(base: shop.directory.path, stream: stream), nil, &changes)
                #expect(try run.perform(known: AttemptNeeds()).needs == nil)
            }
        }

        /// Does a step. What it writes is taken back, but for that of an undo.
        ///
        /// - Returns: The calls of the store, and how many statements a server got for them.
        mutating func perform(_ step: Step) throws -> (calls: Calls, statements: Int) {
            try prepare(step)
            let calls = Calls()
            let heard = { (name: String) in calls.all[name, default: 0] += 1 }
            let real = try shop.open(.running)
            let store = ForwardingStore(real, heard: heard) { ForwardingTable($0, heard: heard) }
            let before = (real as? PostgresStore)?.sentStatements ?? 0
            if step == .undoRun || step == .undoDecisions {
                let options = SyncOptions(
                    store: shop.database.address, command: .run, version: "test", cancellation: Cancellation())
                let run: Int64 = step == .undoRun ? 2 : 3
                _ = try UndoEngine(run: run, of: "orders", options: options.store, observer: Recorder())
                    .perform(in: store)
            } else {
                try store.begin()
                defer { store.rollback() }
                if let resolution = step.resolution {
                    try decide(resolution, in: store)
                } else {
                    store.startRecording(run: 99, naming: FieldJSON.object)
                    try read(in: store)
                }
            }
            return (calls, ((real as? PostgresStore)?.sentStatements ?? 0) - before)
        }
    }

    /// What can be done with what becomes of records, one after the other on one store: nothing is decided where nothing is
    /// asked.
    private static func cases(_ lives: [Life]) -> [(Life, [Step])] {
        lives.flatMap { life in
            let steps = Step.allCases.filter { step in
                life.isQuarantined ? [.read, .readAgain].contains(step) : life.isAsked || step.resolution == nil
            }
            return [steps.filter { $0 != .undoRun }, steps.filter { $0 == .undoRun }].filter { !$0.isEmpty }
                .map { (life, $0) }
        }
    }

    @Test(arguments: cases(Life.allCases))
    func theyDoNotDependOnTheNumberOfRecords(_ life: Life, _ steps: [Step]) throws {
        var scenes = try [40, 80].map { try Scene(life, count: $0, in: nil) }
        for step in steps {
            let (few, many) = (try scenes[0].perform(step).calls, try scenes[1].perform(step).calls)
            // What a rule of the table refuses shows when it is written alone.
            for calls in [few, many] where life == .refused {
                for name in ["table.localRows(_:)", "table.write(_:)"] { calls.all[name] = nil }
            }
            #expect(few.total > 0 && many.total <= few.total + 10, "\(step): \(many.differences(from: few))")
        }
    }

    @Test(arguments: cases([.deletedHere, .editedAndGone, .editedWithinAndGone, .allEdited, .listTaken, .unreadable]))
    func neitherDoStatements(_ life: Life, _ steps: [Step]) throws {
        var scenes = try [20, 60].map { try Scene(life, count: $0, in: WorkshopSchema()) }
        for step in steps {
            let few = try scenes[0].perform(step).statements
            let many = try scenes[1].perform(step).statements
            #expect(few > 0 && many <= few + 10, "\(step): \(few) for 20 records, \(many) for 60")
        }
    }
}

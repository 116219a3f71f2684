import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// Random changes of a pipeline between random changes of its source and edits of its rows, against a model.
///
/// A failure names its seed; see ``Seeds``.
@Suite("Tables that follow random pipelines")
struct SchemaPropertyTests {
    static let seeds = Seeds.first(5)

    @Test("Values pass or are kept, edits stay edits, and runs are taken back", arguments: seeds)
    func follows(_ seed: UInt64) throws { try history(seed) { _ in } }

    /// PostgreSQL does the same, with fewer histories.
    @Test("And so on PostgreSQL", arguments: Seeds.first(2))
    func followsOnPostgres(_ seed: UInt64) throws { try history(seed) { $0.database = try WorkshopSchema() } }

    private func history(_ seed: UInt64, _ adjust: (Workshop) throws -> Void) throws {
        let shop = try Workshop()
        try adjust(shop)
        shop.keepsBase = .short
        var history = SchemaHistory(seed: seed, shop: shop)
        try history.begin()
        for _ in 0..<5 { try history.step() }
        #expect(try shop.database.damage() == [])
        #expect(try shop.database.brokenReferences() == [])
    }
}

/// One history: the program's store and the model's, side by side.
private struct SchemaHistory {
    private let seed: UInt64
    private let shop: Workshop
    private var random: SeededGenerator
    private var source = ModelSource()
    private var store: ModelStore
    /// What the pipeline's file says.
    private var file: ModelShape
    private var fields = 0
    private var names = 0
    /// What was done, for the words of a failure.
    private var told: [String] = []

    init(seed: UInt64, shop: Workshop) {
        (self.seed, self.shop) = (seed, shop)
        random = SeededGenerator(seed: seed &* 6_364_136_223_846_793_005)
        file = ModelShape(&random, fields: &fields)
        store = ModelStore(file)
    }

    private var place: Comment { "seed \(seed):\n\(told.joined(separator: "\n"))" }

    mutating func begin() throws {
        source.change(store, file, &random)
        _ = try run(.init())
    }

    /// People edit rows, the source says something else, the pipeline changes; it runs, and is perhaps taken back.
    mutating func step() throws {
        let edits = store.edit(source, &random)
        told.append("edits: \(edits)")
        try shop.sql(edits)
        if random.chance(85) { file.change(over: store.shape, &random, fields: &fields, names: &names) }
        if random.chance(70) { source.change(store, file, &random) } else { source.express(file, store, &random) }
        let allowance = ModelStore.Allowance(quarantines: random.chance(60))
        if try run(allowance) { return }
        // What was refused is put back, or allowed, or both.
        if random.chance(50) {
            file = store.shape
            source.express(file, store, &random)
        }
        _ = try run(.init(quarantines: true))
    }

    /// Runs and compares.
    ///
    /// - Returns: Whether the run was not refused.
    private mutating func run(_ allowance: ModelStore.Allowance) throws -> Bool {
        let yaml = file.yaml(over: store.shape)
        let documents = source.documents(file)
        told.append("run, quarantines \(allowance.quarantines):\n\(yaml)\n\(documents.items)\n\(documents.orders)")
        try shop.define("shop", yaml)
        try shop.put(documents.items, as: "items.json")
        try shop.put(documents.orders, as: "orders.json")
        shop.adjustOptions = { $0.quarantinesMisfits = allowance.quarantines }
        let before = store
        let contents = try shop.database.exists ? shop.contents() : [:]
        let rows = try shop.database.exists ? ownRows() : []
        let shape = try shop.database.exists ? shop.database.shape() : []
        let isExpected = store.run(file, source, allowance)
        let report = try synced()
        guard isExpected else {
            #expect(report.status == .refused, "\(report) \(place)")
            #expect(try shop.contents() == contents, place)
            return false
        }
        try #require(report.status == .succeeded, "\(report.problems) \(place)")
        try compare()
        if let number = report.run, !contents.isEmpty, random.chance(40) {
            try undo(number, to: before, rows, shape)
        } else {
            try expectQuiet()
        }
        return true
    }

    private func synced() throws -> RunReport {
        do { return try shop.syncPlanned().0 } catch {
            Issue.record("\(error) \(place)")
            throw error
        }
    }

    private func expectQuiet() throws {
        do {
            let (report, written) = try shop.quietRun(renewing: true)
            #expect(report.status == .succeeded && written == [], "\(report.problems) \(place)")
        } catch {
            Issue.record("\(error) \(place)")
            throw error
        }
    }

    /// Whether the program's store is as the model's.
    private func compare() throws {
        for (query, rows) in store.expected {
            let found = try shop.rows(query).sorted()
            try #require(found == rows, "\(query) \(place)")
        }
        let conflicts = try shop.rows("SELECT field FROM _sluice_conflicts WHERE status = 'open'")
        try #require(conflicts.map { String($0.dropFirst().dropLast()) }.sorted() == store.conflictFields, place)
        let kept = try shop.values("SELECT value FROM _sluice_quarantine WHERE status = 'open'").map { $0[0] }
        try #require(kept.sorted() == store.kept.map { $0.type.json($0.text) }.sorted(), place)
        let edits = shop.sync(.plan).report.edits?.values
        try #require(edits == store.editCount, place)
    }

    private func ownRows() throws -> [String] { try shop.ownRows() }

    /// Takes a run back: rows, conflicts, the quarantine and tables are as they were, but for names and for columns that came.
    private mutating func undo(
        _ number: Int64, to before: ModelStore, _ rows: [String], _ shape: [String]
    ) throws {
        told.append("undo \(number)")
        let hadSameNames = before.shape.hasAllNames(of: store.shape)
        do {
            let report = try shop.undoPlanned(number).report
            try #require(report.status == .succeeded && report.left == 0, "\(report) \(place)")
        } catch {
            Issue.record("\(error) \(place)")
            throw error
        }
        store.undo(to: before)
        if random.chance(60) {
            var old = before.shape
            old.takeNames(of: store.shape)
            file = old
            source.express(file, store, &random)
        }
        guard hadSameNames else { return }
        #expect(try ownRows() == rows, place)
        let now = try shop.database.shape()
        #expect(now == shape, "\(Set(now).symmetricDifference(shape)) \(place)")
        let conflicts = try shop.rows("SELECT field FROM _sluice_conflicts WHERE status = 'open'")
        #expect(conflicts.map { String($0.dropFirst().dropLast()) }.sorted() == store.conflictFields, place)
    }
}

import SluicePipeline
import SluiceReport
import SluiceSync
import TestSupport
import Testing

@Suite("Plans and runs over many rows on PostgreSQL")
struct PostgresPlanTests {
    private static func records(_ ids: ClosedRange<Int>, _ a: String = "a") -> String {
        "[" + ids.map { #"{"id": \#($0), "a": "\#(a)", "b": "b"}"# }.joined(separator: ",") + "]"
    }

    private func makeShop() throws -> Workshop {
        let shop = try Workshop(rule: DeleteRule(mode: .hard))
        shop.database = try WorkshopSchema()
        shop.adjustOptions = { $0.leastBytesBeside = 1 }
        try shop.put(Self.records(1...50))
        #expect(shop.sync().report.summary.insert == 50)
        try shop.sql("UPDATE items SET b = 'mine' WHERE id <= 3")
        try shop.sql("DELETE FROM items WHERE id = 4")
        try shop.sql("INSERT INTO items (id, a) VALUES (99, 'new')")
        return shop
    }

    /// How many records the source had need not be counted beside a run: then each would be merged twice.
    @Test(arguments: [RunReport.Command.plan, .run])
    func recordsAreMergedOnce(_ command: RunReport.Command) throws {
        let shop = try makeShop()
        try shop.put(Self.records(1...48, "changed"))
        let (report, recorder) = shop.sync(command)
        #expect(report.status == .succeeded && report.summary.delete == 2)
        #expect(recorder.restarts == 0)
    }

    /// Each batch is a message to the server and back, so there are few: a file gets six of so many records.
    @Test func recordsGoToTheServerInLargeBatches() throws {
        let shop = try Workshop()
        shop.database = try WorkshopSchema()
        try shop.put(Self.records(1...3_000))
        #expect(shop.sync().report.summary.insert == 3_000)
        let recorder = Recorder()
        var batches = 0
        recorder.onProgress = { if $0.stage == .merging { batches += 1 } }
        #expect(shop.sync(recorder: recorder).report.summary.unchanged == 3_000)
        #expect((1...3).contains(batches), "\(batches)")
    }

    /// Pipelines whose first run makes all kinds of tables.
    static let firstRuns = [
        "entities: {Item: {table: items, primary_key: id, fields: {id: int, a: string}}}",
        """
        entities:
          Item:
            table: items
            primary_key: id
            unique: [[a]]
            fields: {id: int, a: string, tags: {refs: Tag, from: "tags[*]", via: item_tags}, top: {ref: Item, upsert: false}}
            children: {parts: {entity: Part, from: "parts[*]", key: [n]}, stops: {entity: Stop, from: "stops[*]", ordered: true}}
          Part: {table: parts, fields: {n: int, tag: {ref: Tag, on_dangling: stub, upsert: false}}}
          Stop: {table: stops, fields: {city: string}}
          Tag: {table: tags, primary_key: id, fields: {id: int, name: string}}
        """,
    ]

    @Test("The plan of a first run leaves no trace and says what the run does", arguments: firstRuns)
    func firstPlans(_ entities: String) throws {
        let shop = try Workshop()
        shop.database = try WorkshopSchema()
        shop.comparesFirstPlans = true
        try shop.define("shop", entities + "\nstreams: [{name: items, entity: Item, path: remote.json}]")
        let (report, _) = try shop.syncPlanned(
            #"""
            [{"id":1,"a":"x","tags":[{"id":5,"name":"t"}],"top":2,"parts":[{"n":1,"tag":7}],"stops":[{"city":"Oslo"}]},
             {"id":2,"a":"y","tags":[],"parts":[],"stops":[]},{"id":"no"}]
            """#)
        #expect(report.status == .succeeded && report.summary.quarantined == 1, "\(report.problems)")
        #expect(try shop.quietRun().written == [])
    }

    /// What people changed is counted while a plan is made, and after it where it changes a table.
    @Test(arguments: [false, true])
    func editsAreCountedAsTheyWereBefore(_ changesTables: Bool) throws {
        let shop = try makeShop()
        if changesTables { shop.fields.append(try field("c")) }
        let report = shop.sync(.plan).report
        #expect(report.status == .succeeded && report.schemaChanges.isEmpty != changesTables)
        var edits = EditCounts()
        (edits.rows, edits.values, edits.deleted, edits.added) = (3, 3, 1, 1)
        #expect(report.edits == edits)
    }
}

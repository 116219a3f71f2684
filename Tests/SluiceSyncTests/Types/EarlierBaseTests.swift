import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// A field gets a type in which an edit can be said, and what its source said cannot.
@Suite("What a source said before a field had its type")
struct EarlierBaseTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: FieldType
        let after: FieldType
        /// What the source says, and the edit.
        let said: String
        let edit: String
        /// What the source says in the type that follows.
        let next: String
        /// The edit as the column holds it, before and after.
        let held: [String]
    }

    static let cases = [
        Case(
            testDescription: "a text that is no number", before: .string, after: .int, said: #""n/a""#, edit: "'5'",
            next: "7", held: ["'5'", "5"]),
        Case(
            testDescription: "a fraction", before: .decimal, after: .int, said: #""1.5""#, edit: "'2'", next: "3",
            held: ["'2'", "2"]),
        Case(
            testDescription: "a number that is no day, and nothing", before: .int, after: .date, said: "12",
            edit: "NULL", next: #""2026-01-31""#, held: ["NULL", "NULL"]),
    ]

    private func shop(_ test: Case, _ store: Store) throws -> Workshop {
        let shop = try Workshop(fields: [try field("id", .int), try field("v", test.before)])
        if store == .schema { shop.database = try WorkshopSchema() }
        _ = try shop.syncPlanned(#"[{"id":1,"v":\#(test.said)}]"#)
        try shop.sql("UPDATE items SET v = \(test.edit)")
        return shop
    }

    private func expectEdit(_ shop: Workshop, _ held: String) throws {
        #expect(try shop.rows("SELECT v FROM items") == [held])
        #expect(try shop.conflicts.filter { $0.contains(" open ") } == [])
        #expect(shop.sync(.plan).report.edits?.values == 1)
    }

    @Test(
        "The edit stays one while the source says nothing, and once the type is back",
        arguments: Seeds.pairs(cases, in: Store.allCases))
    func staysAnEdit(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store)
        shop.fields[1].type = test.after
        _ = try shop.syncPlanned(#"[{"id":1}]"#)
        try expectEdit(shop, test.held[1])
        shop.fields[1].type = test.before
        _ = try shop.syncPlanned(#"[{"id":1,"v":\#(test.said)}]"#)
        try expectEdit(shop, test.held[0])
    }

    @Test("And once the run is taken back", arguments: Seeds.pairs(cases, in: Store.allCases))
    func staysAnEditByUndo(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store)
        shop.fields[1].type = test.after
        let run = try #require(try shop.syncPlanned(#"[{"id":1,"v":\#(test.next)}]"#).0.run)
        #expect(try shop.undoPlanned(run).report.status == .succeeded)
        shop.fields[1].type = test.before
        _ = try shop.syncPlanned(#"[{"id":1,"v":\#(test.said)}]"#)
        try expectEdit(shop, test.held[0])
    }

    @Test(
        "Another value of the source is a conflict, which a check of the store takes",
        arguments: Seeds.pairs(cases, in: Store.allCases))
    func isInConflict(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store)
        shop.fields[1].type = test.after
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"v":\#(test.next)}]"#)
        #expect(report.summary.text == "conflict 1")
        #expect(try shop.rows("SELECT base FROM _sluice_conflicts") == ["'\(test.said)'"])
        #expect(try shop.rows("SELECT v FROM items") == [test.held[1]])
        let audit = try StoreAudit(store: shop.open(.reading), isServed: { false })
        #expect(try audit.findings().filter { $0.check == .conflicts } == [])
    }

    // MARK: Decisions

    private func decide(_ shop: Workshop, _ resolution: Resolution) throws -> ResolutionOutcome? {
        let store = try shop.open(.settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, resolution) }
        try #require(decisions.count == 1)
        _ = try ConflictResolver(store: store).carryOut(&decisions, who: nil)
        try store.commit()
        return decisions[0].outcome
    }

    /// A conflict that is open while the type changes, over sides that are no numbers.
    private func inConflict(_ store: Store) throws -> Workshop {
        let shop = try Workshop(fields: [try field("id", .int), try field("v")])
        if store == .schema { shop.database = try WorkshopSchema() }
        _ = try shop.syncPlanned(#"[{"id":1,"v":"x"}]"#)
        try shop.sql("UPDATE items SET v = '5'")
        #expect(try shop.syncPlanned(#"[{"id":1,"v":"y"}]"#).0.summary.text == "conflict 1")
        shop.fields[1].type = .int
        _ = try shop.syncPlanned()
        return shop
    }

    @Test("Sides that are no values any more are refused as what they are, and not offered", arguments: Store.allCases)
    func refusedSides(_ store: Store) throws {
        let shop = try inConflict(store)
        for (resolution, text) in [(Resolution.remote, #""y""#), (.base, #""x""#)] {
            guard case .refused(let reason)? = try decide(shop, resolution) else {
                Issue.record("\(resolution) was carried out")
                continue
            }
            #expect(reason.hasPrefix("\(text) is no value of `v`, which is int now."), "\(reason)")
        }
        let reading = try shop.open(.reading)
        let entry = try #require(try reading.conflicts.list(includingClosed: false).first)
        let schema = try reading.knownTable(pipeline: "shop", stream: "items", entity: "Item")?.schema
        let sides = entry.writable(schema)
        #expect(!sides.remote && !sides.base)
        #expect(try shop.rows("SELECT v FROM items") == ["5"])
    }

    @Test(
        "The table's value and one that is given settle it",
        arguments: Seeds.pairs(in: Store.allCases, [Resolution.local, .value("7", field: "v")]))
    func settled(_ store: Store, _ resolution: Resolution) throws {
        let shop = try inConflict(store)
        #expect(try decide(shop, resolution) == .resolved)
        let held = resolution == .local ? "5" : "7"
        #expect(try shop.rows("SELECT v FROM items") == [held])
        // The source says the same still, and once the type is back that is no news.
        _ = try shop.syncPlanned()
        shop.fields[1].type = .string
        #expect(try shop.syncPlanned().0.summary.conflict == 0)
        #expect(try shop.rows("SELECT v FROM items") == ["'\(held)'"])
    }

    // MARK: Values of an `enum`

    @Test(
        "An edit that an enum loses comes back with its value, and the source does not write over it",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func enumEdit(_ store: Store) throws {
        func choices(_ values: [String]) throws -> FieldDefinition {
            var field = try field("v", .enumeration)
            field.values = values
            return field
        }
        let shop = try Workshop(fields: [try field("id", .int), try choices(["open", "closed", "mid"])])
        if store == .schema { shop.database = try WorkshopSchema() }
        _ = try shop.syncPlanned(#"[{"id":1,"v":"closed"}]"#)
        try shop.sql("UPDATE items SET v = 'mid'")
        shop.adjustOptions = { $0.quarantinesMisfits = true }
        shop.fields[1] = try choices(["open", "closed"])
        let (report, _) = try shop.syncPlanned()
        #expect(report.summary.update == 0 && report.summary.conflict == 0, "\(report.summary.text)")
        try expectEdit(shop, "NULL")
        shop.fields[1] = try choices(["open", "closed", "mid"])
        _ = try shop.syncPlanned()
        try expectEdit(shop, "'mid'")
    }
}

import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceSQLiteStore
import SluiceStore
import SluiceSync
import Testing

/// Tables that are shared in other ways: by two entities, by two pipelines, and through changes of either.
@Suite("Tables that are shared")
struct SharedTableTests {
    static func contact(_ email: String, _ phone: String = "1") -> String { TwoSourceTests.contact(email, phone) }

    // MARK: Two entities

    /// `crm` fills the email, `billing` the phone.
    private func disjoint() throws -> SharedTable {
        let table = try SharedTable()
        table.precedence = []
        table.fields["crm"] = [try field("id", .int), try field("email")]
        table.fields["billing"] = [try field("id", .int), try field("phone")]
        return table
    }

    static let rows = (crm: #"[{"id":1,"email":"a"}]"#, billing: #"[{"id":1,"phone":"1"}]"#)

    @Test("Two entities fill a row together", arguments: SharedTable.Order.allCases)
    func disjointFields(_ order: SharedTable.Order) throws {
        let table = try disjoint()
        try table.put(Self.rows.crm, Self.rows.billing)
        try table.run(order)
        let isCRM = order != .billingFirst
        #expect(try table.rows == [isCRM ? "1|a|1" : "1|1|a"])
        #expect(try table.conflicts() == [])
        #expect(try table.quiet() == [])
        try table.put(#"[{"id":1,"email":"b"}]"#, #"[{"id":1,"phone":"2"},{"id":2,"phone":"3"}]"#)
        try table.run(order)
        #expect(try table.rows == (isCRM ? ["1|b|2", "2|NULL|3"] : ["1|2|b", "2|3|NULL"]))
        #expect(try table.conflicts() == [])
        #expect(try table.quiet() == [])
    }

    @Test("A row goes when both entities' records are gone", arguments: SharedTable.Order.allCases)
    func disjointGone(_ order: SharedTable.Order) throws {
        let table = try disjoint()
        try table.put(Self.rows.crm, Self.rows.billing)
        try table.run(.crmFirst)
        try table.put("[]", nil)
        try table.run(order)
        #expect(try table.rows == ["1|a|1"])
        #expect(try table.quiet() == [])
        try table.put(nil, "[]")
        try table.run(order)
        #expect(try table.rows == [])
        // What comes back at one source alone brings back nothing of the other's.
        try table.put(nil, #"[{"id":1,"phone":"2"}]"#)
        try table.run(order)
        #expect(try table.rows == ["1|NULL|2"])
        try table.put(Self.rows.crm, nil)
        try table.run(order)
        #expect(try table.rows == ["1|a|2"])
        #expect(try table.quiet() == [])
    }

    @Test("An edit of what only a lost source filled keeps the row")
    func editOfTheOther() throws {
        let table = try disjoint()
        try table.put(Self.rows.crm, Self.rows.billing)
        try table.run()
        try table.shop.sql("UPDATE contacts SET email = 'mine'")
        try table.put("[]", nil)
        try table.run()
        try table.put(nil, "[]")
        let (report, _) = try table.run()
        #expect(report.summary.text == "conflict 1")
        let conflicts = try table.conflicts()
        #expect(conflicts.count == 1)
        #expect(conflicts[0].hasPrefix(#"billing edit_delete * {"id":1,"phone":"1","edited within it":"1 column ("#))
        let notes = try table.shop.rows("SELECT note FROM _sluice_conflicts")
        #expect(
            notes.count == 1 && notes[0].contains("`email` was edited here, which the stream does not fill"), "\(notes)"
        )
        #expect(try table.rows == ["1|mine|1"])
        #expect(try table.quiet() == [])
    }

    // MARK: Another order

    private static func contacts(_ first: String, _ second: String) -> String {
        #"[{"id":1,"email":"\#(first)","phone":"1"},{"id":2,"email":"\#(second)","phone":"1"}]"#
    }

    @Test(
        "Where sources go in another order, the first one decides from its next value on, and nothing is in conflict",
        arguments: SharedTable.Order.allCases)
    func reordered(_ order: SharedTable.Order) throws {
        let table = try SharedTable()
        func expect(_ rows: [String]) throws {
            try table.run(order)
            #expect(try table.rows == rows)
            #expect(try table.conflicts("open") == [])
            #expect(try table.quiet() == [])
        }
        try table.put(Self.contacts("a", "a"), Self.contacts("b", "b"))
        try expect(["1|a|1", "2|a|1"])
        table.precedence = ["billing", "crm"]
        try expect(["1|a|1", "2|a|1"])
        try table.put(nil, Self.contacts("d", "b"))
        try expect(["1|d|1", "2|a|1"])
        // What the first one has not decided yet is still the other one's to change.
        try table.put(Self.contacts("e", "f"), nil)
        try expect(["1|d|1", "2|f|1"])
        try table.put(nil, Self.contacts("d", "g"))
        try expect(["1|d|1", "2|g|1"])
        try table.put("[]", "[]")
        try expect([])
    }

    @Test("Where sources go in another order, rows that hold what the former one said are no edits")
    func reorderedAndGone() throws {
        let table = try SharedTable()
        try table.put(Self.contacts("a", "a"), Self.contacts("b", "b"))
        try table.run()
        table.precedence = ["billing", "crm"]
        try table.put("[]", "[]")
        try table.run()
        #expect(try table.rows == [] && table.conflicts("open") == [])
    }

    @Test("In the new order, the value of the source that comes after is an edit")
    func reorderedAndEdited() throws {
        let table = try SharedTable()
        try table.put(Self.contact("a"), Self.contact("b"))
        try table.run()
        table.precedence = ["billing", "crm"]
        try table.put(nil, Self.contact("d"))
        try table.run()
        try table.shop.sql("UPDATE contacts SET email = 'a'")
        try table.put(nil, Self.contact("e"))
        try table.run()
        #expect(try table.rows == ["1|a|1"])
        #expect(try table.conflicts("open") == [#"billing edit_edit email "a" "e" open"#])
    }

    // MARK: Two pipelines

    private func pipelines(_ precedence: [String] = []) throws -> SharedTable {
        let table = try SharedTable()
        table.precedence = precedence
        table.pipelines = ["crm": "sales", "billing": "bank"]
        return table
    }

    @Test("Without an order the disagreement of two pipelines stays open, whatever the policy")
    func undeclared() throws {
        let table = try pipelines()
        table.rules = ConflictRules(fallback: .remoteWins)
        try table.put(Self.contact("a", "1"), Self.contact("b", "1"))
        try table.run("crm")
        let (report, recorder) = try table.run("billing")
        #expect(report.summary.text == "conflict 1")
        #expect(recorder.changes == [#"conflict adopt {"id":1} email:disagreement(- "a" "b" "a")"#])
        #expect(try table.rows == ["1|a|1"])
        let open = #"billing disagreement email "a" "b" open with sales/crm"#
        #expect(try table.conflicts() == [open])
        #expect(try table.quiet() == [])
        // The one whose value stands may change it, and the other one's conflict moves on.
        try table.put(Self.contact("c", "1"), nil)
        #expect(try table.run("crm").report.summary.text == "update 1")
        try table.run("billing")
        #expect(try table.conflicts() == [#"billing disagreement email "c" "b" open with sales/crm"#])
        // An agreement ends it.
        try table.put(nil, Self.contact("c", "1"))
        try table.run("billing")
        #expect(try table.conflicts() == [#"billing disagreement email "c" "b" converged with sales/crm"#])
        #expect(try table.quiet() == [])
    }

    @Test("A person decides an open disagreement once", arguments: [Resolution.local, .remote])
    func decided(_ resolution: Resolution) throws {
        let table = try pipelines()
        try table.put(Self.contact("a", "1"), Self.contact("b", "1"))
        try table.run("crm")
        try table.run("billing")
        do {
            let store = try SQLiteRecordStore(path: table.shop.store, mode: .settling)
            try store.begin()
            var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, resolution) }
            try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
            #expect(decisions.map(\.outcome) == [.resolved])
            try store.commit()
        }
        #expect(try table.rows == [resolution == .local ? "1|a|1" : "1|b|1"])
        #expect(try table.quiet() == [])
        #expect(try table.rows == [resolution == .local ? "1|a|1" : "1|b|1"])
    }

    @Test("An order that is declared later settles what is open", arguments: ["sales/crm", "bank/billing"])
    func declaredLater(_ first: String) throws {
        let table = try pipelines()
        try table.put(Self.contact("a", "1"), Self.contact("b", "1"))
        try table.run("crm")
        try table.run("billing")
        table.precedence = first == "sales/crm" ? [first, "bank/billing"] : [first, "sales/crm"]
        let (report, _) = try table.run("billing")
        #expect(report.summary.conflict == 0)
        #expect(try table.conflicts("open") == [])
        #expect(try table.rows == [first == "sales/crm" ? "1|a|1" : "1|b|1"])
        #expect(try table.quiet() == [])
    }

    @Test("An order over two pipelines holds as one within a pipeline", arguments: [true, false])
    func declared(_ crmFirst: Bool) throws {
        let table = try pipelines(["sales/crm", "bank/billing"])
        try table.put(Self.contact("a"), Self.contact("b"))
        try table.run(crmFirst ? .crmFirst : .billingFirst)
        #expect(try table.rows == ["1|a|1"])
        try table.put(nil, Self.contact("c"))
        try table.run(crmFirst ? .crmFirst : .billingFirst)
        #expect(try table.rows == ["1|a|1"])
        #expect(try table.conflicts("open") == [])
        #expect(try table.quiet() == [])
    }

    @Test("A record that both pipelines had goes when both say so")
    func gone() throws {
        let table = try pipelines()
        try table.put(Self.contact("a"), Self.contact("a"))
        try table.run("crm")
        try table.run("billing")
        try table.put("[]", nil)
        let (report, _) = try table.run("crm")
        #expect(report.problems.map(\.code) == ["held_elsewhere"])
        #expect(try table.rows == ["1|a|1"])
        try table.put(nil, "[]")
        #expect(try table.run("billing").report.summary.text == "delete 1")
        #expect(try table.rows == [])
        #expect(try table.quiet() == [])
    }

    // MARK: Changes of the table and of the pipeline

    @Test("A table that was dropped is filled again by both")
    func dropped() throws {
        let table = try disjoint()
        try table.put(Self.rows.crm, Self.rows.billing)
        try table.run()
        try table.shop.sql("DROP TABLE contacts")
        let (report, _) = try table.run()
        #expect(report.summary.text == "insert 1, update 1")
        #expect(try table.rows == ["1|a|1"])
        #expect(try table.quiet() == [])
    }

    @Test("A column that was dropped is filled again by the first, as ever")
    func droppedColumn() throws {
        let table = try SharedTable()
        try table.put(Self.contact("a"), Self.contact("b"))
        try table.run()
        try table.shop.sql("DROP VIEW conflicts_contacts; ALTER TABLE contacts DROP COLUMN email")
        let (report, _) = try table.run()
        #expect(report.summary.conflict == 0)
        #expect(try table.shop.rows("SELECT id, email, phone FROM contacts") == ["1|'a'|'1'"])
        #expect(try table.quiet() == [])
    }

    @Test("A stream that the pipeline gave up says nothing any more")
    func givenUp() throws {
        let table = try SharedTable()
        try table.put(Self.contact("a"), Self.contact("b"))
        try table.run()
        // Only one of the streams is left.
        table.pipelines = ["crm": "shop", "billing": "other"]
        table.precedence = []
        try table.put(Self.contact("c"), nil)
        let (refused, _) = try table.run("crm")
        #expect(refused.status == .refused)
        #expect(refused.problems.map(\.code) == ["orphaned"])
        #expect(try table.rows == ["1|a|1"])
        table.shop.adjustOptions = { $0.allowsDrops = true }
        let (update, _) = try table.run("crm")
        #expect(update.summary.text == "update 1")
        #expect(update.schemaChanges.map(\.kind) == [.forgetSource])
        // Once is enough.
        table.shop.adjustOptions = { _ in }
        try table.put("[]", nil)
        let (report, _) = try table.run("crm")
        #expect(report.summary.text == "delete 1")
        #expect(report.problems == [])
        #expect(try table.rows == [])
    }

    @Test("Sources with other identifiers do not speak of the same records")
    func otherIdentifiers() throws {
        let table = try SharedTable()
        try table.shop.sql(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE contacts (id INTEGER PRIMARY KEY, email TEXT UNIQUE, phone TEXT)
            """)
        try table.put(Self.contact("a"), Self.contact("b"))
        try table.run("crm")
        table.shop.definition = nil
        table.shop.name = "mail"
        table.shop.fields = [try field("email"), try field("phone")]
        table.shop.key = ["email"]
        table.shop.adjust = { $0.entities[0].table = "contacts" }
        table.shop.stream = nil
        let (report, _) = try table.shop.syncPlanned(#"[{"email":"a","phone":"2"}]"#)
        #expect(report.status == .succeeded)
        #expect(report.summary.text == "conflict 1")
        #expect(try table.conflicts("open") == [#"items add_add phone "1" "2" open"#])
    }
}

import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// A source that lists contacts, `crm`, and one that says which of them are deleted, `billing`.
@Suite("Deletions that a source states")
struct StatedDeletionTests {
    struct Round: Sendable {
        var hand = ""
        var crm: String?
        var billing: String?
        let rows: [String]
        var open: [String] = []
        var states: String?
        /// What is decided afterwards about all conflicts.
        var decision: Resolution?
    }

    struct Life: CustomTestStringConvertible, Sendable {
        let name: String
        var mode = DeleteRule.Mode.ignore
        var policy: ConflictPolicy?
        let rounds: [Round]
        var testDescription: String { name }
    }

    /// In which order the streams are read.
    enum Order: String, CaseIterable, Sendable {
        case listFirst, statementsFirst, listAlone, statementsAlone
        var isTogether: Bool { self == .listFirst || self == .statementsFirst }
    }

    static let gone = #"[{"id":1,"gone":true}]"#
    static let (a, b) = (TwoSourceTests.contact("a"), TwoSourceTests.contact("b"))
    static let listed = Round(crm: a, billing: "[]", rows: ["1|a|1"])
    static let stated = Round(billing: gone, rows: [], states: "crm overruled, billing stated")
    static let asked = #"billing edit_delete * {"id":1,"email":"mine","phone":"1"} - open"#

    static let lives = [
        Life(name: "stated: gone, although it is still listed", rounds: [listed, stated, Round(rows: [])]),
        Life(
            name: "stated and listed in the first run",
            rounds: [Round(crm: a, billing: gone, rows: []), Round(rows: [])]),
        Life(
            name: "listed with news: back, and what was stated is old",
            rounds: [
                listed, stated, Round(crm: b, rows: ["1|b|1"], states: "crm live, billing stated"),
                Round(crm: a, rows: ["1|a|1"]), Round(billing: "[]", rows: ["1|a|1"]),
            ]),
        Life(
            name: "not stated any more, listed with news, and stated anew",
            rounds: [
                listed, stated, Round(crm: b, rows: ["1|b|1"]),
                Round(billing: "[]", rows: ["1|b|1"], states: "crm live, billing remoteTombstone"),
                Round(billing: gone, rows: [], states: "crm overruled, billing stated"),
            ]),
        Life(
            name: "not listed any more, then listed again",
            rounds: [
                listed, stated, Round(crm: "[]", rows: [], states: "crm remoteTombstone, billing stated"),
                Round(crm: a, rows: ["1|a|1"], states: "crm live, billing stated"),
            ]),
        Life(
            name: "not listed any more when it is stated, then listed again", mode: .hard,
            rounds: [listed, Round(crm: "[]", billing: gone, rows: []), Round(crm: a, rows: ["1|a|1"])]),
        Life(
            name: "reported on, not listed any more, then listed again", mode: .report,
            rounds: [listed, stated, Round(crm: "[]", rows: []), Round(crm: a, rows: ["1|a|1"])]),
        Life(
            name: "marked, then listed with news", mode: .soft,
            rounds: [listed, Round(billing: gone, rows: ["-1|a|1"]), Round(crm: b, rows: ["1|b|1"])]),
        Life(
            name: "stated by who listed it, and listed by the other one as that ends", mode: .hard,
            rounds: [
                Round(crm: "[]", billing: b, rows: ["1|b|1"]), Round(billing: gone, rows: []),
                Round(crm: a, billing: "[]", rows: ["1|a|1"]), Round(rows: ["1|a|1"]),
            ]),
        Life(
            name: "never listed, then listed",
            rounds: [
                Round(crm: "[]", billing: gone, rows: []), Round(crm: a, rows: ["1|a|1"]),
            ]),
        Life(
            name: "deleted here before it is stated",
            rounds: [
                listed,
                Round(hand: "DELETE FROM contacts", billing: gone, rows: [], states: "crm overruled, billing stated"),
                Round(crm: b, rows: ["1|b|1"]),
            ]),
        Life(
            name: "made here again after it was stated",
            rounds: [
                listed, stated, Round(hand: "INSERT INTO contacts VALUES (1, 'mine', '1')", rows: ["1|mine|1"]),
            ]),
        Life(
            name: "edited here: a question, decided for the store",
            rounds: [
                listed,
                Round(hand: TwoSourceTests.edit, billing: gone, rows: ["1|mine|1"], open: [asked], decision: .local),
                Round(rows: ["1|mine|1"]), Round(crm: TwoSourceTests.contact("a", "2"), rows: ["1|mine|2"]),
            ]),
        Life(
            name: "edited here: a question, decided for the source",
            rounds: [
                listed,
                Round(hand: TwoSourceTests.edit, billing: gone, rows: ["1|mine|1"], open: [asked], decision: .remote),
                Round(rows: [], states: "crm overruled, billing stated"), Round(crm: b, rows: ["1|b|1"]),
            ]),
        Life(
            name: "cleared here: a question as well",
            rounds: [
                listed,
                Round(
                    hand: "UPDATE contacts SET email = NULL", billing: gone, rows: ["1|NULL|1"],
                    open: [#"billing edit_delete * {"id":1,"email":null,"phone":"1"} - open"#]),
            ]),
        Life(
            name: "edited here: the policy takes the source", policy: .remoteWins,
            rounds: [listed, Round(hand: TwoSourceTests.edit, billing: gone, rows: [])]),
        Life(
            name: "edited here: the policy takes the store", policy: .localWins,
            rounds: [listed, Round(hand: TwoSourceTests.edit, billing: gone, rows: ["1|mine|1"])]),
        Life(
            name: "both list, and one says it is deleted",
            rounds: [
                Round(crm: a, billing: a, rows: ["1|a|1"]),
                Round(crm: gone, rows: [], states: "crm stated, billing overruled"),
                Round(billing: gone, rows: [], states: "crm stated, billing stated"), Round(crm: b, rows: ["1|b|1"]),
            ]),
    ]

    private func table(_ life: Life, _ order: Order, pipelines: Bool = false) throws -> SharedTable {
        let table = try SharedTable()
        table.mode = life.mode
        table.rules = ConflictRules(fallback: life.policy)
        table.deletedWhen = ".gone == true"
        if order == .statementsFirst { table.precedence = ["billing", "crm"] }
        if pipelines { table.pipelines["billing"] = "bank" }
        return table
    }

    private func run(_ table: SharedTable, _ order: Order) throws {
        switch order {
        case .listFirst, .statementsFirst: #expect(try table.run().report.status == .succeeded)
        case .listAlone:
            for stream in ["crm", "billing"] { #expect(try table.run(stream).report.status == .succeeded) }
        case .statementsAlone:
            for stream in ["billing", "crm"] { #expect(try table.run(stream).report.status == .succeeded) }
        }
    }

    private func live(_ life: Life, _ order: Order, _ table: SharedTable) throws {
        for (number, round) in life.rounds.enumerated() {
            if !round.hand.isEmpty { try table.shop.sql(round.hand) }
            try table.put(round.crm, round.billing)
            try run(table, order)
            #expect(try table.rows == round.rows, "round \(number)")
            #expect(try table.conflicts("open") == round.open, "round \(number)")
            if let states = round.states { #expect(try table.states(of: 1) == states, "round \(number)") }
            #expect(try table.quiet() == [], "round \(number)")
            if let decision = round.decision { try table.resolve(decision) }
        }
    }

    @Test("A contact's life, in one run", arguments: lives, Order.allCases.filter(\.isTogether))
    func together(_ life: Life, _ order: Order) throws { try live(life, order, try table(life, order)) }

    @Test("A contact's life, on PostgreSQL", arguments: stride(from: 0, to: lives.count, by: 3).map { lives[$0] })
    func onPostgres(_ life: Life) throws {
        let table = try table(life, .listFirst)
        table.shop.database = try WorkshopSchema()
        try live(life, .listFirst, table)
    }

    @Test(
        "A contact's life, one stream after the other",
        arguments: lives.filter { $0.name != "stated and listed in the first run" })
    func apart(_ life: Life) throws { try live(life, .listAlone, try table(life, .listAlone)) }

    @Test("Two pipelines that fill one table")
    func pipelines() throws {
        for life in Self.lives.prefix(1) + Self.lives[2...4] {
            try live(life, .listAlone, try table(life, .listAlone, pipelines: true))
        }
    }

    @Test(
        "A row that another source made holds no edit of what this one said",
        arguments: [Order.listFirst, .statementsFirst])
    func madeAnew(_ order: Order) throws {
        let table = try table(Life(name: "made anew", mode: .hard, rounds: []), order)
        table.fields["crm"] = [try field("id", .int), try field("email")]
        for (crm, billing) in [("[]", Self.b), ("[]", "[]"), (Self.a, "[]"), (Self.a, Self.b)] {
            try table.put(crm, billing)
            try run(table, order)
        }
        #expect(try table.rows == [order == .listFirst ? "1|a|1" : "1|b|1"])
        #expect(try table.quiet() == [])
    }

    /// What a source listed before is no answer to what another one states since, be it taken or still to be decided.
    @Test(
        "A question stays one while another one over the same row is open",
        arguments: [true, false])
    func twoQuestions(_ isAdded: Bool) throws {
        let table = try table(Self.lives[0], .listFirst)
        try table.put(isAdded ? "[]" : Self.a, "[]")
        try table.run()
        try table.shop.sql(isAdded ? "INSERT INTO contacts VALUES (1, 'mine', '1')" : TwoSourceTests.edit)
        try table.put(Self.b, Self.gone)
        try table.run()
        #expect(try table.rows == ["1|mine|1"])
        let open = try table.conflicts("open")
        #expect(open.count == 2, "\(open)")
        #expect(try table.quiet() == [])
        #expect(try table.conflicts("open") == open)
        // Something new is one, and so is what the source said before that.
        try table.put(TwoSourceTests.contact("c"), nil)
        try table.run()
        #expect(try table.conflicts("open").count == 1)
        #expect(try table.quiet() == [])
    }

    @Test("The source that comes after states the deletion of a row into which somebody wrote its value")
    func preferred() throws {
        let table = try SharedTable()
        table.mode = .ignore
        table.deletedWhen = ".gone == true"
        try table.put(Self.a, Self.b)
        try table.run()
        try table.shop.sql(TwoSourceTests.preferred)
        try table.put(nil, Self.gone)
        try table.run()
        #expect(
            try table.conflicts("open") == [#"billing edit_delete * {"id":1,"email":"b","phone":"1"} - open"#])
        #expect(try table.rows == ["1|b|1"])
    }

    @Test("What is told: one record deleted")
    func told() throws {
        let table = try table(Self.lives[0], .listFirst)
        try table.put(Self.a, "[]")
        try table.run()
        try table.put(nil, Self.gone)
        let (report, recorder) = try table.run()
        #expect(report.summary.text == "delete 1, unchanged 1")
        #expect(recorder.changes.count == 1)
        #expect(report.problems == [])
        #expect(try table.run().report.summary.text == "unchanged 2")
    }

    @Test("An edit that holds a stated deletion is told beside what the source that lists the record said")
    func toldBesideTheList() throws {
        let table = try table(Self.lives[0], .listFirst)
        try table.put(Self.a, "[]")
        try table.run()
        try table.shop.sql(TwoSourceTests.edit)
        try table.put(nil, Self.gone)
        #expect(
            try table.run().1.changes == [#"conflict edit_delete {"id":1} email:local_override("a" "mine" - "mine")"#])
    }

    @Test(
        "A stated deletion says nothing of what it leaves out, whatever the fields make of that",
        arguments: [FieldDefinition.MissingRule.setNull, .default, .keep])
    func nothingBesideTheKey(_ rule: FieldDefinition.MissingRule) throws {
        let table = try table(Self.lives[0], .listFirst)
        let phone = try field("phone", default: rule == .default ? #""none""# : nil, onMissing: rule)
        for stream in SharedTable.streams {
            table.fields[stream] = [try field("id", .int), try field("email"), phone]
        }
        try table.put(Self.a, "[]")
        try table.run()
        try table.shop.sql(TwoSourceTests.edit)
        try table.put(nil, Self.gone)
        try table.run()
        #expect(try table.conflicts("open") == [Self.asked])
        let store = try table.shop.open(.reading)
        let open = try ConflictBases(store: store).explained(store.conflicts.list(includingClosed: false))
        #expect(open.map(\.base) == [#"{"id":1,"email":"a","phone":"1"}"#])
    }

    @Test(
        "A stream that lists nothing but deletions loses none where it is read anew",
        arguments: [
            (#"true"#, DeleteRule.Mode.ignore, false), (" true\n", .ignore, false), (".gone", .ignore, true),
            (nil, .ignore, true), (nil, .hard, false),
        ] as [(String?, DeleteRule.Mode, Bool)])
    func deletionsAlone(_ program: String?, _ mode: DeleteRule.Mode, misses: Bool) {
        var stream = StreamDefinition(
            name: "deletions", entity: "Contact", path: ConfigurationText("deletions.json"),
            deleteMissing: DeleteRule(mode: mode))
        stream.deletedWhen = program
        #expect(stream.missesDeletions == misses)
        let warning = FetchWarning.tokenExpired("Gone.", of: stream)
        #expect(warning.message.contains("Rows that the source deleted meanwhile stay") == misses, "\(warning.message)")
    }

    @Test("A source of deletions that knows nothing but keys")
    func keysAlone() throws {
        let table = try table(Self.lives[0], .listFirst)
        table.fields["billing"] = [try field("id", .int)]
        try table.put(Self.a, "[]")
        try table.run()
        try table.put(nil, Self.gone)
        try table.run()
        #expect(try table.rows == [])
        #expect(try table.quiet() == [])
        try table.put(Self.b, nil)
        try table.run()
        #expect(try table.rows == ["1|b|1"])
        #expect(try table.quiet() == [])
        try table.shop.sql(TwoSourceTests.edit)
        try table.put(nil, #"[{"id":1,"gone":true},{"id":2,"gone":true}]"#)
        try table.run()
        #expect(try table.rows == ["1|mine|1"])
    }

    /// A record is listed with something new where something of what belongs to it is new.
    @Test(
        "A record comes back with news of what belongs to it",
        arguments: [
            Scripts.play(["x", "y"], tags: ["1q"]), Scripts.play(["x", "y"], tags: ["1p", "2p"]),
            Scripts.play(["x", "z"], tags: ["1p"]), Scripts.play(["x", "y", "z"], tags: ["1p"]),
        ])
    func newsWithin(_ news: String) throws {
        let scripts = try Scripts(["a", "b"], precedence: ["a", "b"], deletedWhen: ".gone == true")
        let said = Scripts.play(["x", "y"], tags: ["1p"])
        try scripts.put(said, as: "a")
        try scripts.put("[]", as: "b")
        try scripts.run()
        try scripts.put(Self.gone, as: "b")
        try scripts.run()
        // What is listed as before is no news, whether it is still stated or not.
        for stated in [Self.gone, "[]"] {
            try scripts.put(stated, as: "b")
            try scripts.run()
            #expect(try scripts.shop.rows("SELECT count(*) FROM play") == ["0"])
            #expect(try scripts.shop.quietRun().written == [])
        }
        let before = try scripts.shop.managed()
        try scripts.put(news, as: "a")
        let report = try scripts.run()
        #expect(report.summary.text == "insert 1")
        let other = try Scripts()
        try other.put(news)
        try other.run()
        #expect(try scripts.lines == other.lines && scripts.tags == other.tags)
        #expect(try scripts.shop.quietRun().written == [])
        #expect(try scripts.shop.undoPlanned(#require(report.run)).report.status == .succeeded)
        #expect(try scripts.shop.managed() == before)
    }

    /// What is stated and listed with news within in one run is gone, and no news later.
    @Test("News of what belongs to a record, as its deletion is stated")
    func newsWithinAsStated() throws {
        for order in [["a", "b"], ["b", "a"]] {
            let scripts = try Scripts(["a", "b"], precedence: order, deletedWhen: ".gone == true")
            try scripts.put(Scripts.play(["x"], tags: ["1p"]), as: "a")
            try scripts.put("[]", as: "b")
            try scripts.run()
            try scripts.put(Scripts.play(["x"], tags: ["1q"]), as: "a")
            try scripts.put(Self.gone, as: "b")
            try scripts.run()
            #expect(try scripts.tags.isEmpty, "\(order)")
            #expect(try scripts.shop.quietRun().written == [], "\(order)")
            #expect(try scripts.tags.isEmpty, "\(order)")
        }
    }

    @Test("A record that another source brings back has at once what the first of its sources says to belong to it")
    func broughtBackByAnother() throws {
        let scripts = try Scripts(["c", "a", "b"], precedence: ["a", "b", "c"], deletedWhen: ".gone == true")
        try scripts.put("[]", as: "c")
        try scripts.put(Scripts.play(["x"], tags: ["1p"]), as: "a")
        try scripts.put("[]", as: "b")
        try scripts.run()
        try scripts.put(Self.gone, as: "b")
        try scripts.run()
        try scripts.put(Scripts.play(["z"], tags: ["1q"]), as: "c")
        try scripts.put("[]", as: "b")
        // What is made by one stream and changed by another one is told twice and counts once.
        #expect(scripts.shop.sync().report.status == .succeeded)
        #expect(try scripts.lines == "0x" && scripts.tags == "1p")
        #expect(try scripts.shop.quietRun().written == [])
        #expect(try scripts.lines == "0x" && scripts.tags == "1p")
    }

    @Test("What belongs to a record goes with it, and comes back with it")
    func children() throws {
        let scripts = try Scripts(["a", "b"], precedence: ["a", "b"], deletedWhen: ".gone == true")
        try scripts.put(Scripts.play(["x", "y"], tags: ["1p"]), as: "a")
        try scripts.put("[]", as: "b")
        try scripts.run()
        try scripts.put(Self.gone, as: "b")
        let report = try scripts.run()
        #expect(report.summary.delete == 1)
        #expect(try scripts.shop.rows("SELECT count(*) FROM play") == ["0"])
        #expect(try scripts.lines.isEmpty && scripts.tags.isEmpty && scripts.open.isEmpty)
        #expect(try scripts.shop.quietRun().written == [])
        let before = try scripts.shop.managed()
        #expect(try scripts.shop.undoPlanned(#require(report.run)).report.status == .succeeded)
        #expect(try scripts.lines == "0x 1y" && scripts.tags == "1p")
        try scripts.run()
        #expect(
            try scripts.shop.managed().filter { !$0.key.hasPrefix("_") } == before.filter { !$0.key.hasPrefix("_") })
        // It is no longer listed, and then it is again.
        try scripts.put("[]", as: "a")
        try scripts.run()
        try scripts.put(Scripts.play(["x", "y"], tags: ["1p"]), as: "a")
        try scripts.run()
        #expect(try scripts.lines == "0x 1y" && scripts.tags == "1p")
        #expect(try scripts.shop.quietRun().written == [])
    }
}

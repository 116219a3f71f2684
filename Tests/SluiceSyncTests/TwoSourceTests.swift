import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import TestSupport
import Testing

/// What two sources and people do to one contact, and what the table holds whichever source is read first.
struct SharedLife: CustomTestStringConvertible, Sendable {
    /// What is done by hand, what the sources say then, and what is left of it.
    struct Round: Sendable {
        var hand = ""
        /// What each source says; nil where that is what it said before.
        var crm: String?
        var billing: String?
        let rows: [String]
        /// The open conflicts.
        var open: [String] = []
        /// The states of contact 1.
        var states: String?
        /// How often each source has to be read for the rows to be these: twice where one takes over what the other
        /// lost after it was read.
        var readings = 1
    }

    let name: String
    var mode = DeleteRule.Mode.hard
    var policy: ConflictPolicy?
    let rounds: [Round]
    var testDescription: String { name }
}

@Suite("A table that two sources fill")
struct TwoSourceTests {
    static func contact(_ email: String?, _ phone: String? = "1") -> String {
        func json(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        return "[{\"id\":1,\"email\":\(json(email)),\"phone\":\(json(phone))}]"
    }

    static let edit = "UPDATE contacts SET email = 'mine'"
    static let preferred = "UPDATE contacts SET email = 'b'"
    static let both = SharedLife.Round(crm: contact("a"), billing: contact("b"), rows: ["1|a|1"])
    static let agreed = SharedLife.Round(crm: contact("a"), billing: contact("a"), rows: ["1|a|1"])
    static let editDelete = #"edit_delete * {"id":1,"email":"mine","phone":"1"} - open"#

    static let lives: [SharedLife] = values + people + gone

    static let values = [
        SharedLife(name: "both say the same", rounds: [agreed]),
        SharedLife(name: "the first one's value stands", rounds: [both]),
        SharedLife(
            name: "what the second one changes is not taken",
            rounds: [both, .init(billing: contact("c"), rows: ["1|a|1"])]),
        SharedLife(
            name: "what the second one changes of what both said is not taken",
            rounds: [agreed, .init(billing: contact("c"), rows: ["1|a|1"])]),
        SharedLife(
            name: "what the first one changes is taken", rounds: [both, .init(crm: contact("c"), rows: ["1|c|1"])]),
        SharedLife(
            name: "both change at once",
            rounds: [agreed, .init(crm: contact("c"), billing: contact("d"), rows: ["1|c|1"])]),
        SharedLife(
            name: "the first one comes to say what the second said",
            rounds: [both, .init(crm: contact("b"), rows: ["1|b|1"]), .init(billing: contact("x"), rows: ["1|b|1"])]),
        SharedLife(
            name: "the second one comes to say what the first said",
            rounds: [both, .init(billing: contact("a"), rows: ["1|a|1"]), .init(crm: contact("c"), rows: ["1|c|1"])]),
        SharedLife(
            name: "null is a value",
            rounds: [
                .init(crm: contact(nil), billing: contact("b"), rows: ["1|NULL|1"]),
                .init(crm: contact("a"), rows: ["1|a|1"]), .init(crm: contact(nil), rows: ["1|NULL|1"]),
            ]),
        SharedLife(
            name: "an absent key is none, so the second one fills it",
            rounds: [
                .init(crm: #"[{"id":1,"phone":"1"}]"#, billing: contact("b"), rows: ["1|b|1"]),
                .init(billing: contact("c"), rows: ["1|c|1"]), .init(crm: contact("a"), rows: ["1|a|1"]),
                .init(billing: contact("d"), rows: ["1|a|1"]),
            ]),
        SharedLife(
            name: "values too long to be kept",
            rounds: [
                .init(
                    crm: contact(String(repeating: "a", count: 60)),
                    billing: contact(String(repeating: "b", count: 60)),
                    rows: ["1|\(String(repeating: "a", count: 60))|1"]),
                .init(
                    billing: contact(String(repeating: "c", count: 60)),
                    rows: ["1|\(String(repeating: "a", count: 60))|1"]),
                .init(
                    crm: "[]", rows: ["1|\(String(repeating: "c", count: 60))|1"],
                    states: "crm remoteTombstone, billing live", readings: 2),
            ]),
        SharedLife(
            name: "one field of two",
            rounds: [
                .init(crm: contact("a", "1"), billing: contact("a", "2"), rows: ["1|a|1"]),
                .init(crm: contact("a", "3"), billing: contact("c", "2"), rows: ["1|a|3"]),
            ]),
    ]

    static let people = [
        SharedLife(
            name: "an edit stands", rounds: [both, .init(hand: edit, rows: ["1|mine|1"])]),
        SharedLife(
            name: "an edit, and the first one changes",
            rounds: [
                both,
                .init(
                    hand: edit, crm: contact("c"), rows: ["1|mine|1"],
                    open: [#"crm edit_edit email "mine" "c" open"#]),
            ]),
        SharedLife(
            name: "an edit, and the second one changes",
            rounds: [
                both,
                .init(
                    hand: edit, billing: contact("c"), rows: ["1|mine|1"],
                    open: [#"billing edit_edit email "mine" "c" open"#]),
            ]),
        SharedLife(
            name: "an edit, and both change",
            rounds: [
                both,
                .init(
                    hand: edit, crm: contact("c"), billing: contact("d"), rows: ["1|mine|1"],
                    open: [#"billing edit_edit email "mine" "d" open"#, #"crm edit_edit email "mine" "c" open"#]),
                // The second source's conflict is over once the first one's is.
                .init(hand: "UPDATE contacts SET email = 'c'", rows: ["1|c|1"], readings: 2),
            ]),
        SharedLife(
            name: "cleared here, and a source that never gave it gives it",
            rounds: [
                .init(crm: contact("a"), billing: #"[{"id":1,"phone":"1"}]"#, rows: ["1|a|1"]),
                .init(
                    hand: "UPDATE contacts SET email = NULL", billing: contact("b"), rows: ["1|NULL|1"],
                    open: [#"billing add_add email null "b" open"#]),
            ]),
        SharedLife(
            name: "edited to what the second one says, and the first one changes something else",
            rounds: [
                both, .init(hand: preferred, rows: ["1|b|1"]),
                .init(crm: contact("a", "2"), rows: ["1|b|2"]),
            ]),
        SharedLife(
            name: "edited to what the second one says, and the first one changes it",
            rounds: [
                both,
                .init(
                    hand: preferred, crm: contact("c"), rows: ["1|b|1"],
                    open: [#"crm edit_edit email "b" "c" open"#]),
            ]),
        SharedLife(
            name: "edited to what the second one says, which changes it",
            rounds: [both, .init(hand: preferred, billing: contact("c"), rows: ["1|b|1"])]),
        SharedLife(
            name: "edited to what the second one said that has the record no longer",
            rounds: [
                both, .init(billing: "[]", rows: ["1|a|1"]), .init(hand: preferred, rows: ["1|b|1"]),
                .init(
                    crm: "[]", rows: ["1|b|1"],
                    open: [#"crm edit_delete * {"id":1,"email":"b","phone":"1"} - open"#]),
            ]),
        SharedLife(
            name: "edited to what the second one says, which is then the only one and says it still",
            rounds: [
                both,
                .init(
                    hand: preferred, crm: "[]", rows: ["1|b|1"], states: "crm remoteTombstone, billing live",
                    readings: 2),
                .init(billing: contact("c"), rows: ["1|c|1"]),
            ]),
        SharedLife(
            name: "deleted here, stays deleted",
            rounds: [both, .init(hand: "DELETE FROM contacts", rows: [], states: "crm live, billing live")]),
        SharedLife(
            name: "deleted here, changed at one source",
            rounds: [
                both,
                .init(
                    hand: "DELETE FROM contacts", crm: contact("c"), rows: [],
                    open: [#"crm delete_edit * - {"id":1,"email":"c","phone":"1"} open"#]),
            ]),
        SharedLife(
            name: "deleted here, changed at one source, which decides: the other starts over", policy: .remoteWins,
            rounds: [
                both,
                .init(hand: "DELETE FROM contacts", billing: contact("c", "2"), rows: ["1|a|1"], readings: 2),
                .init(crm: contact("d"), rows: ["1|d|1"]),
            ]),
        SharedLife(
            name: "deleted here, and then another source has it for the first time",
            rounds: [
                .init(crm: contact("a"), billing: "[]", rows: ["1|a|1"]),
                .init(
                    hand: "DELETE FROM contacts", billing: contact("b"), rows: [],
                    open: [#"billing delete_edit * - {"id":1,"email":"b","phone":"1"} open"#]),
                .init(
                    crm: "[]", rows: [], open: [#"billing delete_edit * - {"id":1,"email":"b","phone":"1"} open"#],
                    states: "crm remoteTombstone, billing live"),
            ]),
    ]

    static let gone = [
        SharedLife(
            name: "gone from the first: the second one's value is taken up",
            rounds: [
                both,
                .init(
                    crm: "[]", rows: ["1|b|1"], states: "crm remoteTombstone, billing live", readings: 2),
                .init(billing: contact("c"), rows: ["1|c|1"]),
                .init(crm: contact("a"), rows: ["1|a|1"], states: "crm live, billing live"),
            ]),
        SharedLife(
            name: "gone from the second: nothing changes",
            rounds: [
                both, .init(billing: "[]", rows: ["1|a|1"], states: "crm live, billing remoteTombstone"),
                .init(crm: contact("c"), rows: ["1|c|1"]), .init(billing: contact("d"), rows: ["1|c|1"]),
            ]),
        SharedLife(
            name: "gone from both",
            rounds: [
                both,
                .init(
                    crm: "[]", billing: "[]", rows: [], states: "crm remoteTombstone, billing remoteTombstone"),
            ]),
        SharedLife(
            name: "gone from one after the other",
            rounds: [
                both, .init(crm: "[]", rows: ["1|b|1"], readings: 2),
                .init(billing: "[]", rows: [], states: "crm remoteTombstone, billing remoteTombstone"),
            ]),
        SharedLife(
            name: "gone from both, marked", mode: .soft,
            rounds: [both, .init(crm: "[]", billing: "[]", rows: ["-1|a|1"])]),
        SharedLife(
            name: "gone from both, and back at the second: nothing is left of what the first said",
            rounds: [
                both, .init(crm: "[]", billing: "[]", rows: []),
                .init(billing: #"[{"id":1,"email":"c"}]"#, rows: ["1|c|NULL"]),
                .init(crm: contact("a", "9"), rows: ["1|a|9"], states: "crm live, billing live"),
            ]),
        SharedLife(
            name: "gone from both, marked, and back at the second", mode: .soft,
            rounds: [
                both, .init(crm: "[]", billing: "[]", rows: ["-1|a|1"]),
                .init(billing: #"[{"id":1,"email":"c"}]"#, rows: ["1|c|NULL"]),
                .init(crm: contact("a", "9"), rows: ["1|a|9"], states: "crm live, billing live"),
            ]),
        SharedLife(
            name: "gone from both and back at both", mode: .soft,
            rounds: [
                both, .init(crm: "[]", billing: "[]", rows: ["-1|a|1"]),
                .init(crm: contact("c"), billing: contact("d"), rows: ["1|c|1"]),
            ]),
        SharedLife(
            name: "edited here and gone from one",
            rounds: [
                both,
                // The other one takes the field up once it is read.
                .init(
                    hand: edit, crm: "[]", rows: ["1|mine|1"], states: "crm remoteTombstone, billing live", readings: 2),
            ]),
        SharedLife(
            name: "edited here and gone from one after the other",
            rounds: [
                both, .init(hand: edit, crm: "[]", rows: ["1|mine|1"], readings: 2),
                .init(
                    billing: "[]", rows: ["1|mine|1"], open: ["billing " + editDelete],
                    states: "crm remoteTombstone, billing live"),
                .init(billing: contact("b"), rows: ["1|mine|1"], states: "crm remoteTombstone, billing live"),
            ]),
        SharedLife(
            name: "not gone from a source that is only reported on", mode: .report,
            rounds: [both, .init(crm: "[]", billing: "[]", rows: ["1|a|1"], states: "crm live, billing live")]),
    ]

    @Test("A contact's life", arguments: lives, SharedTable.Order.allCases)
    func life(_ life: SharedLife, _ order: SharedTable.Order) throws { try play(life, order, SharedTable()) }

    @Test("A contact's life, on PostgreSQL", arguments: stride(from: 0, to: lives.count, by: 3).map { lives[$0] })
    func lifeOnPostgres(_ life: SharedLife) throws {
        let table = try SharedTable()
        table.shop.database = try WorkshopSchema()
        try play(life, .together, table)
    }

    private func play(_ life: SharedLife, _ order: SharedTable.Order, _ table: SharedTable) throws {
        table.mode = life.mode
        table.rules = ConflictRules(fallback: life.policy)
        for (number, round) in life.rounds.enumerated() {
            if !round.hand.isEmpty { try table.shop.sql(round.hand) }
            try table.put(round.crm, round.billing)
            for _ in 0..<round.readings {
                for report in try table.run(order) { #expect(report.status == .succeeded, "\(report.problems)") }
            }
            #expect(try table.rows == round.rows, "round \(number)")
            let asked = try table.conflicts("open")
            #expect(asked == round.open, "round \(number)")
            if let states = round.states { #expect(try table.states(of: 1) == states, "round \(number)") }
            #expect(try table.quiet() == [], "round \(number)")
        }
    }

    @Test(
        "Edited here and gone from both is a conflict of the last of them, whatever was written",
        arguments: SharedTable.Order.allCases, ["'mine'", "'b'", "NULL"])
    func editedAndGone(_ order: SharedTable.Order, _ value: String) throws {
        let table = try SharedTable()
        try table.put(Self.contact("a"), Self.contact("b"))
        try table.run(order)
        try table.shop.sql("UPDATE contacts SET email = \(value)")
        try table.put("[]", "[]")
        try table.run(order)
        let text = value.replacing("'", with: "")
        #expect(try table.rows == ["1|\(text)|1"])
        let last = order == .billingFirst ? "crm" : "billing"
        let local = value == "NULL" ? "null" : "\"\(text)\""
        let conflict = #"\#(last) edit_delete * {"id":1,"email":\#(local),"phone":"1"} - open"#
        #expect(try table.conflicts("open") == [conflict])
        #expect(try table.quiet() == [])
    }

    @Test("An edit is known as one while a source that has the record no longer says what stood there")
    func editedAndHalfGone() throws {
        let table = try SharedTable()
        try table.put(Self.contact("a"), Self.contact("b"))
        try table.run()
        try table.shop.sql(Self.preferred)
        try table.put("[]", nil)
        try table.run("crm")
        let entries = try table.shop.rows("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'")
        #expect(entries == ["0"])
        try table.put(nil, "[]")
        try table.run("billing")
        #expect(
            try table.conflicts("open") == [#"billing edit_delete * {"id":1,"email":"b","phone":"1"} - open"#])
    }

    // MARK: What is told

    @Test("A disagreement that the order settles names both sources, and is no question")
    func settled() throws {
        let table = try SharedTable()
        try table.put(Self.contact("a"), Self.contact("b"))
        try table.run("crm")
        let (kept, told) = try table.run("billing")
        #expect(kept.summary.text == "kept_local 1")
        #expect(told.conflicts.map(\.otherSource) == ["shop/crm"])
        #expect(told.conflicts.map(\.status) == [.auto])
        #expect(try table.conflicts() == [#"billing disagreement email "a" "b" auto with shop/crm"#])
        #expect(try table.quiet() == [])

        let other = try SharedTable()
        try other.put(Self.contact("a"), Self.contact("b"))
        try other.run("billing")
        let (taken, changes) = try other.run("crm")
        #expect(taken.summary.text == "update 1")
        #expect(changes.changes == [#"update adopt {"id":1} email:disagreement(- "b" "a" "a")"#])
        #expect(try other.conflicts() == [#"crm disagreement email "b" "a" auto with shop/billing"#])
        #expect(try other.shop.rows("SELECT policy, resolution FROM _sluice_conflicts") == ["'precedence'|'remote'"])
    }

    @Test("A record that another source keeps is told once")
    func heldElsewhere() throws {
        let table = try SharedTable()
        try table.put(Self.contact("a"), Self.contact("b"))
        try table.run()
        try table.put("[]", nil)
        let (report, recorder) = try table.run("crm")
        #expect(report.summary.text == "")
        #expect(report.streams[0].heldElsewhere == 1)
        #expect(report.problems.map(\.code) == ["held_elsewhere"])
        #expect(report.problems[0].message.contains("`shop/billing`"))
        #expect(recorder.changes == [])
        #expect(try table.run("crm").report.problems == [])
    }

    /// How many rows one source may hand over to another one, run after run.
    struct Guard: CustomTestStringConvertible, Sendable {
        let name: String
        var maximum = DeleteRule.Limit.percent(100)
        var minimum = 0
        /// What the first source says then of twenty contacts, and what both said before.
        let left: ClosedRange<Int>?
        var before = 1...20
        var second = 1...20
        /// How many rows are refused; nil where none is.
        let refused: Int?
        var passed = 0
        var testDescription: String { name }
    }

    static let guards = [
        Guard(name: "empty, all may go", left: nil, refused: nil, passed: 20),
        Guard(name: "empty, min_records", minimum: 1, left: nil, refused: 20),
        Guard(name: "empty, max_delete", maximum: .percent(50), left: nil, refused: 20),
        Guard(name: "some, within max_delete", maximum: .percent(50), left: 11...20, refused: nil, passed: 10),
        Guard(name: "some, beyond max_delete", maximum: .count(9), left: 11...20, refused: 10),
        Guard(name: "some deleted, others passed on", maximum: .count(9), left: 11...20, second: 6...20, refused: 10),
        Guard(name: "fewer than min_records", minimum: 19, left: 3...20, refused: 2),
    ]

    @Test("Rows that pass to another source count for the limits of deletes, in every run", arguments: guards)
    func limits(_ limit: Guard) throws {
        let table = try SharedTable()
        (table.maximum, table.minimum) = (limit.maximum, limit.minimum)
        func contacts(_ ids: ClosedRange<Int>?, _ email: String) -> String {
            "["
                + (ids ?? 1...1).filter { _ in ids != nil }.map { "{\"id\":\($0),\"email\":\"\(email)\"}" }
                .joined(separator: ",") + "]"
        }
        try table.put(contacts(limit.before, "a"), contacts(limit.second, "b"))
        try table.run()
        let before = try table.rows
        try table.put(contacts(limit.left, "a"), nil)
        for _ in 0..<2 {
            let (report, recorder) = try table.run()
            guard let refused = limit.refused else {
                #expect(report.status == .succeeded)
                let told = report.problems.filter { $0.code == "held_elsewhere" }
                #expect(told.map { $0.keys.count + $0.unlisted } == [limit.passed])
                #expect(told.map(\.entity) == ["Contact"])
                #expect(recorder.changes.count == limit.passed)
                #expect(try table.rows != before)
                return
            }
            #expect(report.status == .refused)
            #expect(report.refusedDeletes?.count == refused)
            let problem = try #require(report.problems.first { $0.code == "deletes_refused" })
            #expect(problem.message.contains("--allow-deletes \(refused)"))
            #expect(problem.message.contains("would pass to another source of the table (`shop/billing`)"))
            #expect(try table.rows == before)
        }
        table.allowed = limit.refused
        #expect(try table.run().report.status == .succeeded)
        #expect(try table.rows != before)
    }

    // MARK: Random lives

    @Test("Whichever source is read first, the table holds the same", arguments: Seeds.first(8))
    func anyOrder(_ seed: UInt64) throws { try anyOrder(seed) { _ in } }

    @Test("Whichever source is read first, PostgreSQL holds the same", arguments: Seeds.first(1))
    func anyOrderOnPostgres(_ seed: UInt64) throws { try anyOrder(seed) { $0.database = try WorkshopSchema() } }

    private func anyOrder(_ seed: UInt64, _ adjust: (Workshop) throws -> Void) throws {
        var chance = SeededGenerator(seed: seed)
        let tables = try SharedTable.Order.allCases.map { ($0, try SharedTable()) }
        for (_, table) in tables { try adjust(table.shop) }
        func says() -> String {
            let values = ["null", "\"a\"", "\"b\"", "\"c\""]
            let records = (1...4).compactMap { id -> String? in
                if Int.random(in: 0..<4, using: &chance) == 0 { return nil }
                let email = values.randomElement(using: &chance) ?? "null"
                let phone = values.randomElement(using: &chance) ?? "null"
                return "{\"id\":\(id),\"email\":\(email),\"phone\":\(phone)}"
            }
            return "[" + records.joined(separator: ",") + "]"
        }
        for round in 0..<4 {
            let (crm, billing) = (says(), says())
            var outcomes: [[String]] = []
            for (order, table) in tables {
                try table.put(crm, billing)
                try table.run(order)
                try table.run(order)
                outcomes.append(try table.rows)
                #expect(try table.conflicts("open") == [], "seed \(seed), round \(round)")
                #expect(try table.quiet() == [], "seed \(seed), round \(round)")
            }
            #expect(Set(outcomes).count == 1, "seed \(seed), round \(round): \(crm) \(billing) \(outcomes)")
        }
    }
}

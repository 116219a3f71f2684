import SluiceModel
import SluicePostgresStore
import SluiceReport
import SluiceStore
import TestSupport
import Testing

/// Tables that take a row, and refuse it once it leads to some other one.
@Suite("Links that a table refuses")
struct RefusedLinkTests {
    private static let author = "author: {ref: User, from: user, upsert: false}"
    private static let labels = "labels: {refs: Label, upsert: false, via: issue_labels}"

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rule: TableRule
        let issues: String
        var users: String?
        var labels: String?
        let words: String
        /// What leads where while the rule stands, and once it is gone.
        let refused: [String]
        let taken: [String]
    }

    static let cases = [
        Case(
            testDescription: "a reference",
            rule: TableRule(event: "UPDATE", table: "issues", condition: "new.author_id = 42", message: "no 42"),
            issues: #"[{"id":1,"user":7},{"id":2,"user":42},{"id":3,"user":43},{"id":4,"user":42}]"#,
            users: #"[{"id":7},{"id":42},{"id":43}]"#,
            words:
                "2 references of `issues.author` go on waiting although their records have arrived. A trigger of `issues` refused it: no 42.",
            refused: ["1|7", "2|NULL", "3|43", "4|NULL", "author [2] [42] defer", "author [4] [42] defer"],
            taken: ["1|7", "2|42", "3|43", "4|42"]),
        Case(
            testDescription: "a reference that is skipped",
            rule: TableRule(event: "UPDATE", table: "issues", condition: "new.author_id = 42", message: nil),
            issues: #"[{"id":2,"user":42},{"id":3,"user":43}]"#, users: #"[{"id":42},{"id":43}]"#,
            words:
                "1 reference of `issues.author` goes on waiting although its record has arrived. A trigger of `issues` refused it: it skips the write without an error.",
            refused: ["2|NULL", "3|43", "author [2] [42] defer"], taken: ["2|42", "3|43"]),
        Case(
            testDescription: "a pair",
            rule: TableRule(event: "INSERT", table: "issue_labels", condition: "new.label_id = 5", message: "no 5"),
            issues: #"[{"id":1,"labels":[1,5]},{"id":2,"labels":[5,6]}]"#, labels: #"[{"id":1},{"id":5},{"id":6}]"#,
            words:
                "2 links of `issues.labels` go on waiting although their records have arrived. A trigger of `issue_labels` refused it: no 5.",
            refused: ["1|1", "2|6", "labels [1] [5] defer", "labels [2] [5] defer"],
            taken: ["1|1", "1|5", "2|5", "2|6"]),
    ]

    @Test("The others are linked, and it goes on waiting", arguments: Seeds.pairs(cases, in: StoreKind.allCases))
    func refused(_ test: Case, _ store: StoreKind) throws {
        let tracker = try Tracker(issue: Self.author + "\n      " + Self.labels)
        try store.take(tracker.shop)
        let state = { try test.labels == nil ? tracker.state() : tracker.links() }
        try tracker.run(.init(issues: test.issues, users: #"[{"id":7}]"#, labels: #"[{"id":1}]"#))
        try test.rule.make(in: tracker.shop)
        let (report, _) = try tracker.run(.init(users: test.users, labels: test.labels))
        #expect(report.status == .succeeded)
        #expect(report.problems.map(\.code) == ["linked", "link_refused"])
        let message = report.problems.last?.message ?? ""
        #expect(message.hasPrefix(test.words) && message.hasSuffix(" Every run tries again."), "\(message)")
        #expect(try state() == test.refused)
        // The next run has nothing else to do, and says so again.
        let (again, _) = try tracker.run()
        #expect(again.problems.map(\.code) == ["link_refused"] && !again.hasChanges)
        try test.rule.drop(in: tracker.shop)
        let (last, _) = try tracker.run()
        #expect(last.problems.map(\.code) == ["linked"])
        #expect(try state() == test.taken)
    }

    @Test("Few of many are found", arguments: StoreKind.allCases)
    func many(_ store: StoreKind) throws {
        let tracker = try Tracker(issue: Self.author)
        try store.take(tracker.shop)
        let issues = (1...1_200).map { "{\"id\":\($0),\"user\":\($0)}" }.joined(separator: ",")
        let users = (1...1_200).map { "{\"id\":\($0)}" }.joined(separator: ",")
        try tracker.run(.init(issues: "[\(issues)]", users: "[]"))
        try TableRule(event: "UPDATE", table: "issues", condition: "new.author_id IN (1, 500, 1200)").make(
            in: tracker.shop)
        let (report, _) = try tracker.run(.init(users: "[\(users)]"))
        #expect(report.linked == 1_197)
        #expect(report.problems.last?.keys.sorted() == [#"{"id":1200}"#, #"{"id":1}"#, #"{"id":500}"#])
        #expect(
            try tracker.shop.rows("SELECT id FROM issues WHERE author_id IS NULL ORDER BY id") == ["1", "500", "1200"])
    }

    @Test("Where none is refused, statements do not depend on how many there are")
    func together() throws {
        func statements(_ count: Int) throws -> Int {
            let tracker = try Tracker(issue: Self.author)
            try StoreKind.schema.take(tracker.shop)
            let issues = (1...count).map { "{\"id\":\($0),\"user\":\($0)}" }.joined(separator: ",")
            try tracker.run(.init(issues: "[\(issues)]", users: "[]"))
            try tracker.shop.sql("INSERT INTO users (id) SELECT id FROM issues")
            let store = try #require(tracker.shop.open(.running) as? PostgresStore)
            try store.begin()
            defer { store.rollback() }
            store.startRecording(run: 99, naming: FieldJSON.object)
            let before = store.sentStatements
            #expect(try store.settleReferences().linkedCount == count)
            return store.sentStatements - before
        }
        let few = try statements(20)
        #expect(try statements(400) == few)
    }

    @Test(
        "A record whose pair is refused is quarantined, and nothing of it is written",
        arguments: Seeds.some(of: StoreKind.allCases, oneOf: 2))
    func withItsRecord(_ store: StoreKind) throws {
        let tracker = try Tracker(issue: "title: string\n      " + Self.labels)
        try store.take(tracker.shop)
        try tracker.run(.init(issues: #"[{"id":1,"title":"a","labels":[1]},{"id":2,"title":"a","labels":[1]}]"#))
        let rule = TableRule(event: "INSERT", table: "issue_labels", condition: "new.label_id = 5", message: "no 5")
        try rule.make(in: tracker.shop)
        let issues =
            #"[{"id":1,"title":"b","labels":[1,5]},{"id":2,"title":"b","labels":[9]},{"id":3,"title":"b","labels":[9,5]},{"id":4,"title":"b"}]"#
        let (report, recorder) = try tracker.run(.init(issues: issues))
        #expect(report.streams.first?.summary.text == "insert 1, update 1, quarantined 2")
        #expect(recorder.quarantine.map(\.key) == [#"{"id":1}"#, #"{"id":3}"#])
        #expect(recorder.quarantine.allSatisfy { $0.reason == "constraint" })
        let words = "A trigger of `issues` or `issue_labels` refused it: no 5. Change the trigger"
        #expect(recorder.quarantine.allSatisfy { $0.message.hasPrefix(words) })
        #expect(try tracker.shop.rows("SELECT id, title FROM issues ORDER BY id") == ["1|'a'", "2|'b'", "4|'b'"])
        #expect(try tracker.links() == ["1|1", "2|9"])
        #expect(try tracker.shop.quietRun().written == [])
        try rule.drop(in: tracker.shop)
        let (last, _) = try tracker.run()
        #expect(last.streams.first?.summary.text == "insert 1, update 1, unchanged 2")
        #expect(try tracker.links() == ["1|1", "1|5", "2|9", "3|5", "3|9"])
    }

    @Test(
        "A record that goes keeps its pairs where one of them stays",
        arguments: Seeds.some(of: StoreKind.allCases, oneOf: 2))
    func goingOwner(_ store: StoreKind) throws {
        let tracker = try Tracker(issue: Self.labels + "\n      more: {refs: Label, upsert: false, via: more_labels}")
        try store.take(tracker.shop)
        try tracker.run(.init(issues: #"[{"id":1,"labels":[1,5],"more":[9]},{"id":2,"labels":[1],"more":[9]}]"#))
        try TableRule(event: "DELETE", table: "more_labels", condition: "old.issue_id = 1", message: "keep 9")
            .make(in: tracker.shop)
        let (report, _) = try tracker.run(.init(issues: "[]"))
        #expect(report.problems.map(\.code) == ["delete_rejected"])
        #expect(try tracker.shop.rows("SELECT id FROM issues") == ["1"])
        #expect(try tracker.links() == ["1|1", "1|5"])
        #expect(try tracker.shop.rows("SELECT * FROM more_labels") == ["1|9"])
    }
}

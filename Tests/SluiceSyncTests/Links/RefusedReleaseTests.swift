import SluiceReport
import SluiceStore
import TestSupport
import Testing

/// Tables that do not let go of what a row leads to.
@Suite("References of which a table does not let go")
struct RefusedReleaseTests {
    private static let author = "author: {ref: User, from: user, upsert: false}"

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let issue: String
        let rule: TableRule
        var users: String?
        var labels: String?
        let words: String
        /// What is there while the rule stands, and once it is gone.
        let kept: [String]
        let left: [String]
    }

    static let cases = [
        Case(
            testDescription: "a reference", issue: author,
            rule: TableRule(
                event: "UPDATE", table: "issues", condition: "old.author_id = 7 AND new.author_id IS NULL",
                message: "keep 7"), users: #"[{"id":9}]"#,
            words:
                #"1 record of `users` is gone from the source and stays, since others lead to it: {"id":7} is what `author` of 1 of `issues` leads to. A trigger of `issues` refused to let go of it: keep 7."#,
            kept: ["1|7", "2|NULL", "author [2] [8] defer", "7", "9"],
            left: ["1|NULL", "2|NULL", "author [1] [7] defer", "author [2] [8] defer", "9"]),
        Case(
            testDescription: "a reference that may bring records with it", issue: "author: {ref: User, from: user}",
            rule: TableRule(
                event: "UPDATE", table: "issues", condition: "old.author_id = 7 AND new.author_id IS NULL",
                message: "keep 7"), users: #"[{"id":9}]"#,
            words:
                #"1 record of `users` is gone from the source and stays, since others lead to it: {"id":7} is what `author` of 1 of `issues` leads to. A trigger of `issues` refused to let go of it: keep 7."#,
            kept: ["1|7", "2|NULL", "author [2] [8] defer", "7", "9"],
            left: ["1|NULL", "2|NULL", "author [1] [7] defer", "author [2] [8] defer", "9"]),
        Case(
            testDescription: "one that is null for good",
            issue: "author: {ref: User, from: user, upsert: false, on_dangling: set_null}",
            rule: TableRule(
                event: "UPDATE", table: "issues", condition: "old.author_id = 7 AND new.author_id IS NULL",
                message: nil), users: "[]",
            words:
                #"1 record of `users` is gone from the source and stays, since others lead to it: {"id":7} is what `author` of 1 of `issues` leads to. A trigger of `issues` refused to let go of it: it skips the write without an error."#,
            kept: ["1|7", "2|NULL", "author [2] [8] set_null", "7"],
            left: ["1|NULL", "2|NULL", "author [1] [7] set_null", "author [2] [8] set_null"]),
        Case(
            testDescription: "a pair", issue: "labels: {refs: Label, via: issue_labels, upsert: false}",
            rule: TableRule(event: "DELETE", table: "issue_labels", condition: "old.label_id = 5", message: "keep 5"),
            labels: #"[{"id":9}]"#,
            words:
                #"1 record of `labels` is gone from the source and stays, since others lead to it: {"id":5} is what `labels` of 1 of `issues` leads to. A trigger of `issue_labels` refused to let go of it: keep 5."#,
            kept: ["1|5", "2|9", "labels [1] [1] defer", "5", "9"],
            left: ["2|9", "labels [1] [1] defer", "labels [1] [5] defer", "9"]),
    ]

    @Test("What it leads to stays, and all else is written", arguments: Seeds.pairs(cases, in: StoreKind.allCases))
    func kept(_ test: Case, _ store: StoreKind) throws {
        let tracker = try Tracker(issue: test.issue)
        try store.take(tracker.shop)
        let target = test.labels == nil ? "users" : "labels"
        let state = { () throws -> [String] in
            let rows = try test.labels == nil ? tracker.state() : tracker.links()
            return try rows + tracker.shop.rows("SELECT id FROM \(target) ORDER BY id")
        }
        let issues =
            test.labels == nil
            ? #"[{"id":1,"user":7},{"id":2,"user":8}]"# : #"[{"id":1,"labels":[1,5]},{"id":2,"labels":[9]}]"#
        try tracker.run(.init(issues: issues))
        try test.rule.make(in: tracker.shop)
        let (report, recorder) = try tracker.run(.init(users: test.users, labels: test.labels))
        #expect(report.status == .succeeded && recorder.quarantine.isEmpty)
        let told = report.problems.filter { $0.code == "delete_rejected" }
        #expect(told.count == 1)
        let refused = report.streams.flatMap { [$0.summary] + $0.parts.map(\.summary) }.map(\.deleteRefused)
        #expect(refused.reduce(0, +) == 1, "\(refused)")
        let message = told.first?.message ?? ""
        #expect(message.hasPrefix(test.words) && message.hasSuffix(" Every run tries again."), "\(message)")
        #expect(try state() == test.kept)
        let (again, _) = try tracker.run()
        #expect(again.problems.map(\.code) == ["delete_rejected"] && !again.hasChanges)
        try test.rule.drop(in: tracker.shop)
        try tracker.run()
        #expect(try state() == test.left)
    }

    @Test("A record whose reference may neither lead nowhere nor be null is quarantined", arguments: StoreKind.allCases)
    func newRecord(_ store: StoreKind) throws {
        let tracker = try Tracker(issue: Self.author)
        try store.take(tracker.shop)
        try tracker.run(.init(issues: #"[{"id":1,"user":7}]"#))
        try TableRule(event: "UPDATE", table: "issues", condition: "new.author_id IS NULL", message: "no null")
            .make(in: tracker.shop)
        let issues = #"[{"id":1,"user":7},{"id":2,"user":42},{"id":3,"user":8},{"id":4,"user":43}]"#
        let (report, recorder) = try tracker.run(.init(issues: issues, labels: #"[{"id":77}]"#))
        #expect(report.status == .succeeded)
        #expect(report.streams.first?.summary.text == "insert 1, unchanged 1, quarantined 2")
        #expect(recorder.quarantine.map(\.key) == [#"{"id":2}"#, #"{"id":4}"#])
        #expect(recorder.quarantine.map(\.reason) == ["constraint", "constraint"])
        #expect(
            recorder.quarantine.first?.message.hasPrefix(
                "`author` leads to 42 of `users`, which is not there. A trigger of `issues` refused to let go of it: no null."
            ) == true)
        #expect(try tracker.state() == ["1|7", "3|8"])
        #expect(try tracker.shop.rows("SELECT id FROM labels") == ["77"])
        #expect(try tracker.shop.quietRun().written == [])
        // It is taken once what it leads to is there.
        let (last, _) = try tracker.run(.init(users: #"[{"id":7},{"id":8},{"id":42}]"#))
        #expect(last.streams.first?.summary.text == "insert 1, unchanged 2, quarantined 1")
        #expect(try tracker.state() == ["1|7", "2|42", "3|8"])
    }

    @Test(
        "So is one for whose target the table takes no row with its key alone",
        arguments: Seeds.some(of: StoreKind.allCases, oneOf: 2))
    func refusedStub(_ store: StoreKind) throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false, on_dangling: stub}")
        try store.take(tracker.shop)
        try tracker.run()
        try TableRule(event: "INSERT", table: "users", condition: "new.id = 42", message: "no 42").make(
            in: tracker.shop)
        let (report, recorder) = try tracker.run(.init(issues: #"[{"id":1,"user":42},{"id":2,"user":43}]"#))
        #expect(report.streams.first?.summary.text == "insert 1, quarantined 1")
        #expect(
            recorder.quarantine.first?.message.hasPrefix(
                "`author` leads to 42 of `users`, which is not there. A trigger of `users` refused a row with only its key: no 42."
            ) == true)
        #expect(try tracker.state() == ["2|43"])
        #expect(try tracker.shop.rows("SELECT id FROM users ORDER BY id") == ["7", "8", "43"])
    }

    /// A reference that takes no null to a record that is not there: what helps, by what the other table takes.
    static let remedies: [(rule: String, name: String, words: String)] = [
        ("defer", "name TEXT", "Allow null in `author_id` of `issues`, or use `on_dangling: stub`."),
        ("set_null", "name TEXT", "Allow null in `author_id` of `issues`, or use `on_dangling: stub`."),
        ("defer", "name TEXT NOT NULL", "Allow null in `author_id` of `issues`."),
        (
            "defer", "name TEXT NOT NULL DEFAULT ''",
            "Allow null in `author_id` of `issues`, or use `on_dangling: stub`."
        ),
        ("stub", "name TEXT NOT NULL", "Give the column a default, or allow null in it."),
    ]

    @Test(
        "The remedy names no way that the other table closes", arguments: Seeds.pairs(remedies, in: StoreKind.allCases))
    func remedy(_ test: (rule: String, name: String, words: String), _ store: StoreKind) throws {
        let tracker = try Tracker(
            issue: "author: {ref: User, from: user, upsert: false, required: true, on_dangling: \(test.rule)}")
        try store.take(tracker.shop)
        try tracker.shop.sql(
            """
            CREATE TABLE users (id BIGINT PRIMARY KEY NOT NULL, \(test.name));
            CREATE TABLE issues (id BIGINT PRIMARY KEY NOT NULL, author_id BIGINT NOT NULL REFERENCES users (id)
            DEFERRABLE INITIALLY DEFERRED)
            """)
        try tracker.shop.put(#"[{"id":7,"name":"Ann"}]"#, as: "users.json")
        try tracker.shop.put(#"[{"id":1,"user":7},{"id":2,"user":42}]"#, as: "issues.json")
        let (report, recorder) = tracker.shop.sync()
        #expect(report.status == .succeeded && report.summary.quarantined == 1)
        let message = recorder.quarantine.first?.message ?? ""
        #expect(message.contains(" \(test.words) Every run tries again.") && !message.contains("expr"), "\(message)")
        #expect(try tracker.state() == ["1|7"])
    }

    @Test(
        "A record stays whose part is not let go, and each is told",
        arguments: Seeds.some(of: StoreKind.allCases, oneOf: 2))
    func part(_ store: StoreKind) throws {
        let tracker = try Tracker(
            issue: "title: string", more: "children: {notes: {entity: Comment, from: 'notes[*]', key: [id]}}",
            entities: "Comment: {fields: {id: int, text: string}}")
        try store.take(tracker.shop)
        let rows = { try tracker.shop.rows("SELECT issue_id, id FROM comment ORDER BY 1, 2") }
        try tracker.run(.init(issues: #"[{"id":1,"notes":[{"id":1},{"id":2}]},{"id":2,"notes":[{"id":3}]},{"id":3}]"#))
        let rule = TableRule(event: "DELETE", table: "comment", condition: "old.id = 2", message: "keep 2")
        try rule.make(in: tracker.shop)
        let (within, _) = try tracker.run(
            .init(issues: #"[{"id":1,"notes":[{"id":1}]},{"id":2,"notes":[{"id":3}]},{"id":3}]"#))
        #expect(within.problems.map(\.code) == ["delete_rejected"])
        #expect(within.problems.first?.message.contains("A trigger of `comment` refused it: keep 2.") == true)
        #expect(try rows() == ["1|1", "1|2", "2|3"])
        let (report, _) = try tracker.run(.init(issues: #"[{"id":3}]"#))
        #expect(report.status == .succeeded)
        #expect(report.problems.map(\.code) == ["delete_rejected"])
        let message = report.problems.first?.message ?? ""
        #expect(
            message.hasPrefix(
                #"1 record of `issues` is gone from the source and stays, since others lead to it: {"id":1}"#))
        #expect(message.contains("A trigger of `comment` refused it: keep 2."), "\(message)")
        #expect(try tracker.shop.rows("SELECT id FROM issues ORDER BY id") == ["1", "3"])
        #expect(try rows() == ["1|1", "1|2"])
        try rule.drop(in: tracker.shop)
        try tracker.run()
        #expect(try rows() == [])
    }

    /// What a person asks for is done whole, or refused whole by the name of what stands against it.
    @Test("Undo says which row does not let go, and leaves all as it is", arguments: StoreKind.allCases)
    func undo(_ store: StoreKind) throws {
        let tracker = try Tracker(issue: Self.author)
        try store.take(tracker.shop)
        try tracker.run(.init(users: "[]"))
        let (second, _) = try tracker.run(.init(users: #"[{"id":7},{"id":8}]"#))
        try tracker.run(.init(issues: #"[{"id":1,"user":7}]"#))
        try TableRule(event: "UPDATE", table: "issues", condition: "new.author_id IS NULL", message: "keep")
            .make(in: tracker.shop)
        let undone = try tracker.shop.undoPlanned(#require(second.run)).report
        #expect(undone.status == .failed)
        let message = undone.problems.first?.message ?? ""
        #expect(
            message.hasPrefix(
                "`author` of 1 of the table `issues` leads to 7 of `users`, which would not be there. A trigger of `issues` refused to let go of it: keep."
            ), "\(message)")
        #expect(try tracker.state() == ["1|7"])
        #expect(try tracker.shop.rows("SELECT id FROM users ORDER BY id") == ["7", "8"])
    }
}

import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Several records that lead from one, in a table of pairs, through files and SQL.
@Suite("References to several records")
struct LinkTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var rule = ""
        let steps: [Tracker.Step]
        /// The pairs, then what waits.
        let links: [String]
        var summary = "unchanged 1"
        var told: [String] = []
        var problems: [String] = []
    }

    private static func issue(_ labels: String) -> String { #"[{"id":1,"labels":\#(labels)}]"# }
    private static let added = "INSERT INTO issue_labels VALUES (1, 9)"

    static let sets = [
        Case(
            testDescription: "keys", steps: [.init(issues: issue("[5,1,5]"))], links: ["1|1", "1|5"],
            summary: "insert 1"),
        Case(
            testDescription: "objects", steps: [.init(issues: issue(#"[{"id":1,"x":2},{"id":"5"},9]"#))],
            links: ["1|1", "1|5", "1|9"], summary: "insert 1"),
        Case(testDescription: "none", steps: [.init(issues: issue("[]"))], links: [], summary: "insert 1"),
        Case(testDescription: "null", steps: [.init(issues: issue("null"))], links: [], summary: "insert 1"),
        Case(testDescription: "absent", steps: [.init(issues: #"[{"id":1}]"#)], links: [], summary: "insert 1"),
        Case(
            testDescription: "null and none are the same",
            steps: [.init(issues: issue("null")), .init(issues: issue("[]"))], links: []),
        Case(
            testDescription: "in another order", steps: [.init(issues: issue("[1,5]")), .init(issues: issue("[5,1]"))],
            links: ["1|1", "1|5"]),
        Case(
            testDescription: "absent later", steps: [.init(issues: issue("[1]")), .init(issues: #"[{"id":1}]"#)],
            links: ["1|1"]),
        Case(
            testDescription: "more and fewer", steps: [.init(issues: issue("[1,5]")), .init(issues: issue("[1,9]"))],
            links: ["1|1", "1|9"], summary: "update 1",
            told: [#"update update {"id":1} labels:remote_update([1,5] [1,5] [1,9] [1,9])"#]),
        Case(
            testDescription: "cleared at the source",
            steps: [.init(issues: issue("[1,5]")), .init(issues: issue("null"))], links: [], summary: "update 1",
            told: [#"update update {"id":1} labels:remote_update([1,5] [1,5] [] [])"#]),
        Case(
            testDescription: "a person's label stays", steps: [.init(issues: issue("[1]")), .init(edit: added)],
            links: ["1|1", "1|9"]),
        Case(
            testDescription: "both add",
            steps: [.init(issues: issue("[1]")), .init(issues: issue("[1,5]"), edit: added)],
            links: ["1|1", "1|5", "1|9"], summary: "update 1",
            told: [#"update merge {"id":1} labels:merged([1] [1,9] [1,5] [1,9,5])"#]),
        Case(
            testDescription: "a person adds, the source takes away",
            steps: [.init(issues: issue("[1,5]")), .init(issues: issue("[5]"), edit: added)], links: ["1|5", "1|9"],
            summary: "update 1", told: [#"update merge {"id":1} labels:merged([1,5] [1,5,9] [5] [5,9])"#]),
        Case(
            testDescription: "a person takes all away, the source adds",
            steps: [.init(issues: issue("[1]")), .init(issues: issue("[1,5]"), edit: "DELETE FROM issue_labels")],
            links: ["1|5"], summary: "update 1", told: [#"update merge {"id":1} labels:merged([1] [] [1,5] [5])"#]),
        Case(
            testDescription: "replaced", rule: "merge: replace",
            steps: [.init(issues: issue("[1]")), .init(issues: issue("[5]"), edit: added)], links: ["1|5"],
            summary: "update 1", told: [#"update update {"id":1} labels:drift_overwritten([1] [1,9] [5] [5])"#]),
        Case(
            testDescription: "replaced though the source says nothing new", rule: "merge: replace",
            steps: [.init(issues: issue("[1]")), .init(edit: added)], links: ["1|1"], summary: "update 1",
            told: [#"update update {"id":1} labels:drift_overwritten([1] [1,9] [1] [1])"#]),
        Case(
            testDescription: "only added", rule: "merge: add_only",
            steps: [.init(issues: issue("[1,5]")), .init(issues: issue("[5,9]"))], links: ["1|1", "1|5", "1|9"],
            summary: "update 1", told: [#"update update {"id":1} labels:merged([1,5] [1,5] [5,9] [1,5,9])"#]),
        Case(
            testDescription: "only added, and nothing is", rule: "merge: add_only",
            steps: [.init(issues: issue("[1,5]")), .init(issues: issue("[5]"))], links: ["1|1", "1|5"]),
        Case(
            testDescription: "only added to what a person took away", rule: "merge: add_only",
            steps: [.init(issues: issue("[1,5]")), .init(issues: issue("[1,9]"), edit: "DELETE FROM issue_labels")],
            links: ["1|9"], summary: "update 1", told: [#"update merge {"id":1} labels:merged([1,5] [] [1,9] [9])"#]),
        Case(
            testDescription: "the issue is deleted", steps: [.init(issues: issue("[1,5]")), .init(issues: "[]")],
            links: [],
            summary: "delete 1"),
        Case(
            testDescription: "an issue that never had a list is deleted",
            steps: [.init(issues: #"[{"id":1}]"#), .init(issues: "[]")], links: [], summary: "delete 1"),
        Case(
            testDescription: "a list comes later", steps: [.init(issues: #"[{"id":1}]"#), .init(issues: issue("[1]"))],
            links: ["1|1"], summary: "update 1", told: [#"update update {"id":1} labels:merged(- [] [1] [1])"#]),
        Case(
            testDescription: "the issue is deleted here",
            steps: [
                .init(issues: issue("[1,5]")),
                .init(edit: "PRAGMA foreign_keys = ON; DELETE FROM issues"),
            ], links: []),
    ]

    static let dangling = [
        Case(
            testDescription: "one waits", steps: [.init(issues: issue("[1,42]"))],
            links: ["1|1", "labels [1] [42] defer"], summary: "insert 1", problems: ["dangling"]),
        Case(
            testDescription: "one waits and the source says the same",
            steps: [.init(issues: issue("[1,42]")), .init(issues: issue("[42,1]"))],
            links: ["1|1", "labels [1] [42] defer"]),
        Case(
            testDescription: "one waits and others come",
            steps: [.init(issues: issue("[1,42]")), .init(issues: issue("[1,5,42]"))],
            links: ["1|1", "1|5", "labels [1] [42] defer"], summary: "update 1",
            told: [#"update update {"id":1} labels:remote_update([1,42] [1,42] [1,5,42] [1,5,42])"#],
            problems: ["dangling"]),
        Case(
            testDescription: "one waits no more",
            steps: [.init(issues: issue("[1,42]")), .init(issues: issue("[1]"))], links: ["1|1"], summary: "update 1",
            told: [#"update update {"id":1} labels:remote_update([1,42] [1,42] [1] [1])"#]),
        Case(
            testDescription: "it comes",
            steps: [.init(issues: issue("[1,42]")), .init(labels: #"[{"id":1},{"id":42}]"#)], links: ["1|1", "1|42"],
            problems: ["linked"]),
        Case(
            testDescription: "it comes by hand, with another one",
            steps: [
                .init(issues: issue("[1,42]")),
                .init(edit: "INSERT INTO labels (id) VALUES (42); INSERT INTO issue_labels VALUES (1, 5)"),
            ], links: ["1|1", "1|42", "1|5"].sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count },
            problems: ["linked"]),
        Case(
            testDescription: "it was linked by hand already",
            steps: [
                .init(issues: issue("[42]")),
                .init(edit: "INSERT INTO labels (id) VALUES (42); INSERT INTO issue_labels VALUES (1, 42)"),
            ], links: ["1|42"]),
        Case(
            testDescription: "it is deleted", steps: [.init(issues: issue("[1,5]")), .init(labels: #"[{"id":1}]"#)],
            links: ["1|1", "labels [1] [5] defer"], problems: ["dangling"]),
        Case(
            testDescription: "out for good", rule: "on_dangling: set_null",
            steps: [.init(issues: issue("[1,42]")), .init(labels: #"[{"id":1},{"id":42}]"#)],
            links: ["1|1", "labels [1] [42] set_null"]),
        Case(
            testDescription: "a stub", rule: "on_dangling: stub", steps: [.init(issues: issue("[1,42]"))],
            links: ["1|1", "1|42"], summary: "insert 1", problems: ["stubs"]),
    ]

    @Test(arguments: sets + dangling)
    func links(_ test: Case) throws {
        let tracker = try Tracker(issue: "labels: {refs: Label, via: issue_labels, upsert: false, \(test.rule)}")
        var last: (report: RunReport, recorder: Recorder)?
        for step in test.steps { last = try tracker.run(step) }
        let run = try #require(last)
        #expect(run.report.status == .succeeded)
        #expect(try tracker.links() == test.links)
        #expect(run.report.streams.first?.summary.text == test.summary)
        #expect(run.recorder.changes.filter { $0.hasPrefix("update") } == test.told)
        #expect(run.report.problems.map(\.code) == test.problems)
    }

    /// A link that leads nowhere is left out: nothing of a table of pairs is null.
    @Test(arguments: [
        (
            "[1,42]", "defer",
            "1 link of `issues.labels` leads to a record that is not there (`42`), and is left out until it arrives."
        ),
        (
            "[41,42]", "defer",
            "2 links of `issues.labels` lead to records that are not there (`41`, `42`), and are left out until these arrive."
        ),
        (
            "[1,42]", "set_null",
            "1 link of `issues.labels` leads to a record that is not there (`42`), and is left out."
        ),
    ])
    func linksThatLeadNowhereAreLeftOut(labels: String, rule: String, message: String) throws {
        let tracker = try Tracker(
            issue: "labels: {refs: Label, via: issue_labels, upsert: false, on_dangling: \(rule)}")
        let run = try tracker.run(.init(issues: Self.issue(labels)))
        #expect(run.report.problems.map(\.message) == [message])
        #expect(
            run.report.problems.map(\.keys) == [[#"{"id":1}"#]],
            "a row is named once, however many of its links are left out")
        #expect(run.report.problems.map(\.unlisted) == [0])
    }

    @Test(arguments: ["7", #"["x"]"#, "[null]", "[[1]]", #"[{"name":"a"}]"#])
    func whatIsNoListOfKeysIsQuarantined(labels: String) throws {
        let tracker = try Tracker(issue: "labels: {refs: Label, upsert: false}")
        try tracker.shop.put(Self.issue(labels), as: "issues.json")
        let recorder = tracker.shop.sync().recorder
        if labels == "7" {
            // Nothing is selected of what is no list.
            #expect(try tracker.shop.rows("SELECT count(*) FROM issues_labels") == ["0"])
        } else {
            #expect(recorder.quarantine.map(\.reason) == ["type_mismatch"])
        }
    }

    @Test func keysMayBeAnyIntegers() throws {
        let tracker = try Tracker(issue: "labels: {refs: Label, via: issue_labels, upsert: false}")
        let keys = [Int64.min, -12, -3, 0, 10, 9, Int64.max].map(String.init)
        let labels = "[" + keys.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
        try tracker.run(.init(issues: Self.issue("[" + keys.joined(separator: ",") + "]"), labels: labels))
        let sorted = keys.compactMap { Int64($0) }.sorted().map { "1|\($0)" }
        #expect(try tracker.shop.rows("SELECT * FROM issue_labels ORDER BY 2") == sorted)
        try tracker.run(.init(issues: #"[{"id":1,"labels":[-12,9,9]},{"id":2,"labels":[-3,10]}]"#))
        #expect(try tracker.shop.rows("SELECT * FROM issue_labels ORDER BY 1, 2") == ["1|-12", "1|9", "2|-3", "2|10"])
    }

    @Test func aListWithoutElementsIsAnObjectWithoutMembers() throws {
        let tracker = try Tracker(
            issue: "title: string", more: "children: {texts: {entity: Text, from: texts, entries: lang}}",
            entities: "Text: {fields: {lang: string, text: string}}")
        try tracker.run(.init(issues: #"[{"id":1,"texts":{"en":{"text":"a"}}}]"#))
        #expect(try tracker.shop.rows("SELECT * FROM text") == ["1|'en'|'a'"])
        let (report, _) = try tracker.run(.init(issues: #"[{"id":1,"texts":[]}]"#))
        #expect(report.entities["Text"]?.text == "delete 1")
        try tracker.shop.put(#"[{"id":1,"texts":["a"]}]"#, as: "issues.json")
        #expect(tracker.shop.sync().recorder.quarantine.map(\.reason) == ["type_mismatch"])
    }

    @Test func keysOfSeveralFieldsAndIssuesThemselves() throws {
        let tracker = try Tracker(
            issue: "users: {refs: User, upsert: false}\n      duplicates: {refs: Issue}",
            user: "primary_key: [org, nr], fields: {org: string, nr: int}")
        let users = #"[{"org":"a","nr":1},{"org":"a","nr":10},{"org":"b","nr":2}]"#
        let issues =
            #"[{"id":1,"users":[{"nr":10,"org":"a"},{"org":"a","nr":1}],"duplicates":[2,1]},{"id":2,"users":[]}]"#
        try tracker.run(.init(issues: issues, users: users))
        #expect(
            try tracker.shop.rows("SELECT issue_id, user_org, user_nr FROM issues_users ORDER BY 3") == [
                "1|'a'|1", "1|'a'|10",
            ])
        #expect(try tracker.shop.rows("SELECT issue_id, duplicates_id FROM issues_duplicates") == ["1|1", "1|2"])
        let (_, recorder) = try tracker.run(
            .init(
                issues: issues.replacing(#"{"org":"a","nr":1}]"#, with: #"{"org":"c","nr":3}]"#),
                edit: "INSERT INTO issues_users VALUES (1, 'b', 2)"))
        #expect(
            recorder.changes == [
                #"update merge {"id":1} users:merged([["a",1],["a",10]] [["a",1],["a",10],["b",2]] [["a",10],["c",3]] [["a",10],["b",2],["c",3]])"#
            ])
        #expect(
            try tracker.shop.rows("SELECT user_org, user_nr FROM issues_users ORDER BY 1") == ["'a'|10", "'b'|2"])
    }

    @Test func aTableThatIsThereIsTakenAsItIs() throws {
        let tracker = try Tracker(issue: "labels: {refs: Label, via: issue_labels, upsert: false}")
        try tracker.shop.sql(
            "CREATE TABLE issue_labels (issue_id INTEGER, label_id INTEGER, since TEXT DEFAULT 'now'); INSERT INTO issue_labels VALUES (1, 5, 'ever')"
        )
        let (report, _) = try tracker.run(.init(issues: Self.issue("[1,5]")))
        #expect(report.schemaChanges.contains { $0.table == "issue_labels" && $0.kind == .adoptTable })
        let rows = "SELECT label_id, since FROM issue_labels ORDER BY 1"
        #expect(try tracker.shop.rows(rows) == ["1|'now'", "5|'ever'"])
        try tracker.run(.init(issues: Self.issue("[5,9]")))
        #expect(try tracker.shop.rows(rows) == ["5|'ever'", "9|'now'"])
    }

    @Test(arguments: [
        ("CREATE TABLE issue_labels (issue_id INTEGER, tag INTEGER)", "the column `label_id` is missing"),
        ("CREATE TABLE issue_labels (issue_id INTEGER, label_id INTEGER, n TEXT NOT NULL)", "column `n` is NOT NULL"),
        (
            "CREATE TABLE issue_labels (issue_id INTEGER, label_id INTEGER REFERENCES tags (id))",
            "a foreign key has `label_id` refer to `id` of `tags`, and the pipeline to `id` of `labels`"
        ),
        ("CREATE TABLE issues (id INTEGER PRIMARY KEY, labels TEXT)", "it has a column `labels`"),
    ])
    func aTableThatDoesNotFitIsRefused(sql: String, words: String) throws {
        let tracker = try Tracker(issue: "labels: {refs: Label, via: issue_labels, upsert: false}")
        try tracker.shop.sql(sql)
        let report = tracker.shop.sync().report
        #expect(report.status == .refused)
        #expect(report.problems.first?.message.contains(words) == true, "\(report.problems)")
    }

    @Test func softlyDeletedIssuesKeepTheirLabels() throws {
        let tracker = try Tracker(issue: "labels: {refs: Label, via: issue_labels, upsert: false}")
        tracker.shop.definition?.streams[0].deleteMissing.mode = .soft
        try tracker.run(.init(issues: Self.issue("[1,5]")))
        try tracker.run(.init(issues: "[]"))
        #expect(try tracker.links() == ["1|1", "1|5"])
        try tracker.run(.init(issues: Self.issue("[9]")))
        #expect(try tracker.links() == ["1|9"])
    }
}

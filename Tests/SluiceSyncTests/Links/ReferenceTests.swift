import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceSQLiteStore
import SluiceStore
import Testing

/// One record that leads to another one, through files and SQL.
@Suite("A reference to one record")
struct ReferenceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var rule = ""
        let steps: [Tracker.Step]
        /// The issues with their authors, then what waits.
        let state: [String]
        /// The counts of the last run's issues.
        var summary = "unchanged 1"
        var told: [String] = []
        var conflicts: [String] = []
        var problems: [String] = []
    }

    private static func issue(_ user: String) -> String { #"[{"id":1,"user":\#(user)}]"# }

    static let values = [
        Case(testDescription: "a key", steps: [.init(issues: issue("7"))], state: ["1|7"], summary: "insert 1"),
        Case(
            testDescription: "an object", steps: [.init(issues: issue(#"{"name":"x","id":7}"#))], state: ["1|7"],
            summary: "insert 1"),
        Case(
            testDescription: "a key that is text", steps: [.init(issues: issue(#"{"id":"7"}"#))], state: ["1|7"],
            summary: "insert 1"),
        Case(
            testDescription: "an object, then its key",
            steps: [.init(issues: issue(#"{"id":7}"#)), .init(issues: issue("7"))], state: ["1|7"]),
        Case(testDescription: "null", steps: [.init(issues: issue("null"))], state: ["1|NULL"], summary: "insert 1"),
        Case(testDescription: "absent", steps: [.init(issues: #"[{"id":1}]"#)], state: ["1|NULL"], summary: "insert 1"),
        Case(
            testDescription: "absent later", steps: [.init(issues: issue("7")), .init(issues: #"[{"id":1}]"#)],
            state: ["1|7"]),
        Case(
            testDescription: "cleared at the source", steps: [.init(issues: issue("7")), .init(issues: issue("null"))],
            state: ["1|NULL"], summary: "update 1",
            told: [#"update update {"id":1} author:remote_clear(7 7 null null)"#]),
        Case(
            testDescription: "changed at the source", steps: [.init(issues: issue("7")), .init(issues: issue("8"))],
            state: ["1|8"], summary: "update 1", told: [#"update update {"id":1} author:remote_update(7 7 8 8)"#]),
        Case(
            testDescription: "edited here",
            steps: [.init(issues: issue("7")), .init(edit: "UPDATE issues SET author_id = 8")],
            state: ["1|8"]),
        Case(
            testDescription: "cleared here",
            steps: [.init(issues: issue("7")), .init(edit: "UPDATE issues SET author_id = NULL")], state: ["1|NULL"]),
        Case(
            testDescription: "edited on both sides",
            steps: [
                .init(issues: issue("7"), users: #"[{"id":7},{"id":8},{"id":9}]"#),
                .init(issues: issue("9"), edit: "UPDATE issues SET author_id = 8"),
            ], state: ["1|8"], summary: "conflict 1", told: [#"conflict merge {"id":1} author:edit_edit(7 8 9 8)"#],
            conflicts: ["edit_edit author 7 8 9 open 1"]),
    ]

    static let dangling = [
        Case(
            testDescription: "it waits", steps: [.init(issues: issue("42"))],
            state: ["1|NULL", "author [1] [42] defer"], summary: "insert 1", problems: ["dangling"]),
        Case(
            testDescription: "it waits and the source says the same",
            steps: [.init(issues: issue("42")), .init(issues: issue(#"{"id":42}"#))],
            state: ["1|NULL", "author [1] [42] defer"]),
        Case(
            testDescription: "it comes from its stream",
            steps: [.init(issues: issue("42")), .init(users: #"[{"id":42}]"#)], state: ["1|42"], problems: ["linked"]),
        Case(
            testDescription: "it comes by hand",
            steps: [.init(issues: issue("42")), .init(edit: "INSERT INTO users (id) VALUES (42)")], state: ["1|42"],
            problems: ["linked"]),
        Case(
            testDescription: "it comes with its issue", steps: [.init(issues: issue("42"), users: #"[{"id":42}]"#)],
            state: ["1|42"], summary: "insert 1"),
        Case(
            testDescription: "the source changes its mind",
            steps: [.init(issues: issue("42")), .init(issues: issue("7"))], state: ["1|7"], summary: "update 1",
            told: [#"update update {"id":1} author:remote_update(42 42 7 7)"#]),
        Case(
            testDescription: "the source leads elsewhere to nothing",
            steps: [.init(issues: issue("42")), .init(issues: issue("43"))],
            state: ["1|NULL", "author [1] [43] defer"], summary: "update 1",
            told: [#"update update {"id":1} author:remote_update(42 42 43 43)"#], problems: ["dangling"]),
        Case(
            testDescription: "the source leads nowhere any more",
            steps: [.init(issues: issue("42")), .init(issues: issue("null"))], state: ["1|NULL"], summary: "update 1",
            told: [#"update update {"id":1} author:remote_clear(42 42 null null)"#]),
        Case(
            testDescription: "a person fills it",
            steps: [.init(issues: issue("42")), .init(edit: "UPDATE issues SET author_id = 8")], state: ["1|8"]),
        Case(
            testDescription: "a person fills it, then it comes",
            steps: [
                .init(issues: issue("42")),
                .init(users: #"[{"id":8},{"id":42}]"#, edit: "UPDATE issues SET author_id = 8"),
            ], state: ["1|8"]),
        Case(
            testDescription: "a person fills it and the source leads elsewhere",
            steps: [
                .init(issues: issue("42")), .init(issues: issue("7"), edit: "UPDATE issues SET author_id = 8"),
            ], state: ["1|8"], summary: "conflict 1",
            told: [#"conflict merge {"id":1} author:edit_edit(42 8 7 8)"#],
            conflicts: ["edit_edit author 42 8 7 open 1"]),
        Case(
            testDescription: "it is deleted", steps: [.init(issues: issue("7")), .init(users: "[]")],
            state: ["1|NULL", "author [1] [7] defer"], told: [#"update unlink {"id":1} author:waiting(- 7 - null)"#],
            problems: ["dangling"]),
        Case(
            testDescription: "it is deleted and comes back",
            steps: [.init(issues: issue("7")), .init(users: "[]"), .init(users: #"[{"id":7}]"#)], state: ["1|7"],
            problems: ["linked"]),
        Case(
            testDescription: "the issue is deleted while it waits",
            steps: [.init(issues: issue("42")), .init(issues: "[]")], state: [], summary: "delete 1"),
        Case(
            testDescription: "null for good", rule: "on_dangling: set_null",
            steps: [.init(issues: issue("42")), .init(users: #"[{"id":42}]"#)],
            state: ["1|NULL", "author [1] [42] set_null"]),
        Case(
            testDescription: "null for good where it is deleted", rule: "on_dangling: set_null",
            steps: [.init(issues: issue("7")), .init(users: "[]")], state: ["1|NULL", "author [1] [7] set_null"],
            told: [#"update unlink {"id":1} author:emptied(- 7 - null)"#], problems: ["dangling"]),
        Case(
            testDescription: "null for good, also when it comes back", rule: "on_dangling: set_null",
            steps: [.init(issues: issue("7")), .init(users: "[]"), .init(users: #"[{"id":7}]"#)],
            state: ["1|NULL", "author [1] [7] set_null"]),
        Case(
            testDescription: "a stub", rule: "on_dangling: stub", steps: [.init(issues: issue("42"))],
            state: ["1|42"], summary: "insert 1", problems: ["stubs"]),
        Case(
            testDescription: "a stub for what is deleted", rule: "on_dangling: stub",
            steps: [.init(issues: issue("7")), .init(users: "[]")], state: ["1|7"], problems: ["stubs"]),
        Case(
            testDescription: "a stub for what is deleted that an edit leads to", rule: "on_dangling: stub",
            steps: [
                .init(issues: issue("7")), .init(users: #"[{"id":7}]"#, edit: "UPDATE issues SET author_id = 8"),
            ], state: ["1|8"], problems: ["stubs"]),
        Case(
            testDescription: "no stub for what was deleted by hand", rule: "on_dangling: stub",
            steps: [
                .init(issues: issue("8")),
                .init(issues: issue("7"), edit: "DELETE FROM users WHERE id = 7"),
            ], state: ["1|NULL", "author [1] [7] defer"], summary: "update 1",
            told: [#"update update {"id":1} author:remote_update(8 8 7 7)"#], problems: ["dangling"]),
        Case(
            testDescription: "a stub for what was deleted before", rule: "on_dangling: stub",
            steps: [.init(), .init(users: "[]"), .init(issues: issue("7"))], state: ["1|7"], summary: "insert 1",
            problems: ["stubs"]),
        Case(
            testDescription: "what was deleted by hand comes back", rule: "on_dangling: stub",
            steps: [
                .init(), .init(issues: issue("7"), edit: "DELETE FROM users WHERE id = 7"),
                .init(edit: "INSERT INTO users VALUES (7, 'Ann')"),
            ], state: ["1|7"], problems: ["linked"]),
        Case(
            testDescription: "a stub that is filled", rule: "on_dangling: stub",
            steps: [.init(issues: issue("42")), .init(users: #"[{"id":42,"name":"Ann"}]"#)], state: ["1|42"]),
    ]

    @Test(arguments: values + dangling)
    func reference(_ test: Case) throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false, \(test.rule)}")
        var last: (report: RunReport, recorder: Recorder)?
        for step in test.steps { last = try tracker.run(step) }
        let run = try #require(last)
        #expect(run.report.status == .succeeded)
        #expect(try tracker.state() == test.state)
        #expect(run.report.streams.first?.summary.text == test.summary)
        let told = run.recorder.changes.filter {
            $0.contains("author:") && !$0.hasPrefix("insert") && !$0.hasPrefix("delete")
        }
        #expect(told == test.told)
        #expect(try tracker.shop.conflicts == test.conflicts)
        #expect(run.report.problems.map(\.code) == test.problems)
    }

    /// What stands for a record that went holds no edit of it.
    @Test func aStubOfWhatWasDeletedIsFilledWhenThatComesBack() throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false, on_dangling: stub}")
        let users = #"[{"id":7,"name":"Ann"},{"id":8}]"#
        try tracker.run(.init(issues: Self.issue("7"), users: users))
        let (report, _) = try tracker.run(.init(users: #"[{"id":8}]"#))
        #expect(report.problems.map(\.keys) == [[#"{"id":7}"#]])
        #expect(try tracker.shop.rows("SELECT * FROM users ORDER BY id") == ["7|NULL", "8|NULL"])
        try tracker.run(.init(users: users))
        #expect(try tracker.shop.rows("SELECT * FROM users ORDER BY id") == ["7|'Ann'", "8|NULL"])
        #expect(try tracker.state() == ["1|7"])
    }

    /// A plan names the rows whose references become null, also where it says that an edit of them stays.
    @Test(arguments: ["defer", "set_null"])
    func theRowsThatLoseAReferenceAreNamed(rule: String) throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false, on_dangling: \(rule)}")
        let issues = "[" + (1...12).map { "{\"id\":\($0),\"user\":7}" }.joined(separator: ",") + "]"
        try tracker.run(.init(issues: issues))
        let (report, _) = try tracker.run(
            .init(users: #"[{"id":7}]"#, edit: "UPDATE issues SET author_id = 8 WHERE id IN (3, 4)"))
        let problem = try #require(report.problems.first)
        #expect(problem.code == "dangling" && problem.entity == "Issue")
        #expect(problem.keys == [#"{"id":3}"#, #"{"id":4}"#] && problem.unlisted == 0)
        let (last, _) = try tracker.run(.init(users: "[]"))
        #expect(last.problems.map(\.keys.count) == [10])
        #expect(last.problems.map(\.unlisted) == [0])
    }

    /// What waits for a row and what has it made find it in the same run, in whatever order they are settled.
    @Test func aStubIsThereForAllThatRefersToIt() throws {
        let tracker = try Tracker(
            issue:
                "author: {ref: User, from: user, upsert: false, on_dangling: stub}\n      checker: {ref: User, upsert: false}",
            more: "children: {notes: {entity: Comment, from: 'notes[*]', key: [id]}}",
            entities: "Comment: {fields: {id: int, writer: {ref: User, upsert: false}}}")
        let note = #"{"id":1,"writer":42}"#
        try tracker.run(.init(issues: #"[{"id":1,"checker":42}]"#))
        #expect(try tracker.state("author_id, checker_id") == ["1|NULL|NULL", "checker [1] [42] defer"])
        try tracker.run(.init(issues: #"[{"id":1,"user":42,"checker":42,"notes":[\#(note)]}]"#))
        #expect(try tracker.state("author_id, checker_id") == ["1|42|42"])
        #expect(try tracker.shop.rows("SELECT writer_id FROM comment") == ["42"])
    }

    @Test func itsRuleMayBeToFail() throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false, on_dangling: fail}")
        try tracker.run(.init(issues: Self.issue("7")))
        let (report, _) = try tracker.run(.init(issues: #"[{"id":1,"user":7},{"id":2,"user":42}]"#))
        #expect(report.status == .failed)
        let message = try #require(report.problems.first?.message)
        #expect(message.contains("`author` of the record `2` of `issues` refers to `42` of `users`"))
        #expect(try tracker.state() == ["1|7"])
        // Nor may what is referred to be deleted.
        let (last, _) = try tracker.run(.init(issues: Self.issue("7"), users: "[]"))
        #expect(last.problems.first?.message.contains("`author` of the record `1` of `issues` refers to `7`") == true)
        #expect(try tracker.state() == ["1|7"])
        try tracker.run(.init(issues: Self.issue("null")))
        #expect(try tracker.state() == ["1|NULL"])
        #expect(try tracker.shop.rows("SELECT count(*) FROM users") == ["0"])
    }

    @Test func aTableMayTakeNoStub() throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false, on_dangling: stub}")
        try tracker.shop.sql("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
        try tracker.shop.put(#"[{"id":7,"name":"Ann"}]"#, as: "users.json")
        try tracker.shop.put(Self.issue("42"), as: "issues.json")
        let (report, recorder) = tracker.shop.sync()
        #expect(report.status == .succeeded && report.summary.quarantined == 1)
        #expect(
            recorder.quarantine.first?.message.contains(
                "The table `users` refused a row with only its key: NOT NULL constraint failed: users.name. Give the column a default, allow null in it, or use `on_dangling: defer`."
            ) == true)
    }

    @Test(arguments: [#"{"name":"x"}"#, #"{"id":null}"#, "[7]", #""x""#])
    func whatHasNoKeyIsQuarantined(user: String) throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false}")
        try tracker.shop.put(Self.issue(user), as: "issues.json")
        let (report, recorder) = tracker.shop.sync()
        #expect(report.summary.quarantined == 1)
        #expect(recorder.quarantine.map(\.reason) == ["type_mismatch"])
        #expect(recorder.quarantine.map(\.pointer) == ["/user"])
    }

    @Test func issuesLeadToEachOtherInAnyOrder() throws {
        let tracker = try Tracker(issue: "parent: {ref: Issue}\n      next: {ref: Issue, column: follows}")
        let issues = #"[{"id":1,"parent":2,"next":1},{"id":2,"parent":3},{"id":3,"parent":1,"next":{"id":2}}]"#
        try tracker.run(.init(issues: issues))
        #expect(try tracker.state("parent_id, follows") == ["1|2|1", "2|3|NULL", "3|1|2"])
        let (report, _) = try tracker.run(
            .init(issues: #"[{"id":1,"parent":2,"next":1},{"id":3,"parent":1,"next":2}]"#))
        #expect(report.summary.text == "delete 1, unchanged 12" || report.summary.delete == 1)
        #expect(
            try tracker.state("parent_id, follows") == [
                "1|NULL|1", "3|1|NULL", "next [3] [2] defer", "parent [1] [2] defer",
            ])
        try tracker.run(.init(issues: issues))
        #expect(try tracker.state("parent_id, follows") == ["1|2|1", "2|3|NULL", "3|1|2"])
    }

    @Test func aKeyOfSeveralFieldsIsOneValue() throws {
        let tracker = try Tracker(
            issue: "author: {ref: User, from: user, upsert: false}",
            user: "primary_key: [org, nr], fields: {org: string, nr: {from: n.r, type: int}}")
        let users = #"[{"org":"a","n":{"r":1}},{"org":"b","n":{"r":2}},{"org":"a","n":{"r":2}}]"#
        func issue(_ org: String, _ number: Int) -> String {
            #"[{"id":1,"user":{"org":"\#(org)","n":{"r":\#(number)}}}]"#
        }
        try tracker.run(.init(issues: issue("a", 1), users: users))
        #expect(try tracker.state("author_org, author_nr") == ["1|'a'|1"])
        // Each side changed another part: they do not go together.
        let (report, _) = try tracker.run(
            .init(issues: issue("b", 2), edit: "UPDATE issues SET author_nr = 2"))
        #expect(report.summary.conflict == 1)
        #expect(try tracker.state("author_org, author_nr") == ["1|'a'|2"])
        #expect(try tracker.shop.conflicts.count == 2)
        try decideTogether(tracker)
        // A key of which nobody knows the record waits as a whole.
        try tracker.run(.init(issues: issue("c", 3), edit: "UPDATE issues SET author_nr = 1"))
        #expect(try tracker.state("author_org, author_nr") == ["1|NULL|NULL", #"author [1] ["c",3] defer"#])
        try tracker.run(.init(users: #"[{"org":"c","n":{"r":3}}]"#))
        #expect(try tracker.state("author_org, author_nr") == ["1|'c'|3"])
        try tracker.shop.put(#"[{"id":1,"user":"a"}]"#, as: "issues.json")
        #expect(
            tracker.shop.sync().recorder.quarantine.map(\.reason) == ["type_mismatch", "type_mismatch"].prefix(1) + [])
    }

    @Test func aKeyOfSeveralFieldsThatComesLaterIsCheckedWithoutTheDatabase() throws {
        let user = "primary_key: [org, nr], fields: {org: string, nr: int}"
        let tracker = try Tracker(issue: "title: string", user: user)
        try tracker.run(.init(issues: #"[{"id":1,"user":{"org":"a","nr":1}}]"#, users: #"[{"org":"a","nr":1}]"#))
        let later = try Tracker(issue: "author: {ref: User, from: user, upsert: false}", user: user)
        try later.shop.put(
            #"[{"id":1,"user":{"org":"a","nr":1}},{"id":2,"user":{"org":"b","nr":2}}]"#, as: "issues.json")
        try later.shop.put(#"[{"org":"a","nr":1}]"#, as: "users.json")
        tracker.shop.definition = later.shop.definition
        let (report, _) = try tracker.run()
        let left = report.schemaChanges.filter { $0.kind == .leaveOutForeignKey }
        #expect(
            left.map(\.sql) == [
                #"FOREIGN KEY ("author_org", "author_nr") REFERENCES "users" ("org", "nr")"#
            ])
        #expect(
            try tracker.state("author_org, author_nr")
                == ["1|'a'|1", "2|NULL|NULL", #"author [2] ["b",2] defer"#])
        let (again, _) = try tracker.run()
        #expect(again.schemaChanges == [])
    }

    /// Decides one half of a reference, which is refused, then both; nothing of it is kept.
    private func decideTogether(_ tracker: Tracker) throws {
        let open = try SQLiteRecordStore(path: tracker.shop.store, mode: .settling)
        try open.begin()
        func decide(_ entries: [ConflictEntry]) throws -> [ResolutionOutcome?] {
            var decisions = entries.map { ConflictDecision($0, .remote) }
            try ConflictResolver(store: open).carryOut(&decisions, who: nil)
            return decisions.map(\.outcome)
        }
        let entries = try open.conflicts.list(includingClosed: false)
        guard case .refused(let reason)?? = try decide(Array(entries.prefix(1))).first else {
            Issue.record("half of a reference was decided")
            return
        }
        #expect(reason.contains("are one reference"))
        #expect(try decide(entries) == [.resolved, .resolved])
        open.rollback()
    }

    @Test func aTargetWithoutAStreamHasATable() throws {
        let tracker = try Tracker(
            issue: "team: {ref: Team, upsert: false}\n      squads: {refs: Team, upsert: false}",
            entities: "Team: {primary_key: id, fields: {id: string, lead: {ref: User, upsert: false}}}")
        try tracker.run(.init(issues: #"[{"id":1,"team":"x","squads":["x","y"]}]"#))
        #expect(
            try tracker.state("team_id") == [
                "1|NULL", #"squads [1] ["x"] defer"#, #"squads [1] ["y"] defer"#, #"team [1] ["x"] defer"#,
            ])
        try tracker.run(.init(edit: "INSERT INTO team (id, lead_id) VALUES ('x', 7)"))
        #expect(try tracker.state("team_id") == ["1|'x'", #"squads [1] ["y"] defer"#])
        #expect(try tracker.shop.rows("SELECT * FROM issues_squads") == ["1|'x'"])
    }

    /// What a row led to until now is told apart from what a source names that was never there.
    @Test(arguments: ["defer", "set_null"]) func whatARowLosesIsToldApart(_ rule: String) throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false, on_dangling: \(rule)}")
        try tracker.run(.init(issues: #"[{"id":1,"user":7},{"id":2,"user":8},{"id":3,"user":8}]"#))
        let (report, _) = try tracker.run(
            .init(
                issues: #"[{"id":1,"user":7},{"id":2,"user":8},{"id":3,"user":42},{"id":4,"user":43}]"#,
                users: #"[{"id":8}]"#))
        let ends =
            rule == "defer"
            ? ["is null until its record arrives", "are null until these arrive"]
            : ["becomes null", "become null"]
        #expect(
            report.problems.map(\.message) == [
                "1 reference of `issues.author` loses its record: it led to `7`, and \(ends[0]).",
                "2 references of `issues.author` lead to records that are not there (`42`, `43`), and \(ends[1]).",
            ])
        #expect(report.problems.map(\.keys) == [[#"{"id":1}"#], [#"{"id":3}"#, #"{"id":4}"#]])
    }

    @Test func aTableThatIsThereIsTakenAsItIs() throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false}")
        try tracker.shop.sql("CREATE TABLE issues (id INTEGER PRIMARY KEY, author_id INTEGER) STRICT")
        let (report, _) = try tracker.run(.init(issues: #"[{"id":1,"user":7},{"id":2,"user":42}]"#))
        #expect(report.problems.map(\.code) == ["dangling"])
        // Nothing but Sluice watches over these.
        #expect(try tracker.state() == ["1|7", "2|NULL", "author [2] [42] defer"])
        try tracker.run(.init(users: #"[{"id":42}]"#))
        #expect(try tracker.state() == ["1|NULL", "2|42", "author [1] [7] defer"])
    }

    @Test func aTableThatRefersElsewhereIsRefused() throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false}")
        try tracker.shop.sql(
            "CREATE TABLE issues (id INTEGER PRIMARY KEY, author_id INTEGER REFERENCES people (id)) STRICT")
        let report = tracker.shop.sync().report
        #expect(report.status == .refused)
        #expect(
            report.problems.first?.message.contains(
                "a foreign key has `author_id` refer to `id` of `people`, and the pipeline to `id` of `users`: give `author` another `column`"
            ) == true)
    }

    @Test func aNewReferenceIsANewColumn() throws {
        let shop = try Tracker(issue: "title: string").shop
        try shop.put(#"[{"id":1,"title":"a","user":7}]"#, as: "issues.json")
        #expect(shop.sync().report.status == .succeeded)
        let later = try Tracker(issue: "title: string\n      author: {ref: User, from: user, upsert: false}")
        shop.definition = later.shop.definition.map { definition in
            var definition = definition
            definition.source = shop.definition?.source ?? definition.source
            return definition
        }
        let (report, _) = try shop.syncPlanned()
        let added = report.schemaChanges.filter { $0.kind == .addColumn }.map(\.sql)
        #expect(
            added == [
                #"ALTER TABLE "issues" ADD COLUMN "author_id" INTEGER REFERENCES "users" ("id") DEFERRABLE INITIALLY DEFERRED"#
            ])
        #expect(try shop.rows("SELECT id, author_id FROM issues") == ["1|7"])
        #expect(try shop.quietRun().written == [])
    }
}

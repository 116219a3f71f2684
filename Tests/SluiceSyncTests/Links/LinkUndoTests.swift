import SluiceReport
import Testing

/// What a run did to references is taken back like the rest.
@Suite("Undo of references")
struct LinkUndoTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: Tracker.Step
        let step: Tracker.Step
        /// What is done between the run and its undo.
        var edit: String?
        /// What remains of the issues, their labels and what waits; nil for all that was before.
        var left: [String]?
    }

    private static func issue(_ user: String, _ labels: String) -> String {
        #"[{"id":1,"user":\#(user),"labels":\#(labels)}]"#
    }

    static let cases = [
        Case(
            testDescription: "an insert", before: .init(), step: .init(issues: issue("7", "[1,5]"))),
        Case(
            testDescription: "an insert that waits", before: .init(), step: .init(issues: issue("42", "[1,43]"))),
        Case(
            testDescription: "an update", before: .init(issues: issue("7", "[1,5]")),
            step: .init(issues: issue("8", "[5,9]"))),
        Case(
            testDescription: "an update of what waits", before: .init(issues: issue("42", "[1,43]")),
            step: .init(issues: issue("7", "[9]"))),
        Case(
            testDescription: "an update that waits", before: .init(issues: issue("7", "[1]")),
            step: .init(issues: issue("42", "[43]"))),
        Case(
            testDescription: "a delete", before: .init(issues: issue("7", "[1,5]")), step: .init(issues: "[]")),
        Case(
            testDescription: "a delete of what waits", before: .init(issues: issue("42", "[1,43]")),
            step: .init(issues: "[]")),
        Case(
            testDescription: "its records are deleted", before: .init(issues: issue("7", "[1,5]")),
            step: .init(users: "[]", labels: #"[{"id":1}]"#)),
        Case(
            testDescription: "its records came", before: .init(issues: issue("42", "[43]")),
            step: .init(users: #"[{"id":7},{"id":8},{"id":42}]"#, labels: #"[{"id":1},{"id":5},{"id":9},{"id":43}]"#)),
        Case(
            testDescription: "labels are added since", before: .init(issues: issue("7", "[1]")),
            step: .init(issues: issue("7", "[1,5]")), edit: "INSERT INTO issue_labels VALUES (1, 9)",
            left: ["1|7", "1|1", "1|5", "1|9"]),
        Case(
            testDescription: "the user is another one since", before: .init(issues: issue("7", "[1]")),
            step: .init(issues: issue("8", "[1,5]")), edit: "UPDATE issues SET author_id = NULL",
            left: ["1|NULL", "1|1"]),
    ]

    @Test(arguments: cases)
    func undo(_ test: Case) throws {
        let tracker = try Tracker(
            issue:
                "author: {ref: User, from: user, upsert: false}\n      labels: {refs: Label, via: issue_labels, upsert: false}"
        )
        func state() throws -> [String] {
            try tracker.shop.rows("SELECT id, author_id FROM issues") + tracker.links()
        }
        try tracker.run(test.before)
        let before = try tracker.shop.managed()
        let wanted = try test.left ?? state()
        let run = try #require(try tracker.run(test.step).report.run)
        if let edit = test.edit { try tracker.shop.sql(edit) }
        let (report, _) = try tracker.shop.undoPlanned(run)
        #expect(report.status == (test.left == nil ? .succeeded : .partial))
        #expect(try state() == wanted)
        #expect(try tracker.shop.rows("PRAGMA foreign_key_check") == [])
        if test.left == nil { #expect(try tracker.shop.managed() == before) }
    }

    /// A row that is left may refer to what goes, and what comes back may be waited for: both are told.
    @Test func whatBecomesOfReferencesIsTold() throws {
        let tracker = try Tracker(issue: "title: string\n      author: {ref: User, from: user}")
        let run = try #require(
            try tracker.run(.init(issues: #"[{"id":1,"title":"x","user":{"id":42,"name":"ann"}}]"#)).report.run)
        try tracker.shop.sql("UPDATE issues SET title = 'mine'")
        let (undone, _) = try tracker.shop.undoPlanned(run)
        #expect(undone.left == 1)
        #expect(try tracker.state("title, author_id") == ["1|'mine'|NULL", "author [1] [42] defer"])
        #expect(undone.problems.map(\.code).contains("dangling"))
        #expect(
            undone.problems.contains {
                $0.message.contains("1 reference of `issues.author` loses its record: it led to `42`")
            })
        let (again, _) = try tracker.shop.undoPlanned(try #require(undone.run))
        #expect(try tracker.state("title, author_id") == ["1|'mine'|42"])
        #expect(again.problems.map(\.code) == ["linked"])
    }

    /// What a deletion took from the rows that refer to it comes back with it, whatever the rule.
    @Test(arguments: [
        ("defer", ["1|NULL", "author [1] [7] defer"], ["linked"]),
        ("set_null", ["1|NULL", "author [1] [7] set_null"], ["linked"]), ("stub", ["1|7"], []),
    ])
    func whatADeletionTookComesBack(rule: String, state: [String], told: [String]) throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false, on_dangling: \(rule)}")
        let users = #"[{"id":7,"name":"Ann"},{"id":8}]"#
        try tracker.run(.init(issues: #"[{"id":1,"user":7}]"#, users: users))
        let run = try #require(try tracker.run(.init(users: #"[{"id":8}]"#)).report.run)
        #expect(try tracker.state() == state)
        let (undone, _) = try tracker.shop.undoPlanned(run)
        #expect(undone.problems.map(\.code) == told)
        #expect(try tracker.state() == ["1|7"])
        #expect(try tracker.shop.rows("SELECT * FROM users ORDER BY id") == ["7|'Ann'", "8|NULL"])
    }

    /// A set is told as one, however often a pair stands in a table of others.
    @Test func pairsThatStandTwiceAreToldOnce() throws {
        let shop = try Workshop()
        try shop.sql("CREATE TABLE issue_labels (issue_id INTEGER NOT NULL, label_id INTEGER NOT NULL)")
        try shop.define(
            "shop",
            """
            entities:
              Issue:
                {table: issues, primary_key: id, fields: {id: int, labels: {refs: Label, via: issue_labels, from: "labels[*]"}}}
              Label: {table: labels, primary_key: id, fields: {id: int}}
            streams: [{name: issues, entity: Issue, path: remote.json}]
            """)
        func source(_ labels: [Int]) -> String {
            #"[{"id":1,"labels":[\#(labels.map { #"{"id":\#($0)}"# }.joined(separator: ","))]}]"#
        }
        _ = try shop.syncPlanned(source([1, 3, 5]))
        try shop.sql("INSERT INTO issue_labels VALUES (1, 1)")
        #expect(try shop.quietRun().written == [])
        let run = try #require(try shop.syncPlanned(source([3, 5])).0.run)
        let (_, recorder) = try shop.undoPlanned(run)
        #expect(recorder.changes.contains { $0.contains("[1,3,5]") }, "\(recorder.changes)")
        #expect(!recorder.changes.contains { $0.contains("[1,1") }, "\(recorder.changes)")
        #expect(try shop.rows("SELECT label_id FROM issue_labels ORDER BY 1") == ["1", "3", "5"])
    }

    @Test func aStubGoesWithTheRunThatMadeIt() throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, upsert: false, on_dangling: stub}")
        try tracker.run()
        let before = try tracker.shop.managed()
        let run = try #require(try tracker.run(.init(issues: #"[{"id":1,"user":42},{"id":2,"user":42}]"#)).report.run)
        #expect(try tracker.shop.rows("SELECT id FROM users") == ["7", "8", "42"])
        #expect(try tracker.shop.undoPlanned(run).report.status == .succeeded)
        #expect(try tracker.shop.managed() == before)
    }

    /// A table that no stream fills has no base that tells of its rows.
    @Test func aStubOfATableWithoutAStreamGoesWithTheRunThatMadeIt() throws {
        let tracker = try Tracker(
            issue: "team: {ref: Team, upsert: false, on_dangling: stub}",
            entities: "Team: {primary_key: [org, nr], fields: {nr: int, org: string, name: string}}")
        func issue(_ id: Int, _ team: String) -> String { #"{"id":\#(id),"team":{"nr":\#(team),"org":"o"}}"# }
        func teams() throws -> [String] { try tracker.shop.rows("SELECT org, nr, name FROM team ORDER BY nr") }
        try tracker.run()
        let issues = [issue(1, "1"), issue(2, "1"), issue(3, "2"), issue(4, "3")].joined(separator: ",")
        let run = try #require(try tracker.run(.init(issues: "[\(issues)]")).report.run)
        #expect(try teams() == ["'o'|1|NULL", "'o'|2|NULL", "'o'|3|NULL"])
        // One of them was filled since, and to one of them something else leads by now.
        try tracker.run(
            .init(issues: "[\(issues),\(issue(5, "3"))]", edit: "UPDATE team SET name = 'mine' WHERE nr = 2"))
        let (undone, _) = try tracker.shop.undoPlanned(run)
        #expect(undone.status == .succeeded)
        #expect(try tracker.shop.rows("SELECT id FROM issues") == ["5"])
        #expect(try teams() == ["'o'|2|'mine'", "'o'|3|NULL"])
        let (again, _) = try tracker.shop.undoPlanned(try #require(undone.run))
        #expect(again.status == .succeeded)
        #expect(try teams() == ["'o'|1|NULL", "'o'|2|'mine'", "'o'|3|NULL"])
    }
}

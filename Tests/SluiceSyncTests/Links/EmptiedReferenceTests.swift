import SluiceModel
import SluiceReport
import SluiceReview
import SluiceSQLiteStore
import SluiceStore
import Testing

/// References whose records went are taken away: until these come (`defer`), or for good (`set_null`). The run that does
/// it tells so, and undo puts back what that run took and nothing else.
@Suite("What losing a record leaves behind")
struct EmptiedReferenceTests {
    private static let both = #"[{"id":7},{"id":8}]"#
    private static let eight = #"[{"id":8}]"#
    private static let issue =
        "title: string\n      author: {ref: User, from: user, upsert: false, on_dangling: set_null}\n      labels: {refs: Label, via: issue_labels, upsert: false, on_dangling: set_null}"

    /// Issue 1 refers to user 7 and to the labels 1 and 5, of which 7 and 5 went and came back.
    ///
    /// - Returns: The tracker, and the run in which they went.
    private func emptied() throws -> (Tracker, run: Int64) {
        let tracker = try Tracker(issue: Self.issue)
        try tracker.run(.init(issues: #"[{"id":1,"title":"a","user":7,"labels":[1,5]}]"#, users: Self.both))
        let run = try tracker.run(.init(users: Self.eight, labels: #"[{"id":1},{"id":9}]"#)).report.run
        try tracker.run(.init(users: Self.both, labels: #"[{"id":1},{"id":5},{"id":9}]"#))
        #expect(try state(tracker) == Self.emptiedState)
        return (tracker, try #require(run))
    }

    private static let emptiedState = ["1|NULL", "1|1", "author [1] [7] set_null", "labels [1] [5] set_null"]

    private func state(_ tracker: Tracker) throws -> [String] {
        try tracker.shop.rows("SELECT id, author_id FROM issues ORDER BY id") + tracker.links()
    }

    /// What history tells of references that a run took away, as in `{"id":1} author 7 null emptied`.
    private func unlinked(_ tracker: Tracker, _ run: Int64) throws -> [String] {
        let store = try SQLiteRecordStore(path: tracker.shop.store, mode: .reading)
        let entry = try #require(try store.runs.entry(id: run))
        var told: [String] = []
        _ = try HistoryReader(store: store).changes(of: entry, limit: nil) { change in
            guard change.kind == RecordedChange.unlinkKind else { return }
            for field in change.fields {
                told.append(
                    "\(change.key) \(field.name) \(field.old ?? "-") \(field.new ?? "-") \(field.fieldClass ?? "-")")
            }
        }
        return told
    }

    @Test("A run tells what it takes away", arguments: [("defer", "waiting"), ("set_null", "emptied")])
    func told(rule: String, fieldClass: String) throws {
        let tracker = try Tracker(
            issue:
                "author: {ref: User, from: user, upsert: false, on_dangling: \(rule)}\n      labels: {refs: Label, via: issue_labels, upsert: false, on_dangling: \(rule)}"
        )
        try tracker.run(.init(issues: #"[{"id":1,"user":7,"labels":[1,5]}]"#))
        let run = try #require(try tracker.run(.init(users: Self.eight, labels: #"[{"id":9}]"#)).report.run)
        #expect(
            try unlinked(tracker, run).sorted() == [
                #"{"id":1} author 7 null \#(fieldClass)"#, #"{"id":1} labels [1,5] null \#(fieldClass)"#,
            ])
        let store = try SQLiteRecordStore(path: tracker.shop.store, mode: .reading)
        let life = try #require(
            try RecordInspector(store: store).lives(entity: "Issue", key: "1", pipelines: nil).first)
        #expect(life.changes.map(\.kind) == ["unlink", "unlink"])
        let author = try #require(life.fields.first { $0.name == "author" })
        #expect(author.run == run && author.target == "users")
        #expect(rule == "defer" ? author.waitsFor == ["[7]"] : author.emptied == ["[7]"])
    }

    @Test("A row that a run inserts never led anywhere, which is nothing to tell")
    func inserted() throws {
        let tracker = try Tracker(issue: Self.issue)
        let run = try #require(try tracker.run(.init(issues: #"[{"id":1,"user":42,"labels":[43]}]"#)).report.run)
        #expect(try unlinked(tracker, run) == [])
        #expect(try tracker.shop.undoPlanned(run).report.status == .succeeded)
        #expect(try state(tracker) == [])
    }

    @Test("Undo of a deletion gives back what that deletion took, and not what was null for good before")
    func deletedAgain() throws {
        let (tracker, emptying) = try emptied()
        let before = try tracker.shop.managed()
        let run = try #require(
            try tracker.run(.init(users: Self.eight, labels: #"[{"id":1},{"id":9}]"#)).report.run)
        let (undone, _) = try tracker.shop.undoPlanned(run)
        #expect(undone.status == .succeeded && undone.linked == 0)
        #expect(try state(tracker) == Self.emptiedState)
        #expect(try tracker.shop.managed() == before)
        // The run that had taken them gives them back, be it that their records are there already.
        let (first, _) = try tracker.shop.undoPlanned(emptying)
        #expect(first.linked == 2)
        #expect(try state(tracker) == ["1|7", "1|1", "1|5"])
        let (again, _) = try tracker.shop.undoPlanned(#require(first.run))
        #expect(again.status == .succeeded)
        #expect(try state(tracker) == Self.emptiedState)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var issues = "[]"
        var labels: String?
    }

    static let changes = [
        Case(testDescription: "another user", issues: #"[{"id":1,"title":"a","user":8,"labels":[1,5]}]"#),
        Case(testDescription: "no user", issues: #"[{"id":1,"title":"a","user":null,"labels":[1,5]}]"#),
        Case(testDescription: "no label", issues: #"[{"id":1,"title":"a","user":7,"labels":[]}]"#),
        Case(testDescription: "all of them", issues: #"[{"id":1,"title":"b","user":8,"labels":[9]}]"#),
        Case(testDescription: "the row goes"),
    ]

    @Test("Undo of a change puts back a reference that was null for good as null for good", arguments: changes)
    func overwritten(_ test: Case) throws {
        let (tracker, _) = try emptied()
        let before = try tracker.shop.managed()
        let run = try #require(try tracker.run(.init(issues: test.issues)).report.run)
        let after = try tracker.shop.managed()
        #expect(after != before)
        let (undone, _) = try tracker.shop.undoPlanned(run)
        #expect(undone.status == .succeeded && undone.linked == 0)
        #expect(try state(tracker) == Self.emptiedState)
        #expect(try tracker.shop.managed() == before)
        let (again, _) = try tracker.shop.undoPlanned(#require(undone.run))
        #expect(again.status == .succeeded)
        #expect(try tracker.shop.managed() == after)
        #expect(try tracker.shop.undoPlanned(#require(again.run)).report.status == .succeeded)
        #expect(try tracker.shop.managed() == before)
    }

    @Test("What the row holds then is what the plan says")
    func planned() throws {
        let (tracker, _) = try emptied()
        let run = try #require(
            try tracker.run(.init(issues: #"[{"id":1,"title":"a","user":8,"labels":[9]}]"#)).report.run)
        let (_, recorder) = try tracker.shop.undoPlanned(run)
        #expect(
            recorder.changes == [
                #"update update {"id":1} author:remote_update(8 8 null null) labels:remote_update([9] [9] [1] [1])"#
            ])
    }

    @Test("In whatever order two runs are taken back, all is as before both", arguments: [false, true])
    func bothOrders(oldestFirst: Bool) throws {
        let tracker = try Tracker(issue: Self.issue)
        try tracker.run(.init(issues: #"[{"id":1,"title":"a","user":7,"labels":[1,5]}]"#, users: Self.both))
        let before = try state(tracker)
        let emptying = try #require(
            try tracker.run(.init(users: Self.eight, labels: #"[{"id":1},{"id":9}]"#)).report.run)
        let writing = try #require(
            try tracker.run(.init(issues: #"[{"id":1,"title":"a","user":8,"labels":[9]}]"#)).report.run)
        for run in oldestFirst ? [emptying, writing] : [writing, emptying] {
            #expect(try tracker.shop.undoPlanned(run).report.status == .succeeded)
        }
        #expect(try state(tracker) == before)
    }

    @Test("A record that waits for a unique value is null for good once it is written")
    func unique() throws {
        let tracker = try Tracker(
            issue: "title: string\n      author: {ref: User, from: user, upsert: false, on_dangling: set_null}",
            more: "unique: [[title]]")
        try tracker.run(
            .init(issues: #"[{"id":1,"title":"a","user":7},{"id":2,"title":"b","user":8}]"#, users: Self.both))
        try tracker.run(.init(users: Self.eight))
        try tracker.run(.init(users: Self.both))
        let before = try tracker.shop.managed()
        let run = try #require(
            try tracker.run(.init(issues: #"[{"id":1,"title":"b","user":8},{"id":2,"title":"a","user":8}]"#)).report.run
        )
        #expect(try tracker.state("title, author_id") == ["1|'b'|8", "2|'a'|8"])
        #expect(try tracker.shop.undoPlanned(run).report.status == .succeeded)
        #expect(try tracker.state("title, author_id") == ["1|'a'|NULL", "2|'b'|8", "author [1] [7] set_null"])
        #expect(try tracker.shop.managed() == before)
    }
}

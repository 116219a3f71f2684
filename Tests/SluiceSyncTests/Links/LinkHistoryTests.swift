import SluiceModel
import SluiceReport
import SluiceReview
import SluiceSQLiteStore
import SluiceStore
import Testing

/// References that had waited and that a run links are counted, told and taken back like all else that a run writes.
@Suite("What linking leaves behind")
struct LinkHistoryTests {
    private static let issue =
        "title: string\n      author: {ref: User, from: user, upsert: false}\n      labels: {refs: Label, via: issue_labels, upsert: false}"
    private static let waiting =
        #"[{"id":1,"title":"a","user":42,"labels":[1,43]},{"id":2,"title":"b","user":7,"labels":[]}]"#

    private func tracker() throws -> Tracker {
        let tracker = try Tracker(issue: Self.issue)
        try tracker.run(.init(issues: Self.waiting))
        return tracker
    }

    /// What history tells of a run, as in `{"id":1} author null 42`.
    private func history(_ shop: Workshop, _ run: Int64) throws -> [String] {
        let store = try SQLiteRecordStore(path: shop.store, mode: .reading)
        let entry = try #require(try store.runs.entry(id: run))
        var told: [String] = []
        _ = try HistoryReader(store: store).changes(of: entry, limit: nil) { change in
            let fields = change.fields.map { "\($0.name) \($0.old ?? "-") \($0.new ?? "-")" }
            told.append(
                "\(change.mapping.entity) \(change.key) \(change.kind ?? "-") \(fields.joined(separator: ", "))")
        }
        return told
    }

    static let arrivals: [(String, Tracker.Step)] = [
        ("by hand", .init(edit: "INSERT INTO users VALUES (42, 'Ann'); INSERT INTO labels (id) VALUES (43)")),
        (
            "from their sources",
            .init(users: #"[{"id":7},{"id":8},{"id":42}]"#, labels: #"[{"id":1},{"id":5},{"id":9},{"id":43}]"#)
        ),
    ]

    @Test("They are counted, told and taken back", arguments: arrivals.indices)
    func linked(_ arrival: Int) throws {
        let tracker = try tracker()
        let step = Self.arrivals[arrival].1
        if let edit = step.edit { try tracker.shop.sql(edit) }
        let before = try tracker.shop.managed()
        let state = try tracker.state() + tracker.links()
        let (report, _) = try tracker.run(.init(users: step.users, labels: step.labels))
        #expect(report.linked == 2 && report.hasChanges)
        #expect(try tracker.state() == ["1|42", "2|7"])
        #expect(try tracker.links() == ["1|1", "1|43"])
        let run = try #require(report.run)
        let told = [#"Issue {"id":1} link author null 42"#, #"Issue {"id":1} link labels null [43]"#]
        #expect(try history(tracker.shop, run).filter { $0.contains(" link ") } == told)
        let store = try SQLiteRecordStore(path: tracker.shop.store, mode: .reading)
        #expect(try store.runs.entry(id: run)?.linked == 2)
        let life = try #require(
            try RecordInspector(store: store).lives(entity: "Issue", key: "1", pipelines: nil).first)
        #expect(life.changes.map(\.kind) == ["link", "link"])
        #expect(life.fields.first { $0.name == "author" }?.run == run)
        let (undone, recorder) = try tracker.shop.undoPlanned(run)
        #expect(undone.status == .succeeded && undone.left == 0)
        #expect(recorder.changes.filter { $0.contains("author") || $0.contains("labels") }.count == 2)
        #expect(undone.summary.update == 1)
        #expect(try tracker.state() + tracker.links() == state)
        #expect(try tracker.shop.managed() == before)
        #expect(
            try history(tracker.shop, #require(undone.run)).filter { $0.contains(" unlink ") }
                == [#"Issue {"id":1} unlink labels [43] null"#, #"Issue {"id":1} unlink author 42 null"#])
        // What the undo took back comes again with the next run, and with an undo of the undo.
        let (again, _) = try tracker.shop.undoPlanned(#require(undone.run))
        #expect(again.linked == 2)
        #expect(try tracker.state() == ["1|42", "2|7"])
        #expect(try tracker.links() == ["1|1", "1|43"])
        try tracker.run()
        #expect(try tracker.shop.undoPlanned(#require(again.run)).report.status == .succeeded)
        try tracker.run()
        #expect(try tracker.state() == ["1|42", "2|7"])
        #expect(try tracker.links() == ["1|1", "1|43"])
    }

    @Test("What leads elsewhere since stays, and all else is taken back")
    func edited() throws {
        let tracker = try tracker()
        let (report, _) = try tracker.run(
            .init(edit: "INSERT INTO users VALUES (42, 'Ann'); INSERT INTO labels (id) VALUES (43)"))
        try tracker.shop.sql("UPDATE issues SET author_id = 7 WHERE id = 1")
        let (undone, _) = try tracker.shop.undoPlanned(#require(report.run))
        #expect(undone.status == .partial && undone.left == 1)
        #expect(try tracker.state() == ["1|7", "2|7", "labels [1] [43] defer"])
        #expect(try tracker.links() == ["1|1", "labels [1] [43] defer"])
    }

    @Test("What is gone since or taken away by hand is no matter")
    func gone() throws {
        let tracker = try tracker()
        let (report, _) = try tracker.run(
            .init(edit: "INSERT INTO users VALUES (42, 'Ann'); INSERT INTO labels (id) VALUES (43)"))
        try tracker.shop.sql(
            "DELETE FROM issue_labels WHERE label_id = 43; UPDATE issues SET author_id = NULL WHERE id = 1")
        let (undone, _) = try tracker.shop.undoPlanned(#require(report.run))
        #expect(undone.status == .succeeded && undone.left == 0)
        #expect(try tracker.state() == ["1|NULL", "2|7"])
    }

    @Test("A row that the run changes besides counts once")
    func changedBesides() throws {
        let tracker = try tracker()
        let before = try tracker.shop.managed().filter { $0.key != "users" && $0.key != "labels" }
        let changed = Self.waiting.replacing(#""title":"a""#, with: #""title":"c""#)
        let (report, _) = try tracker.run(
            .init(issues: changed, edit: "INSERT INTO users VALUES (42, 'Ann'); INSERT INTO labels (id) VALUES (43)"))
        #expect(report.linked == 2 && report.summary.update == 1)
        let (undone, _) = try tracker.shop.undoPlanned(#require(report.run))
        #expect(undone.status == .succeeded && undone.summary.update == 1)
        #expect(try tracker.shop.managed().filter { $0.key != "users" && $0.key != "labels" } == before)
    }

    @Test("What waited is linked with a stub, which goes when that is taken back")
    func stub() throws {
        let tracker = try Tracker(
            issue:
                "author: {ref: User, from: user, upsert: false, on_dangling: stub}\n      checker: {ref: User, upsert: false}"
        )
        try tracker.run(.init(issues: #"[{"id":1,"checker":42}]"#))
        let before = try tracker.shop.managed()
        let (report, _) = try tracker.run(.init(issues: #"[{"id":1,"user":42,"checker":42}]"#))
        #expect(try tracker.state("author_id, checker_id") == ["1|42|42"])
        #expect(try tracker.shop.undoPlanned(#require(report.run)).report.status == .succeeded)
        #expect(try tracker.state("author_id, checker_id") == ["1|NULL|NULL", "checker [1] [42] defer"])
        #expect(try tracker.shop.managed() == before)
    }
}

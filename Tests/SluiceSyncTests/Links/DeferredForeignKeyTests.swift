import SluiceReport
import SluiceStore
import TestSupport
import Testing

/// Foreign keys that people made and that are checked as the transaction ends alone.
@Suite("Foreign keys of people that are checked at the end")
struct DeferredForeignKeyTests {
    private static let later = "DEFERRABLE INITIALLY DEFERRED"

    private func tracker(_ store: StoreKind, issue: String = "title: string\n      place: int") throws -> Tracker {
        let tracker = try Tracker(issue: issue)
        try store.take(tracker.shop)
        return tracker
    }

    @Test("A row that another table leads to stays, and all else is written", arguments: StoreKind.allCases)
    func leadingHere(_ store: StoreKind) throws {
        let tracker = try tracker(store)
        try tracker.run(.init(issues: #"[{"id":1},{"id":2},{"id":3}]"#))
        try tracker.shop.sql(
            """
            CREATE TABLE notes (id BIGINT PRIMARY KEY, item BIGINT REFERENCES issues (id) \(Self.later));
            INSERT INTO notes VALUES (50, 1)
            """)
        let (report, _) = try tracker.run(.init(issues: #"[{"id":3},{"id":4}]"#))
        #expect(report.status == .succeeded)
        #expect(report.streams.first?.summary.text == "insert 1, delete 1, unchanged 1")
        let message = report.problems.first { $0.code == "delete_rejected" }?.message ?? ""
        #expect(
            message.hasPrefix(
                #"1 record of `issues` is gone from the source and stays, since others lead to it: {"id":1} is what `item` of 50 of `notes` leads to. The foreign key of `notes` is checked as the transaction ends"#
            ), "\(message)")
        #expect(try tracker.shop.rows("SELECT id FROM issues ORDER BY id") == ["1", "3", "4"])
        let (again, _) = try tracker.run()
        #expect(again.problems.map(\.code) == ["delete_rejected"] && !again.hasChanges)
        try tracker.shop.sql("DELETE FROM notes")
        try tracker.run()
        #expect(try tracker.shop.rows("SELECT id FROM issues ORDER BY id") == ["3", "4"])
    }

    @Test("What is within a record stays with it", arguments: Seeds.some(of: StoreKind.allCases, oneOf: 2))
    func leadingWithin(_ store: StoreKind) throws {
        let tracker = try Tracker(
            issue: "title: string", more: "children: {notes: {entity: Comment, from: 'notes[*]', key: [id]}}",
            entities: "Comment: {fields: {id: int, text: string}}")
        try store.take(tracker.shop)
        try tracker.run(.init(issues: #"[{"id":1,"notes":[{"id":1},{"id":2}]},{"id":2,"notes":[{"id":3}]}]"#))
        try tracker.shop.sql(
            """
            CREATE TABLE marks (id BIGINT PRIMARY KEY, issue BIGINT, note BIGINT,
            FOREIGN KEY (issue, note) REFERENCES comment (issue_id, id) \(Self.later)); INSERT INTO marks VALUES (50, 1, 2)
            """)
        let (report, _) = try tracker.run(.init(issues: "[]"))
        #expect(report.status == .succeeded)
        #expect(report.problems.map(\.code) == ["delete_rejected", "delete_rejected"])
        #expect(try tracker.shop.rows("SELECT id FROM issues") == ["1"])
        #expect(try tracker.shop.rows("SELECT issue_id, id FROM comment ORDER BY 1, 2") == ["1|1", "1|2"])
    }

    @Test(
        "A record that leads nowhere is quarantined, and the others are taken",
        arguments: Seeds.some(of: StoreKind.allCases, oneOf: 2))
    func leadingThere(_ store: StoreKind) throws {
        let tracker = try tracker(store)
        let number = store == .file ? "INTEGER" : "BIGINT"
        try tracker.shop.sql(
            """
            CREATE TABLE places (id \(number) PRIMARY KEY); INSERT INTO places VALUES (5);
            CREATE TABLE issues (id \(number) PRIMARY KEY, title TEXT, place \(number) REFERENCES places (id) \(Self.later))
            """)
        let issues = #"[{"id":1,"place":5},{"id":2,"place":6},{"id":3}]"#
        let (report, recorder) = try tracker.run(.init(issues: issues))
        #expect(report.status == .succeeded)
        #expect(report.streams.first?.summary.text == "insert 2, quarantined 1")
        #expect(recorder.quarantine.map(\.reason) == ["constraint"])
        #expect(
            recorder.quarantine.first?.message.hasPrefix(
                "`place` leads to 6 of `places`, which is not there. The foreign key of `issues` is checked") == true)
        #expect(try tracker.shop.rows("SELECT id, place FROM issues ORDER BY id") == ["1|5", "3|NULL"])
        // A change is refused alike.
        let (second, _) = try tracker.run(
            .init(issues: #"[{"id":1,"place":7},{"id":2,"place":6},{"id":3,"title":"x"}]"#))
        #expect(second.streams.first?.summary.text == "update 1, quarantined 2")
        #expect(try tracker.shop.rows("SELECT id, place FROM issues ORDER BY id") == ["1|5", "3|NULL"])
        try tracker.shop.sql("INSERT INTO places VALUES (6), (7)")
        let (last, _) = try tracker.run()
        #expect(last.streams.first?.summary.text == "insert 1, update 1, unchanged 1")
        #expect(try tracker.shop.rows("SELECT id, place FROM issues ORDER BY id") == ["1|7", "2|6", "3|NULL"])
    }

    /// Such a key between two tables that a run fills holds once both are filled.
    @Test("Tables of one run may lead to each other in any order", arguments: StoreKind.allCases)
    func betweenStreams(_ store: StoreKind) throws {
        let tracker = try tracker(store)
        let number = store == .file ? "INTEGER" : "BIGINT"
        try tracker.shop.sql(
            """
            CREATE TABLE users (id \(number) PRIMARY KEY, name TEXT);
            CREATE TABLE issues (id \(number) PRIMARY KEY, title TEXT, place \(number) REFERENCES users (id) \(Self.later))
            """)
        let (first, _) = try tracker.run(.init(issues: #"[{"id":1,"place":7},{"id":2,"place":9}]"#))
        #expect(first.streams.first?.summary.text == "insert 1, quarantined 1")
        let (report, _) = try tracker.run(
            .init(issues: #"[{"id":1,"place":7}]"#, users: #"[{"id":8},{"id":10}]"#))
        #expect(report.problems.map(\.code) == ["delete_rejected"])
        #expect(try tracker.shop.rows("SELECT id FROM users ORDER BY id") == ["7", "8", "10"])
    }

    /// The record stays, so that nothing of what leads to it is refused: neither what is as before, nor what is edited or new.
    @Test("All that leads to a record that stays is taken", arguments: Seeds.some(of: StoreKind.allCases, oneOf: 2))
    func manyLeadingThere(_ store: StoreKind) throws {
        let tracker = try tracker(store)
        let number = store == .file ? "INTEGER" : "BIGINT"
        try tracker.shop.sql(
            """
            CREATE TABLE users (id \(number) PRIMARY KEY, name TEXT);
            CREATE TABLE issues (id \(number) PRIMARY KEY, title TEXT, place \(number) REFERENCES users (id) \(Self.later))
            """)
        try tracker.run(.init(issues: #"[{"id":1,"place":7},{"id":2,"place":7},{"id":3,"place":7}]"#))
        try tracker.shop.sql("UPDATE issues SET title = 'mine' WHERE id = 2")
        let issues = #"[{"id":1,"place":7},{"id":2,"place":7},{"id":3,"place":7,"title":"x"},{"id":4,"place":7}]"#
        let (report, recorder) = try tracker.run(.init(issues: issues, users: #"[{"id":8}]"#))
        #expect(report.status == .succeeded && recorder.quarantine.isEmpty)
        #expect(report.problems.map(\.code) == ["delete_rejected"])
        let rows = try tracker.shop.rows("SELECT id, title, place FROM issues ORDER BY id")
        #expect(rows == ["1|NULL|7", "2|'mine'|7", "3|'x'|7", "4|NULL|7"])
        #expect(try tracker.shop.rows("SELECT id FROM users ORDER BY id") == ["7", "8"])
        let (again, _) = try tracker.run()
        #expect(again.problems.map(\.code) == ["delete_rejected"] && !again.hasChanges)
    }

    /// Which record it was that had the value of another column nobody knows once it is gone.
    @Test(
        "One that leads to another column than the key is named",
        arguments: Seeds.some(of: StoreKind.allCases, oneOf: 2))
    func otherColumn(_ store: StoreKind) throws {
        let tracker = try tracker(store)
        let number = store == .file ? "INTEGER" : "BIGINT"
        try tracker.shop.sql(
            """
            CREATE TABLE issues (id \(number) PRIMARY KEY, title TEXT UNIQUE, place \(number));
            CREATE TABLE notes (id \(number) PRIMARY KEY, title TEXT REFERENCES issues (title) \(Self.later))
            """)
        try tracker.run(.init(issues: #"[{"id":1,"title":"a"}]"#))
        try tracker.shop.sql("INSERT INTO notes VALUES (50, 'a')")
        let (report, _) = try tracker.run(.init(issues: "[]"))
        #expect(report.status == .failed)
        let message = report.problems.first?.message ?? ""
        #expect(
            message.contains(#"`title` of 50 of the table `notes` leads to "a" of `issues`, which would not be there."#)
        )
        #expect(try tracker.shop.rows("SELECT id FROM issues") == ["1"])
    }

    @Test("Undo names the row that leads here, and leaves all as it is", arguments: StoreKind.allCases)
    func undo(_ store: StoreKind) throws {
        let tracker = try tracker(store)
        try tracker.run()
        let (run, _) = try tracker.run(.init(issues: #"[{"id":1}]"#))
        try tracker.shop.sql(
            """
            CREATE TABLE notes (id BIGINT PRIMARY KEY, item BIGINT REFERENCES issues (id) \(Self.later));
            INSERT INTO notes VALUES (50, 1)
            """)
        let undone = try tracker.shop.undoPlanned(#require(run.run)).report
        #expect(undone.status == .failed)
        #expect(
            undone.problems.first?.message.hasPrefix("`item` of 50 of the table `notes` leads to 1 of `issues`") == true
        )
        #expect(try tracker.shop.rows("SELECT id FROM issues") == ["1"])
    }
}

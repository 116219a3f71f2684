import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceSQLiteStore
import SluiceStore
import Testing

/// Records that stand within others: who is believed of them, and what becomes of them when a decision takes their
/// parent away.
struct EmbeddedTests {
    private static func issue(_ id: Int, _ user: String) -> String { #"{"id":\#(id),"user":\#(user)}"# }

    @Test func aStreamOfItsOwnIsBelievedFirst() throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user}")
        let named = #"[{"id":7,"name":"ann"},{"id":8,"name":"bob"}]"#
        try tracker.run(
            .init(issues: "[\(Self.issue(1, #"{"id":7,"name":"old"}"#)),\(Self.issue(2, "8"))]", users: named))
        #expect(try tracker.shop.rows("SELECT id, name FROM users ORDER BY id") == ["7|'ann'", "8|'bob'"])
        // What embeds a record cannot say that it is gone, and does not keep it either.
        try tracker.run(.init(users: #"[{"id":8,"name":"bob"}]"#))
        #expect(try tracker.shop.rows("SELECT id FROM users") == ["8"])
        #expect(try tracker.state() == ["1|NULL", "2|8", "author [1] [7] defer"])
    }

    /// What an object says as the record's own stream did before is nothing new: the edit of it stands, and nobody is asked.
    @Test(arguments: ["'ED'", "NULL"]) func anEditStandsAgainstWhatIsSaidAlready(_ value: String) throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user}")
        try tracker.run(.init(users: #"[{"id":7,"name":"ann"}]"#))
        let run = try tracker.run(
            .init(
                issues: "[\(Self.issue(1, #"{"id":7,"name":"ann"}"#))]",
                edit: "UPDATE users SET name = \(value) WHERE id = 7"))
        #expect(run.report.status == .succeeded)
        #expect(try tracker.shop.rows("SELECT id, name FROM users WHERE id = 7") == ["7|\(value)"])
        #expect(try tracker.shop.openConflicts == [])
        // What it says then is news.
        try tracker.run(.init(issues: "[\(Self.issue(1, #"{"id":7,"name":"new"}"#))]"))
        #expect(try tracker.shop.rows("SELECT id, name FROM users WHERE id = 7") == ["7|\(value)"])
    }

    /// A person that its own stream lost is gone for those that embed it, until one of them says something new of it.
    @Test(arguments: [
        ("listed again, embedded as before", true, "old", ["7|'ann'"]),
        ("listed again, embedded with news", true, "new", ["7|'ann'"]),
        ("embedded as before", false, "old", []), ("embedded with news", false, "new", ["7|'new'"]),
    ])
    func whatItsOwnStreamLost(_ item: (name: String, isListed: Bool, name2: String, rows: [String])) throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user}")
        let listed = #"[{"id":7,"name":"ann"},{"id":8,"name":"bob"}]"#
        let others = #"[{"id":8,"name":"bob"}]"#
        func issues(_ name: String) -> String { "[\(Self.issue(1, "{\"id\":7,\"name\":\"\(name)\"}"))]" }
        try tracker.run(.init(issues: issues("old"), users: listed))
        try tracker.run(.init(users: others))
        #expect(try tracker.shop.rows("SELECT id FROM users") == ["8"])
        try tracker.run(.init(issues: issues(item.name2), users: item.isListed ? listed : others))
        #expect(try tracker.shop.rows("SELECT id, name FROM users WHERE id = 7") == item.rows)
        #expect(try tracker.shop.openConflicts == [])
    }

    /// A stub that stands for such a person is nobody's edit, and is filled once somebody says something new.
    @Test func aStubOfWhatItsOwnStreamLost() throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user, on_dangling: stub}")
        func issues(_ name: String) -> String { "[\(Self.issue(1, "{\"id\":7,\"name\":\"\(name)\"}"))]" }
        try tracker.run(.init(issues: issues("old"), users: #"[{"id":7,"name":"ann"},{"id":8,"name":"bob"}]"#))
        try tracker.run(.init(users: #"[{"id":8,"name":"bob"}]"#))
        #expect(try tracker.shop.rows("SELECT id, name FROM users WHERE id = 7") == ["7|NULL"])
        func edits() throws -> Int {
            let store = try SQLiteRecordStore(path: tracker.shop.store, mode: .reading)
            var count = 0
            try EditReader(store: store).edits(pipelines: nil, entity: nil) { _ in count += 1 }
            return count
        }
        #expect(try edits() == 0)
        #expect(try tracker.shop.quietRun().written == [])
        #expect(try edits() == 0)
        try tracker.run(.init(issues: issues("new")))
        #expect(try tracker.shop.rows("SELECT id, name FROM users WHERE id = 7") == ["7|'new'"])
        #expect(try tracker.shop.openConflicts == [])
    }

    /// The same holds where the person was edited here, so that somebody had to decide.
    @Test(arguments: [("embedded as before", "old", []), ("embedded with news", "new", ["7|'new'"])])
    func whatItsOwnStreamLostByADecision(_ item: (name: String, name2: String, rows: [String])) throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user}")
        func issues(_ name: String) -> String { "[\(Self.issue(1, "{\"id\":7,\"name\":\"\(name)\"}"))]" }
        try tracker.run(.init(issues: issues("old"), users: #"[{"id":7,"name":"ann"},{"id":8,"name":"bob"}]"#))
        try tracker.run(.init(users: #"[{"id":8,"name":"bob"}]"#, edit: "UPDATE users SET name = 'mine' WHERE id = 7"))
        #expect(try tracker.shop.rows("SELECT name FROM users WHERE id = 7") == ["'mine'"])
        #expect(try decide(tracker, "User") == .resolved)
        #expect(try states(tracker) == ["issues overruled", "users tomb_remote"])
        try tracker.run(.init(issues: issues(item.name2)))
        #expect(try tracker.shop.rows("SELECT id, name FROM users WHERE id = 7") == item.rows)
        #expect(try tracker.shop.openConflicts == [])
    }

    /// What `inspect` says that the person is at each source.
    private func states(_ tracker: Tracker) throws -> [String] {
        let store = try SQLiteRecordStore(path: tracker.shop.store, mode: .settling)
        return try RecordInspector(store: store).lives(entity: "User", key: "7", pipelines: nil)
            .map { "\($0.mapping.stream) \($0.state.rawValue)" }.sorted()
    }

    @Test func ofSeveralThatDifferTheFirstOneStands() throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user}")
        let (first, second) = (#"{"id":9,"name":"first"}"#, #"{"id":9,"name":"second"}"#)
        // The run after it writes nothing, so the two do not take turns.
        try tracker.run(.init(issues: "[\(Self.issue(1, first)),\(Self.issue(2, second)),\(Self.issue(3, first))]"))
        #expect(try tracker.shop.rows("SELECT name FROM users WHERE id = 9") == ["'first'"])
    }

    /// What was passed over counts as soon as nobody speaks before it, although its record did not change.
    @Test(arguments: [
        ("the first is gone", "[2]"), ("the first speaks of another", #"[{"id":1,"user":{"id":8}},2]"#),
        ("the first comes later", "[2,1]"), ("the first cannot be taken", #"[{"id":1,"user":{"id":"x"}},2]"#),
    ])
    func whoSpeaksNextIsHeard(_ item: (name: String, next: String)) throws {
        let tracker = try Tracker(
            issue: "author: {ref: User, from: user}",
            user: "primary_key: id, fields: {id: int, name: string, team: {ref: Team}}",
            entities: "Team: {table: teams, primary_key: id, fields: {id: int, name: string}}")
        tracker.shop.definition?.streams.removeAll { $0.name == "users" }
        let records = [1, 2].map { id in
            #"{"id":\#(id),"user":{"id":7,"name":"n\#(id)","team":{"id":4,"name":"t\#(id)"}}}"#
        }
        func users() throws -> [String] {
            try tracker.shop.rows("SELECT u.name, t.name FROM users u JOIN teams t ON t.id = u.team_id WHERE u.id = 7")
        }
        try tracker.run(.init(issues: "[\(records[0]),\(records[1])]"))
        #expect(try users() == ["'n1'|'t1'"])
        var next = item.next
        if next.hasPrefix("[2,1") { next = "[\(records[1]),\(records[0])]" }
        next = next.replacing("2]", with: "\(records[1])]")
        try tracker.run(.init(issues: next))
        #expect(try users() == ["'n2'|'t2'"], "\(item.name)")
    }

    /// What is embedded in an object that was passed over is said nevertheless.
    @Test func whatIsWithinWhatWasPassedOverIsTaken() throws {
        let tracker = try Tracker(
            issue: "author: {ref: User, from: user}",
            user: "primary_key: id, fields: {id: int, name: string, team: {ref: Team}}",
            entities: "Team: {table: teams, primary_key: id, fields: {id: int, name: string}}")
        tracker.shop.definition?.streams.removeAll { $0.name == "users" }
        let records = [1, 2].map { #"{"id":\#($0),"user":{"id":7,"name":"ann","team":{"id":\#($0),"name":"t"}}}"# }
        try tracker.run(.init(issues: "[\(records[0]),\(records[1])]"))
        #expect(try tracker.shop.rows("SELECT id FROM teams ORDER BY id") == ["1", "2"])
        #expect(try tracker.shop.rows("SELECT team_id FROM users") == ["1"])
    }

    /// An issue that is gone while a note of it was edited here, and is in conflict for itself.
    private func tracker(edit: String) throws -> Tracker {
        let tracker = try Tracker(
            issue: "name: string", more: "children: {notes: {entity: Note, from: 'notes[*]', key: [id]}}",
            entities: "Note: {fields: {id: int, text: string}}")
        try tracker.run(.init(issues: #"[{"id":1,"notes":[{"id":1,"text":"a"},{"id":2,"text":"b"}]}]"#))
        try tracker.run(.init(issues: #"[{"id":1,"notes":[{"id":1,"text":"c"},{"id":2,"text":"b"}]}]"#, edit: edit))
        try tracker.run(.init(issues: "[]"))
        return tracker
    }

    private func decide(_ tracker: Tracker, _ entity: String = "Issue") throws -> ResolutionOutcome? {
        let store = try SQLiteRecordStore(path: tracker.shop.store, mode: .settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).filter { $0.entity == entity }
            .map { ConflictDecision($0, .remote) }
        #expect(decisions.map(\.conflict.kind) == ["edit_delete"])
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        try store.commit()
        return decisions.first?.outcome
    }

    @Test func whatBelongsToARecordGoesWithItsDecision() throws {
        let tracker = try tracker(edit: "UPDATE note SET text = 'mine' WHERE id = 1")
        #expect(try tracker.shop.rows("SELECT entity FROM _sluice_conflicts WHERE status = 'open'").count == 2)
        #expect(try decide(tracker) == .resolved)
        #expect(try tracker.shop.rows("SELECT id FROM issues") == [])
        #expect(try tracker.shop.rows("SELECT id FROM note") == [])
        #expect(try tracker.shop.rows("PRAGMA foreign_key_check") == [])
        #expect(
            try tracker.shop.rows("SELECT entity, status FROM _sluice_conflicts ORDER BY id") == [
                "'Note'|'obsolete'", "'Issue'|'resolved'",
            ])
        try tracker.run()
    }

    @Test func whatAPersonAddedToARecordKeepsIt() throws {
        let tracker = try tracker(edit: "INSERT INTO note VALUES (1, 50, 'ours')")
        guard case .refused(let reason)? = try decide(tracker) else {
            Issue.record("the record was deleted with what was added to it")
            return
        }
        #expect(reason.contains(#"{"issue_id":1,"id":50}"#) && reason.contains("`note`"))
        #expect(try tracker.shop.rows("SELECT id FROM note ORDER BY id") == ["1", "2", "50"])
    }
}

import SluiceStore
import SluiceSync
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

    @Test func ofSeveralThatDifferTheFirstOneStands() throws {
        let tracker = try Tracker(issue: "author: {ref: User, from: user}")
        let (first, second) = (#"{"id":9,"name":"first"}"#, #"{"id":9,"name":"second"}"#)
        // The run after it writes nothing, so the two do not take turns.
        try tracker.run(.init(issues: "[\(Self.issue(1, first)),\(Self.issue(2, second)),\(Self.issue(3, first))]"))
        #expect(try tracker.shop.rows("SELECT name FROM users WHERE id = 9") == ["'first'"])
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

    private func decide(_ tracker: Tracker) throws -> ResolutionOutcome? {
        let store = try SQLiteRecordStore(path: tracker.shop.store, mode: .settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).filter { $0.entity == "Issue" }
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

import Foundation
import Testing

/// Who decides where both sides changed a value.
@Suite struct PolicyTests {
    /// One policy, and what it makes of a title edited here and changed there.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// Keys of the field `title`.
        var field = ""
        /// Keys of the entity.
        var entity = ""
        /// Keys of the file.
        var file = ""
        let title: String
        /// Of the conflict as it is kept, nil where none is.
        let status: String?
        var code: Int32 = 0
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "nothing is said", title: "here", status: "open"),
        Case(name: "the field says remote_wins", field: "on_conflict: remote_wins", title: "there", status: "auto"),
        Case(name: "the field says local_wins", field: "on_conflict: local_wins", title: "here", status: nil),
        Case(name: "the entity says remote_wins", entity: "on_conflict: remote_wins", title: "there", status: "auto"),
        Case(
            name: "the entity says it for this kind",
            entity: "on_conflict: {edit_edit: remote_wins, default: local_wins}", title: "there", status: "auto"),
        Case(
            name: "the file says remote_wins", file: "merge: {on_conflict: remote_wins}", title: "there", status: "auto"
        ),
        Case(
            name: "the field stands over the entity", field: "on_conflict: manual", entity: "on_conflict: remote_wins",
            title: "here", status: "open"),
        Case(name: "a conflict fails the run", entity: "on_conflict: fail", title: "here", status: nil, code: 1),
        Case(name: "the source owns the field", field: "owner: remote", title: "there", status: nil),
        Case(name: "people own the field", field: "owner: local", title: "here", status: nil),
        Case(
            name: "the newer side wins, and it is the source",
            entity: "on_conflict: newest_wins\n    newest: {field: at}",
            title: "there", status: "auto"),
    ]

    @Test(arguments: cases)
    func aConflictEndsAsThePolicySays(policy: Case) throws {
        let scene = try Scene(records: 1)
        func write(title: String, at: String) throws {
            try scene.write("books.json", #"[{"id": 1, "title": "\#(title)", "note": "\#(title)", "at": "\#(at)"}]"#)
        }
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            \(policy.file)
            source: {base_url: "file:."}
            entities:
              Book:
                table: books
                primary_key: [id]
                \(policy.entity)
                fields: {id: int, note: string, at: datetime, title: {type: string, \(policy.field)}}
            streams: [{name: books, entity: Book, path: books.json}]
            """)
        try write(title: "first", at: "2026-01-01T00:00:00Z")
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        try scene.execute("UPDATE books SET title = 'here', at = '2026-01-02T00:00:00Z'")
        try write(title: "there", at: "2026-01-03T00:00:00Z")

        let plan = try Program.run("plan", "books.yaml", "--format", "json", in: scene.path)
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == policy.code, "\(run.output)\(run.errors)")
        #expect(plan.code == policy.code)
        #expect(try scene.query("SELECT title FROM books") == [policy.title])
        // One conflict never holds back the others.
        if policy.code == 0 { #expect(try scene.query("SELECT note FROM books") == ["there"]) }
        let statuses = try scene.query("SELECT status FROM _sluice_conflicts WHERE field = 'title'")
        #expect(statuses == (policy.status.map { [$0] } ?? []))
        guard policy.code == 0 else { return }
        // What was settled stays settled.
        let before = try scene.contents()
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.contents() == before)
    }
}

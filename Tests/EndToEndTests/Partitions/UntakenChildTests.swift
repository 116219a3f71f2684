import Foundation
import Synchronization
import TestSupport
import Testing

/// A stream with `only: changed`, and records of it that could not be taken: their partition is asked for by each run, until they
/// are there no more.
@Suite struct UntakenChildTests {
    enum Fate: String, CaseIterable, Sendable {
        case parentIsGone, recordIsGone, nothingChanges, anotherParentFails
    }

    @Test(arguments: Fate.allCases)
    func theEntryEndsWithItsRecord(fate: Fate) throws {
        let answers = Mutex([
            "/issues": #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}, {"id": 3, "title": "c"}]"#,
            "/issues/1/comments": #"[{"id": 10, "n": 1}]"#,
            "/issues/2/comments": #"[{"id": 20, "n": "bad"}, {"id": 21, "n": 2}]"#, "/issues/3/comments": "[]",
        ])
        let server = try LoopbackServer { request in
            let answer = answers.withLock { $0[request.path] }
            return answer.map { ServerResponse.text($0) } ?? .text("no", status: 500)
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: issues
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
            entities:
              Issue: {table: issues, primary_key: [id], fields: {id: int, title: string}}
              Comment:
                table: comments
                primary_key: [id]
                fields: {id: int, n: int, issue: {value: "{{ parent.id }}", type: int}}
            streams:
              - name: issues
                entity: Issue
                path: /issues
                delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
              - name: comments
                entity: Comment
                path: "/issues/{{ parent.id }}/comments"
                parent: {stream: issues, only: changed}
                delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
            """)
        func run() throws -> Int32 { try Program.run("run", "books.yaml", in: scene.path).code }
        #expect(try run() == 0)
        #expect(try scene.query("SELECT status FROM _sluice_quarantine") == ["open"])
        answers.withLock { answers in
            switch fate {
            case .parentIsGone: answers["/issues"] = #"[{"id": 1, "title": "a"}, {"id": 3, "title": "c"}]"#
            case .recordIsGone: answers["/issues/2/comments"] = #"[{"id": 21, "n": 2}]"#
            case .nothingChanges: break
            case .anotherParentFails:
                answers["/issues"] = #"[{"id": 1, "title": "a"}, {"id": 3, "title": "changed"}]"#
                answers["/issues/3/comments"] = nil
            }
        }
        _ = try run()
        let isOver = [.parentIsGone, .recordIsGone].contains(fate)
        #expect(try scene.query("SELECT status FROM _sluice_quarantine") == [isOver ? "closed" : "open"])
        #expect(try scene.query("SELECT id FROM comments WHERE id = 10") == ["10"])
    }

    /// Records that share a key and differ are told by each run, wherever they are, until nobody has to look at that.
    @Test(arguments: [
        [#"[{"id": 10, "n": 1}, {"id": 10, "n": 2}]"#, "[]"], [#"[{"id": 10, "n": 1}]"#, #"[{"id": 10, "n": 2}]"#],
    ])
    func duplicatesStayDue(_ comments: [String]) throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: issues
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Issue: {table: issues, primary_key: [id], fields: {id: int}}
              Comment: {table: comments, primary_key: [id], fields: {id: int, n: int}}
            streams:
            - {name: issues, entity: Issue, path: issues.json}
            - {name: comments, entity: Comment, path: "comments{{ parent.id }}.json", parent: {stream: issues, only: changed}}
            """)
        try scene.write("issues.json", #"[{"id": 1}, {"id": 2}]"#)
        for (number, list) in comments.enumerated() { try scene.write("comments\(number + 1).json", list) }
        for _ in 1...3 {
            let run = try Program.run("run", "books.yaml", "--strict", in: scene.path)
            #expect(run.code == 3 && run.errors.contains("share a key and differ"), "\(run)")
        }
        for number in 1...2 { try scene.write("comments\(number).json", #"[{"id": \#(number), "n": 1}]"#) }
        for _ in 1...2 { #expect(try Program.run("run", "books.yaml", "--strict", in: scene.path).code == 0) }
    }
}

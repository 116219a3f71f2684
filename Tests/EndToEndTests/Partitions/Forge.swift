import Foundation
import Synchronization
import TestSupport

/// A source with repositories, their issues and the comments on them, which changes when it is told to.
final class Forge: Sendable {
    /// A body, or a status in its place.
    enum Answer: Sendable, ExpressibleByStringLiteral {
        case body(String)
        case status(Int)

        init(stringLiteral body: String) { self = .body(body) }
    }

    private let answers: Mutex<[String: Answer]>

    init(_ answers: [String: Answer] = Forge.small) { self.answers = Mutex(answers) }

    /// Two repositories with two issues and one issue, and a comment on one of them.
    static let small: [String: Answer] = [
        "/repos": #"[{"id":1,"name":"a"},{"id":2,"name":"b c"}]"#,
        "/repos/a/issues": #"[{"number":1,"title":"x"},{"number":2,"title":"y"}]"#,
        "/repos/b%20c/issues": #"[{"number":1,"title":"z"}]"#,
        "/repos/1/issues/1/comments": #"[{"id":10}]"#,
        "/repos/1/issues/2/comments": "[]",
        "/repos/2/issues/1/comments": "[]",
    ]

    /// What a place answers; nil for 404.
    subscript(target: String) -> Answer? {
        get { answers.withLock { $0[target] } }
        set { answers.withLock { $0[target] = newValue } }
    }

    func serve() throws -> LoopbackServer {
        try LoopbackServer { request in
            switch self[request.target] {
            case .body(let text)?: .text(text)
            case .status(let status)?: .text("", status: status)
            case nil: .text("there is no \(request.target)", status: 404)
            }
        }
    }

    /// The pipeline over it; a nil mark leaves the field out that says of which repository an issue is.
    static func pipeline(
        _ base: String, levels: Int = 2, parent: String = "{stream: repos}", isMarked: Bool = true,
        repos: String = "", below: String = "{stream: issues}", top: String = ""
    ) -> String {
        let deletes = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        let key = isMarked ? "[repo, number]" : "[title]"
        let mark = isMarked ? "repo: {value: \"{{ parent.id }}\", type: int}, " : ""
        let entity = """
              Comment: {table: comments, primary_key: [id], fields: {id: int, at: {value: "{{ parent.repo }}#{{ parent.number }}"}}}
            """
        let comments = """
              - {name: comments, entity: Comment, path: "/repos/{{ parent.repo }}/issues/{{ parent.number }}/comments",
                 parent: \(below), \(deletes)}
            """
        return """
            version: 1
            name: forge
            store: sqlite:shop.db
            source: {base_url: "\(base)", retry: {max_attempts: 1}}
            entities:
              Repo: {table: repos, primary_key: [id], fields: {id: int, name: string}}
              Issue: {table: issues, primary_key: \(key), fields: {\(mark)number: int, title: string}}
            \(levels == 3 ? entity : "")
            streams:
            \(levels == 3 ? comments : "")
              - {name: issues, entity: Issue, path: "/repos/{{ parent.name }}/issues", parent: \(parent), \(deletes)}
              - {name: repos, entity: Repo, path: /repos, \(deletes)\(repos)}
            \(top)
            """
    }
}

extension Scene {
    /// A pipeline over a forge.
    init(forge pipeline: String) throws {
        try self.init(url: "http://127.0.0.1:1")
        try write("forge.yaml", pipeline)
    }

    /// The issues with their repositories.
    func issues() throws -> [String] { try query("SELECT repo, number, title FROM issues ORDER BY 1, 2") }

    /// Runs a command over the pipeline, with the report as JSON.
    func forge(_ command: String = "run", _ arguments: String...) throws -> Program.Result {
        try Program.start([command, "forge.yaml", "--format", "json"] + arguments, in: path).wait()
    }
}

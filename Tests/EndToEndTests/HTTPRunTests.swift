import Foundation
import TestSupport
import Testing

/// Whole runs against a real server, honest and not.
@Suite struct HTTPRunTests {
    private static let first = #"[{"id": 1, "title": "a", "price": 1}, {"id": 2, "title": "b", "price": 2}]"#
    private static let second = #"[{"id": 3, "title": "c", "price": 3}]"#

    private static func link(_ target: String) -> [(name: String, value: String)] {
        [("Link", "<\(target)>; rel=\"next\"")]
    }

    @Test func pagesAreFollowedToTheEnd() throws {
        let server = try LoopbackServer { request in
            request.target.contains("page=2")
                ? .text(Self.second) : .text(Self.first, headers: Self.link("/books?page=2"))
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let result = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let pipelines = try #require(report["pipelines"] as? [[String: Any]])
        let stream = try #require((pipelines[0]["streams"] as? [[String: Any]])?.first)
        #expect(stream["pages"] as? Int == 2)
        #expect(stream["requests"] as? Int == 2)
        #expect(stream["complete"] as? Bool == true)
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|a", "2|b", "3|c"])
    }

    @Test func noContentIsAPageWithoutRecords() throws {
        let server = try LoopbackServer { request in
            if request.number > 1 || request.target.contains("page=2") { return ServerResponse(status: 204) }
            return .text(Self.first, headers: Self.link("/books?page=2"))
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(server.requests.count == 2)
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
        // As the only answer it says nothing of what there is.
        let empty = try Program.run("run", "books.yaml", in: scene.path)
        #expect(empty.code == 0, "\(empty.errors)")
        #expect(empty.output.contains("answered 204 (no content), which is no list"), "\(empty.output)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
    }

    /// What a source that has nothing may answer, and what that proves where two rows are there and all may go.
    struct Nothing: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: ServerResponse
        var format = "json"
        var rules = ""
        var code: Int32 = 0
        var says: String?
        var rows = "2"
        var requests = 2
        var testDescription: String { name }
    }

    static let nothings = [
        Nothing(
            name: "202 is not ready, whatever stands in it", answer: .text("[]", status: 202), code: 1,
            says: "answered 202, which means that it accepted the request and has no answer yet", requests: 3),
        Nothing(
            name: "202 in lines", answer: .text("", status: 202), format: "jsonl", code: 1, says: "has no answer yet",
            requests: 3),
        Nothing(
            name: "202 that a rule knows", answer: .text("[]", status: 202), rules: "{status: 202, action: ignore}",
            says: "as `on_response` says"),
        Nothing(name: "204", answer: ServerResponse(status: 204), says: "answered 204 (no content), which is no list"),
        Nothing(name: "205", answer: .text("", status: 205), says: "answered 205 (no content)"),
        Nothing(
            name: "204 that a rule knows", answer: ServerResponse(status: 204),
            rules: "{status: 204, action: empty}", rows: "0"),
        Nothing(
            name: "404 that a rule knows", answer: .text("no books", status: 404),
            rules: "{status: 404, action: empty}", rows: "0"),
        Nothing(
            name: "JSON without a byte", answer: .text(""), code: 1,
            says: "where JSON was expected; a list of nothing is"),
        Nothing(
            name: "CSV without a byte", answer: .text(""), format: "csv", code: 1,
            says: "where CSV was expected; a list of nothing is the header row alone"),
        Nothing(
            name: "CSV with a blank line", answer: .text("\n\n"), format: "csv", code: 1, says: "it has no header row"),
        Nothing(name: "CSV with its header", answer: .text("id,title,price\n"), format: "csv", rows: "0"),
        Nothing(name: "an empty list", answer: .text("[]"), rows: "0"),
        Nothing(name: "no lines", answer: .text(""), format: "jsonl", rows: "0"),
    ]

    @Test("What nothing proves", arguments: nothings)
    func nothing(_ nothing: Nothing) throws {
        let full =
            switch nothing.format {
            case "csv": "id,title,price\n1,a,1\n2,b,2\n"
            case "jsonl": "{\"id\": 1, \"title\": \"a\", \"price\": 1}\n{\"id\": 2, \"title\": \"b\", \"price\": 2}\n"
            default: Self.first
            }
        let server = try LoopbackServer { request in request.number == 0 ? .text(full) : nothing.answer }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 2, base: 0s}, on_response: [\(nothing.rules)]}
            entities: {Book: {table: books, primary_key: [id], fields: {id: int, title: string, price: double}}}
            streams:
              - {name: books, entity: Book, path: /books, format: \(nothing.format),
                 delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.errors)")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == nothing.code, "\(result.output)\(result.errors)")
        if let says = nothing.says {
            #expect((result.output + result.errors).contains(says), "\(result.output)\(result.errors)")
        }
        #expect(try scene.query("SELECT count(*) FROM books") == [nothing.rows])
        #expect(server.requests.count == nothing.requests)
    }

    /// Counted pages may end with one without a byte.
    @Test func theLastPageOfRowsMayBeEmpty() throws {
        let server = try LoopbackServer { request in
            request.target.contains("page=2") ? .text("") : .text("id,title\n1,a\n")
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"}
            entities: {Book: {table: books, primary_key: [id], fields: {id: int, title: string}}}
            streams:
              - {name: books, entity: Book, path: /books, format: csv, delete_missing: hard,
                 paginator: {type: page_number, page_param: page}}
            """)
        let result = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("\"complete\":true"), "\(result.output)")
        #expect(try scene.query("SELECT id FROM books") == ["1"])
    }

    @Test func secretsAppearNowhere() throws {
        let server = try LoopbackServer { request in
            request.headers.contains { $0.value.contains("s3cr3t") }
                ? .text("denied to s3cr3t", status: 403) : .text("no key", status: 401)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
            .replacing("retry:", with: "auth: {type: bearer, token: \"${env:SHOP_TOKEN}\"}, retry:")
        try scene.write("books.yaml", pipeline)
        for arguments in [["run", "books.yaml", "--format", "json"], ["plan", "books.yaml", "--log-level", "debug"]] {
            let running = try Program.start(arguments, in: scene.path, environment: ["SHOP_TOKEN": "s3cr3t"])
            let result = try running.wait()
            #expect(result.code == 1)
            #expect(!(result.output + result.errors).contains("s3cr3t"))
            #expect((result.output + result.errors).contains("403"))
        }
    }

    @Test(
        "A secret is replaced in what came from outside, and not in the program's own words",
        arguments: ["wrong", "missing", "credentials", "expired"])
    func aSecretMayBeAWord(secret: String) throws {
        let server = try LoopbackServer { _ in .text("no \(secret) here", status: 401) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
            .replacing("retry:", with: "auth: {type: bearer, token: \"${env:SHOP_TOKEN}\"}, retry:")
        try scene.write("books.yaml", pipeline)
        for command in ["plan", "run"] {
            let result = try Program.start(
                [command, "books.yaml"], in: scene.path, environment: ["SHOP_TOKEN": secret]
            )
            .wait()
            let text = result.output + result.errors
            #expect(result.code == 1 && text.contains("It said: \"no *** here\""), "\(text)")
            #expect(text.contains("the credentials: they are missing, wrong or expired."), "\(text)")
        }
    }
}

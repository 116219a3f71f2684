import Foundation
import Synchronization
import TestSupport
import Testing

/// Records that are missing from a list are asked for one by one.
@Suite struct AskedRecordTests {
    /// What the source answers where it is asked for record 3, and what becomes of its row.
    struct Answer: Sendable, CustomTestStringConvertible {
        let name: String
        var mode = "hard"
        /// A further key of the source.
        var source = ""
        let isDeleted: Bool
        /// What the run says besides.
        var words: [String] = []
        let respond: @Sendable (ServerRequest) -> ServerResponse
        var testDescription: String { name }
    }

    static let answers = [
        Answer(name: "404", isDeleted: true) { _ in .text("no such book", status: 404) },
        Answer(name: "410", isDeleted: true) { _ in .text("", status: 410) },
        Answer(name: "404, marked", mode: "soft", isDeleted: true) { _ in .text("", status: 404) },
        Answer(
            name: "200", isDeleted: false,
            words: ["1 record of `books` was missing from the list and is still there when asked for, so it stays"]
        ) { _ in .text(#"{"id":3}"#) },
        Answer(
            name: "a redirect to what is there", isDeleted: false, words: ["still there when asked for"]
        ) { request in
            request.path == "/books/3"
                ? ServerResponse(status: 302, headers: [("Location", "/books/archived/3")]) : .text("{}")
        },
        Answer(
            name: "a redirect to nothing", isDeleted: true
        ) { request in
            request.path == "/books/3"
                ? ServerResponse(status: 301, headers: [("Location", "/books/archived/3")])
                : .text("", status: 404)
        },
        Answer(
            name: "403", isDeleted: false,
            words: ["did not tell whether it is gone, so it stays and the next run asks again", "403", "/books/3"]
        ) { _ in .text("not yours", status: 403) },
        Answer(
            name: "500", isDeleted: false, words: ["did not tell whether it is gone", "500"]
        ) { _ in .text("oops", status: 500) },
        Answer(
            name: "no answer", isDeleted: false, words: ["did not tell whether it is gone", "/books/3"]
        ) { _ in .reset },
        Answer(
            name: "`on_response` fails for it",
            source: ", on_response: [{status: 404, action: fail, message: Ask Ann.}]",
            isDeleted: false, words: ["did not tell whether it is gone", "Ask Ann."]
        ) { _ in .text("", status: 404) },
        Answer(
            name: "`on_response` calls an error gone", source: ", on_response: [{status: 404, action: ignore}]",
            isDeleted: true
        ) { _ in .text("", status: 404) },
    ]

    private static func pipeline(_ url: String, _ answer: Answer, limit: String = "100%") -> String {
        """
        version: 1
        name: books
        store: sqlite:shop.db
        source:
          {base_url: "\(url)", headers: {X-Shop: one}, auth: {type: bearer, token: "${env:TOKEN:-no-token}"},
           retry: {max_attempts: 1}\(answer.source)}
        entities:
          Book: {table: books, primary_key: [id], fields: {id: string, title: string}}
        streams:
          - name: books
            entity: Book
            path: /books
            params: {state: all}
            delete_missing: {mode: \(answer.mode), max_delete: \(limit), confirm: {path: "/books/{{ key.id }}?view=full"}}
        """
    }

    /// The list, and single records by another closure.
    private static func serve(
        _ list: borrowing Mutex<[String]>, _ request: ServerRequest, _ record: (ServerRequest) -> ServerResponse
    ) -> ServerResponse {
        guard request.path == "/books" else { return record(request) }
        let records = list.withLock { $0 }.map { #"{"id":"\#($0)","title":"t"}"# }
        return .text("[" + records.joined(separator: ",") + "]")
    }

    private final class Shop: Sendable {
        let list = Mutex(["1", "2", "3"])
    }

    private func present(_ scene: Scene, _ answer: Answer) throws -> [String] {
        let there = answer.mode == "soft" ? " WHERE _deleted_at IS NULL" : ""
        return try scene.query("SELECT id FROM books\(there) ORDER BY id")
    }

    /// What the source said of them last is not known of records in quarantine, and is known of those in conflict.
    @Test(arguments: [
        ("quarantine", #"{"id":2,"slug":"c","n":"x"}"#, "", ["1", "2"]),
        ("conflict", #"{"id":2,"slug":"c","n":1}"#, "UPDATE books SET slug = 'mine' WHERE id = 2", ["1", "2"]),
        ("neither", #"{"id":2,"slug":"b","n":1}"#, "", ["1"]),
    ])
    func aRecordThatWasNotMergedIsNotAskedForByAnOldName(
        _ name: String, _ second: String, _ edit: String, _ left: [String]
    ) throws {
        let list = Mutex(#"[{"id":1,"slug":"a","n":1},{"id":2,"slug":"b","n":1}]"#)
        let server = try LoopbackServer { request in
            switch request.path {
            case "/books": .text(list.withLock { $0 })
            case "/one/c": .text("{}")
            default: .text("", status: 404)
            }
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, slug: string, n: int}}
            streams:
              - name: books
                entity: Book
                path: /books
                delete_missing: {mode: hard, max_delete: 100%, confirm: {path: "/one/{{ record.slug }}"}}
            """)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        if !edit.isEmpty { try scene.execute(edit) }
        list.withLock { $0 = #"[{"id":1,"slug":"a","n":1},\#(second)]"# }
        _ = try Program.run("run", "books.yaml", in: scene.path)
        list.withLock { $0 = #"[{"id":1,"slug":"a","n":1}]"# }
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == left, "\(run)")
        #expect(server.requests.contains { $0.path == "/one/b" } == (name == "neither"))
    }

    @Test("Answers", arguments: answers)
    func answer(answer: Answer) throws {
        let shop = Shop()
        let server = try LoopbackServer { Self.serve(shop.list, $0, answer.respond) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write("books.yaml", Self.pipeline(server.url, answer))
        #expect(try Program.run("run", "books.yaml", in: scene.path, environment: ["TOKEN": "t0ken"]).code == 0)
        #expect(server.requests.map(\.target) == ["/books?state=all"])
        shop.list.withLock { $0 = ["1", "2"] }
        let plan = try Program.run("plan", "books.yaml", "--format", "json", in: scene.path)
        #expect(try present(scene, answer) == ["1", "2", "3"])
        let run = try Program.run(
            "run", "books.yaml", "--format", "json", in: scene.path, environment: ["TOKEN": "t0ken"])
        for (name, result) in [("plan", plan), ("run", run)] {
            let told = Comment(rawValue: "\(name): \(result.output)\(result.errors)")
            #expect(result.code == 0, told)
            #expect(result.output.contains(#""delete":\#(answer.isDeleted ? 1 : 0)"#), told)
            #expect(result.output.contains(#""requests":2"#), told)
            #expect(result.output.contains(#""missing":1"#) == !answer.isDeleted, told)
            for word in answer.words { #expect(result.output.contains(word), told) }
            #expect(!(result.output + result.errors).contains("t0ken"), told)
        }
        #expect(try present(scene, answer) == (answer.isDeleted ? ["1", "2"] : ["1", "2", "3"]))
        let asked = server.requests.filter { $0.path == "/books/3" }
        // A connection that ends before an answer may have been idle for too long, so another one is tried.
        #expect(Set(asked.map(\.target)) == ["/books/3?view=full"])
        #expect(asked.count == (answer.name == "no answer" ? 4 : 2))
        #expect(asked.last?.header("Authorization") == "Bearer t0ken")
        #expect(asked.last?.header("X-Shop") == "one")
        #expect(asked.last?.method == "GET")
    }

    @Test func moreThanMayBeDeletedIsNotEvenAskedFor() throws {
        let shop = Shop()
        let answer = Answer(name: "", isDeleted: false) { _ in .text("", status: 404) }
        let server = try LoopbackServer { Self.serve(shop.list, $0, answer.respond) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write("books.yaml", Self.pipeline(server.url, answer, limit: "1"))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        shop.list.withLock { $0 = ["1"] }
        let refused = try Program.run("run", "books.yaml", in: scene.path)
        #expect(refused.code == 4 && refused.errors.contains("--allow-deletes 2"), "\(refused.errors)")
        #expect(server.requests.count { $0.path != "/books" } == 0)
        #expect(try Program.run("run", "books.yaml", "--allow-deletes", "2", in: scene.path).code == 0)
        #expect(server.requests.map(\.path).suffix(2) == ["/books/2", "/books/3"])
        #expect(try present(scene, answer) == ["1"])
    }

    @Test func aSourceThatFailsIsNotAskedForAllTheRest() throws {
        let shop = Shop()
        let answer = Answer(name: "", isDeleted: false) { _ in .text("", status: 503) }
        let server = try LoopbackServer { Self.serve(shop.list, $0, answer.respond) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write("books.yaml", Self.pipeline(server.url, answer))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        shop.list.withLock { $0 = ["1"] }
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0 && run.output.contains("2 records of `books` are missing"), "\(run.output)")
        #expect(server.requests.map(\.path) == ["/books", "/books", "/books/2"])
        #expect(try present(scene, answer) == ["1", "2", "3"])
    }

    @Test func aKeyIsEncodedAndNeverLeadsOutOfItsPath() throws {
        let shop = Shop()
        let server = try LoopbackServer { Self.serve(shop.list, $0) { _ in .text("", status: 404) } }
        defer { server.stop() }
        shop.list.withLock { $0 = ["1", "a/../b?c#d", "..", "ü"] }
        let scene = try Scene(url: server.url)
        let answer = Answer(name: "", isDeleted: false) { _ in .hangUp }
        try scene.write("books.yaml", Self.pipeline(server.url, answer))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        shop.list.withLock { $0 = ["1"] }
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(
            run.code == 0 && run.output.contains("A field that its path names has no value that can stand in a path."),
            "\(run.output)")
        let asked = server.requests.map(\.path).filter { $0 != "/books" }
        #expect(asked == ["/books/a%2F..%2Fb%3Fc%23d", "/books/%C3%BC"])
        #expect(try present(scene, answer) == ["..", "1"])
    }

    /// A path may name any field, as the source last gave it, whatever somebody made of it since.
    @Test(arguments: ["{{ record.title }}", "{{ record.title }}-{{ key.id }}"])
    func anyFieldMayLeadToTheRecord(_ path: String) throws {
        let shop = Shop()
        let server = try LoopbackServer { Self.serve(shop.list, $0) { _ in .text("", status: 404) } }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let answer = Answer(name: "", isDeleted: true) { _ in .hangUp }
        let pipeline = Self.pipeline(server.url, answer).replacing("/books/{{ key.id }}?view=full", with: "/by/\(path)")
        try scene.write("books.yaml", pipeline)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE books SET title = 'edited' WHERE id = '3'")
        shop.list.withLock { $0 = ["1"] }
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let ending = path.contains("key") ? ["-2", "-3"] : ["", ""]
        #expect(server.requests.map(\.path).suffix(2) == ["/by/t\(ending[0])", "/by/t\(ending[1])"])
        // The edited row is a conflict, not a loss.
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "3"])
    }

    @Test(arguments: [
        ("{{ record.titel }}", "`titel` is no field of `Book`", "did you mean `title`"),
        ("{{ key.title }}", "`title` is no field of the primary key of `Book`", "Write `{{ record.title }}`"),
        ("{{ record }}", "variable is not known here", "{{ record.id }}"),
        ("x", "lacks `{{ key.id }}`", "does not name one record"),
    ])
    func aPathThatNamesNoFieldIsRefused(path: String, word: String, help: String) throws {
        let scene = try Scene(url: "http://127.0.0.1:9")
        let answer = Answer(name: "", isDeleted: true) { _ in .hangUp }
        let pipeline = Self.pipeline("http://127.0.0.1:9", answer)
        try scene.write("books.yaml", pipeline.replacing("{{ key.id }}?view=full", with: path))
        let result = try Program.run("validate", "books.yaml", in: scene.path)
        #expect(result.code == 78)
        #expect(result.errors.contains(word) || result.output.contains(word), "\(result.output)\(result.errors)")
        #expect(
            (result.errors + result.output).lowercased().contains(help.lowercased()), "\(result.output)\(result.errors)"
        )
    }

    @Test func whatIsAskedForIsRecordedAndReplayed() throws {
        let shop = Shop()
        let answer = Answer(name: "", isDeleted: true) { _ in .text("", status: 404) }
        let server = try LoopbackServer { Self.serve(shop.list, $0, answer.respond) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write("books.yaml", Self.pipeline(server.url, answer))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        shop.list.withLock { $0 = ["1", "2"] }
        let before = try StoreDump(scene.store)
        let recorded = try Program.run("record", "books.yaml", "--to", "kept", in: scene.path)
        #expect(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
        #expect(try StoreDump(scene.store).differences(from: before) == ["kept"])
        #expect(server.requests.map(\.path).suffix(2) == ["/books", "/books/3"])
        server.stop()
        for command in ["plan", "run"] {
            let result = try Program.run(command, "books.yaml", "--replay", "kept", in: scene.path)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains(command == "plan" ? "1 to delete" : "1 deleted"), "\(result.output)")
        }
        #expect(try present(scene, answer) == ["1", "2"])
        // What was not recorded ends the run, as a page does that is not there.
        #expect(try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path).code == 0)
        try scene.write("books.yaml", Self.pipeline(server.url, answer).replacing("view=full", with: "view=other"))
        let other = try Program.run("run", "books.yaml", "--replay", "kept", in: scene.path)
        #expect(other.code == 1 && other.errors.contains("view"), "\(other.output)\(other.errors)")
    }

    @Test func nothingIsWrittenWhileTheSourceIsAsked() throws {
        let shop = Shop()
        let isWritable = Mutex<Bool?>(nil)
        let scene = try Scene(url: "http://127.0.0.1:1")
        let server = try LoopbackServer { request in
            Self.serve(shop.list, request) { _ in
                let isFree = (try? scene.execute("CREATE TABLE IF NOT EXISTS notes (text TEXT)")) != nil
                isWritable.withLock { $0 = isFree }
                return .text("", status: 404)
            }
        }
        defer { server.stop() }
        let answer = Answer(name: "", isDeleted: true) { _ in .hangUp }
        try scene.write("books.yaml", Self.pipeline(server.url, answer))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        shop.list.withLock { $0 = ["1", "2"] }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(isWritable.withLock { $0 } == true)
        #expect(try present(scene, answer) == ["1", "2"])
    }

    @Test func countedPagesNeedNoSecondScanThen() throws {
        let shop = Shop()
        let server = try LoopbackServer { request in
            if request.path != "/books" { return .text("", status: 404) }
            let ids = shop.list.withLock { $0 }
            let page = (request.query ?? "").contains("page=2") ? ids.dropFirst() : ids.prefix(1)
            let isBeyond = (request.query ?? "").contains("page=3")
            let records = isBeyond ? [] : page.map { #"{"id":"\#($0)","title":"t"}"# }
            return .text("[" + records.joined(separator: ",") + "]")
        }
        defer { server.stop() }
        let answer = Answer(name: "", isDeleted: true) { _ in .hangUp }
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml", Self.pipeline(server.url, answer) + "\n    paginator: {type: page_number}\n")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        shop.list.withLock { $0 = ["1", "2"] }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try present(scene, answer) == ["1", "2"])
    }
}

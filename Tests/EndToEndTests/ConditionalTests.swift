import Foundation
import Synchronization
import TestSupport
import Testing

/// Pages that say of themselves whether they changed.
@Suite struct ConditionalTests {
    /// Pages with versions; a request that names the present one gets no body.
    private final class Pages: Sendable {
        let bodies: Mutex<[String: (version: Int, body: String)]>
        let usesTimes: Bool
        /// Whether a response without a body repeats the links.
        let repeatsLinks: Bool
        /// Whether a third page follows the second one.
        let hasGrown = Mutex(false)

        init(_ bodies: [String: (version: Int, body: String)], usesTimes: Bool = false, repeatsLinks: Bool = true) {
            self.bodies = Mutex(bodies)
            self.usesTimes = usesTimes
            self.repeatsLinks = repeatsLinks
        }

        func answer(_ request: ServerRequest) -> ServerResponse {
            let target = request.path + (request.query.map { "?\($0)" } ?? "")
            guard let (version, body) = bodies.withLock({ $0[target] }) else { return .text("no", status: 404) }
            let tag = usesTimes ? "Sat, 0\(version) Nov 2025 00:00:00 GMT" : "\"v\(version)\""
            if request.header(usesTimes ? "If-Modified-Since" : "If-None-Match") == tag {
                return .text("", status: 304, headers: [("ETag", tag)] + (repeatsLinks ? [link(target)] : []))
            }
            return .text(body, headers: [(usesTimes ? "Last-Modified" : "ETag", tag), link(target)])
        }

        private func link(_ target: String) -> (String, String) {
            let following: [String: Int] = hasGrown.withLock { $0 } ? ["/books": 2, "/books?page=2": 3] : ["/books": 2]
            return ("Link", following[target].map { "</books?page=\($0)>; rel=next" } ?? "</books>; rel=first")
        }
    }

    private static let two: [String: (version: Int, body: String)] = [
        "/books": (1, #"[{"id":1,"title":"a"}]"#), "/books?page=2": (1, #"[{"id":2,"title":"b"}]"#),
    ]

    private static func conditional(_ server: LoopbackServer) -> [Bool] {
        server.requests.map { $0.header("If-None-Match") != nil || $0.header("If-Modified-Since") != nil }
    }

    @Test("Nothing is read where nothing changed", arguments: [false, true])
    func unchanged(usesTimes: Bool) throws {
        let pages = Pages(Self.two, usesTimes: usesTimes)
        let server = try LoopbackServer { pages.answer($0) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let before = try StoreDump(scene.store)
        for command in ["plan", "run"] {
            let again = try Program.run(command, "books.yaml", "--format", "json", in: scene.path)
            #expect(again.code == 0, "\(again.errors)")
            for word in [#""not_modified":2"#, #""pages":0"#, #""read":0"#, #""complete":true"#, #""changes":[]"#] {
                #expect(again.output.contains(word), "\(word) in \(again.output)")
            }
        }
        #expect(Self.conditional(server) == [false, false, true, true, true, true])
        let plan = try Program.run("plan", "books.yaml", in: scene.path)
        #expect(plan.output == "Plan for books: nothing to change: both pages are as before\n")
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.output.contains("Run 3 of books: nothing changed: both pages are as before"), "\(run.output)")
        // The log says the same, of the stream and of the whole.
        let log = try Program.run("plan", "books.yaml", "--log-level", "info", in: scene.path).errors
        #expect(log.contains("books/books: both pages are as before, "), "\(log)")
        #expect(log.contains(" s, both pages are as before\n"), "\(log)")
        for command in ["status", "history"] {
            let told = try Program.run(command, "--store", "sqlite:shop.db", in: scene.path).output
            #expect(told.contains("nothing changed: both pages are as before"), "\(told)")
        }
        let kept = try Program.run("history", "3", "--format", "markdown", "--store", "sqlite:shop.db", in: scene.path)
        #expect(kept.output.contains("Run 3 of books: nothing changed: both pages are as before"), "\(kept.output)")
        #expect(try StoreDump(scene.store).differences(from: before) == [])
        // What was deleted by hand stays so, and `--full` reads all.
        let full = try Program.run("run", "books.yaml", "--full", "--format", "json", in: scene.path)
        #expect(full.output.contains(#""not_modified":0"#) && full.output.contains(#""read":2"#), "\(full.output)")
    }

    /// Within the second that it names a page may change once more, and the time stays the same.
    @Test(arguments: [("00", false), ("01", true)])
    func aTimeIsBelievedOnceItsSecondIsOver(sent: String, isBelieved: Bool) throws {
        let changed = "Sat, 01 Nov 2025 00:00:00 GMT"
        let server = try LoopbackServer { _ in
            .text("[]", headers: [("Last-Modified", changed), ("Date", "Sat, 01 Nov 2025 00:00:\(sent) GMT")])
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        for _ in 1...2 { #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0) }
        #expect(server.requests.map { $0.header("If-Modified-Since") } == [nil, isBelieved ? changed : nil])
    }

    @Test("An answer without a body that names another total than its page did has all pages read")
    func total() throws {
        let total = Mutex(1)
        let server = try LoopbackServer { request in
            let headers = [
                ("ETag", "\"v1\""), ("Link", "</books>; rel=first"), ("X-Total-Count", "\(total.withLock { $0 })"),
            ]
            return request.header("If-None-Match") == nil
                ? .text(#"[{"id":1,"title":"a"}]"#, headers: headers) : .text("", status: 304, headers: headers)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        for _ in 1...2 { #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0) }
        #expect(server.requests.count == 2, "the second run passes the page over")
        total.withLock { $0 = 2 }
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.output.contains(#""code":"more_pages""#), "\(run.output)")
        #expect(run.output.contains(#""complete":false"#), "\(run.output)")
    }

    @Test("A page that is gone behind one that did not change has all pages read", arguments: [404, 410])
    func shorter(status: Int) throws {
        let isShorter = Mutex(false)
        let server = try LoopbackServer { request in
            let isShorter = isShorter.withLock { $0 }
            if request.query != nil {
                return isShorter
                    ? .text("no", status: status)
                    : .text(#"[{"id":2,"title":"b"}]"#, headers: [("ETag", "\"v1\""), ("Link", "</books>; rel=first")])
            }
            let headers =
                [("ETag", "\"v1\"")] + (isShorter ? [] : [("Link", "</books?page=2>; rel=next")])
            return request.header("If-None-Match") == nil
                ? .text(#"[{"id":1,"title":"a"}]"#, headers: headers) : .text("", status: 304, headers: headers)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        isShorter.withLock { $0 = true }
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""read":1"#), "\(run.output)")
    }

    @Test func onePageThatChangedMakesAllBeRead() throws {
        let pages = Pages(Self.two)
        let server = try LoopbackServer { pages.answer($0) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        pages.bodies.withLock { $0["/books?page=2"] = (2, #"[{"id":2,"title":"new"}]"#) }
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains(#""requests":4"#) && run.output.contains(#""read":2"#), "\(run.output)")
        #expect(try scene.query("SELECT title FROM books ORDER BY id") == ["a", "new"])
        let quiet = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(quiet.output.contains(#""not_modified":2"#), "\(quiet.output)")
        // A first page that changed is read once.
        pages.bodies.withLock { $0["/books"] = (2, #"[{"id":1,"title":"A"}]"#) }
        let first = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(first.output.contains(#""requests":2"#), "\(first.output)")
        #expect(try scene.query("SELECT title FROM books ORDER BY id") == ["A", "new"])
    }

    @Test func whatIsNotSettledIsReadAgain() throws {
        let pages = Pages(Self.two)
        let server = try LoopbackServer { pages.answer($0) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE books SET title = 'mine' WHERE id = 1")
        pages.bodies.withLock { $0["/books"] = (2, #"[{"id":1,"title":"theirs"}]"#) }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        func isConditional(_ arguments: String...) throws -> Bool {
            let before = server.requests.count
            #expect(try Program.start(["run", "books.yaml"] + arguments, in: scene.path).wait().code == 0)
            return Self.conditional(server)[before]
        }
        #expect(try !isConditional(), "a conflict is open")
        #expect(
            try Program.run("conflicts", "resolve", "1", "--take", "local", "--store", "sqlite:shop.db", in: scene.path)
                .code == 0)
        #expect(try !isConditional(), "what was kept was not settled")
        #expect(try isConditional())
        // Another definition may read other things of the same pages.
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", pipeline.replacing("title: string", with: "title: string, name: {from: title}"))
        #expect(try !isConditional())
        #expect(try scene.query("SELECT name FROM books ORDER BY id") == ["theirs", "b"])
        #expect(try isConditional())
        // A table that is gone is filled from the start although the source did not change.
        try scene.execute("DROP TABLE books")
        #expect(try isConditional())
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
        // And so is what was taken back.
        let last = try #require(try scene.query("SELECT max(id) FROM _sluice_runs").first)
        #expect(try Program.run("undo", last, "--store", "sqlite:shop.db", in: scene.path).code == 0)
        _ = try Program.run("run", "books.yaml", in: scene.path)
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
    }

    /// A warning stands as long as the source is as it was, and so does the exit code of `--strict`.
    @Test("Records that share a key and differ are told in each run", arguments: [false, true])
    func differing(isDecided: Bool) throws {
        let pages = Pages(Self.two)
        pages.bodies.withLock { $0["/books"] = (1, #"[{"id":1,"title":"a"},{"id":1,"title":"b"}]"#) }
        let server = try LoopbackServer { pages.answer($0) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        if isDecided {
            let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
            try scene.write(
                "books.yaml", pipeline.replacing("path: /books", with: "path: /books\n    on_duplicate: last"))
        }
        for run in 1...3 {
            let before = server.requests.count
            let ended = try Program.run("run", "books.yaml", "--strict", in: scene.path)
            #expect(ended.code == (isDecided ? 0 : 3), "\(run): \(ended.output)")
            #expect(Self.conditional(server)[before] == (isDecided && run > 1))
            let status = try Program.run("status", "books.yaml", in: scene.path).output
            #expect(status.contains("share a key and differ") != isDecided, "\(status)")
        }
    }

    @Test("A page that follows unchanged ones is read", arguments: [true, false])
    func grown(repeatsLinks: Bool) throws {
        let pages = Pages(Self.two, repeatsLinks: repeatsLinks)
        let server = try LoopbackServer { pages.answer($0) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        pages.bodies.withLock { $0["/books?page=3"] = (1, #"[{"id":3,"title":"c"}]"#) }
        pages.hasGrown.withLock { $0 = true }
        let plan = try Program.run("plan", "books.yaml", "--detailed-exitcode", in: scene.path)
        #expect(plan.code == 2, "\(plan.output)\(plan.errors)")
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0 && run.output.contains(#""complete":true"#), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT title FROM books ORDER BY id") == ["a", "b", "c"])
    }

    @Test("Where a response without a body says nothing of the end, the last page alone is read again")
    func silent() throws {
        let pages = Pages(Self.two, repeatsLinks: false)
        let server = try LoopbackServer { pages.answer($0) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let again = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        for word in [#""not_modified":2"#, #""requests":3"#, #""read":0"#, #""complete":true"#] {
            #expect(again.output.contains(word), "\(word) in \(again.output)")
        }
        #expect(Self.conditional(server) == [false, false, true, true, false])
    }

    /// Books of one page, with their authors within them.
    private static func books(_ server: LoopbackServer, author: String = "name: string", more: String = "") throws
        -> Scene
    {
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"}
            entities:
              Book: {table: books, primary_key: id, fields: {id: int, author: {ref: Author}}}
              Author: {table: authors, primary_key: id, fields: {id: int, \(author)}}
            streams:
              - {name: books, entity: Book, path: /library}
              \(more)
            """)
        return scene
    }

    private static func library(_ name: String, version: Int) -> (version: Int, body: String) {
        (version, #"[{"id":1,"author":{"id":7,"name":"\#(name)"}}]"#)
    }

    private static func isConditional(_ scene: Scene, _ server: LoopbackServer) throws -> Bool? {
        let before = server.requests.count
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let request = server.requests.dropFirst(before).first { $0.path == "/library" }
        return request.map { $0.header("If-None-Match") != nil }
    }

    @Test func whatIsNotSettledWithinRecordsIsReadAgain() throws {
        let pages = Pages(["/library": Self.library("a", version: 1)])
        let server = try LoopbackServer { pages.answer($0) }
        defer { server.stop() }
        let scene = try Self.books(server)
        #expect(try Self.isConditional(scene, server) == false)
        #expect(try Self.isConditional(scene, server) == true)
        try scene.execute("UPDATE authors SET name = 'mine'")
        pages.bodies.withLock { $0["/library"] = Self.library("theirs", version: 2) }
        _ = try Self.isConditional(scene, server)
        // The conflict is closed by the run that finds both sides alike.
        try scene.execute("UPDATE authors SET name = 'theirs'")
        #expect(try Self.isConditional(scene, server) == false)
        #expect(try scene.query("SELECT status FROM _sluice_conflicts") == ["converged"])
        #expect(try Self.isConditional(scene, server) == true)
    }

    @Test func whatTheSourceOwnsWithinRecordsIsPutRight() throws {
        let pages = Pages(["/library": Self.library("a", version: 1)])
        let server = try LoopbackServer { pages.answer($0) }
        defer { server.stop() }
        let scene = try Self.books(server, author: "name: {type: string, owner: remote}")
        #expect(try Self.isConditional(scene, server) == false)
        try scene.execute("UPDATE authors SET name = 'mine'")
        #expect(try Self.isConditional(scene, server) == false)
        #expect(try scene.query("SELECT name FROM authors") == ["a"])
    }

    /// A row that another source made anew is one of which this source has to speak again.
    @Test func whatAnotherSourceMadeAnewIsReadAgain() throws {
        let pages = Pages([
            "/library": Self.library("a", version: 1), "/authors": (1, #"[{"id":7,"name":"a"}]"#),
        ])
        let server = try LoopbackServer { pages.answer($0) }
        defer { server.stop() }
        let scene = try Self.books(
            server,
            more:
                "- {name: authors, entity: Author, path: /authors, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}"
        )
        #expect(try Self.isConditional(scene, server) == false)
        #expect(try Self.isConditional(scene, server) == true)
        pages.bodies.withLock { $0["/authors"] = (2, "[]") }
        #expect(try Self.isConditional(scene, server) == true)
        #expect(try scene.query("SELECT count(*) FROM authors") == ["0"])
        pages.bodies.withLock { $0["/authors"] = (3, #"[{"id":7,"name":"b"}]"#) }
        #expect(try Self.isConditional(scene, server) == true)
        #expect(try scene.query("SELECT name FROM authors") == ["b"])
        #expect(try Self.isConditional(scene, server) == false)
        #expect(try scene.query("SELECT name FROM authors") == ["b"])
    }
}

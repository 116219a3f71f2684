import Foundation
import TestSupport
import Testing

/// What a run that keeps its pages does with records that concern several of them.
@Suite struct PageCommitTests {
    private func run(_ scene: Scene, _ arguments: String...) throws -> Program.Result {
        try Program.start(["run", "books.yaml", "--format", "json"] + arguments, in: scene.path).wait()
    }

    private static func book(_ id: Int, _ title: String, at: Int = 1) -> String {
        #"{"id": \#(id), "title": "\#(title)", "price": \#(at)}"#
    }

    /// A key that is on two pages.
    @Test(
        "on_duplicate",
        arguments: [
            ("last", "b", #""duplicates":2,"quarantined":0"#), ("first", "a", #""duplicates":2,"quarantined":0"#),
            ("newest", "a", #""duplicates":2,"quarantined":0"#),
            ("quarantine", "a", #""duplicates":1,"quarantined":1"#), ("fail", "a", #""status":"failed""#),
        ])
    func duplicates(_ rule: String, _ title: String, _ counts: String) throws {
        let source = PagedSource(
            .headerLink,
            pages: [
                [Self.book(1, "a", at: 5), Self.book(2, "x")], [Self.book(3, "x"), Self.book(1, "b", at: 4)],
                [Self.book(4, "x"), Self.book(2, "x")],
            ])
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url, extra: "on_duplicate: \(rule)")
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            pipeline.replacing(
                "table: books", with: rule == "newest" ? "table: books\n    newest: {field: price}" : "table: books"
            )
            .replacing("price: decimal", with: "price: int"))
        let plan = try Program.run("plan", "books.yaml", "--format", "json", in: scene.path)
        let result = try run(scene)
        #expect(result.code == (rule == "fail" ? 1 : 0), "\(result.output)")
        #expect(plan.code == result.code)
        #expect(result.output.contains(counts), "\(result.output)")
        #expect(plan.output.contains(counts), "\(plan.output)")
        if rule == "fail" {
            #expect(result.output.contains("1 page is kept; the next run continues at page 2."), "\(result.output)")
            #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "2"])
        } else {
            #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["1", "2", "3", "4"])
            let undo = try Program.run("undo", "1", "--store", "sqlite:shop.db", in: scene.path)
            #expect(undo.code == 0, "\(undo.output)")
            #expect(try scene.query("SELECT id FROM books") == [])
        }
        if rule != "fail" { #expect(try self.run(scene).code == 0) }
        #expect(try scene.query("SELECT title FROM books WHERE id = 1") == [title])
    }

    /// The first page had a title, and an edit keeps the default out that takes its place.
    @Test(arguments: ["last", "quarantine", "fail"])
    func aDefaultMakesNoDifferenceOfARecordThatIsThereTwice(rule: String) throws {
        let source = PagedSource(.headerLink, pages: [[#"{"id": 1, "title": "s"}"#], [#"{"id": 2}"#]])
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url, extra: "on_duplicate: \(rule)")
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        #expect(pipeline.contains("title: string"))
        try scene.write(
            "books.yaml", pipeline.replacing("title: string", with: "title: {type: string, default: d}"))
        #expect(try run(scene).code == 0)
        try scene.execute("UPDATE books SET title = 'h' WHERE id = 1")
        source.pages = [[#"{"id": 1}"#], [#"{"id": 1}"#, #"{"id": 2}"#]]
        let result = try run(scene, "--strict")
        #expect(result.code == 0 && result.output.contains(#""duplicates":1,"quarantined":0"#), "\(result)")
        #expect(try scene.query("SELECT title FROM books ORDER BY id") == ["h", "d"])
    }

    @Test func whatPeopleShouldKnowOfPagesStandsInStatus() throws {
        let source = PagedSource(
            .headerLink, pages: [[Self.book(1, "a"), Self.book(1, "b")], [Self.book(2, "x")], [Self.book(3, "x")]])
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        func warnings() throws -> String {
            let status = try Program.run("status", "--store", "sqlite:shop.db", "--format", "json", in: scene.path)
            return status.output.contains("differing_duplicates") ? "told" : status.output
        }
        source.faults = [3: .cut(at: 0.5)]
        #expect(try run(scene).code == 1)
        #expect(try warnings() == "told")
        source.faults = [:]
        #expect(try run(scene, "--full").code == 0)
        #expect(try warnings() == "told")
    }

    @Test func pagesThatGoInACircleEndTheRun() throws {
        let page = PagedSource.records(1...3)
        let source = PagedSource(.cursor, pages: [page, PagedSource.records(4...6), [page[1], page[0]], []])
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        let result = try run(scene)
        #expect(result.code == 1)
        #expect(result.output.contains("pagination_loop"), "\(result.output)")
        #expect(result.output.contains("2 pages are kept"), "\(result.output)")
        #expect(!(result.output + result.errors).contains("as before"), "\(result.output)")
    }

    @Test func quarantineOfTheKilledPartStaysOpen() throws {
        let bad = #"{"id": 2, "title": "x", "price": "dear"}"#
        let source = PagedSource(
            .headerLink, pages: [[Self.book(1, "a"), bad], [Self.book(3, "c")], [Self.book(4, "d")]])
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        source.faults = [3: .cut(at: 0.5)]
        #expect(try run(scene).code == 1)
        source.faults = [:]
        #expect(try run(scene).code == 0)
        #expect(try scene.query("SELECT status, first_run FROM _sluice_quarantine") == ["open|1"])
        source.pages = [[Self.book(1, "a")], [Self.book(3, "c")], [Self.book(4, "d")]]
        #expect(try run(scene).code == 0)
        #expect(try scene.query("SELECT status FROM _sluice_quarantine") != ["open"])
    }

    @Test func deletesAreCountedFromBeforeTheScan() throws {
        let source = PagedSource(.headerLink, pages: PagedSource.pages(Array(1...20), size: 5))
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", pipeline.replacing("max_delete: 100%", with: "max_delete: 10%, min_records: 10"))
        #expect(try run(scene).code == 0)
        source.pages = PagedSource.pages(Array(4...20) + Array(101...110), size: 5)
        source.faults = [3: .cut(at: 0.5)]
        #expect(try run(scene).code == 1)
        source.faults = [:]
        let refused = try run(scene)
        #expect(refused.code == 4 && refused.output.contains("10% of 20"), "\(refused.output)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["30"], "all but the deletes is kept")
        #expect(try run(scene, "--allow-deletes", "3").code == 0)
        #expect(try scene.query("SELECT count(*) FROM books") == ["27"])
    }

    @Test func oneOfTwoStreamsMayFail() throws {
        let good = PagedSource(.headerLink, pages: PagedSource.pages(Array(1...6), size: 2))
        let server = try LoopbackServer { request in
            if request.path != "/books" { return .text("no", status: 404) }
            return good.answer(request)
        }
        defer { server.stop() }
        let scene = try Scene(good, url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            pipeline.replacing("streams:", with: "streams:\n  - {name: gone, entity: Other, path: /gone}")
                .replacing(
                    "entities:", with: "entities:\n  Other: {table: others, primary_key: [id], fields: {id: int}}"))
        let result = try run(scene)
        #expect(result.code == 5, "\(result.output)\(result.errors)")
        #expect(result.output.contains(#""status":"partial""#))
        #expect(try scene.query("SELECT count(*) FROM books") == ["6"])
        #expect(try scene.query("SELECT status, inserted FROM _sluice_runs") == ["partial|6"])
    }

    @Test func aPlanKeepsNothingOfAStreamThatFails() throws {
        let good = PagedSource(.headerLink, pages: [PagedSource.records(1...3)])
        // The key comes twice, so far apart that records between were merged before that is found.
        let records = (1...5_000).map { Self.book($0, "x") } + [Self.book(1, "y")]
        let server = try LoopbackServer { request in
            if request.path == "/books" { return good.answer(request) }
            return .text("[\(records.joined(separator: ","))]")
        }
        defer { server.stop() }
        let scene = try Scene(good, url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            "merge: {precedence: [twice, books]}\n"
                + pipeline.replacing(
                    "streams:", with: "streams:\n  - {name: twice, entity: Book, path: /twice, on_duplicate: fail}"))
        let plan = try Program.run("plan", "books.yaml", "--format", "json", in: scene.path)
        let result = try run(scene)
        #expect(try scene.query("SELECT count(*) FROM books") == ["3"])
        for result in [plan, result] {
            #expect(result.code == 5, "\(result.output)\(result.errors)")
            #expect(result.output.contains(#""insert":3,"#), "\(result.output)")
        }
    }

    @Test("The cursor moves by page where the source says that later pages are later", arguments: ["asc", "none"])
    func cursors(order: String) throws {
        let source = PagedSource(
            .cursor, pages: (0..<4).map { page in (1...3).map { Self.book(page * 3 + $0, "x", at: page * 3 + $0) } })
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(
            source, url: server.url, extra: "incremental: {cursor_field: price, client_side: true, order: \(order)}")
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            pipeline.replacing("price: decimal", with: "price: int").replacing("\ncommit: page\n", with: ""))
        let cursor = "SELECT value FROM _sluice_state WHERE name = 'cursor.price'"
        source.faults = [3: .cut(at: 0.2)]
        #expect(try run(scene).code == 1)
        #expect(try scene.query(cursor) == (order == "asc" ? ["6"] : []))
        source.faults = [:]
        let resumed = try run(scene)
        #expect(resumed.output.contains(#""resumed_at_page":3"#), "\(resumed.output)")
        #expect(try scene.query(cursor) == ["12"])
        #expect(try scene.query("SELECT count(*) FROM books") == ["12"])
    }

    @Test func windowsOfTimeGoOnWhereTheyWereBrokenOff() throws {
        let month = { @Sendable (request: ServerRequest) -> String in
            String((request.query ?? "").dropFirst("since=".count).prefix(10))
        }
        let faulty = Gate()
        let server = try LoopbackServer { request in
            let since = month(request)
            if since == "2024-03-03" && request.number < 5 { return .text("no", status: 500) }
            let id = since.filter(\.isNumber)
            return .text(#"[{"id":\#(id),"title":"x","at":"\#(since)T00:00:00Z"}]"#)
        }
        faulty.open()
        defer { server.stop() }
        let scene = try Scene(
            url: server.url,
            extra: """
                incremental: {cursor_field: at, initial_value: "2024-01-01T00:00:00Z", step: 31d, format: rfc3339}
                    params: {since: "{{ cursor.start | date }}", until: "{{ cursor.end | date }}"}
                """)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", pipeline.replacing("price: decimal", with: "at: datetime"))
        let bounds = ["--to", "2024-05-20T00:00:00Z"]
        func sync(_ more: [String]) throws -> Program.Result {
            try Program.start(["run", "books.yaml", "--format", "json"] + more, in: scene.path).wait()
        }
        let broken = try sync(bounds)
        #expect(broken.code == 1, "\(broken.output)")
        #expect(try scene.query("SELECT id FROM books ORDER BY id") == ["20240101", "20240201"])
        let before = server.requests.count
        // Other bounds are another scan.
        #expect(try sync(["--to", "2024-02-20T00:00:00Z"]).code == 0)
        #expect(month(server.requests[before]) == "2024-01-01")
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
        #expect(try sync(bounds).code == 0)
        #expect(
            try scene.query("SELECT id FROM books ORDER BY id") == [
                "20240101", "20240201", "20240303", "20240403", "20240504",
            ])
    }

    @Test func secretsOfLinksAreNotKept() throws {
        let source = PagedSource(.headerLink, pages: PagedSource.pages(Array(1...9), size: 3))
        let server = try LoopbackServer { request in
            guard request.query?.contains("key=s3cret") == true, request.query?.contains("also=hush") == true else {
                return .text("no", status: 403)
            }
            var response = source.answer(request)
            for index in response.headers.indices where response.headers[index].name == "Link" {
                response.headers[index].value = response.headers[index].value
                    .replacingOccurrences(of: ">", with: "&key=s3cret&also=hush>")
            }
            return response
        }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            pipeline.replacing(
                "retry: {max_attempts: 1}",
                with:
                    "retry: {max_attempts: 1}, auth: {type: api_key, in: query, name: key, value: \"${env:KEY}\"}, params: {also: \"${env:ALSO}\"}"
            ))
        let environment = ["KEY": "s3cret", "ALSO": "hush"]
        source.faults = [2: .status(500)]
        let broken = try Program.start(["run", "books.yaml"], in: scene.path, environment: environment).wait()
        #expect(broken.code == 1 && broken.output.contains("continues at page 2"), "\(broken.output)\(broken.errors)")
        let state = try scene.query("SELECT state FROM _sluice_scans").joined()
        #expect(state.contains("at=p2") && !state.contains("s3cret") && !state.contains("hush"), "\(state)")
        source.faults = [:]
        _ = source.takeAsked()
        let next = try Program.start(["run", "books.yaml"], in: scene.path, environment: environment).wait()
        #expect(next.code == 0, "\(next.output)\(next.errors)")
        #expect(source.takeAsked() == [2, 3])
        #expect(try scene.query("SELECT count(*) FROM books") == ["9"])
    }

    @Test func pagesThatDidNotChangeAreNotRead() throws {
        let source = PagedSource(.headerLink, pages: PagedSource.pages(Array(1...6), size: 2))
        let server = try LoopbackServer { request in
            if request.header("If-None-Match") == "\"1\"" {
                return .text("", status: 304, headers: [("ETag", "\"1\"")])
            }
            var response = source.answer(request)
            response.headers.append(("ETag", "\"1\""))
            return response
        }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        #expect(try run(scene).code == 0)
        let before = try scene.contents()
        let quiet = try run(scene)
        #expect(
            quiet.output.contains(#""not_modified":3"#) && quiet.output.contains(#""complete":true"#), "\(quiet.output)"
        )
        #expect(try scene.contents() == before)
        try scene.execute("DROP TABLE books")
        #expect(try run(scene).code == 0)
        #expect(try scene.query("SELECT count(*) FROM books") == ["6"])
    }

    @Test func uniqueValuesPassWithinAPageAndThenWithTheNextRun() throws {
        let source = PagedSource(
            .headerLink, pages: [[Self.book(1, "a"), Self.book(2, "b")], [Self.book(3, "c"), Self.book(4, "d")]])
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let scene = try Scene(source, url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", pipeline.replacing("table: books", with: "table: books\n    unique: [[title]]"))
        #expect(try run(scene).code == 0)
        source.pages = [[Self.book(1, "b"), Self.book(2, "a")], [Self.book(3, "c"), Self.book(4, "d")]]
        #expect(try run(scene).code == 0)
        #expect(try scene.query("SELECT title FROM books ORDER BY id") == ["b", "a", "c", "d"])
        source.pages = [[Self.book(1, "d"), Self.book(2, "a")], [Self.book(3, "c"), Self.book(4, "e")]]
        #expect(try run(scene).code == 0)
        #expect(try scene.query("SELECT title FROM books ORDER BY id") == ["b", "a", "c", "e"])
        #expect(try run(scene).code == 0)
        #expect(try scene.query("SELECT title FROM books ORDER BY id") == ["d", "a", "c", "e"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["0"])
    }
}

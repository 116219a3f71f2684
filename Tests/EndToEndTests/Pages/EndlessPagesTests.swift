import Foundation
import Synchronization
import TestSupport
import Testing

/// Sources that never come to an end.
@Suite struct EndlessPagesTests {
    private static func scene(_ server: LoopbackServer, source: String = "", stream: String = "") throws -> Scene {
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}\(source)}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - name: books
                entity: Book
                path: /books
                records: $.data[*]
                paginator: {type: json_link, path: next}
                \(stream)
            """)
        return scene
    }

    struct Circle: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How many pages the circle has.
        var length = 1
        var stream = ""
        /// Whether each record is told anew, with the same key.
        var isVolatile = false
        /// What stands before the records of each page.
        var first = ""
    }

    @Test(
        "The same records come again, whatever leads to them",
        arguments: [
            Circle(testDescription: "one page"), Circle(testDescription: "three pages", length: 3),
            Circle(testDescription: "records that change with each answer", isVolatile: true),
            Circle(testDescription: "kept page by page", stream: "commit: page"),
            Circle(testDescription: "kept page by page, and changing", stream: "commit: page", isVolatile: true),
            Circle(testDescription: "a pinned record on each page", length: 3, first: #"{"id":0,"title":"pinned"},"#),
        ])
    func circle(test: Circle) throws {
        let count = Atomic(0)
        let server = try LoopbackServer { _ in
            let number = count.add(1, ordering: .sequentiallyConsistent).newValue
            let page = (number - 1) % test.length
            let title = test.isVolatile ? "at \(number)" : "t"
            let records = (1...2).map { #"{"title":"\#(title)","id":\#(page * 2 + $0)}"# }.joined(separator: ",")
            return .text(#"{"data":[\#(test.first)\#(records)],"next":"/books?token=\#(number)"}"#)
        }
        defer { server.stop() }
        let scene = try Self.scene(server)
        if !test.stream.isEmpty {
            let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
            try scene.write("books.yaml", text + "\n" + test.stream)
        }
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 1, "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""code":"pagination_loop""#), "\(run.output)")
        #expect(server.requests.count <= test.length + 3)
    }

    @Test(
        "A list of changes whose records come again as they were, whatever leads to them", arguments: ["run", "page"],
        [1, 3])
    func changes(commit: String, length: Int) throws {
        let count = Atomic(0)
        let server = try LoopbackServer { _ in
            let number = count.add(1, ordering: .sequentiallyConsistent).newValue
            if number > 50 { return .text(#"{"data":[],"sync":"s"}"#) }
            return .text(#"{"data":[{"id":1,"title":"t\#(number % length)"}],"next":"/books?token=\#(number)"}"#)
        }
        defer { server.stop() }
        let scene = try Self.scene(
            server, stream: "incremental: {token: sync, token_param: since}\n    deleted_when: \"false\"")
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text + "\ncommit: \(commit)\n")
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 1 && run.output.contains(#""code":"pagination_loop""#), "\(run.output)\(run.errors)")
        #expect(run.output.contains("has no record that an earlier page did not have"), "\(run.output)")
        #expect(server.requests.count <= length + 3)
    }

    /// Records without what identifies them go to quarantine: nothing says that they are others than before.
    @Test(
        "Pages whose records have no identifier are a circle after a hundred of them",
        arguments: ["run", "page"],
        [
            // The same records each time; records that differ each time; and those that say there is none.
            (#"{"title":"t"}"#, 100), (#"{"title":"t","at":N}"#, 100), (#"{"id":null,"at":N}"#, 100),
            // One that has an identifier, the same each time, behind one that has none.
            (#"{"title":"t","at":N},{"id":1,"title":"t"}"#, 3),
        ])
    func keyless(commit: String, records: (text: String, most: Int)) throws {
        let count = Atomic(0)
        let server = try LoopbackServer { _ in
            let number = count.add(1, ordering: .sequentiallyConsistent).newValue
            if number > 300 { return .text(#"{"data":[]}"#) }
            let data = records.text.replacing("N", with: "\(number)")
            return .text(#"{"data":[\#(data)],"next":"/books?token=\#(number)"}"#)
        }
        defer { server.stop() }
        let scene = try Self.scene(server)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text + "\ncommit: \(commit)")
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 1 && run.output.contains(#""code":"pagination_loop""#), "\(run.output)\(run.errors)")
        #expect(server.requests.count <= records.most)
    }

    @Test("A pinned record on top of every page is no circle")
    func pinned() throws {
        let server = try LoopbackServer { request in
            let page = request.query.flatMap { Int($0.dropFirst("page=".count)) } ?? 1
            let next = page < 4 ? #""/books?page=\#(page + 1)""# : "null"
            return .text(#"{"data":[{"id":0,"title":"pinned"},{"id":\#(page),"title":"t"}],"next":\#(next)}"#)
        }
        defer { server.stop() }
        let scene = try Self.scene(server)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["5"])
    }

    @Test(
        "A last page whose records came before ends the reading, and proves nothing gone until it is confirmed",
        arguments: ["run", "page"])
    func lastPage(commit: String) throws {
        let server = try LoopbackServer { request in
            request.query == nil
                ? .text(#"{"data":[{"id":1,"title":"a"},{"id":3,"title":"c"}],"next":"/books?page=2"}"#)
                : .text(#"{"data":[{"id":3,"title":"new"}],"next":null}"#)
        }
        defer { server.stop() }
        let scene = try Self.scene(server)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text + "\ncommit: \(commit)\n")
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(!run.output.contains("pagination_loop"))
        #expect(try scene.query("SELECT id || title FROM books ORDER BY id") == ["1a", "3new"])
    }

    @Test("A last page that is the first one again is a circle, as where a parameter is ignored")
    func ignoredParameter() throws {
        let server = try LoopbackServer { _ in
            .text(#"{"data":[{"id":1,"title":"a"}],"total_pages":2}"#)
        }
        defer { server.stop() }
        let scene = try Self.scene(server)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            text.replacing(/paginator: \{.*\}/, with: "paginator: {type: page_number, total_pages_path: total_pages}"))
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 1, "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""code":"pagination_loop""#), "\(run.output)")
        #expect(run.output.contains("ignores `page` (`page_param`)"), "\(run.output)")
    }

    struct Bare: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The records of the first page.
        var first = ""
        var stream = ""
        var commit = "run"
        /// How many pages without a record come before the last one; nil for no end of them.
        var count: Int?
        /// Whether they end the run as a circle.
        var isCircle = true
        /// What stands on each page beside its records.
        var beside = ""
    }

    @Test(
        "Pages without a record that lead on are a circle after a hundred of them",
        arguments: [
            Bare(testDescription: "from the first page on"),
            Bare(testDescription: "behind a record", first: #"{"id":1,"title":"t"}"#),
            Bare(testDescription: "page by page", first: #"{"id":1,"title":"t"}"#, commit: "page"),
            Bare(testDescription: "the first page among them, page by page", commit: "page"),
            Bare(testDescription: "some of them", count: 99, isCircle: false),
            Bare(testDescription: "some of them, page by page", commit: "page", count: 99, isCircle: false),
            Bare(testDescription: "as many as allowed", stream: "max_pages: 200", count: 120, isCircle: false),
            Bare(
                testDescription: "a program leaves nothing", stream: "records: {jq: '.data[] | select(.id > 0)'}",
                count: 120, isCircle: false, beside: #"{"id":0}"#),
            Bare(
                testDescription: "a filter leaves nothing", stream: "records: '$.data[?@.id > 0]'", count: 120,
                isCircle: false, beside: #"{"id":0}"#),
            Bare(testDescription: "a filter finds nothing", stream: "records: '$.data[?@.id > 0]'"),
        ])
    func bare(test: Bare) throws {
        let count = Atomic(0)
        let server = try LoopbackServer { request in
            let number = count.add(1, ordering: .sequentiallyConsistent).newValue
            let isLast = test.count.map { number > $0 } ?? false
            // Each page has a record of its own, so that only what is left of it is nothing.
            let other = test.beside.replacing("0", with: "-\(number)")
            let records =
                isLast ? #"{"id":2,"title":"t"}"# : request.query == nil && !test.first.isEmpty ? test.first : other
            let next = isLast ? "null" : #""/books?t=\#(number)""#
            return .text(#"{"data":[\#(records)],"next":\#(next)}"#)
        }
        defer { server.stop() }
        let scene = try Self.scene(server)
        var text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        if test.stream.hasPrefix("records") {
            text = text.replacing("records: $.data[*]", with: test.stream)
        } else if !test.stream.isEmpty {
            text = text.replacing("path: next}", with: "path: next, \(test.stream)}")
        }
        try scene.write("books.yaml", text + "\ncommit: \(test.commit)\n")
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == (test.isCircle ? 1 : 0), "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""code":"pagination_loop""#) == test.isCircle, "\(run.output)")
        #expect(run.output.contains("100th page in a row without a record") == test.isCircle, "\(run.output)")
        if test.isCircle { #expect(server.requests.count <= 102) }
    }

    /// A source with a new record on each of its pages, of which there is no end; after a few pages it waits for a gate.
    private static func endless(_ gate: Gate) throws -> LoopbackServer {
        let count = Atomic(0)
        return try LoopbackServer { _ in
            let number = count.add(1, ordering: .sequentiallyConsistent).newValue
            if number > 5 { gate.wait() }
            return .text(#"{"data":[{"id":\#(number),"title":"t"}],"next":"/books?token=\#(number)"}"#)
        }
    }

    @Test("A run ends when its time is over", arguments: ["run", "page"])
    func deadline(commit: String) throws {
        let gate = Gate()
        let server = try Self.endless(gate)
        defer {
            gate.open()
            server.stop()
        }
        let scene = try Self.scene(server, source: ", timeout: {run: 700ms}")
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text + "\ncommit: \(commit)\n")
        let start = ContinuousClock.now
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(run.code == 1, "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""code":"run_timed_out""#), "\(run.output)")
        #expect(run.output.contains("timeout: {run: 700ms}"), "\(run.output)")
        #expect(run.errors.contains("longer than 700ms"), "\(run.errors)")
        if commit == "page" {
            let kept = try scene.query("SELECT count(*) FROM books").first.flatMap { Int($0) } ?? 0
            #expect(kept > 0 && run.output.contains("the next run continues at page \(kept + 1)"), "\(run.output)")
        }
    }

    @Test("A run whose time is over while a request is tried again names what failed", arguments: ["run", "page"])
    func deadlineWithinRetries(commit: String) throws {
        let server = try LoopbackServer { _ in ServerResponse(status: 500, body: .bytes(Array("out of order".utf8))) }
        defer { server.stop() }
        let retry = "retry: {max_attempts: 100, base: 500ms, max_wait: 1h}"
        let scene = try Self.scene(server, source: ", timeout: {run: 400ms}")
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml", text.replacing("retry: {max_attempts: 1}", with: retry) + "\ncommit: \(commit)\n")
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 1 && run.output.contains(#""code":"run_timed_out""#), "\(run.output)\(run.errors)")
        for part in ["without an answer after ", "the server answered 500", "out of order", "retry.max_attempts"] {
            #expect(run.output.contains(part), "\(part): \(run.output)")
        }
    }

    @Test("The store knows how long a run took that failed")
    func failedAfterItsTime() throws {
        let gate = Gate()
        let count = Atomic(0)
        let server = try LoopbackServer { _ in
            if count.add(1, ordering: .sequentiallyConsistent).newValue > 1 { gate.wait() }
            return .text(#"{"data":[{"id":1,"title":"t"}],"next":null}"#)
        }
        defer {
            gate.open()
            server.stop()
        }
        let scene = try Self.scene(server, source: ", timeout: {run: 2s}")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 1)
        let history = try Program.run("history", "2", "books.yaml", "--format", "json", in: scene.path)
        let seconds = history.output.firstMatch(of: #/"status":"failed".*"duration_seconds":(\d+)/#).flatMap {
            Int($0.1)
        }
        #expect(seconds.map { $0 >= 1 } == true, "\(history.output)")
    }

    @Test("A run within its time is as any other")
    func inTime() throws {
        let server = try LoopbackServer { _ in .text(#"{"data":[{"id":1,"title":"t"}],"next":null}"#) }
        defer { server.stop() }
        let scene = try Self.scene(server, source: ", timeout: {run: 1h}")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
    }

    /// Authors stand beside the articles of each page, and come again with the articles of other pages.
    @Test("With a limit of pages, pages may repeat records", arguments: ["run", "page"])
    func sideloaded(commit: String) throws {
        let server = try LoopbackServer { request in
            let page = request.query.flatMap { Int($0.suffix(1)) } ?? 1
            let next = page < 4 ? #""/books?page=\#(page + 1)""# : "null"
            return .text(
                #"{"data":[{"id":\#(page)}],"included":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"links":{"next":\#(next)}}"#
            )
        }
        defer { server.stop() }
        let paginator = "paginator: {type: json_link, path: links.next"
        func run(_ extra: String) throws -> (Int32, [String]) {
            let scene = try Scene(url: server.url, extra: "records: $.included[*]\n    \(paginator)\(extra)}")
            let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
            try scene.write("books.yaml", pipeline.replacing("version: 1", with: "version: 1\ncommit: \(commit)"))
            let result = try Program.run("run", "books.yaml", in: scene.path)
            #expect(result.code == 0 || result.errors.contains("`max_pages` allows that"), "\(result.errors)")
            return (Int32(result.code), result.code == 0 ? try scene.query("SELECT id FROM books ORDER BY id") : [])
        }
        #expect(try run("").0 == 1)
        #expect(try run(", max_pages: 50") == (0, ["1", "2"]))
    }
}

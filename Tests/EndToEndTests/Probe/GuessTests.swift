import Foundation
import Synchronization
import TestSupport
import Testing

/// The parameter of a cursor has to be guessed: what becomes of guesses that fail, and what is said of them.
@Suite struct GuessTests {
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        /// The parameter that leads on; nil for none.
        let parameter: String?
        /// What is answered where it is asked with another one.
        let answer: ServerResponse
        /// What `probe` says of it.
        let words: [String]
        var member = "next_cursor"
        var testDescription: String { name }

        func respond(_ request: ServerRequest) -> ServerResponse {
            let parts = (request.query ?? "").split(separator: "=").map(String.init)
            guard parts.isEmpty || parts.first == parameter else { return answer }
            let page = parts.last.flatMap { Int($0.dropFirst()) } ?? 1
            let next = page < 3 ? "\"c\(page + 1)\"" : "null"
            return .text(#"{"data":\#(Things.page(page, size: 8, of: 20)),"\#(member)":\#(next)}"#)
        }
    }

    private static let found = [
        Source(
            name: "`after`, and 500 for others", parameter: "after", answer: .text("oops", status: 500),
            words: ["cursor, $.next_cursor sent back as after"]),
        Source(
            name: "`after`, and no answer to others", parameter: "after", answer: .reset,
            words: ["cursor, $.next_cursor sent back as after"]),
        Source(
            name: "`start_cursor`, as of Notion", parameter: "start_cursor", answer: .text("{}", status: 400),
            words: ["cursor, $.next_cursor sent back as start_cursor"]),
        Source(
            name: "`startCursor`", parameter: "startCursor", answer: .text("{}", status: 503),
            words: ["cursor, $.nextCursor sent back as startCursor"], member: "nextCursor"),
    ]

    @Test(arguments: found)
    func aGuessThatFailsDoesNotEndTheSearch(source: Source) throws {
        let server = try LoopbackServer { source.respond($0) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let probe = try Program.run("probe", server.url + "/things", in: scene.path)
        for word in source.words { #expect(probe.output.contains(word), "\(probe.output)\(probe.errors)") }
        let result = try Program.run(
            "import", server.url + "/things", "--store", "sqlite:shop.db", "--strict", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM things") == ["20"])
    }

    private static let sought = [
        Source(
            name: "500 for all", parameter: nil, answer: .text("oops", status: 500),
            words: ["4 parameters were tried, and all failed: ", "500"]),
        Source(
            name: "500 for the only one", parameter: nil, answer: .text("oops", status: 500),
            words: ["1 parameter was tried, and it failed: ", "500"], member: "marker"),
        Source(
            name: "400 for all", parameter: nil, answer: .text("{}", status: 400),
            words: ["no parameter that was tried leads to another page"]),
    ]

    @Test(arguments: sought)
    func guessesInVainAreCounted(source: Source) throws {
        let server = try LoopbackServer { source.respond($0) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let probe = try Program.run("probe", server.url + "/things", in: scene.path)
        for word in source.words { #expect(probe.output.contains(word), "\(probe.output)\(probe.errors)") }
        let isFailed = source.words.count > 1
        #expect(probe.output.contains("no parameter that was tried") == !isFailed, "\(probe.output)")
        // Each was sent once.
        #expect(Set(server.requests.map(\.target)).count == server.requests.count, "\(server.requests.map(\.target))")
        let result = try Program.run(
            "import", server.url + "/things", "--store", "sqlite:shop.db", "--strict", "--write-pipeline",
            "things.yaml", in: scene.path)
        #expect(result.code == 3 && result.output.contains("8 inserted"), "\(result.output)\(result.errors)")
        for word in source.words { #expect(result.output.contains(word), "\(result.output)") }
        #expect(!(result.output + probe.output).contains("..\n"), "\(result.output)\(probe.output)")
        // What nothing speaks for does not look as if somebody had chosen it.
        let text = try String(contentsOfFile: scene.folder.file("things.yaml"), encoding: .utf8)
        #expect(!text.contains("    paginator:") && text.contains("    # No paginator: `"), "\(text)")
        let run = try Program.run("run", "things.yaml", "--strict", in: scene.path)
        #expect(run.code == 3, "\(run.output)\(run.errors)")
    }

    @Test func aGuessThatHangsIsGivenUpSoon() throws {
        let door = Gate()
        let source = Source(name: "", parameter: "after", answer: .hangUp, words: [])
        let server = try LoopbackServer { request in
            if request.query?.hasPrefix("cursor=") == true { door.wait() }
            return source.respond(request)
        }
        defer { server.stop() }
        defer { door.open() }
        let scene = try Scene(records: 1)
        let start = ContinuousClock.now
        let probe = try Program.run("probe", server.url + "/things", in: scene.path)
        #expect(ContinuousClock.now - start < .seconds(25))
        #expect(probe.output.contains("cursor, $.next_cursor sent back as after"), "\(probe.output)\(probe.errors)")
    }

    @Test(arguments: ["probe", "import"])
    func aPauseThatTheServerAsksForIsTold(command: String) throws {
        let asked = Mutex(0)
        let source = Source(name: "", parameter: "cursor", answer: .hangUp, words: [])
        let server = try LoopbackServer { request in
            let isSecond = asked.withLock {
                $0 += 1
                return $0 == 2
            }
            return isSecond ? .text("", status: 429, headers: [("Retry-After", "1")]) : source.respond(request)
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let more = command == "import" ? ["--store", "sqlite:shop.db"] : []
        let result = try Program.start(
            [command, server.url + "/things", "--log-level", "info"] + more, in: scene.path
        ).wait()
        #expect(result.code == 0 && result.errors.contains(", until "), "\(result.output)\(result.errors)")
    }
}

/// A page whose length is a usual one, where nothing says that there is more, nor that this is all.
@Suite struct UsualLengthTests {
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        let count: Int
        var query = ""
        var headers: [(name: String, value: String)] = []
        /// What is said of its length; nil for nothing.
        let words: String?
        var testDescription: String { name }
    }

    private static let sources = [
        Source(name: "10", count: 10, words: "10 records are a usual length of a page"),
        Source(name: "25", count: 25, words: "25 records are a usual length of a page"),
        Source(name: "100", count: 100, words: "100 records are a usual length of a page"),
        Source(name: "7", count: 7, words: nil),
        Source(name: "1", count: 1, words: nil),
        Source(name: "10 of 10", count: 10, headers: [("X-Total-Count", "10")], words: nil),
        Source(name: "as asked for", count: 7, query: "?limit=7", words: "7 records are as many as `limit` asks for"),
    ]

    @Test(arguments: sources)
    func itIsSaidThatThereMayBeMore(source: Source) throws {
        let server = try LoopbackServer { _ in
            .text(Things.page(1, size: source.count, of: source.count), headers: source.headers)
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let url = server.url + "/things" + source.query
        let probe = try Program.run("probe", url, "--write-pipeline", "probed.yaml", in: scene.path)
        #expect(
            probe.code == 0 && probe.output.contains("all that there are") == (source.words == nil), "\(probe.output)")
        let result = try Program.run(
            "import", url, "--store", "sqlite:shop.db", "--strict", "--write-pipeline", "things.yaml", in: scene.path)
        // A length that was asked for is a warning of runs already.
        #expect(result.code == (source.query.isEmpty ? 0 : 3), "\(result.output)\(result.errors)")
        guard let words = source.words else {
            #expect(!(probe.output + result.output).contains("usual length"), "\(probe.output)\(result.output)")
            return
        }
        #expect(probe.output.contains(words), "\(probe.output)")
        if source.query.isEmpty {
            #expect(result.output.contains("\(words), and nothing says that they are all."), "\(result.output)")
            #expect(result.output.contains("`paginator`"), "\(result.output)")
        }
        for name in ["probed.yaml", "things.yaml"] {
            let text = try String(contentsOfFile: scene.folder.file(name), encoding: .utf8)
            #expect(text.contains("    # \(words), and nothing says that they are all.\n"), "\(text)")
            #expect(try Program.run("validate", name, "--strict", in: scene.path).code == 0)
        }
    }
}

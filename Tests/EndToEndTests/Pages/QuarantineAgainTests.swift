import Foundation
import Synchronization
import TestSupport
import Testing

/// A record in quarantine is read again whatever its source would have a run pass over: pages that did not change, what a token
/// has passed, pages that an earlier run kept.
@Suite struct QuarantineAgainTests {
    /// Books and which of them changed, one after the other. The pages have versions; a token is a place among the changes.
    private final class Source: Sendable {
        struct State {
            var titles: [Int: String] = [:]
            var changes: [Int] = []
            var isBroken = false
        }

        let state = Mutex(State())

        /// Changes a book, and tells it to those who ask for changes.
        func change(_ id: Int, _ title: String, tells: Bool = true) {
            state.withLock { state in
                state.titles[id] = title
                if tells { state.changes.append(id) }
            }
        }

        func answer(_ request: ServerRequest) -> ServerResponse {
            state.withLock { state in
                let place = (request.query ?? "").split(separator: "&").first { $0.hasPrefix("since=") }
                    .flatMap { Int($0.dropFirst(6)) }
                let page = request.query == "page=2" ? 2 : 1
                if page == 2 && state.isBroken { return .text("", status: 500) }
                let told = place.map { Set(state.changes.dropFirst($0)) } ?? Set(state.titles.keys)
                let items = told.sorted().filter { (page == 2) == ($0 > 1) || place != nil }
                    .map { #"{"id":\#($0),"title":"\#(state.titles[$0] ?? "")"}"# }.joined(separator: ",")
                let lead =
                    page == 2 || place != nil
                    ? #""sync":"/books?since=\#(state.changes.count)""# : #""next":"/books?page=2""#
                let body = #"{"items":[\#(items)],\#(lead)}"#
                let tag = "\"\(body.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) })\""
                if request.header("If-None-Match") == tag { return .text("", status: 304, headers: [("ETag", tag)]) }
                return .text(body, headers: [("ETag", tag)])
            }
        }
    }

    private static func scene(_ url: String, _ stream: String, _ top: String) throws -> Scene {
        let scene = try Scene(url: url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(url)", retry: {max_attempts: 1}}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - name: books
                entity: Book
                path: /books
                records: "items[*]"
                paginator: {type: json_link, path: next}
                \(stream)
            \(top)
            """)
        return scene
    }

    /// How a run comes to pass over a record.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var stream = "delete_missing: {mode: hard, max_delete: 100%}"
        var top = ""
        /// What the run that meets the record is asked for.
        var meeting: [String] = []
        /// Whether those who ask for changes are told of the record.
        var tells = true
        /// Whether that run is broken off behind the record's page.
        var isBroken = false
        /// How many runs it takes until the record is read again.
        var runs = 1
    }

    private static let token = "incremental: {token: sync}"
    static let ways = [
        Way(testDescription: "pages that did not change"),
        Way(testDescription: "a token", stream: token),
        Way(
            testDescription: "a token, and a run with --full met what it does not tell", stream: token,
            meeting: ["--full"], tells: false),
        Way(testDescription: "a token, and commit: page", stream: token, top: "commit: page"),
        Way(testDescription: "commit: page", top: "commit: page"),
        // The run that goes on reads the pages that are left; the one after it reads all.
        Way(testDescription: "commit: page, and the scan was broken off", top: "commit: page", isBroken: true, runs: 2),
    ]

    @Test(arguments: ways)
    func itIsReadAgain(way: Way) throws {
        let source = Source()
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        source.change(1, "a")
        source.change(2, "b")
        let scenes = try (0..<2).map { _ in try Self.scene(server.url, way.stream, way.top) }
        for scene in scenes {
            #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
            try scene.execute("CREATE TABLE refused (t TEXT)")
            try scene.execute("INSERT INTO refused VALUES ('no')")
            try scene.execute(
                """
                CREATE TRIGGER refuse BEFORE UPDATE ON books WHEN NEW.title IN (SELECT t FROM refused)
                BEGIN SELECT RAISE(ABORT, 'not now'); END
                """)
        }
        source.change(1, "no", tells: way.tells)
        source.state.withLock { $0.isBroken = way.isBroken }
        for scene in scenes {
            let run = try Program.start(["run", "books.yaml"] + way.meeting, in: scene.path).wait()
            #expect(run.code == (way.isBroken ? 1 : 0), "\(run.output)\(run.errors)")
            #expect(try scene.query("SELECT reason, status FROM _sluice_quarantine") == ["constraint|open"])
            try scene.execute("DELETE FROM refused")
        }
        source.state.withLock { $0.isBroken = false }
        for _ in 1...way.runs {
            for (scene, options) in zip(scenes, [[], ["--full"]]) {
                let run = try Program.start(["run", "books.yaml"] + options, in: scene.path).wait()
                #expect(run.code == 0, "\(run.output)\(run.errors)")
            }
        }
        let states = try scenes.map { scene in
            try scene.query("SELECT id, title FROM books ORDER BY id")
                + scene.query("SELECT id, fields, state, open FROM _sluice_base_books_books_Book ORDER BY id")
                + scene.query("SELECT reason, status FROM _sluice_quarantine ORDER BY id")
        }
        #expect(states[0].first == "1|no" && states[0].last == "constraint|closed", "\(states[0])")
        #expect(states[0] == states[1])
        // What is settled is passed over again.
        let before = server.requests.count
        #expect(try Program.run("run", "books.yaml", in: scenes[0].path).code == 0)
        let asked = server.requests.dropFirst(before)
        let isShort = asked.allSatisfy { $0.header("If-None-Match") != nil || $0.query?.hasPrefix("since=") == true }
        #expect(isShort || !way.top.isEmpty, "\(asked.map(\.target))")
    }
}

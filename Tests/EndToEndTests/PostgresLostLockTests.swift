import Foundation
import SluicePostgres
import Synchronization
import TestSupport
import Testing

/// Runs of the program that lose their lock at work: the connection that holds it ends, and nothing else does.
@Suite struct PostgresLostLockTests {
    private let store: PostgresSchemaURL
    private let scene: Scene
    private let turns: Turns
    private let server: LoopbackServer

    init() throws {
        let turns = Turns()
        (store, self.turns) = (try PostgresSchemaURL(), turns)
        server = try LoopbackServer { turns.answer($0) }
        scene = try Scene(url: server.url)
    }

    private func start(_ arguments: String...) throws -> Running {
        try Program.start(arguments + ["--store", store.store], in: scene.path)
    }

    /// The connection that holds the lock of the pipeline, ended by the server: no other one has locks while its run asks the turns.
    private func endLocks() throws {
        try PostgresConnection(PostgresAddress(store.server)).execute(
            """
            SELECT pg_terminate_backend(l.pid) FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
            JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = '\(store.schema)' AND l.pid <> pg_backend_pid()
            """)
    }

    /// Such a run keeps nothing, has failed, and takes nothing back of the run that has the lock by then.
    @Test(.timeLimit(.minutes(2)), arguments: [false, true])
    func aRunThatLosesItsLockHasFailed(_ hasSuccessor: Bool) throws {
        defer { end() }
        #expect(try start("run", "books.yaml", "-q").wait().code == 0)
        turns.holdBack()
        let run = try start("run", "books.yaml")
        #expect(turns.awaitRequest(0))
        try endLocks()
        let successor = hasSuccessor ? try start("run", "books.yaml") : nil
        if hasSuccessor { #expect(turns.awaitRequest(1)) }
        turns.letGo(0)
        let result = try run.wait()
        #expect(result.code == 1, "\(result)")
        #expect(result.output.contains("is gone, so another run may have begun meanwhile"), "\(result)")
        let history = try start("history").wait().output
        #expect(history.contains("failed"), "\(history)")
        var told = try start("status", "--check").wait()
        #expect(told.code == 1 && told.output.contains("run 2 failed"), "\(told)")
        guard let successor else {
            #expect(!told.output.contains("cut off"), "\(told)")
            return
        }
        kill(successor.process.processIdentifier, SIGKILL)
        _ = try successor.wait()
        // The server notices a little later that its connection is gone.
        for _ in 0..<500 where !told.output.contains("was cut off") { told = try start("status", "--check").wait() }
        #expect(told.code == 1 && told.output.contains("was cut off"), "\(told)")
    }

    /// What such a run kept page by page may have been undone meanwhile: that stands, also once its end is noted.
    @Test(.timeLimit(.minutes(2))) func aRunThatWasUndoneMeanwhile() throws {
        defer { end() }
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text + "\ncommit: page\n")
        turns.say("old", pages: 3)
        #expect(try start("run", "books.yaml", "-q").wait().code == 0)
        turns.say("new", pages: 3)
        turns.holdBack(page: 3)
        let run = try start("run", "books.yaml")
        #expect(turns.awaitRequest(0))
        func titles() throws -> [String?] {
            let rows = try PostgresConnection(PostgresAddress(store.server)).run(
                "SELECT title FROM \(store.schema).books ORDER BY id")
            return (0..<3).map { rows.string($0, 0) }
        }
        // The second page is kept while the third one is asked for.
        for _ in 0..<1_000 where try titles() != ["new", "new", "old"] {}
        #expect(try titles() == ["new", "new", "old"])
        try endLocks()
        let undo = try start("undo", "2").wait()
        #expect(undo.code == 0, "\(undo)")
        turns.letGo(0)
        let result = try run.wait()
        #expect(result.code == 1 && result.output.contains("Run 3 has undone what it kept before."), "\(result)")
        #expect(try titles() == ["old", "old", "old"])
        let again = try start("undo", "2").wait()
        #expect(again.code == 1 && (again.output + again.errors).contains("already undone by run 3"), "\(again)")
        // The undo is undone as every other one.
        #expect(try start("undo", "3").wait().code == 0)
        #expect(try titles() == ["new", "new", "old"])
    }

    /// A run that waits in vain while it merges leaves it at what was known of one that was cut off before.
    @Test(.timeLimit(.minutes(2))) func aRunThatWasCutOffStaysSo() throws {
        defer { end() }
        #expect(try start("run", "books.yaml", "-q").wait().code == 0)
        turns.holdBack()
        let killed = try start("run", "books.yaml")
        #expect(turns.awaitRequest(0))
        kill(killed.process.processIdentifier, SIGKILL)
        _ = try killed.wait()
        turns.letGo(1)
        let editor = try PostgresConnection(PostgresAddress(store.server))
        try editor.execute("BEGIN; LOCK TABLE \(store.schema).books IN ACCESS EXCLUSIVE MODE")
        // The server notices a little later that the killed program is gone.
        var refused = try start("run", "books.yaml", "--wait", "10ms").wait()
        for _ in 0..<500 where refused.output.contains("Another run") {
            refused = try start("run", "books.yaml", "--wait", "10ms").wait()
        }
        try editor.execute("ROLLBACK")
        #expect(refused.code == 6, "\(refused)")
        let told = try start("status", "--check").wait()
        #expect(told.code == 1 && told.output.contains("was cut off"), "\(told)")
        #expect(try start("run", "books.yaml", "-q").wait().code == 0)
        #expect(try start("status", "--check").wait().code == 0)
    }

    private func end() {
        for turn in 0...1 { turns.letGo(turn) }
        server.stop()
        _ = try? PostgresConnection(PostgresAddress(store.server)).execute(
            "SET client_min_messages = warning; DROP SCHEMA IF EXISTS \(store.schema) CASCADE")
    }
}

/// The answers of a source, which wait for the test once it says so, each behind a gate of its own.
private final class Turns: Sendable {
    private struct State {
        /// What the records say, one of which stands on each page.
        var title = "t"
        var pages = 1
        /// The page of which requests wait; nil for none.
        var waiting: Int?
        /// Which of these requests is next.
        var next = 0
    }

    private let asked = [Gate(), Gate()]
    private let answered = [Gate(), Gate()]
    private let state = Mutex(State())

    /// Answers a request, when the test lets it.
    func answer(_ request: ServerRequest) -> ServerResponse {
        let page = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 1
        let turn = state.withLock { state -> Int? in
            guard state.waiting == page else { return nil }
            state.next += 1
            return state.next - 1
        }
        if let turn, asked.indices.contains(turn) {
            asked[turn].open()
            answered[turn].wait()
        }
        let (title, pages) = state.withLock { ($0.title, $0.pages) }
        let headers = page < pages ? [("Link", "</books?page=\(page + 1)>; rel=\"next\"")] : []
        return .text(#"[{"id":\#(page),"title":"\#(title)"}]"#, headers: headers)
    }

    /// What the source says from now on.
    func say(_ title: String, pages: Int) { state.withLock { ($0.title, $0.pages) = (title, pages) } }

    /// From now on answers for a page wait.
    func holdBack(page: Int = 1) { state.withLock { $0.waiting = page } }

    /// Waits for such a request, as they come from then on.
    func awaitRequest(_ number: Int) -> Bool { asked[number].wait() }

    /// Answers that request.
    func letGo(_ number: Int) { answered[number].open() }
}

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
        server = try LoopbackServer { _ in turns.answer() }
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
        defer {
            for turn in 0...1 { turns.letGo(turn) }
            server.stop()
            _ = try? PostgresConnection(PostgresAddress(store.server)).execute(
                "SET client_min_messages = warning; DROP SCHEMA IF EXISTS \(store.schema) CASCADE")
        }
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
}

/// The answers of a source, which wait for the test once it says so, each behind a gate of its own.
private final class Turns: Sendable {
    private let asked = [Gate(), Gate()]
    private let answered = [Gate(), Gate()]
    /// Which request is next; below 0 they do not wait.
    private let next = Atomic(Int.min)

    /// Answers a request, when the test lets it.
    func answer() -> ServerResponse {
        let turn = next.load(ordering: .sequentiallyConsistent) < 0 ? -1 : next.add(1, ordering: .relaxed).oldValue
        if asked.indices.contains(turn) {
            asked[turn].open()
            answered[turn].wait()
        }
        return .text(#"[{"id":1,"title":"t"}]"#)
    }

    /// From now on answers wait.
    func holdBack() { next.store(0, ordering: .sequentiallyConsistent) }

    /// Waits for a request, as they come from then on.
    func awaitRequest(_ number: Int) -> Bool { asked[number].wait() }

    /// Answers that request.
    func letGo(_ number: Int) { answered[number].open() }
}

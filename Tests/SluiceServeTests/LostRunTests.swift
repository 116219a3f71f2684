import SluiceSQLiteStore
import SluiceServe
import SluiceServeModel
import SluiceStore
import TestSupport
import Testing

/// A service that is killed while a run of it goes, and is started again on a store in a file.
@Suite struct LostRunTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What the history has of the run; nil for nothing.
        var status: String?
        var pipeline = "a"
        var command = "run"
        var scope: String?
        var startedAt = "2026-01-01T00:01:00Z"
        /// How the due time stands in the store after the restart.
        let settled: String
        /// What is started within the delay of `retry`.
        let starts: [String]
    }

    private static let again = ["a@60 2"]
    static let cases = [
        Case(testDescription: "no run", settled: "…", starts: again),
        Case(testDescription: "a run that succeeded", status: "succeeded", settled: "succeeded", starts: []),
        Case(
            testDescription: "one that began later", status: "succeeded", startedAt: "2026-01-01T00:01:02Z",
            settled: "succeeded", starts: []),
        Case(testDescription: "one that a guard refused", status: "refused", settled: "failed", starts: []),
        Case(testDescription: "one that is whole in part", status: "partial", settled: "…", starts: again),
        Case(testDescription: "one that failed", status: "failed", settled: "…", starts: again),
        Case(testDescription: "one that was stopped", status: "interrupted", settled: "…", starts: again),
        Case(
            testDescription: "one that began before", status: "succeeded", startedAt: "2026-01-01T00:00:59Z",
            settled: "…", starts: again),
        Case(
            testDescription: "one of another pipeline", status: "succeeded", pipeline: "b", settled: "…", starts: again),
        Case(testDescription: "an undo", status: "succeeded", command: "undo", settled: "…", starts: again),
        Case(
            testDescription: "a run of one stream", status: "succeeded", scope: "stream books", settled: "…",
            starts: again),
    ]

    @Test(arguments: cases) func theHistorySaysWhatItCameTo(_ test: Case) throws {
        let scene = try scene()
        if let status = test.status { try keep(status, test, in: scene) }
        scene.clock.pass(5)
        try scene.start()
        #expect(try scene.settled() == ["a@60 \(test.settled)"])
        scene.pass(11)
        #expect(scene.starts == test.starts)
    }

    /// A run alone is killed, after its commit or before; its service lives.
    @Test(arguments: cases) func theHistorySaysWhatAKilledRunCameTo(_ test: Case) throws {
        let scene = try ServeScene(["a": "schedule: {cron: '* * * * *', retry: {max_attempts: 2, base: 10s}}"])
        try scene.start()
        scene.pass(60)
        if let status = test.status { try keep(status, test, in: scene) }
        scene.pass(5)
        let run = try #require(scene.runner.children.first)
        run.end(nil, code: -9)
        scene.pass(1)
        #expect(try scene.settled() == ["a@60 \(test.settled)"])
        // What is kept and logged of the run says the same.
        let ended = try #require(scene.program.messages.first { $0.kind == .runEnded })
        let isKnown = test.settled != "…" || test.status == "partial"
        #expect(ended.run?.storeRun == (isKnown ? 1 : nil))
        #expect(ended.run?.outcome?.rawValue == (isKnown ? test.status : "failed"))
        #expect(ended.text.contains("run 1 of the store") == isKnown, "\(ended.text)")
        scene.pass(11)
        #expect(scene.starts == ["a@60 1"] + test.starts)
    }

    /// Nothing is due, so that only the history has a word of it.
    @Test(arguments: ["succeeded", "refused", "failed"]) func aRunThatSomebodyAskedFor(_ status: String) throws {
        let scene = try ServeScene(["a": ""])
        try scene.start()
        _ = try scene.control.start(pipeline: "a", .run, by: "Ann")
        scene.pass(5)
        let run = try #require(scene.runner.children.first)
        var test = Self.cases[1]
        test.startedAt = "2026-01-01T00:00:02Z"
        try keep(status, test, in: scene)
        run.end(nil, code: -9)
        scene.pass(1)
        let last = try #require(try scene.control.status().pipeline(named: "a")?.lastRun)
        #expect(last.outcome?.rawValue == status)
        #expect(last.storeRun == (status == "failed" ? nil : 1))
    }

    @Test func aRunThatIsAboutToCommitIsWaitedFor() throws {
        let scene = try scene()
        let run = try SQLiteRecordStore(path: scene.program.store, mode: .existing)
        try run.begin()
        try run.runs.record(entry("succeeded", Self.cases[1]))
        scene.clock.pass(5)
        try scene.start()
        #expect(try scene.settled() == ["a@60 …"])
        #expect(try scene.control.status().trouble == nil)
        try run.commit()
        scene.pass(20)
        #expect(try scene.settled() == ["a@60 succeeded"])
        #expect(scene.starts.isEmpty)
    }

    /// A service that was killed while its run for the first minute was going.
    private func scene() throws -> ServeScene {
        let scene = try ServeScene(["a": "schedule: {cron: '* * * * *', retry: {max_attempts: 2, base: 10s}}"])
        try scene.start()
        scene.pass(60)
        #expect(scene.starts == ["a@60 1"])
        scene.kill()
        return scene
    }

    private func keep(_ status: String, _ test: Case, in scene: ServeScene) throws {
        let store = try SQLiteRecordStore(path: scene.program.store, mode: .existing)
        try store.begin()
        try store.runs.record(entry(status, test))
        try store.commit()
    }

    private func entry(_ status: String, _ test: Case) -> RunEntry {
        var entry = RunEntry(
            id: 1, pipeline: test.pipeline, command: test.command, status: status, startedAt: test.startedAt)
        entry.scope = test.scope
        return entry
    }
}

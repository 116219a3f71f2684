import SluiceSchedule
import SluiceServe
import SluiceServeModel
import SluiceSystem
import TestSupport
import Testing

/// What a log says of a run, and what is kept of it.
@Suite struct RunLogTests {
    @Test func aLogIsBounded() throws {
        let scene = try ServeScene([:])
        let path = scene.directory.file("log.jsonl")
        var log = RunLog(path, limit: 100, tailLimit: 60)
        for number in 0..<50 { log.add(Array("line \(number) of the log\n".utf8)[...]) }
        log.finish()
        let lines = String(decoding: try FileSystem.contents(of: path), as: UTF8.self).split(separator: "\n").map(
            String.init)
        #expect(lines.first == "line 0 of the log")
        #expect(lines.last == "line 49 of the log")
        #expect(lines.contains { $0.contains("\"event\":\"log_cut\"") && $0.contains("42 lines") })
        #expect(lines.count == 9)
    }

    @Test func linesTellHowARunGoes() {
        var lines = RunLines()
        func read(_ text: String, at time: Double = 0) -> RunLines.Use { lines.read(Array(text.utf8)[...], at: time) }
        let progress =
            #"{"event":"progress","level":"info","stream":"books","message":"page 3","pages":3,"records":250}"#
        #expect(read(progress).isKept)
        #expect(!read(progress, at: 5).isKept && read(progress, at: 5).isProgress)
        #expect(read(progress, at: 11).isKept)
        #expect(lines.progress.stream == "books" && lines.progress.records == 250 && lines.progress.line == "page 3")
        #expect(read("Fatal error: this is no JSON").isKept)
        #expect(read("{this neither").isKept)
        _ = read(#"{"event":"run_problem","level":"warning","code":"x","message":"no error"}"#)
        #expect(lines.ending.error == nil)
        _ = read(#"{"event":"run_problem","level":"error","code":"fetch_failed","message":"It failed."}"#)
        _ = read(#"{"event":"run_problem","level":"error","code":"other","message":"Later."}"#)
        #expect(lines.ending.error?.code == "fetch_failed")
        _ = read(#"{"event":"run_finished","status":"partial","run":12,"insert":3,"update":"x"}"#)
        #expect(lines.ending.status == "partial" && lines.ending.storeRun == 12)
        #expect(lines.ending.counts?.inserted == 3 && lines.ending.counts?.updated == 0)
        _ = read(
            #"{"event":"run_finished","insert":1,"delete_refused":2,"delete_reported":3,"entities":{"Line":{"insert":4},"Tag":7}}"#
        )
        #expect(lines.ending.counts?.inserted == 1 && lines.ending.counts?.deletesRefused == 2)
        #expect(lines.ending.counts?.deletesReported == 3 && lines.ending.counts?.duplicates == 0)
        #expect(lines.ending.counts?.within["Line"]?.inserted == 4 && lines.ending.counts?.within["Tag"]?.inserted == 0)
    }

    /// What stages take is told by no line that a log keeps.
    @Test func linesTellHowLongStagesTake() {
        var lines = RunLines()
        func read(_ text: String, at time: Double) -> RunLines.Use { lines.read(Array(text.utf8)[...], at: time) }
        #expect(!read(#"{"event":"stage_started","level":"debug","stage":"fetching","message":""}"#, at: 10).isKept)
        _ = read(#"{"event":"waiting","level":"info","seconds":1.5,"cause":"rate_limit","message":""}"#, at: 11)
        _ = read(#"{"event":"progress","level":"info","stage":"fetching","message":""}"#, at: 12)
        _ = read(#"{"event":"progress","level":"info","stage":"merging","message":""}"#, at: 12.5)
        _ = read(#"{"event":"stage_started","level":"debug","stage":"fetching","message":""}"#, at: 13)
        _ = read(#"{"event":"run_finished","status":"succeeded"}"#, at: 13.25)
        #expect(lines.ending.times.stages == ["fetching": 2.75, "merging": 0.5])
        #expect(lines.ending.times.limited == 1.5)
    }

    /// Waits between tries are no limit's, and what a limit refused is repeated too.
    @Test(arguments: [("retry", 0, 1), ("rate_limit", 1.5, 0), ("rate_limit_retry", 1.5, 1)])
    func waitsCountByTheirCause(_ cause: String, _ limited: Double, _ retries: Int) {
        var lines = RunLines()
        _ = lines.read(
            Array(#"{"event":"waiting","level":"info","seconds":1.5,"cause":"\#(cause)","message":""}"#.utf8)[...],
            at: 11)
        #expect(lines.ending.times.limited == limited && lines.ending.times.retries == retries)
    }

    /// With `commit: page` a run waits for pages in the midst of other stages.
    @Test func waitingForTheSourceIsFetching() {
        var lines = RunLines()
        func read(_ text: String, at time: Double) { _ = lines.read(Array(text.utf8)[...], at: time) }
        read(#"{"event":"stage_started","level":"debug","stage":"merging","message":""}"#, at: 10)
        read(#"{"event":"waiting","level":"info","seconds":2,"cause":"rate_limit","message":""}"#, at: 11)
        read(#"{"event":"stage_started","level":"debug","stage":"deleting","message":""}"#, at: 14)
        read(#"{"event":"waiting","level":"info","seconds":0.5,"cause":"rate_limit","message":""}"#, at: 14)
        read(#"{"event":"run_finished","status":"succeeded"}"#, at: 15)
        #expect(lines.ending.times.stages == ["fetching": 2.5, "merging": 2, "deleting": 0.5])
        #expect(lines.ending.times.limited == 2.5)
    }

    @Test(
        arguments: [
            ("succeeded", 0, nil, false, "succeeded succeeded"), ("refused", 4, nil, false, "refused failed"),
            ("partial", 5, "fetch_failed", false, "partial failed_for_now"),
            ("locked", 6, nil, false, "locked failed_for_now"),
            ("failed", 1, "fetch_failed", false, "failed failed_for_now"),
            ("failed", 1, "invalid_document", false, "failed failed"),
            ("failed", 1, "login_failed", false, "failed failed"),
            ("failed", 78, "invalid_pipeline", false, "failed failed"),
            (nil, 78, "pipeline_problem", false, "failed failed"),
            (nil, 64, nil, false, "failed failed"), (nil, 6, nil, false, "locked failed_for_now"),
            ("interrupted", 143, nil, true, "interrupted interrupted"), (nil, -9, nil, true, "interrupted interrupted"),
            // Nobody stopped it: it crashed.
            (nil, -11, nil, false, "failed failed_for_now"), (nil, 1, nil, false, "failed failed_for_now"),
        ] as [(String?, Int32, String?, Bool, String)])
    func endings(_ status: String?, _ code: Int32, _ error: String?, _ wasStopped: Bool, _ expected: String) {
        var ending = RunEnding()
        (ending.status, ending.exitCode, ending.error) = (status, code, error.map { ($0, "It failed.") })
        let verdict = RunVerdict(ending, wasStopped: wasStopped)
        #expect("\(verdict.outcome.rawValue) \(verdict.dueOutcome.rawValue)" == expected)
    }
}

import SluicePipeline
import SluiceSchedule
import SluiceServe
import SluiceServeModel
import Testing

/// Which failures a service tells itself, and of which its runs do.
@Suite struct ServeNoticeTests {
    struct StoppedRun: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether somebody stops it before its time is over.
        var isAsked = false
        /// What its report says.
        let status: String?
        let code: Int32
        /// What the service tells.
        let notices: [String]
    }

    private static let tooLong = ["It took longer than `schedule.timeout`."]
    static let stoppedRuns = [
        StoppedRun(
            testDescription: "one that reports that it was stopped", status: "interrupted", code: 143, notices: tooLong),
        StoppedRun(testDescription: "one that ends without a report", status: nil, code: -15, notices: tooLong),
        StoppedRun(testDescription: "one that was about to succeed", status: "succeeded", code: 0, notices: []),
        StoppedRun(testDescription: "one that failed and has told of it", status: "failed", code: 1, notices: []),
        StoppedRun(
            testDescription: "one that somebody stops", isAsked: true, status: "interrupted", code: 143, notices: []),
    ]

    @Test(arguments: stoppedRuns) func whatTookTooLongIsTold(_ test: StoppedRun) throws {
        let scene = try ServeScene([
            "a": "schedule: {cron: '* * * * *', timeout: 10s}\nnotify: [{on: [failed], command: [page-me]}]"
        ])
        try scene.start()
        scene.pass(60)
        if test.isAsked {
            let run = try #require(try scene.control.status().pipeline(named: "a")?.running)
            try scene.control.stop(run.id, by: "bert")
            scene.look()
        }
        scene.pass(12)
        let child = scene.runner.children[0]
        #expect(child.signals.first == "terminate")
        child.end(test.status, code: test.code)
        scene.look()
        #expect(scene.program.notices.map(\.message) == test.notices)
    }

    /// How the first attempt at a due time ends, and what the second one knows of it.
    struct FirstAttempt: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What its report says; nil where it is cut off.
        let status: String?
        let code: Int32
        /// How many notices the service sends where the second attempt takes too long.
        let notices: Int
        let isTold: Bool
    }

    static let firstAttempts = [
        FirstAttempt(testDescription: "it takes too long", status: "interrupted", code: 143, notices: 1, isTold: true),
        FirstAttempt(testDescription: "it crashes", status: nil, code: -9, notices: 1, isTold: true),
        FirstAttempt(testDescription: "it fails, and tells that", status: "failed", code: 1, notices: 0, isTold: true),
        FirstAttempt(
            testDescription: "it finds the store in use", status: "locked", code: 6, notices: 1, isTold: false),
    ]

    @Test(arguments: firstAttempts) func oneFailureOfADueTimeIsTold(_ test: FirstAttempt) throws {
        let scene = try ServeScene([
            "a": """
            schedule: {cron: '* * * * *', timeout: 10s, overlap: queue, retry: {max_attempts: 2, base: 5s}}
            notify: [{on: [failed], command: [page-me]}]
            """
        ])
        try scene.start()
        scene.pass(test.status == "interrupted" ? 71 : 61)
        scene.runner.children[0].end(test.status, code: test.code)
        scene.pass(6)
        #expect(scene.starts == ["a@60 1", "a@60 2"])
        let second = scene.runner.children[1]
        let told = ToldFailure(start: 1_767_225_660, isSameDueTime: true)
        #expect(second.order.told == (test.isTold ? told : nil))
        scene.pass(12)
        #expect(second.signals == ["terminate"])
        second.end("interrupted", code: 143)
        scene.look()
        #expect(scene.program.notices.count == test.notices)
        // The next due time is another one, and its run ends the trouble.
        scene.pass(60)
        let next = scene.runner.children[2]
        #expect(next.order.told?.isSameDueTime == false)
        next.end("succeeded")
        scene.pass(60)
        #expect(scene.runner.children[3].order.told == nil)
    }

    @Test(arguments: [("same 12", 12, true), ("before -3", -3, false), ("same", nil, false), ("", nil, false)])
    func aRunIsGivenWhatWasTold(text: String, start: Int64?, isSameDueTime: Bool) {
        let told = ToldFailure(text: text)
        #expect(told?.start == start && (told?.isSameDueTime ?? false) == isSameDueTime)
        #expect(told == nil || told?.text == text)
    }

    @Test func lateRunsAreTold() throws {
        let scene = try ServeScene([
            "a": "schedule: {cron: '* * * * *'}",
            "b": "schedule: {cron: '* * * * *'}\nnotify: [{on: [late], command: [page-me]}]",
        ])
        scene.settings.workers = 1
        try scene.start()
        scene.pass(122)
        #expect(scene.starts == ["a@60 1"])
        #expect(scene.program.notices.map(\.event) == [.late])
        #expect(scene.program.notices.first?.message.contains("2026-01-01T00:01:00Z") == true)
        #expect(try scene.control.status().pipeline(named: "b")?.lateSince == 1_767_225_660)
    }
}

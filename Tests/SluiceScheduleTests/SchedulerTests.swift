import SluiceSchedule
import Testing

/// What is decided, case by case.
@Suite struct SchedulerTests {
    /// A program whose clock the test sets; each number is a minute of 1970-01-01.
    private struct Program {
        var ledger = Ledger()
        let scheduler: Scheduler
        var running: [AttemptID: Int64] = [:]
        var wakeAt: Int64?

        init(_ pipelines: [ScheduledPipeline], workers: Int = 2) throws {
            var limits = Scheduler.Limits()
            limits.workers = workers
            scheduler = try Scheduler(graph: ScheduleGraph(pipelines), limits: limits)
        }

        /// The decisions of a minute in short words.
        mutating func at(_ minute: Double) -> [String] {
            let step = scheduler.step(ledger, at: Int64(minute * 60), running: running)
            ledger = step.ledger
            wakeAt = step.wakeAt
            for case .start(let attempt) in step.decisions { running[attempt] = 0 }
            return step.decisions.map(Self.text)
        }

        mutating func end(_ name: String, _ due: Int64, _ outcome: RunOutcome, at minute: Double, number: Int = 1) {
            let attempt = AttemptID(due: DueTimeID(pipeline: name, moment: due * 60), number: number)
            ledger.end(attempt, outcome, at: Int64(minute * 60))
            running[attempt] = nil
        }

        private static func text(_ id: DueTimeID) -> String { "\(id.pipeline)@\(id.moment / 60)" }

        private static func text(_ decision: Decision) -> String {
            switch decision {
            case .watch(let name, let moment): "watch \(name) \(moment / 60)"
            case .queue(let id): "queue \(text(id))"
            case .skip(let id, .after(let name)): "skip \(text(id)) after \(name)"
            case .skip(let id, let reason): "skip \(text(id)) \(reason)"
            case .miss(let name, let start, let end): "miss \(name) \(start / 60)-\(end / 60)"
            case .late(let id): "late \(text(id))"
            case .start(let attempt): "start \(text(attempt.due)) \(attempt.number)"
            case .stop(let attempt, let signal): "\(signal) \(text(attempt.due))"
            case .lose(let attempt): "lose \(text(attempt.due)) \(attempt.number)"
            case .abandon(let attempt): "abandon \(text(attempt.due)) \(attempt.number)"
            case .recover(let attempt, let outcome): "recover \(text(attempt.due)) \(attempt.number) \(outcome)"
            case .retry(let id, let moment): "retry \(text(id)) \(moment / 60)"
            case .settle(let id, let outcome): "settle \(text(id)) \(outcome)"
            }
        }
    }

    /// Due every ten minutes.
    private func pipeline(
        _ name: String = "a", _ change: (inout ScheduledPipeline) -> Void = { _ in }
    ) throws -> ScheduledPipeline {
        var pipeline = ScheduledPipeline(
            name: name, schedule: Schedule(trigger: .cron(try CronExpression("*/10 * * * *"))))
        change(&pipeline)
        return pipeline
    }

    @Test func aDueTimeIsQueuedBeforeItIsStarted() throws {
        var program = try Program([pipeline()])
        #expect(program.at(1) == ["watch a 1"])
        #expect(program.wakeAt == 600)
        #expect(program.at(10) == ["queue a@10", "start a@10 1"])
        #expect(program.at(11) == [])
        program.end("a", 10, .succeeded, at: 12)
        #expect(program.at(12) == ["settle a@10 succeeded"])
        #expect(program.wakeAt == 1200)
    }

    @Test func theNextDueTimeIsSkippedWhileARunIsGoing() throws {
        var program = try Program([pipeline()])
        _ = program.at(9)
        _ = program.at(10)
        #expect(program.at(20) == ["skip a@20 overlap"])
        program.end("a", 10, .failed, at: 25)
        #expect(program.at(30) == ["settle a@10 failed", "queue a@30", "start a@30 1"])
    }

    @Test func oneDueTimeWaitsWhereThereIsAQueue() throws {
        var program = try Program([pipeline { $0.overlap = .queue }])
        _ = program.at(9)
        _ = program.at(10)
        #expect(program.at(20) == ["queue a@20"])
        #expect(program.at(30) == ["skip a@30 overlap", "late a@20"])
        program.end("a", 10, .succeeded, at: 31)
        #expect(program.at(31) == ["settle a@10 succeeded", "start a@20 1"])
    }

    @Test(arguments: [
        (ScheduledPipeline.Missed.once, ["miss a 1-50", "queue a@50", "late a@50", "start a@50 1"]),
        (.never, ["miss a 1-50", "skip a@50 missed"]),
    ])
    func whatPassedInSleepCountsOnceOrNever(_ missed: ScheduledPipeline.Missed, _ expected: [String]) throws {
        var program = try Program([pipeline { $0.missed = missed }])
        _ = program.at(1)
        #expect(program.at(55) == expected)
        #expect(program.at(56) == [])
    }

    @Test func aClockThatIsPutBackRunsNothingAgain() throws {
        var program = try Program([pipeline()])
        _ = program.at(9)
        _ = program.at(10)
        program.end("a", 10, .succeeded, at: 11)
        #expect(program.at(35) == ["settle a@10 succeeded", "miss a 10-30", "queue a@30", "late a@30", "start a@30 1"])
        program.end("a", 30, .succeeded, at: 36)
        // Back before both: 20 was missed and is to come again, the others are done.
        #expect(program.at(5) == ["settle a@30 succeeded", "watch a 5"])
        #expect(program.at(10) == ["watch a 10"])
        #expect(program.at(20) == ["queue a@20", "start a@20 1"])
        program.end("a", 20, .succeeded, at: 21)
        #expect(program.at(30) == ["settle a@20 succeeded", "watch a 30"])
        #expect(program.at(40) == ["queue a@40", "start a@40 1"])
    }

    @Test func aClockThatWasYearsAheadHoldsNothingUp() throws {
        var program = try Program([pipeline()])
        _ = program.at(9)
        let future = 60.0 * 24 * 365 * 9
        #expect(program.at(future).count == 3)
        program.running = [:]
        #expect(program.at(9) == ["abandon a@4730400 1", "settle a@4730400 interrupted", "watch a 9"])
        #expect(program.at(10) == ["queue a@10", "start a@10 1"])
    }

    @Test func aRunWithoutProcessIsInterruptedAndNotStartedAgain() throws {
        var program = try Program([pipeline()])
        _ = program.at(9)
        _ = program.at(10)
        program.running = [:]
        #expect(program.at(11) == ["abandon a@10 1", "settle a@10 interrupted"])
        #expect(program.at(12) == [])
    }

    @Test func whatMayPassIsTriedAgainAfterADelayThatDoubles() throws {
        var program = try Program([pipeline { $0.retry = .init(maxAttempts: 3, base: 60) }])
        _ = program.at(9)
        _ = program.at(10)
        program.end("a", 10, .failedForNow, at: 11)
        #expect(program.at(11) == ["retry a@10 12"])
        #expect(program.wakeAt == 720)
        #expect(program.at(12) == ["start a@10 2"])
        program.end("a", 10, .interrupted, at: 13, number: 2)
        #expect(program.at(13) == ["retry a@10 15"])
        #expect(program.at(15) == ["start a@10 3"])
        program.end("a", 10, .failedForNow, at: 16, number: 3)
        #expect(program.at(16) == ["settle a@10 failedForNow"])
        #expect(ScheduledPipeline.Retry(maxAttempts: .max, base: .max).base == 86_400)
    }

    @Test func aRunThatTakesTooLongIsStoppedAndThenKilled() throws {
        var program = try Program([pipeline { $0.timeout = 300 }])
        _ = program.at(9)
        _ = program.at(10)
        #expect(program.wakeAt == 900)
        let attempt = AttemptID(due: DueTimeID(pipeline: "a", moment: 600), number: 1)
        // The clock on the wall has nothing to say about it.
        for (seconds, expected) in [(299, []), (300, ["terminate a@10"]), (329, []), (330, ["kill a@10"]), (331, [])] {
            program.running[attempt] = Int64(seconds)
            #expect(program.at(10.5) == expected)
        }
    }

    @Test func aPipelineWaitsForAnother() throws {
        var program = try Program([pipeline("b") { $0.after = ["a"] }, pipeline("a")])
        _ = program.at(9)
        #expect(program.at(10) == ["queue a@10", "queue b@10", "start a@10 1"])
        program.end("a", 10, .succeeded, at: 11)
        #expect(program.at(11) == ["settle a@10 succeeded", "start b@10 1"])
        program.end("b", 10, .succeeded, at: 12)
        #expect(program.at(20) == ["settle b@10 succeeded", "queue a@20", "queue b@20", "start a@20 1"])
        program.end("a", 20, .failed, at: 21)
        #expect(program.at(21) == ["settle a@20 failed", "skip b@20 after a"])
    }

    @Test func theLastRowIsNotForgotten() throws {
        let expression = try CronExpression("0 * * * *")
        let hourly = try pipeline("a") { $0.schedule.trigger = .cron(expression) }
        var program = try Program([hourly, pipeline("b") { $0.after = ["a"] }])
        _ = program.at(59)
        #expect(program.at(60) == ["queue a@60", "queue b@60", "start a@60 1"])
        program.end("a", 60, .succeeded, at: 61)
        #expect(program.at(61) == ["settle a@60 succeeded", "start b@60 1"])
        program.end("b", 60, .succeeded, at: 62)
        #expect(program.ledger.forget(keeping: 1).isEmpty)
        #expect(program.at(70) == ["settle b@60 succeeded", "queue b@70", "start b@70 1"])
    }

    @Test func whatWasForgottenIsNotRunAgain() throws {
        var program = try Program([pipeline("a")])
        _ = program.at(9)
        for minute: Int64 in [10, 20, 30] {
            _ = program.at(Double(minute))
            program.end("a", minute, .succeeded, at: Double(minute) + 1)
            _ = program.at(Double(minute) + 1)
        }
        #expect(program.ledger.forget(keeping: 1).map(\.moment) == [600, 1200])
        // The clock is put back: what has a row, and what had one, is passed over.
        #expect(program.at(5) == ["watch a 20"])
        #expect(program.at(10).isEmpty)
        #expect(program.at(20).isEmpty)
        #expect(program.at(30) == ["watch a 30"])
        #expect(program.at(40) == ["queue a@40", "start a@40 1"])
    }

    @Test func whatIsForgottenOnceTheClockIsPutBackIsNotRunAgain() throws {
        var program = try Program([pipeline("a")])
        _ = program.at(9)
        for minute: Int64 in [10, 20, 30, 40] {
            _ = program.at(Double(minute))
            program.end("a", minute, .succeeded, at: Double(minute) + 1)
            _ = program.at(Double(minute) + 1)
        }
        #expect(program.at(15) == ["watch a 15"])
        #expect(program.ledger.forget(keeping: 1).map(\.moment) == [600, 1200, 1800])
        #expect(program.at(20) == ["watch a 30"])
        #expect(program.at(30).isEmpty)
        #expect(program.at(40) == ["watch a 40"])
        #expect(program.at(50) == ["queue a@50", "start a@50 1"])
    }

    /// What is counted from the last start is due when it was, whatever is forgotten meanwhile.
    @Test func whatIsForgottenDelaysNothing() throws {
        var program = try Program([pipeline("a") { $0.schedule.trigger = .every(seconds: 600) }])
        for minute: Int64 in [0, 10, 20, 30] {
            #expect(program.at(Double(minute)).last == "start a@\(minute) 1")
            program.end("a", minute, .succeeded, at: Double(minute) + 1)
            _ = program.at(Double(minute) + 1)
        }
        #expect(program.at(15) == ["watch a 15"])
        #expect(program.ledger.forget(keeping: 1).map(\.moment) == [0, 600, 1200])
        #expect(program.at(20).isEmpty)
        #expect(program.at(25) == ["queue a@25", "start a@25 1"])
    }

    @Test func whatPeopleStartTakesAWorkerAndHoldsItsPipelineBack() throws {
        var program = try Program([pipeline("a"), pipeline("b")])
        _ = program.at(9)
        let step = program.scheduler.step(program.ledger, at: 600, running: [:], others: ["a"])
        #expect(step.decisions.count == 3)
        #expect(step.decisions.last == .start(AttemptID(due: DueTimeID(pipeline: "b", moment: 600), number: 1)))
        let full = program.scheduler.step(program.ledger, at: 600, running: [:], others: ["c", "d"])
        #expect(full.decisions.count == 2)
        let later = program.scheduler.step(full.ledger, at: 601, running: [:])
        #expect(later.decisions.count == 2)
    }

    @Test func thereAreNoMoreRunsThanWorkers() throws {
        var program = try Program([pipeline("a"), pipeline("b")], workers: 1)
        _ = program.at(9)
        #expect(program.at(10) == ["queue a@10", "queue b@10", "start a@10 1"])
        #expect(program.wakeAt == 661)
        #expect(program.at(11.1) == ["late b@10"])
        program.end("a", 10, .succeeded, at: 12)
        #expect(program.at(12) == ["settle a@10 succeeded", "start b@10 1"])
    }

    @Test func everyIsCountedFromTheLastStart() throws {
        var program = try Program(
            [
                pipeline("b"), ScheduledPipeline(name: "a", schedule: Schedule(trigger: .every(seconds: 900))),
            ], workers: 1)
        #expect(program.at(10) == ["watch b 10", "watch a -5", "queue a@10", "start a@10 1"])
        program.end("a", 10, .succeeded, at: 12)
        #expect(program.at(20) == ["settle a@10 succeeded", "queue b@20", "start b@20 1"])
        #expect(program.at(25) == ["queue a@25"])
        program.end("b", 20, .succeeded, at: 28)
        #expect(program.at(28) == ["settle b@20 succeeded", "late a@25", "start a@25 1"])
        program.end("a", 25, .succeeded, at: 29)
        #expect(program.at(29) == ["settle a@25 succeeded"])
        #expect(program.at(42).contains("queue a@43") == false)
        program.end("b", 40, .succeeded, at: 42.5)
        #expect(program.at(43).contains("queue a@43"))
    }

    @Test func whatIsNotScheduledAnyMoreIsLetGo() throws {
        var program = try Program([pipeline("a"), pipeline("b")], workers: 1)
        _ = program.at(9)
        _ = program.at(10)
        var other = try Program([pipeline("a")])
        (other.ledger, other.running) = (program.ledger, program.running)
        #expect(other.at(11) == ["skip b@10 unscheduled"])
    }
}

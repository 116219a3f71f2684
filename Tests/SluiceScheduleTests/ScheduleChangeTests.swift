import SluiceSchedule
import Testing

/// A schedule that changed holds from when it was read. Numbers are minutes of 1970-01-01.
@Suite struct ScheduleChangeTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The trigger before; nil where the pipeline had no schedule meanwhile.
        let before: String?
        let after: String
        var missed = ScheduledPipeline.Missed.once
        /// When the service looks before the change is read; what it starts succeeds at once.
        let looks: [Int64]
        let read: Int64
        /// How many minutes later it is decided on.
        var delay: Int64 = 0
        /// What is decided then.
        let decided: [String]
        /// When it is due next, once that is over.
        let next: Int64
    }

    static let cases = [
        Case(
            testDescription: "a time that had passed when it was read", before: "49 * * * *", after: "50 * * * *",
            looks: [47, 49], read: 51, decided: ["watch 51"], next: 110),
        Case(
            testDescription: "more often", before: "*/30 * * * *", after: "* * * * *", looks: [29, 30], read: 45,
            decided: ["watch 45"], next: 46),
        Case(
            testDescription: "to a later time of the same hour", before: "10 * * * *", after: "50 * * * *",
            looks: [9, 10], read: 20, decided: ["watch 20"], next: 50),
        Case(
            testDescription: "what was missed by the schedule before", before: "0 * * * *", after: "*/10 * * * *",
            looks: [1], read: 75, decided: ["queue 60", "watch 75", "late 60", "start 60"], next: 80),
        Case(
            testDescription: "what was missed where nothing is made up for", before: "0 * * * *",
            after: "*/10 * * * *", missed: .never, looks: [1], read: 75, decided: ["skip 60 missed", "watch 75"],
            next: 80),
        Case(
            testDescription: "what it missed itself since it was read", before: "0 * * * *", after: "*/10 * * * *",
            looks: [1], read: 55, delay: 20,
            decided: ["watch 55", "miss 55-70", "queue 70", "late 70", "start 70"], next: 80),
        Case(
            testDescription: "a schedule after none", before: nil, after: "*/10 * * * *", looks: [9, 10], read: 300,
            decided: ["watch 300"], next: 310),
        Case(
            testDescription: "a shorter duration that is over", before: "1440", after: "60", missed: .never,
            looks: [0], read: 300, decided: ["watch 240", "queue 300", "start 300"], next: 360),
        Case(
            testDescription: "a shorter duration that is not over", before: "60", after: "30", looks: [0], read: 20,
            decided: [], next: 30),
        Case(
            testDescription: "a longer duration", before: "60", after: "90", looks: [0], read: 20, decided: [],
            next: 90),
        Case(
            testDescription: "times after a duration", before: "60", after: "3 * * * *", looks: [0], read: 5,
            decided: ["watch 5"], next: 63),
        Case(
            testDescription: "a duration after times", before: "10 * * * *", after: "30", looks: [9, 10], read: 15,
            decided: [], next: 40),
    ]

    /// A program whose clock the test sets.
    private struct Program {
        var ledger = Ledger()
        private var running: Set<AttemptID> = []

        mutating func look(_ pipelines: [ScheduledPipeline], at minute: Int64) throws -> [Decision] {
            let scheduler = try Scheduler(graph: ScheduleGraph(pipelines))
            let seconds = Dictionary(uniqueKeysWithValues: running.map { ($0, Int64(0)) })
            let step = scheduler.step(ledger, at: minute * 60, running: seconds)
            ledger = step.ledger
            for case .start(let attempt) in step.decisions { running.insert(attempt) }
            return step.decisions
        }

        mutating func endAll(_ outcome: RunOutcome = .succeeded, at minute: Int64) {
            for attempt in running { ledger.end(attempt, outcome, at: minute * 60) }
            running = []
        }
    }

    private func schedule(_ text: String) throws -> Schedule {
        if let minutes = Int64(text) { return Schedule(trigger: .every(seconds: minutes * 60)) }
        return Schedule(trigger: .cron(try CronExpression(text)))
    }

    private func words(_ decision: Decision) -> String? {
        switch decision {
        case .watch(_, let moment): "watch \(moment / 60)"
        case .queue(let id): "queue \(id.moment / 60)"
        case .skip(let id, let reason): "skip \(id.moment / 60) \(reason)"
        case .late(let id): "late \(id.moment / 60)"
        case .start(let attempt): "start \(attempt.due.moment / 60)"
        case .miss(_, let start, let end): "miss \(start / 60)-\(end / 60)"
        case .stop, .abandon, .recover, .lose, .retry, .settle: nil
        }
    }

    @Test(arguments: cases)
    func itHoldsFromWhenItWasRead(_ scene: Case) throws {
        var pipeline = ScheduledPipeline(name: "a", schedule: try schedule(scene.before ?? scene.after))
        pipeline.missed = scene.missed
        var program = Program()
        for minute in scene.looks {
            _ = try program.look([pipeline], at: minute)
            program.endAll(at: minute)
        }
        var changed = pipeline
        changed.schedule = try schedule(scene.after)
        changed.change = .init(earlier: try scene.before.map(schedule), age: scene.delay * 60)
        let now = scene.read + scene.delay
        #expect(try program.look([changed], at: now).compactMap(words) == scene.decided)
        program.endAll(at: now)
        // It is decided on: neither it nor a service that knows nothing of it does anything more.
        changed.change = nil
        #expect(try program.look([changed], at: now).compactMap(words).isEmpty)
        let scheduler = try Scheduler(graph: ScheduleGraph([changed]))
        #expect(scheduler.nextDue(of: "a", in: program.ledger) == scene.next * 60)
    }

    @Test(arguments: [
        (RunOutcome?.some(.succeeded), "start 120"), (.some(.failed), #"skip 120 after("a")"#),
        (nil, #"skip 120 after("a")"#),
    ])
    func whoWaitsForItCountsTheLastTimeThatItWasDue(_ outcome: RunOutcome?, _ expected: String) throws {
        var first = ScheduledPipeline(name: "a", schedule: try schedule("0 * * * *"))
        let second = ScheduledPipeline(name: "b", schedule: try schedule("0 */2 * * *"), after: ["a"])
        var program = Program()
        _ = try program.look([first, second], at: outcome == nil ? 61 : 59)
        _ = try program.look([first, second], at: outcome == nil ? 61 : 60)
        program.endAll(outcome ?? .succeeded, at: 61)
        first.change = .init(earlier: first.schedule)
        first.schedule = try schedule("50 * * * *")
        _ = try program.look([first, second], at: 111)
        first.change = nil
        #expect(try program.look([first, second], at: 120).compactMap(words) == ["queue 120", expected])
    }

    @Test func whatIsHeldWaitsAndIsStartedOnceItCanBe() throws {
        var pipeline = ScheduledPipeline(name: "a", schedule: try schedule("*/10 * * * *"))
        var program = Program()
        _ = try program.look([pipeline], at: 9)
        pipeline.isHeld = true
        #expect(try program.look([pipeline], at: 10).compactMap(words) == ["queue 10"])
        #expect(try program.look([pipeline], at: 12).compactMap(words) == ["late 10"])
        pipeline.isHeld = false
        #expect(try program.look([pipeline], at: 13).compactMap(words) == ["start 10"])
    }

    /// Whether the one that it waits for is there may not be known yet.
    @Test func whatIsHeldIsNotLeftOut() throws {
        var pipeline = ScheduledPipeline(name: "b", schedule: try schedule("*/10 * * * *"), after: ["a"])
        func look(_ ledger: Ledger, at minute: Int64) -> Scheduler.Step {
            Scheduler(graph: ScheduleGraph(leavingOutCycles: [pipeline])).step(ledger, at: minute * 60, running: [:])
        }
        pipeline.isHeld = true
        var step = look(look(Ledger(), at: 9).ledger, at: 10)
        #expect(step.decisions.compactMap(words) == ["queue 10"])
        pipeline.isHeld = false
        step = look(step.ledger, at: 10)
        #expect(step.decisions.compactMap(words) == [#"skip 10 unserved("a")"#])
    }
}

import SluiceSchedule
import Testing

/// What becomes of a run whose service was killed, by what the history of its store has.
@Suite struct CommittedRunTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The committed runs of the pipeline, the oldest first, in seconds after the start of the attempt.
        let runs: [(second: Int64, outcome: RunOutcome)]
        /// How many attempts of the same second have ended before it.
        var others = 0
        let outcome: RunOutcome?
        let decisions: [String]
    }

    private static let start: Int64 = 600
    private static let retried = ["abandon 1", "retry 760"]
    static let cases = [
        Case(testDescription: "none", runs: [], outcome: nil, decisions: retried),
        Case(testDescription: "one before it", runs: [(-1, .succeeded)], outcome: nil, decisions: retried),
        Case(
            testDescription: "one of the same second", runs: [(0, .succeeded)], outcome: .succeeded,
            decisions: ["recover 1 succeeded", "settle succeeded"]),
        Case(
            testDescription: "the first of those after it", runs: [(-5, .failed), (3, .succeeded), (9, .failed)],
            outcome: .succeeded, decisions: ["recover 1 succeeded", "settle succeeded"]),
        Case(
            testDescription: "one that a guard refused", runs: [(1, .failed)], outcome: .failed,
            decisions: ["recover 1 failed", "settle failed"]),
        Case(
            testDescription: "one that is whole in part", runs: [(1, .failedForNow)], outcome: .failedForNow,
            decisions: ["recover 1 failedForNow", "retry 760"]),
        Case(
            testDescription: "one of a clock that was put back", runs: [(101, .succeeded)], outcome: nil,
            decisions: retried),
        Case(
            testDescription: "that of an attempt of the same second", runs: [(0, .failedForNow)], others: 1,
            outcome: nil, decisions: ["abandon 2", "retry 820"]),
        Case(
            testDescription: "its own behind that one", runs: [(0, .failedForNow), (0, .succeeded)], others: 1,
            outcome: .succeeded, decisions: ["recover 2 succeeded", "settle succeeded"]),
        Case(
            testDescription: "an attempt of the same second left none", runs: [(2, .succeeded)], others: 1,
            outcome: .succeeded, decisions: ["recover 2 succeeded", "settle succeeded"]),
    ]

    @Test(arguments: cases) func aCommittedRunStandsForItsAttempt(_ test: Case) throws {
        let id = DueTimeID(pipeline: "a", moment: Self.start)
        var attempts = (0..<test.others).map { _ in DueTime.Attempt(start: Self.start) }
        for index in attempts.indices {
            attempts[index].end = DueTime.End(moment: Self.start, outcome: .failedForNow)
        }
        attempts.append(DueTime.Attempt(start: Self.start))
        var ledger = Ledger()
        ledger.restore(
            "a", mark: Self.start, floor: nil,
            [DueTime(id: id, attempts: attempts, retryAt: nil, isLate: false, settlement: nil)])
        let attempt = AttemptID(due: id, number: attempts.count)
        #expect(ledger.unended == [attempt])
        #expect(ledger.start(of: attempt) == Self.start)

        let now = Self.start + 100
        let runs = test.runs.enumerated().map { index, run in
            CommittedRun(start: Self.start + run.second, outcome: run.outcome, number: Int64(index + 1))
        }
        let committed = ledger.committed(attempt, among: runs, at: now)
        let outcome = committed?.outcome
        #expect(committed.map { runs[Int($0.number ?? 0) - 1] } == committed)
        #expect(outcome == test.outcome)

        var pipeline = ScheduledPipeline(
            name: "a", schedule: Schedule(trigger: .cron(try CronExpression("*/30 * * * *"))))
        pipeline.retry = .init(maxAttempts: 3, base: 60)
        let facts = outcome.map { [attempt: $0] } ?? [:]
        let step = try Scheduler(graph: ScheduleGraph([pipeline])).step(ledger, at: now, running: [:], committed: facts)
        #expect(step.decisions.map(words) == test.decisions)
        #expect(step.ledger.dueTime(id)?.attempts.last?.end?.outcome == outcome ?? .interrupted)
    }

    private func words(_ decision: Decision) -> String {
        switch decision {
        case .abandon(let attempt): "abandon \(attempt.number)"
        case .recover(let attempt, let outcome): "recover \(attempt.number) \(outcome)"
        case .retry(_, let moment): "retry \(moment)"
        case .settle(_, let outcome): "settle \(outcome)"
        default: "\(decision)"
        }
    }
}

import SluiceSchedule
import Testing

/// Which shares of other workers' runs a worker takes part in.
@Suite struct ShareTests {
    private static let start: Int64 = 1_767_225_600  // 2026-01-01T00:00:00Z

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Who has claimed which pipeline.
        var claims = ["a": "other"]
        var shares: [(Int64, String)] = [(1, "a")]
        var slots = 1
        var helping: Set<Int64> = []
        var helped: Set<Int64> = []
        var others: [String] = []
        var isLeaving = false
        let starts: [Int64]
    }

    static let cases = [
        Case(testDescription: "a run of another worker", starts: [1]),
        Case(testDescription: "a run of its own", claims: ["a": "one"], slots: 4, starts: []),
        Case(testDescription: "a run that nobody has", claims: [:], starts: []),
        Case(
            testDescription: "a pipeline that it does not serve", claims: ["z": "other"], shares: [(1, "z")], starts: []
        ),
        Case(testDescription: "one that it takes part in", slots: 2, helping: [1], starts: []),
        Case(testDescription: "one that it has just left", helped: [1], starts: []),
        Case(
            testDescription: "one that it has just left, and another one", shares: [(1, "a"), (2, "a")], helped: [1],
            starts: [2]),
        Case(testDescription: "a slot that something else takes", others: [""], starts: []),
        Case(
            testDescription: "a slot that another share takes", shares: [(1, "a"), (2, "a")], helping: [2], starts: []),
        Case(
            testDescription: "as many as it has slots", claims: ["a": "other", "b": "other"],
            shares: [(1, "a"), (2, "a"), (3, "b")], slots: 2, starts: [1, 2]),
        Case(testDescription: "a service that ends", isLeaving: true, starts: []),
    ]

    private func scheduler(_ names: [String], slots: Int) throws -> Scheduler {
        let pipelines = try names.map { name in
            ScheduledPipeline(name: name, schedule: Schedule(trigger: .cron(try CronExpression("0 * * * *"))))
        }
        var limits = Scheduler.Limits()
        limits.workers = slots
        return Scheduler(graph: try ScheduleGraph(pipelines), limits: limits, scope: .only(Set(names)))
    }

    private func view(_ claims: [String: String], _ shares: [(Int64, String)], at now: Double) -> PoolView {
        var pool = Pool()
        pool.workers["other"] = PoolWorker(id: "other", place: "there", slots: 4, lease: 60, startedAt: now)
        for (index, claim) in claims.sorted(by: { $0.key < $1.key }).enumerated() {
            pool.claims[claim.key] = PoolClaim(
                pipeline: claim.key, attempt: nil, worker: claim.value, token: Int64(index + 1), since: now)
        }
        return PoolView(now: now, pool: pool, shares: shares.map { PoolShare(id: $0, pipeline: $1) })
    }

    @Test(arguments: cases)
    func aWorkerHelpsWhereItHasTime(test: Case) throws {
        let view = view(test.claims, test.shares, at: Double(Self.start) + 1)
        var hand = PoolScheduler.Hand()
        (hand.helping, hand.helped, hand.others) = (test.helping, test.helped, test.others)
        hand.isLeaving = test.isLeaving
        for claim in view.pool.claims.values where claim.worker == "one" { hand.going[claim.token] = 1 }
        let worker = PoolWorker(id: "one", place: "here", slots: test.slots, lease: 60)
        let step = PoolScheduler(try scheduler(["a", "b"], slots: test.slots), worker: worker).step(
            Ledger(), view, hand)
        #expect(step.helped.map(\.id) == test.starts)
    }

    /// What is due goes before what others run, and what is read for others takes slots of it.
    @Test func whatIsDueGoesFirst() throws {
        let scheduler = try scheduler(["a", "b"], slots: 1)
        let worker = PoolWorker(id: "one", place: "here", slots: 1, lease: 60)
        let shares: [(Int64, String)] = [(1, "a")]
        let pools = PoolScheduler(scheduler, worker: worker)
        let first = pools.step(Ledger(), view(["a": "other"], [], at: Double(Self.start) + 1), .init())
        func due(_ hand: PoolScheduler.Hand) -> PoolScheduler.Step {
            pools.step(first.ledger, view(["a": "other"], shares, at: Double(Self.start) + 3601), hand)
        }
        let idle = due(.init())
        #expect(idle.started.map(\.pipeline) == ["b"] && idle.helped.isEmpty)
        var hand = PoolScheduler.Hand()
        hand.helping = [1]
        let busy = due(hand)
        #expect(busy.started.isEmpty && busy.helped.isEmpty)
    }

    @Test func aTicketIsReadAsItIsWritten() {
        let ticket = ShareTicket(share: 42, worker: "a1b2")
        #expect(ShareTicket(ticket.text) == ticket)
        for text in ["", "42", "42 ", " a", "x a1b2", "42 a b"] { #expect(ShareTicket(text) == nil, "\(text)") }
    }
}

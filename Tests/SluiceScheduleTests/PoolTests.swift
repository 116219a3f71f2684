import SluiceSchedule
import TestSupport
import Testing

/// What a worker of a pool makes of the rows that it finds.
@Suite struct PoolTests {
    private static let start: Int64 = 1_767_225_600  // 2026-01-01T00:00:00Z

    private func scheduler(_ names: [String], workers: Int = 2) throws -> Scheduler {
        var limits = Scheduler.Limits()
        limits.workers = workers
        let pipelines = try names.map { name in
            ScheduledPipeline(name: name, schedule: Schedule(trigger: .cron(try CronExpression("0 * * * *"))))
        }
        return Scheduler(graph: try ScheduleGraph(pipelines), limits: limits, scope: .only(Set(names)))
    }

    private func worker(_ id: String, slots: Int = 2) -> PoolWorker {
        PoolWorker(id: id, place: "here", slots: slots, lease: 60)
    }

    /// A pool whose pipelines `a` and `b` are due, and what the worker `one` makes of it.
    private func begin() throws -> PoolScheduler.Step {
        let scheduler = try scheduler(["a", "b"])
        let start = Double(Self.start)
        let first = PoolScheduler(scheduler, worker: worker("one")).step(
            Ledger(), PoolView(now: start + 1, pool: Pool()), .init())
        #expect(first.started.isEmpty)
        return PoolScheduler(scheduler, worker: worker("one", slots: 2)).step(
            first.ledger, PoolView(now: start + 3601, pool: first.pool), .init())
    }

    private func going(_ step: PoolScheduler.Step, _ seconds: Int64 = 0) -> PoolScheduler.Hand {
        var hand = PoolScheduler.Hand()
        for claim in step.started { hand.going[claim.token] = seconds }
        return hand
    }

    private func look(
        _ id: String, _ step: PoolScheduler.Step, after seconds: Double, _ hand: PoolScheduler.Hand = .init()
    ) throws -> PoolScheduler.Step {
        PoolScheduler(try scheduler(["a", "b"]), worker: worker(id)).step(
            step.ledger, PoolView(now: Double(Self.start) + 3601 + seconds, pool: step.pool), hand)
    }

    @Test func whatIsDueIsClaimedOnce() throws {
        let first = try begin()
        #expect(first.started.map(\.pipeline) == ["a", "b"])
        #expect(first.started.map(\.token) == [1, 2])
        let second = try look("two", first, after: 1)
        #expect(second.started.isEmpty && second.decisions.isEmpty)
        #expect(Set(second.pool.workers.keys) == ["one", "two"])
    }

    @Test func aWorkerThatIsSilentIsReplacedAfterItsLease() throws {
        let first = try begin()
        #expect(try look("two", first, after: 60).started.isEmpty)
        let second = try look("two", first, after: 60.5)
        #expect(second.started.map(\.token) == [3, 4])
        #expect(second.started.compactMap { $0.attempt?.number } == [2, 2])
        #expect(second.pool.claims["a"]?.token == 3)
        // It comes back, and its runs count for nothing.
        let third = try look("one", second, after: 61, going(first))
        #expect(third.lost == [1, 2] && third.started.isEmpty)
        var late = PoolScheduler.Hand()
        late.ended = [1: .succeeded, 2: .failed]
        let fourth = try look("one", second, after: 61, late)
        #expect(fourth.settled == [1, 2])
        #expect(fourth.ledger.pipelines["a"]?.unsettled.count == 1)
    }

    /// A reload takes pipelines away while they run.
    @Test func aWorkerAnswersForItsClaimsWhateverItServes() throws {
        let first = try begin()
        func look(_ id: String, after seconds: Double, _ hand: PoolScheduler.Hand) throws -> PoolScheduler.Step {
            PoolScheduler(try scheduler(["b"], workers: 1), worker: worker(id)).step(
                first.ledger, PoolView(now: Double(Self.start) + 3601 + seconds, pool: first.pool), hand)
        }
        // The run goes on, and takes its slot: `b`, whose run was lost, waits for it.
        var hand = PoolScheduler.Hand()
        hand.going = [1: 5]
        let going = try look("one", after: 5, hand)
        #expect(going.lost.isEmpty && going.started.isEmpty && going.pool.claims["a"]?.token == 1)
        // It ends, and that is written; what becomes of its due time is for those who serve it.
        hand.going = [2: 5]
        hand.ended = [1: .succeeded]
        let ended = try look("one", after: 5, hand)
        #expect(ended.pool.claims["a"] == nil && ended.settled == [1])
        let row = try #require(ended.ledger.pipelines["a"]?.dueTimes.last)
        #expect(row.attempts.last?.end?.outcome == .succeeded && row.settlement == nil)
        #expect(ended.changed.contains(row.id))
        // Nothing of it keeps who leaves.
        hand.ended = [1: .succeeded, 2: .succeeded]
        (hand.going, hand.isLeaving) = ([:], true)
        #expect(try look("one", after: 5, hand).pool.workers.isEmpty)
        // The claims of others are left alone where their pipelines are not served.
        let other = try look("two", after: 100, .init())
        #expect(other.pool.claims["a"]?.token == 1 && other.takenOver.map(\.pipeline) == ["b"])
        // Until it shows that nobody serves them: then who had them is forgotten.
        let last = try look("two", after: 601, .init())
        #expect(last.pool.claims["a"] == nil && last.takenOver.map(\.pipeline) == ["b"])
        #expect(last.ledger.pipelines["a"]?.dueTimes.last?.attempts.last?.end?.outcome == .lost)
        hand = PoolScheduler.Hand()
        hand.going = [3: 1]
        let after = PoolScheduler(try scheduler(["b"]), worker: worker("two")).step(
            last.ledger, PoolView(now: Double(Self.start) + 3601 + 602, pool: last.pool), hand)
        #expect(Set(after.pool.workers.keys) == ["two"])
    }

    /// The clock of the server is put back by an hour: nobody is replaced for that, and who is silent after a lease.
    @Test func aClockThatIsPutBackBeginsTheLeaseAnew() throws {
        let first = try begin()
        let turned = try look("two", first, after: -3600)
        #expect(turned.takenOver.isEmpty && turned.started.isEmpty)
        #expect(try look("two", turned, after: -3541).takenOver.isEmpty)
        #expect(try look("two", turned, after: -3539).takenOver.map(\.token) == [1, 2])
    }

    @Test func aWorkerThatComesBackInTimeGoesOn() throws {
        let first = try begin()
        // Late, and nobody has looked meanwhile.
        let back = try look("one", first, after: 300, going(first, 300))
        #expect(back.lost.isEmpty && back.started.isEmpty)
        #expect(try look("two", back, after: 350).started.isEmpty)
    }

    @Test func aRunThatHadCommittedIsNotRunAgain() throws {
        var first = try begin()
        first.pool.claims["a"]?.outcome = .succeeded
        let second = try look("two", first, after: 100)
        #expect(second.started.map(\.pipeline) == ["b"])
        #expect(second.ledger.pipelines["a"]?.dueTimes.last?.settlement == .run(.succeeded))
    }

    @Test func whatTheStoreSaysOfARunGoesBeforeItsProcess() throws {
        var first = try begin()
        first.pool.claims["a"]?.outcome = .succeeded
        var hand = PoolScheduler.Hand()
        hand.ended = [1: .interrupted, 2: .failed]
        let second = try look("one", first, after: 1, hand)
        #expect(second.settled == [1, 2] && second.pool.claims.isEmpty)
        #expect(second.ledger.pipelines["a"]?.dueTimes.last?.settlement == .run(.succeeded))
        #expect(second.ledger.pipelines["b"]?.dueTimes.last?.settlement == .run(.failed))
    }

    @Test func aClaimThatACommitHoldsIsLeftAlone() throws {
        let first = try begin()
        var view = PoolView(now: Double(Self.start) + 3800, pool: first.pool)
        view.committing = ["a"]
        let second = PoolScheduler(try scheduler(["a", "b"]), worker: worker("two")).step(first.ledger, view, .init())
        #expect(second.started.map(\.pipeline) == ["b"])
    }

    /// The answer to the claim was lost, so nothing was started.
    @Test func aClaimWithoutARunIsLost() throws {
        let first = try begin()
        let second = try look("one", first, after: 1)
        #expect(second.started.map(\.token) == [3, 4])
        #expect(second.started.compactMap { $0.attempt?.number } == [2, 2])
    }

    @Test func replacementsHaveAnEnd() throws {
        var step = try begin()
        var count = 0
        while !step.started.isEmpty, count < 100 {
            step = try look("one", step, after: 1)
            count += 1
        }
        #expect(count == Scheduler.Limits().replacements + 1)
        #expect(step.ledger.pipelines["a"]?.dueTimes.last?.settlement == .run(.lost))
    }

    @Test func whatPeopleAskForIsClaimedToo() throws {
        let first = try begin()
        var hand = PoolScheduler.Hand()
        hand.asked = ["a"]
        #expect(try look("two", first, after: 1, hand).started.isEmpty)
        var done = going(first)
        done.going[1] = nil
        done.ended = [1: .succeeded]
        let ended = try look("one", first, after: 1, done)
        let asked = try look("two", ended, after: 2, hand)
        #expect(asked.started.map(\.pipeline) == ["a"] && asked.started.first?.attempt == nil)
        // Nobody else starts it meanwhile, and who dies with it gives it up.
        #expect(try look("one", asked, after: 3, going(first)).pool.claims["a"]?.worker == "two")
        #expect(try look("three", asked, after: 200).pool.claims["a"] == nil)
    }

    @Test func whoLeavesGoesOnceItsRunsHaveEnded() throws {
        let first = try begin()
        var hand = going(first)
        hand.isLeaving = true
        #expect(try look("one", first, after: 1, hand).pool.workers["one"] != nil)
        hand.going = [:]
        hand.ended = [1: .succeeded, 2: .succeeded]
        let gone = try look("one", first, after: 2, hand)
        #expect(gone.pool.workers.isEmpty && gone.pool.claims.isEmpty)
    }

    static let troubles: [PoolWorld.Trouble] = [
        .init(), .init(kills: 2), .init(pauses: 2), .init(lostAnswers: 5, refusals: 5), .init(clockTurns: 2),
        .init(missingFiles: 5), .init(kills: 2, pauses: 2, lostAnswers: 3, refusals: 3, clockTurns: 1, missingFiles: 2),
    ]

    /// A day of due times on four workers: each is committed once at most, by who has the claim, and none is left out.
    @Test(arguments: troubles.indices)
    func nothingIsCommittedTwiceAndNothingIsLeftOut(_ number: Int) throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        print("pool, trouble \(number): seed \(seed)")
        var pipelines: [ScheduledPipeline] = []
        for index in 0..<6 {
            let expression = ["*/20 * * * *", "0 * * * *"][index % 2]
            let trigger: Schedule.Trigger =
                index == 5 ? .every(seconds: 1800) : .cron(try CronExpression(expression))
            var pipeline = ScheduledPipeline(
                name: "p\(index)", schedule: Schedule(trigger: trigger), after: index == 4 ? ["p0"] : [])
            pipeline.overlap = index % 3 == 0 ? .queue : .skip
            pipeline.retry = index % 2 == 0 ? .init(maxAttempts: 3, base: 60) : .never
            pipelines.append(pipeline)
        }
        var world = PoolWorld(
            pipelines, workers: 4, start: Self.start, seed: seed, trouble: Self.troubles[number])
        world.run(seconds: 86_400)
        #expect(world.problems.isEmpty, "seed \(seed): \(world.problems.prefix(3))")
        #expect(world.commits.count > 50, "seed \(seed)")
        if number == 2 { #expect(world.refusedCommits + world.losses > 0, "seed \(seed)") }
    }
}

import SluiceSchedule
import TestSupport

/// Workers of a pool, their runs and one store: workers are paused and killed, answers of the store are lost, and its clock
/// is set, at random. Clocks of workers go wrong as they like.
struct PoolWorld {
    /// What may go wrong, in percent of the looks.
    struct Trouble {
        var kills = 0
        var pauses = 0
        var lostAnswers = 0
        var refusals = 0
        var clockTurns = 0
        /// That files are not there for a while, at one worker.
        var missingFiles = 0
    }

    private struct Child {
        let claim: PoolClaim
        var end: Double
        /// Whether it comes to something that it commits.
        let commits: Bool
        /// Until when its commit holds the claim; nil before it commits.
        var committingUntil: Double?
        /// What it came to once it has ended.
        var outcome: RunOutcome?
    }

    private struct Worker {
        var row: PoolWorker
        var ledger = Ledger()
        /// Up to which change of the store it has all rows.
        var known = -1
        var children: [Int64: Child] = [:]
        var pausedUntil = -Double.infinity
        /// Whether its runs go on while it is paused.
        var pausesAlone = false
        /// Its own clock: nothing that it decides hangs on it.
        var clock: Double
        /// The pipelines whose files are not there.
        var missing: Set<String> = []
    }

    private static let lease = 60.0
    private let pipelines: [ScheduledPipeline]
    private let limits: Scheduler.Limits
    private let trouble: Trouble
    private var random: SeededGenerator
    private var workers: [Worker] = []
    private var count = 0
    /// The time that passes, and by how much the server's clock is ahead of it.
    private var steady = 0.0
    private var ahead: Double
    private var isCalm = false
    // The store.
    private var pool = Pool()
    private var stored = Ledger()
    private var revision = 0
    private var revisions: [String: Int] = [:]
    // What happened.
    private(set) var problems: [String] = []
    private(set) var commits: [DueTimeID: [Int64]] = [:]
    private(set) var refusedCommits = 0
    private(set) var losses = 0
    private var missed: [String: [ClosedRange<Int64>]] = [:]
    private var tokens: [String: Int64] = [:]

    private var now: Double { steady + ahead }

    init(_ pipelines: [ScheduledPipeline], workers: Int, start: Int64, seed: UInt64, trouble: Trouble) {
        self.pipelines = pipelines
        var limits = Scheduler.Limits()
        limits.workers = 2
        limits.replacements = 1000
        self.limits = limits
        self.trouble = trouble
        random = SeededGenerator(seed: seed)
        ahead = Double(start)
        for _ in 0..<workers { self.workers.append(newWorker()) }
    }

    /// Lets time pass with trouble, and then without until all has settled.
    mutating func run(seconds: Double) {
        while steady < seconds, problems.isEmpty { tick() }
        isCalm = true
        for index in workers.indices { workers[index].pausedUntil = min(workers[index].pausedUntil, steady) }
        let end = steady + 5 * 3600
        while steady < end, problems.isEmpty { tick() }
        judge()
    }

    private mutating func newWorker() -> Worker {
        count += 1
        return Worker(
            row: PoolWorker(id: "w\(count)", place: "here", slots: 2, lease: Self.lease),
            clock: Double(Int.random(in: -100_000...100_000, using: &random)))
    }

    private mutating func tick() {
        steady += Double(random.pick([1, 10, 15, 20]))
        if !isCalm, random.chance(trouble.clockTurns) { ahead += Double(random.pick([-3600, -120, -5, 5, 120, 3600])) }
        for index in workers.indices.shuffled(using: &random) {
            let isPaused = workers[index].pausedUntil > steady
            if !isPaused || workers[index].pausesAlone { advanceChildren(of: index) }
            if isPaused { continue }
            if !isCalm, random.chance(trouble.kills) {
                // Its runs end with it, wherever they are.
                workers[index] = newWorker()
                continue
            }
            if !isCalm, random.chance(trouble.pauses) {
                workers[index].pausedUntil = steady + Double(random.pick([20, 61, 300, 4000]))
                workers[index].pausesAlone = random.chance(50)
                continue
            }
            loseFiles(of: index)
            look(index)
        }
    }

    /// Files of a worker go, and come again.
    private mutating func loseFiles(of index: Int) {
        if isCalm || random.chance(10) { workers[index].missing = [] }
        guard !isCalm, random.chance(trouble.missingFiles) else { return }
        workers[index].missing = Set(pipelines.map(\.name).filter { _ in random.chance(50) })
    }

    /// The scheduler of a worker, which starts nothing that it has no file of.
    private func scheduler(holding names: Set<String>) -> Scheduler {
        let pipelines = pipelines.map { pipeline in
            var pipeline = pipeline
            pipeline.isHeld = names.contains(pipeline.name)
            return pipeline
        }
        return Scheduler(
            graph: ScheduleGraph(leavingOutCycles: pipelines), limits: limits,
            scope: .only(Set(pipelines.map(\.name))))
    }

    /// Runs come to their ends, and commit if their claims let them.
    private mutating func advanceChildren(of index: Int) {
        for (token, child) in workers[index].children where child.outcome == nil && child.end <= steady {
            var child = child
            defer { workers[index].children[token] = child }
            if !child.commits {
                child.outcome = .failedForNow
                continue
            }
            if child.committingUntil == nil {
                // As a commit is refused whose claim is another's.
                guard pool.claims[child.claim.pipeline]?.token == token else {
                    refusedCommits += 1
                    child.outcome = .interrupted
                    continue
                }
                child.committingUntil = steady + Double(random.pick([0, 0, 3, 200]))
            }
            guard let end = child.committingUntil, end <= steady else { continue }
            commit(child)
            child.outcome = .succeeded
        }
    }

    private mutating func commit(_ child: Child) {
        let token = child.claim.token
        expect(tokens[child.claim.pipeline] == token, "a run with the token \(token) commits after its successor began")
        pool.claims[child.claim.pipeline]?.outcome = .succeeded
        if let due = child.claim.attempt?.due {
            commits[due, default: []].append(token)
            expect(commits[due]?.count == 1, "\(due) is committed twice")
        }
    }

    private mutating func look(_ index: Int) {
        let own = workers[index]
        var hand = PoolScheduler.Hand()
        for (token, child) in own.children {
            if let outcome = child.outcome {
                hand.ended[token] = outcome
            } else {
                hand.going[token] = Int64(max(0, steady - child.claim.since + own.clock / 100_000))
            }
        }
        if random.chance(2) { hand.asked = [random.pick(pipelines).name].filter { !own.missing.contains($0) } }
        let scheduler = scheduler(holding: own.missing)
        // Whoever holds a claim that is over is cut off by the server.
        let movable = PoolScheduler(scheduler, worker: own.row)
            .movableClaims(of: pool, going: Set(hand.going.keys), at: now)
        let committing = Set(
            workers.flatMap { $0.children.values }.filter { $0.committingUntil != nil && $0.outcome == nil }
                .map(\.claim.pipeline))
        if !isCalm, random.chance(trouble.refusals) { return }
        let view = PoolView(now: now, pool: pool, committing: committing)
        var ledger = own.ledger
        for name in revisions.filter({ $0.value > own.known }).keys { restore(name, in: &ledger) }
        let step = PoolScheduler(scheduler, worker: own.row).step(ledger, view, hand)
        cutOff(movable.filter { $0.worker != own.row.id })
        // The transaction is committed; whether the worker knows is another matter.
        (pool, stored) = (step.pool, step.ledger)
        revision += 1
        for name in step.changed.map(\.pipeline) + step.decisions.map(\.pipeline) { revisions[name] = revision }
        for decision in step.decisions { note(decision) }
        for claim in step.started {
            expect(claim.token > tokens[claim.pipeline] ?? 0, "the token \(claim.token) is not the highest")
            tokens[claim.pipeline] = claim.token
            expect(!own.missing.contains(claim.pipeline), "\(claim.pipeline) is started without its file")
            if let due = claim.attempt?.due { expect(commits[due] == nil, "\(due) is run once more") }
        }
        if !isCalm, random.chance(trouble.lostAnswers) { return }
        (workers[index].ledger, workers[index].known) = (step.ledger, revision)
        for token in step.settled { workers[index].children[token] = nil }
        for token in step.lost {
            workers[index].children[token] = nil
            losses += 1
        }
        for claim in step.started {
            let length = Double(random.pick([2, 30, 200, 900]))
            workers[index].children[claim.token] = Child(
                claim: claim, end: steady + length, commits: isCalm || random.chance(80))
        }
    }

    private func restore(_ name: String, in ledger: inout Ledger) {
        let ids = (stored.pipelines[name]?.dueTimes ?? []).map(\.id)
        ledger.restore(stored.rows(of: ids, marks: [name]), replacing: true)
    }

    private mutating func cutOff(_ claims: [PoolClaim]) {
        for claim in claims {
            for index in workers.indices where workers[index].children[claim.token]?.committingUntil != nil {
                if workers[index].children[claim.token]?.outcome == nil {
                    workers[index].children[claim.token]?.outcome = .failedForNow
                }
            }
        }
    }

    private mutating func note(_ decision: Decision) {
        if case .miss(let name, let after, let before) = decision { missed[name, default: []].append(after...before) }
    }

    // MARK: Judging

    private mutating func expect(_ holds: Bool, _ problem: @autoclosure () -> String) {
        if !holds { problems.append("at \(Int(now)): \(problem())") }
    }

    /// All due times have come to something, and to that which was committed.
    private mutating func judge() {
        let end = Scheduler.Limits().grace
        for pipeline in pipelines {
            let rows = stored.pipelines[pipeline.name]
            for row in rows?.dueTimes ?? [] where row.id.moment < Int64(now) - 3 * 3600 {
                expect(row.settlement != nil, "\(row.id) is not settled: \(row.attempts)")
                let isCommitted = commits[row.id] != nil
                let text = row.settlement?.text ?? "open"
                expect(
                    (row.settlement == .run(.succeeded)) == isCommitted,
                    "\(row.id) is \(text), and committed: \(isCommitted)")
            }
            guard trouble.clockTurns == 0, case .cron = pipeline.schedule.trigger, let first = rows?.dueTimes.first
            else {
                continue
            }
            for moment in pipeline.schedule.dueTimes(after: first.id.moment).prefix(while: { $0 < Int64(now) - end }) {
                let isMissed = missed[pipeline.name]?.contains { $0.contains(moment) } ?? false
                expect(rows?.dueTime(at: moment) != nil || isMissed, "\(pipeline.name) at \(moment) is left out")
            }
        }
    }
}

import SluiceSchedule
import SluiceStore
import TestSupport

/// A scheduler among processes, a clock that anybody turns, and kills between any two effects.
///
/// The rows of a step are written to a store before its effects, and a program that is started again knows what stands
/// there and nothing else. What happened is kept for ``SchedulerModel`` to judge.
struct SchedulerWorld {
    /// A process.
    struct Child {
        let start: Int64
        var end: Int64
        var outcome: RunOutcome
        let heedsSignals: Bool
    }

    /// What may go wrong, in percent of the times that it could.
    struct Trouble {
        var kills = 0
        var turns = 0
        var sleeps = 0
        /// That a schedule is changed, while the program runs or not; in permille.
        var changes = 0
    }

    /// How far off the clock is turned.
    private static let farthest: Int64 = 3 * 86_400
    private let limits: Scheduler.Limits
    private var pipelines: [ScheduledPipeline]
    /// Those that have changed and of which nothing is written since: what held before, and what holds now.
    private var changed: [String: (before: Schedule, plan: SchedulerModel.Plan)] = [:]
    let trouble: Trouble
    /// How many rows of each pipeline are kept.
    private let kept: Int
    var random: SeededGenerator
    /// A clock that nobody turns.
    var steady: Int64 = 0
    /// How far the wall clock is ahead of it.
    var ahead: Int64
    /// By how much it was turned.
    private var turned: Int64 = 0
    var isUp = false
    var upAt: Int64 = 0
    /// What the program knows.
    var ledger = Ledger()
    /// What the store has.
    private let rows: any ScheduleLedger
    /// How many rows were read by programs that were started again.
    private(set) var restored = 0
    var children: [AttemptID: Child] = [:]
    var model: SchedulerModel

    var now: Int64 { steady + ahead }

    init(
        _ pipelines: [ScheduledPipeline], plans: [String: SchedulerModel.Plan], start: Int64, seed: UInt64,
        trouble: Trouble, workers: Int, kept: Int, rows: any ScheduleLedger
    ) throws {
        (self.rows, self.kept) = (rows, kept)
        var limits = Scheduler.Limits()
        limits.workers = workers
        self.limits = limits
        self.pipelines = pipelines
        self.trouble = trouble
        random = SeededGenerator(seed: seed)
        ahead = start
        model = SchedulerModel(pipelines: pipelines, plans: plans, workers: workers)
    }

    /// Lets so much time pass.
    mutating func run(seconds: Int64) throws {
        while steady < seconds, model.problems.isEmpty { try isUp ? work() : wait() }
    }

    // MARK: The program

    /// One look at the clock, and the wait for the next one.
    private mutating func work() throws {
        let ended = reap()
        let forgotten = random.chance(10) ? ledger.forget(keeping: kept) : []
        if Int.random(in: 0..<1000, using: &random) < trouble.changes { try changeSchedule() }
        let step = try scheduler().step(ledger, at: now, running: running)
        ledger = step.ledger
        if random.chance(trouble.kills) { return kill() }
        try write(step.decisions, ended.map(\.attempt.due), forgotten)
        model.looks(at: now)
        for (name, change) in changed { model.changes(name, to: change.plan, at: now) }
        changed = [:]
        model.forgot(forgotten)
        for end in ended {
            model.ended(
                end.attempt, end.child.outcome, at: now, after: steady - end.child.start, upSince: upAt, steady: steady)
        }
        for decision in step.decisions { model.decided(decision, at: now) }
        for decision in step.decisions where isUp { perform(decision) }
        guard isUp else { return }
        let now = now
        model.sees(now)
        let wake = min(max(now + 1, step.wakeAt ?? now + 86_400), now + 86_400)
        if random.chance(30) { try checkQuiet(before: wake) }
        let end = children.values.map(\.end).min() ?? .max
        let rest = max(1, min(wake - now, end - steady))
        if random.chance(trouble.sleeps) { return sleep() }
        if random.chance(trouble.turns) { return turnClock(within: rest) }
        if random.chance(trouble.kills) { return kill() }
        steady += rest
    }

    /// The scheduler of all pipelines, told now of the schedules that have changed.
    private func scheduler() throws -> Scheduler {
        let pipelines = pipelines.map { pipeline in
            var pipeline = pipeline
            pipeline.change = changed[pipeline.name].map { .init(earlier: $0.before) }
            return pipeline
        }
        return Scheduler(graph: try ScheduleGraph(pipelines), limits: limits)
    }

    /// Somebody changes a schedule, which the program reads at its next look.
    private mutating func changeSchedule() throws {
        let place = Int.random(in: pipelines.indices, using: &random)
        let name = pipelines[place].name
        let (trigger, plan) = try SchedulerModel.Plan.random(&random)
        changed[name] = (changed[name]?.before ?? pipelines[place].schedule, plan)
        pipelines[place].schedule.trigger = trigger
    }

    /// Writes what a step changed, all at once.
    private func write(_ decisions: [Decision], _ ended: [DueTimeID], _ forgotten: [DueTimeID]) throws {
        let ids = Set(decisions.compactMap(\.dueTime) + ended)
        let names = Set(decisions.map(\.pipeline) + ended.map(\.pipeline) + forgotten.map(\.pipeline))
        var changes = ledger.rows(of: ids, marks: names)
        changes.forgotten = forgotten
        if !changes.isEmpty { try rows.write(changes) }
    }

    /// All is decided now, and nothing is to be until the scheduler wants to be woken up.
    private mutating func checkQuiet(before end: Int64) throws {
        let now = now
        let scheduler = try scheduler()
        for moment in [now, end - 1, Int64.random(in: now..<end, using: &random)] {
            let later = running.mapValues { $0 + moment - now }
            let decisions = scheduler.step(ledger, at: moment, running: later).decisions
            model.expect(decisions.isEmpty, "at \(now) it sleeps until \(end), and misses \(decisions) at \(moment)")
        }
    }

    private var running: [AttemptID: Int64] { children.mapValues { steady - $0.start } }

    private mutating func perform(_ decision: Decision) {
        if random.chance(trouble.kills) { return kill() }
        switch decision {
        case .start(let attempt):
            let length = Int64(random.pick([1, 20, 300, 900, 4000, 9000]))
            model.started(attempt, at: now, ledger: ledger, running: Set(children.keys))
            children[attempt] = Child(
                start: steady, end: steady + length,
                outcome: random.pick([.succeeded, .succeeded, .failed, .failedForNow]),
                heedsSignals: random.chance(50))
        case .stop(let attempt, let signal):
            model.stopped(attempt, signal, after: running[attempt])
            guard let child = children[attempt], signal == .kill || child.heedsSignals else { break }
            children[attempt]?.end = min(child.end, steady + (signal == .kill ? 0 : 5))
            children[attempt]?.outcome = .interrupted
        default: break
        }
    }

    /// Takes in the ends of processes.
    private mutating func reap() -> [(attempt: AttemptID, child: Child)] {
        let ended = children.filter { $0.value.end <= steady }.sorted { $0.key.due.moment < $1.key.due.moment }
        for (attempt, child) in ended {
            ledger.end(attempt, child.outcome, at: now)
            children[attempt] = nil
        }
        return ended.map { ($0.key, $0.value) }
    }

    // MARK: The world

    private mutating func kill() {
        isUp = false
        model.clockIsUnseen()
        if random.chance(50) { children = [:] }
    }

    /// Nobody looks at the clock.
    private mutating func wait() throws {
        steady += Int64(random.pick([0, 1, 30, 59, 600, 5000, 100_000]))
        // What ended meanwhile has nobody to tell.
        children = children.filter { $0.value.end > steady }
        if random.chance(trouble.turns) { turn() }
        isUp = true
        upAt = steady
        let kept = try rows.read()
        restored += kept.dueTimes.count
        ledger = Ledger()
        ledger.restore(kept)
    }

    /// The machine sleeps, and its processes with it.
    private mutating func sleep() {
        ahead += Int64(random.pick([10, 61, 3600, 40_000, 200_000]))
        model.clockIsUnseen()
    }

    private mutating func turnClock(within rest: Int64) {
        steady += Int64.random(in: 0..<max(1, rest), using: &random)
        model.sees(now)
        turn()
    }

    private mutating func turn() {
        let seconds = Int64(random.pick([1, 59, 3600, 7200, 50_000, 200_000]))
        let isForward = abs(turned) + seconds > Self.farthest ? turned < 0 : random.chance(50)
        ahead += isForward ? seconds : -seconds
        turned += isForward ? seconds : -seconds
        model.clockIsUnseen()
    }
}

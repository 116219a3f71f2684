import SluiceSchedule
import TestSupport

/// A scheduler among processes, a clock that anybody turns, and kills between any two effects.
///
/// Each decision's row is written before its effect. What happened is kept for ``SchedulerModel`` to judge.
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
    }

    /// How long rows are kept, and how far off the clock is turned: the one is longer than twice the other.
    private static let (kept, farthest): (Int64, Int64) = (8 * 86_400, 3 * 86_400)

    let scheduler: Scheduler
    let pipelines: [ScheduledPipeline]
    let trouble: Trouble
    var random: SeededGenerator
    /// A clock that nobody turns.
    var steady: Int64 = 0
    /// How far the wall clock is ahead of it.
    var ahead: Int64
    /// By how much it was turned.
    private var turned: Int64 = 0
    var isUp = false
    var upAt: Int64 = 0
    var ledger = Ledger()
    var children: [AttemptID: Child] = [:]
    var model: SchedulerModel

    var now: Int64 { steady + ahead }

    init(
        _ pipelines: [ScheduledPipeline], plans: [String: SchedulerModel.Plan], start: Int64, seed: UInt64,
        trouble: Trouble, workers: Int
    ) throws {
        var limits = Scheduler.Limits()
        limits.workers = workers
        scheduler = try Scheduler(graph: ScheduleGraph(pipelines), limits: limits)
        self.pipelines = pipelines
        self.trouble = trouble
        random = SeededGenerator(seed: seed)
        ahead = start
        model = SchedulerModel(pipelines: pipelines, plans: plans, workers: workers)
    }

    /// Lets so much time pass.
    mutating func run(seconds: Int64) {
        while steady < seconds, model.problems.isEmpty { isUp ? work() : wait() }
    }

    // MARK: The program

    /// One look at the clock, and the wait for the next one.
    private mutating func work() {
        reap()
        guard isUp else { return }
        let step = scheduler.step(ledger, at: now, running: running)
        for decision in step.decisions where isUp { perform(decision) }
        guard isUp else { return }
        let now = now
        if random.chance(10) {
            model.expect(ledger == step.ledger, "rows differ from the step's at \(now)")
            ledger.forget(before: now - Self.kept)
        }
        model.sees(now)
        let wake = min(max(now + 1, step.wakeAt ?? now + 86_400), now + 86_400)
        if random.chance(30) { checkQuiet(before: wake) }
        let end = children.values.map(\.end).min() ?? .max
        let rest = max(1, min(wake - now, end - steady))
        if random.chance(trouble.sleeps) { return sleep() }
        if random.chance(trouble.turns) { return turnClock(within: rest) }
        if random.chance(trouble.kills) { return kill() }
        steady += rest
    }

    /// All is decided now, and nothing is to be until the scheduler wants to be woken up.
    private mutating func checkQuiet(before end: Int64) {
        let now = now
        for moment in [now, end - 1, Int64.random(in: now..<end, using: &random)] {
            let later = running.mapValues { $0 + moment - now }
            let decisions = scheduler.step(ledger, at: moment, running: later).decisions
            model.expect(decisions.isEmpty, "at \(now) it sleeps until \(end), and misses \(decisions) at \(moment)")
        }
    }

    private var running: [AttemptID: Int64] { children.mapValues { steady - $0.start } }

    private mutating func perform(_ decision: Decision) {
        if random.chance(trouble.kills) { return kill() }
        ledger.apply(decision, at: now, running: running)
        model.decided(decision, at: now)
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
    private mutating func reap() {
        for (attempt, child) in children.sorted(by: { $0.key.due.moment < $1.key.due.moment }) where child.end <= steady
        {
            if random.chance(trouble.kills) { return kill() }
            ledger.end(attempt, child.outcome, at: now)
            model.ended(attempt, child.outcome, at: now, after: steady - child.start, upSince: upAt, steady: steady)
            children[attempt] = nil
        }
    }

    // MARK: The world

    private mutating func kill() {
        isUp = false
        model.clockIsUnseen()
        if random.chance(50) { children = [:] }
    }

    /// Nobody looks at the clock.
    private mutating func wait() {
        steady += Int64(random.pick([0, 1, 30, 59, 600, 5000, 100_000]))
        // What ended meanwhile has nobody to tell.
        children = children.filter { $0.value.end > steady }
        if random.chance(trouble.turns) { turn() }
        isUp = true
        upAt = steady
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

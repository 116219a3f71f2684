import SluiceSchedule
import TestSupport

/// What must hold of what a scheduler did, found minute by minute and without any of its searches.
struct SchedulerModel {
    /// When a pipeline is due, as this model understands it.
    enum Plan {
        /// At these minutes of these hours of the day in UTC.
        case minutes(Set<Int>, hours: Set<Int>)
        /// So many seconds after the last start.
        case every(Int64)

        /// A plan at random, with the trigger that means it.
        static func random(_ random: inout SeededGenerator) throws -> (trigger: Schedule.Trigger, plan: Plan) {
            if random.chance(25) {
                let seconds = Int64(random.pick([3600, 7205, 40_000]))
                return (.every(seconds: seconds), .every(seconds))
            }
            let minutes = random.pick([[0], [30], [0, 40]])
            let hours = random.pick([Array(0..<24), [6, 7, 18], [0, 8, 16]])
            let fields = [minutes, hours].map { $0.map(String.init).joined(separator: ",") }
            let expression = try CronExpression("\(fields[0]) \(fields[1]) * * *")
            return (.cron(expression), .minutes(Set(minutes), hours: Set(hours)))
        }

        func isDue(_ moment: Int64) -> Bool {
            guard case .minutes(let minutes, let hours) = self, moment % 60 == 0 else { return false }
            return minutes.contains(Int(moment / 60 % 60)) && hours.contains(Int(moment / 3600 % 24))
        }
    }

    private struct Attempt {
        var start: Int64
        var end: (moment: Int64, outcome: RunOutcome)?
    }

    let pipelines: [String: ScheduledPipeline]
    private(set) var plans: [String: Plan]
    /// What held before changes, each up to when it was read, until all up to then is checked.
    private var earlier: [String: [(plan: Plan, until: Int64)]] = [:]
    /// When plans were changed last.
    private var changedAt: [String: Int64] = [:]
    let workers: Int
    private(set) var problems: [String] = []
    private var attempts: [DueTimeID: [Attempt]] = [:]
    private var queued: [DueTimeID: Int64] = [:]
    private var unsettled: [String: Set<Int64>] = [:]
    /// The last due time of each that succeeded.
    private var succeeded: [String: Int64] = [:]
    /// Those that have a row, in their order.
    private var counted: [String: [Int64]] = [:]
    private(set) var skipped: [DueTimeID: SkipReason] = [:]
    /// Up to where the clock was watched without a break; nil after one.
    private var watchedUpTo: Int64?
    private var lastSeen: Int64?
    /// Up to where rows were forgotten: what was due until then is over, whether it was decided on or not.
    private var floors: [String: Int64] = [:]
    /// What a later due time stood for.
    private var missed: [String: [Range<Int64>]] = [:]
    private(set) var counts: [String: Int] = [:]

    init(pipelines: [ScheduledPipeline], plans: [String: Plan], workers: Int) {
        self.pipelines = Dictionary(uniqueKeysWithValues: pipelines.map { ($0.name, $0) })
        self.plans = plans
        self.workers = workers
    }

    mutating func expect(_ isTrue: Bool, _ text: @autoclosure () -> String) {
        if !isTrue, problems.count < 5 { problems.append(text()) }
    }

    private mutating func count(_ name: String) { counts[name, default: 0] += 1 }

    // MARK: Changes

    /// A pipeline has another plan from now on.
    mutating func changes(_ name: String, to plan: Plan, at now: Int64) {
        count("change")
        if let old = plans[name] { earlier[name, default: []].append((old, now)) }
        (plans[name], changedAt[name]) = (plan, max(now, changedAt[name] ?? now))
    }

    /// The program looks: where the clock was put back before a change, the new plan holds from here on.
    mutating func looks(at now: Int64) {
        guard earlier.values.contains(where: { $0.contains { $0.until > now } }) else { return }
        (earlier, watchedUpTo, lastSeen) = ([:], nil, now)
    }

    /// The plan by which a moment is judged.
    private func plan(of name: String, at moment: Int64) -> Plan? {
        guard let old = earlier[name]?.first(where: { moment <= $0.until }) else { return plans[name] }
        // What is counted from a start may be due when it is read.
        if moment == old.until, !old.plan.isDue(moment), case .every? = plans[name] { return plans[name] }
        return old.plan
    }

    private func isDue(_ name: String, at moment: Int64) -> Bool { plan(of: name, at: moment)?.isDue(moment) ?? false }

    // MARK: The clock

    /// The clock jumps, or nobody looks at it.
    mutating func clockIsUnseen() { watchedUpTo = nil }

    /// The clock shows a time, and all that is due is decided on.
    mutating func sees(_ now: Int64) {
        defer { (watchedUpTo, lastSeen, earlier) = (now, now, [:]) }
        guard let from = watchedUpTo ?? lastSeen, now > from else { return }
        for name in plans.keys {
            var last: DueTimeID?
            var isAnyNew = false
            for moment in stride(from: from - from % 60 + 60, through: now, by: 60) where isDue(name, at: moment) {
                let id = DueTimeID(pipeline: name, moment: moment)
                last = id
                let isMissed = missed[name]?.contains { $0.contains(moment) } ?? false
                if !isDecided(id), !isMissed, !isForgotten(id) { isAnyNew = true }
                // Only what passed unseen may be left out without a row of its own.
                if watchedUpTo != nil {
                    expect(isDecided(id) || isForgotten(id), "\(id) was due and nothing was decided by \(now)")
                }
            }
            if let last, isAnyNew { expect(isDecided(last), "nothing stands for what passed until \(last)") }
        }
    }

    private func isDecided(_ id: DueTimeID) -> Bool { queued[id] != nil || skipped[id] != nil }

    private func isForgotten(_ id: DueTimeID) -> Bool { floors[id.pipeline].map { id.moment <= $0 } ?? false }

    // MARK: Decisions

    mutating func decided(_ decision: Decision, at now: Int64) {
        switch decision {
        case .watch: count("watch")
        case .queue(let id):
            isNew(id, now)
            count("queue")
            let going = unsettled[id.pipeline]?.count ?? 0
            expect(going <= (pipelines[id.pipeline]?.overlap == .queue ? 1 : 0), "\(id) waits behind \(going) others")
            queued[id] = now
            unsettled[id.pipeline, default: []].insert(id.moment)
        case .skip(let id, let reason):
            if queued[id] == nil { isNew(id, now) }
            expect(skipped[id] == nil, "\(id) is skipped twice")
            check(id, reason, now)
            skipped[id] = reason
            unsettled[id.pipeline]?.remove(id.moment)
        case .miss(let name, let start, let end):
            count("miss")
            let isAny = stride(from: start - start % 60 + 60, to: end, by: 60).contains { moment in
                guard moment > start, isDue(name, at: moment) else { return false }
                let id = DueTimeID(pipeline: name, moment: moment)
                return queued[id] == nil && skipped[id] == nil
            }
            missed[name, default: []].append(start + 1..<end)
            expect(isAny, "\(name) missed nothing between \(start) and \(end)")
            expect(watchedUpTo == nil || watchedUpTo ?? 0 <= start, "\(name) missed what was watched at \(now)")
        case .late(let id):
            count("late")
            let jitter = pipelines[id.pipeline]?.schedule.jitter.start(ofDue: id.moment) ?? 0
            expect(now > jitter + 60 && attempts[id] == nil, "\(id) is not late at \(now)")
        case .lose(let attempt): expect(false, "\(attempt) is lost, and there are no other workers")
        case .abandon(let attempt):
            count("abandon")
            close(attempt, .interrupted, now)
        case .recover(let attempt, let outcome): close(attempt, outcome, now)
        case .retry: count("retry")
        case .settle(let id, let outcome):
            let own = attempts[id]?.last?.end?.outcome
            expect(
                own == outcome || own == nil && outcome == .interrupted,
                "\(id) is settled as \(outcome), not \(own as Any)")
            unsettled[id.pipeline]?.remove(id.moment)
            if outcome == .succeeded { succeeded[id.pipeline] = max(id.moment, succeeded[id.pipeline] ?? 0) }
        case .start(let attempt):
            expect(queued[attempt.due] != nil && skipped[attempt.due] == nil, "\(attempt) was not queued")
            expect(attempts[attempt.due, default: []].count == attempt.number - 1, "\(attempt) is started twice")
            if let last = attempts[attempt.due]?.last, let pipeline = pipelines[attempt.due.pipeline] {
                let end = last.end
                expect(end?.outcome == .failedForNow || end?.outcome == .interrupted, "\(attempt) has no cause")
                expect(attempt.number <= pipeline.retry.maxAttempts, "\(attempt) is one too many")
                let delay = pipeline.retry.base << Int64(attempt.number - 2)
                let endMoment = end?.moment ?? 0
                expect(now < endMoment || now >= endMoment + delay, "\(attempt) is too early")
            }
            // From the row on it counts as started, whether there will be a process or not.
            attempts[attempt.due, default: []].append(Attempt(start: now))
        case .stop: break
        }
    }

    /// Rows are forgotten. The due times of an expression are not run again for that; one that is counted from a start may
    /// have the moment of a forgotten one.
    mutating func forgot(_ ids: [DueTimeID]) {
        for id in ids {
            count("forget")
            expect(unsettled[id.pipeline]?.contains(id.moment) != true, "\(id) is forgotten before it is over")
            floors[id.pipeline] = max(id.moment, floors[id.pipeline] ?? id.moment)
            counted[id.pipeline]?.removeAll { $0 == id.moment }
            if case .every? = plans[id.pipeline] { drop(id) }
        }
    }

    private mutating func drop(_ id: DueTimeID) { (attempts[id], queued[id], skipped[id]) = (nil, nil, nil) }

    private mutating func isNew(_ id: DueTimeID, _ now: Int64) {
        let plan = plan(of: id.pipeline, at: id.moment)
        // A row that was forgotten under another plan.
        if case .every? = plan, isForgotten(id), counted[id.pipeline]?.contains(id.moment) != true { drop(id) }
        expect(queued[id] == nil && skipped[id] == nil, "\(id) is decided on twice")
        expect(id.moment <= now, "\(id) is decided on before its time, at \(now)")
        if case .minutes? = plan {
            expect(isDue(id.pipeline, at: id.moment), "\(id) is not due")
            expect(!isForgotten(id), "\(id) is decided on, and what was due then is forgotten")
        }
        let place = counted[id.pipeline]?.lastIndex { $0 < id.moment }
        counted[id.pipeline, default: []].insert(id.moment, at: (place ?? -1) + 1)
    }

    private mutating func check(_ id: DueTimeID, _ reason: SkipReason, _ now: Int64) {
        guard let pipeline = pipelines[id.pipeline] else { return }
        switch reason {
        case .overlap:
            count("overlap")
            let going = unsettled[id.pipeline]?.count ?? 0
            expect(going >= (pipeline.overlap == .queue ? 2 : 1), "\(id) is skipped and \(going) runs are going")
        case .missed:
            count("missed")
            expect(pipeline.missed == .never && now - id.moment > 60 && watchedUpTo == nil, "\(id) was not missed")
        case .after(let name):
            count("after")
            expect(pipeline.after.contains(name) && queued[id] != nil, "\(id) does not wait for \(name)")
            guard let needed = lastDue(of: name, upTo: id.moment), isSettledPlan(name, needed) else { return }
            // A success that is forgotten lets nothing go.
            let known = succeeded[name].flatMap { $0 > floors[name] ?? .min ? $0 : nil } ?? 0
            expect(known < needed, "\(id): \(name) has succeeded")
            expect(unsettled[name]?.contains { $0 >= needed } != true, "\(id): \(name) is still going")
        case .unserved(let name): expect(false, "\(id) waits for \(name), which is scheduled")
        case .unscheduled: expect(false, "\(id) is scheduled")
        }
    }

    /// Whether a due time is one of the present plan, since it was read.
    private func isSettledPlan(_ name: String, _ moment: Int64) -> Bool { moment > changedAt[name] ?? .min }

    private func lastDue(of name: String, upTo moment: Int64) -> Int64? {
        guard let plan = plans[name] else { return nil }
        if case .every = plan { return counted[name]?.last { $0 <= moment } }
        return stride(from: moment - moment % 60, to: moment - 40 * 86_400, by: -60).first(where: plan.isDue)
    }

    // MARK: Effects

    mutating func started(_ attempt: AttemptID, at now: Int64, ledger: Ledger, running: Set<AttemptID>) {
        count("start")
        expect(ledger.dueTime(attempt.due)?.running == attempt, "\(attempt) has no row")
        expect(running.count < workers, "\(attempt) has no worker")
        expect(!running.contains { $0.due.pipeline == attempt.due.pipeline }, "\(attempt) overlaps")
        guard let pipeline = pipelines[attempt.due.pipeline] else { return }
        if now >= attempt.due.moment, attempt.number == 1 {
            expect(now >= pipeline.schedule.jitter.start(ofDue: attempt.due.moment), "\(attempt) does not spread")
        }
        guard attempt.number == 1 else { return }
        for name in pipeline.after {
            guard let needed = lastDue(of: name, upTo: attempt.due.moment), isSettledPlan(name, needed) else {
                continue
            }
            expect(succeeded[name] ?? 0 >= needed, "\(attempt) does not wait for \(name)")
        }
    }

    mutating func stopped(_ attempt: AttemptID, _ signal: StopSignal, after seconds: Int64?) {
        count(signal.rawValue)
        guard let timeout = pipelines[attempt.due.pipeline]?.timeout, let seconds else {
            return expect(false, "\(attempt) is stopped")
        }
        expect(seconds >= timeout + (signal == .kill ? 30 : 0), "\(attempt) gets \(signal) after \(seconds) s")
    }

    mutating func ended(
        _ attempt: AttemptID, _ outcome: RunOutcome, at now: Int64, after seconds: Int64, upSince: Int64, steady: Int64
    ) {
        count("end")
        close(attempt, outcome, now)
        if let timeout = pipelines[attempt.due.pipeline]?.timeout, upSince <= steady - seconds {
            expect(seconds <= timeout + 32, "\(attempt) took \(seconds) s")
        }
    }

    private mutating func close(_ attempt: AttemptID, _ outcome: RunOutcome, _ now: Int64) {
        let place = attempt.number - 1
        guard let known = attempts[attempt.due], known.indices.contains(place), known[place].end == nil else {
            return expect(false, "\(attempt) ends twice")
        }
        attempts[attempt.due]?[place].end = (now, outcome)
    }
}

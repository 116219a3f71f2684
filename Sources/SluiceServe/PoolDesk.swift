internal import SluiceSchedule
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// A store whose due times several services share, as one of them sees it.
///
/// Each look is a transaction of its own: what was decided in it is written, and its effects may follow at once. Between
/// looks nothing is held but the claims, which others respect as long as this service looks often enough.
final class PoolDesk {
    private static let busyMilliseconds = 2_000
    /// How many seconds pass at most between two looks.
    private static let longestInterval = 1.0
    /// How many looks there are within a lease at least.
    private static let looksInLease = 4.0
    /// How many seconds pass before a store that cannot be used is tried again, at least and at most. The loop does nothing else
    /// while it tries, so that the pause grows with what a try takes.
    private static let retrySeconds = 0.5...30.0
    private static let pausePerSecond = 10.0
    /// How many seconds a server may take to answer, and a look to be done.
    private static let (answerSeconds, lookSeconds) = (3.0, 10.0)
    /// How many seconds a store may be in use before that is told.
    private static let patienceSeconds = 5.0

    let address: StoreAddress
    private let clock: ServeClock
    private let worker: PoolWorker
    private let kept: Int
    private var presence: (any StorePresence)?
    private var store: (any RecordStore)?
    /// What ends waits for a server that does not answer, for the store that is open.
    private var limit = TimeLimit()
    /// The pool as it was found last.
    private(set) var pool = Pool()
    /// Whether the rows of the store are here.
    private(set) var isRead = false
    /// What the store has of all pipelines, served or not: one may be served from any moment on.
    private var rows = Ledger()
    private var ended: [Int64: RunOutcome] = [:]
    private var moved: Set<String> = []
    private var problem: String?
    private var problemSince: Double?
    private var lookAt = -Double.infinity
    /// By how much the server's clock is ahead of the one that nobody sets.
    private var ahead = 0.0
    private var hasLeft = false

    init(_ address: StoreAddress, worker: PoolWorker, keeping kept: Int, clock: ServeClock) {
        (self.address, self.worker, self.kept, self.clock) = (address, worker, kept, clock)
    }

    /// The name of the service in the pool.
    var workerID: String { worker.id }
    /// The time of the server.
    var now: Double { clock.monotonic() + ahead }

    /// Why the store cannot be used; nil where it can, or was not for a moment.
    var trouble: String? {
        guard let problemSince, clock.monotonic() - problemSince >= Self.patienceSeconds else { return nil }
        return problem
    }

    /// Whether the service has nothing to do with the pool any more.
    var isLeft: Bool {
        if hasLeft { return true }
        // What cannot be reached and holds nothing of ours is not waited for.
        return problem != nil && ended.isEmpty && !pool.claims.values.contains { $0.worker == worker.id }
    }

    /// Whether the last look failed and took long: the next one waits for its time, whatever happens.
    private(set) var isSlow = false

    /// In how many seconds to look, if nothing happens before.
    var secondsToLook: Double { lookAt - clock.monotonic() }

    /// A run that had a claim and ended without a word, as the store has it at this moment.
    ///
    /// - Parameters:
    ///   - claim: The claim.
    ///   - start: When the run was started, by this machine's clock.
    /// - Returns: The run; nil where it has not committed, and where the store cannot be read.
    func committed(_ claim: PoolClaim, since start: Int64) -> CommittedRun? {
        do {
            try limit.during(Self.lookSeconds) { try renew() }
            // Another worker that took the claim over has written what the run had committed before.
            let known = pool.claims[claim.pipeline].flatMap { $0.token == claim.token ? $0.outcome : nil }
            guard let outcome = known ?? recovered(claim) else { return nil }
            let run = try store.flatMap {
                try LostRuns.first(of: claim.pipeline, since: start, in: $0, at: clock.now)
            }
            return CommittedRun(start: start, outcome: outcome, number: run?.number)
        } catch {
            letGo()
            return nil
        }
    }

    /// What another worker found that a run had committed whose claim it took over; nil for nothing.
    private func recovered(_ claim: PoolClaim) -> RunOutcome? {
        guard let attempt = claim.attempt, let attempts = rows.dueTime(attempt.due)?.attempts,
            attempts.indices.contains(attempt.number - 1), let outcome = attempts[attempt.number - 1].end?.outcome
        else { return nil }
        return [.succeeded, .failed, .failedForNow].contains(outcome) ? outcome : nil
    }

    /// Reads the pool as it is, and decides nothing.
    private func renew() throws {
        try open().poll(as: worker.id) { _, _ in
            []
        } decide: { view in
            rows.restore(view.changed, replacing: true)
            pool = view.pool
            return PoolChanges(pool: view.pool, rows: ScheduleRows())
        }
    }

    /// Notes what a run came to that had a claim.
    func end(_ claim: PoolClaim, _ outcome: RunOutcome) { ended[claim.token] = outcome }

    /// Notes a pipeline whose rows are here and stood in another store before.
    func move(_ pipeline: String) { moved.insert(pipeline) }

    /// Looks at the pool, decides, and writes what was decided.
    ///
    /// - Parameters:
    ///   - scheduler: The schedules of the pipelines that are served.
    ///   - names: The pipelines of this store among them.
    ///   - ledger: What is known; the rows of this store are renewed before anything is decided.
    ///   - hand: What the service has in hand.
    /// - Returns: What was decided; nil where the store cannot be used.
    func poll(
        _ scheduler: Scheduler, _ names: Set<String>, _ ledger: Ledger, _ hand: PoolScheduler.Hand
    ) -> PoolScheduler.Step? {
        let (time, began) = (clock.monotonic(), WallClock.monotonicSeconds())
        do {
            // Who answers is known before anything is waited for.
            if store == nil { try limit.during(Self.answerSeconds) { try backend.check(for: .writing) } }
            let step = try limit.during(Self.lookSeconds) { try pollOnce(scheduler, names, ledger, hand) }
            (problem, problemSince, isRead, isSlow) = (nil, nil, true, false)
            pool = step.pool
            for token in step.settled { ended[token] = nil }
            hasLeft = hand.isLeaving && step.pool.workers[worker.id] == nil
            let interval = min(Self.longestInterval, worker.lease / Self.looksInLease)
            let wake = step.wakeAt.map { Double($0) - now } ?? interval
            lookAt = clock.monotonic() + max(0.005, min(interval, wake))
            return step
        } catch {
            // What was written is seen at the next look.
            problem =
                limit.hasPassed
                ? "The server of the store `\(address)` takes connections and does not answer." : "\(error)"
            letGo()
            problemSince = problemSince ?? time
            let pause = (WallClock.monotonicSeconds() - began) * Self.pausePerSecond
            lookAt = clock.monotonic() + min(max(pause, Self.retrySeconds.lowerBound), Self.retrySeconds.upperBound)
            isSlow = pause > Self.retrySeconds.lowerBound
            return nil
        }
    }

    private func pollOnce(
        _ scheduler: Scheduler, _ names: Set<String>, _ ledger: Ledger, _ hand: PoolScheduler.Hand
    ) throws -> PoolScheduler.Step {
        var hand = hand
        hand.ended = ended
        var result: (step: PoolScheduler.Step, rows: Ledger)?
        let going = Set(hand.going.keys)
        let pools = PoolScheduler(scheduler, worker: worker)
        try open().poll(as: worker.id) { pool, now in
            pools.movableClaims(of: pool, going: going, at: now)
        } decide: { view in
            ahead = view.now - clock.monotonic()
            var rows = rows
            rows.restore(view.changed, replacing: true)
            // Of a pipeline that is not served here the ledger may have the rows of another store.
            let strays = Set(view.pool.claims.keys).subtracting(names)
            let comers = names.filter { name in
                guard moved.contains(name), let mark = ledger.pipelines[name]?.mark else { return false }
                return rows.pipelines[name].map { $0.mark < mark } ?? true
            }
            var here = ledger
            for name in strays.union(names).subtracting(comers) { here.adopt(name, from: rows) }
            var step = pools.step(here, view, hand)
            let forgotten = hand.isLeaving ? [] : step.ledger.forget(keeping: kept, of: .only(names))
            var ids = step.changed
            for name in comers { ids.formUnion((step.ledger.pipelines[name]?.dueTimes ?? []).map(\.id)) }
            let pipelines = Set(ids.map(\.pipeline) + step.decisions.map(\.pipeline) + forgotten.map(\.pipeline))
            var changes = step.ledger.rows(of: ids, marks: pipelines)
            changes.forgotten = forgotten
            for name in strays.union(names) { rows.adopt(name, from: step.ledger) }
            for name in strays { step.ledger.adopt(name, from: ledger) }
            result = (step, rows)
            return PoolChanges(pool: step.pool, rows: changes)
        }
        moved = []
        guard let result else { throw StoreError(.failed, "The store `\(address)` gave no answer.") }
        rows = result.rows
        return result.step
    }

    /// The store, whose waits end with the limit.
    private var backend: any StoreBackend { address.backend.stoppable(by: limit.cancellation) }

    /// Closes the store, to be opened anew.
    private func letGo() {
        store = nil
        if limit.hasPassed { (limit, presence) = (TimeLimit(), nil) }
    }

    private func open() throws -> any SchedulePool {
        if store == nil {
            presence = try presence ?? backend.presence(cancellation: limit.cancellation)
            store = try backend.open(.running, StoreWaiting(busyMilliseconds: Self.busyMilliseconds))
        }
        guard let pool = store?.schedule.pool else {
            throw StoreError(.failed, "The store `\(address)` has no pool of workers.")
        }
        return pool
    }
}

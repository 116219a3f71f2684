/// Decides what one worker of a pool does, of schedules, the ledger, the pool's rows and the server's clock alone.
///
/// Each step reads the rows and writes what it changed in one transaction that no other step is in. So each pipeline has
/// one claim at a time, and each attempt of a due time is started by one worker.
///
/// - A worker that was silent for longer than its lease loses its claims to whoever looks next. A run that had committed
///   by then has come to what it says itself. Otherwise its attempt counts as lost, and another one follows.
/// - The run that is lost may be going still. It cannot commit: its claim is gone, and tokens are not given twice.
/// - A claim that its own worker has no run of is lost as well: the worker was cut off between claim and start.
/// - A worker that has a slot left reads partitions of a run that another one has claimed. What is due goes before that.
/// - A worker answers for its own claims, also for those of pipelines that it does not serve any more. The claims of
///   others are its business where it serves their pipelines, and where nobody does.
package struct PoolScheduler: Sendable {
    /// What the worker has in hand.
    package struct Hand: Sendable {
        /// The runs that have a process, by the tokens of their claims, and for how many seconds they have had one.
        package var going: [Int64: Int64] = [:]
        /// What runs came to that have ended, by the tokens of their claims.
        package var ended: [Int64: RunOutcome] = [:]
        /// The pipelines that people want to be run, in their order.
        package var asked: [String] = []
        /// What else takes a slot: an entry for each, which is the name of a pipeline that must wait for it, or empty.
        package var others: [String] = []
        /// The shares of which it reads partitions. Each takes a slot.
        package var helping: Set<Int64> = []
        /// The shares that it left within the last lease, since it found nothing more to read of them.
        package var helped: Set<Int64> = []
        /// Whether nothing is to be started any more.
        package var isLeaving = false

        /// Nothing.
        package init() {}
    }

    /// What is to be done now, and when to look again.
    package struct Step: Sendable {
        /// What was decided on due times, in its order.
        package var decisions: [Decision] = []
        /// The ledger after it.
        package var ledger: Ledger
        /// The workers and claims after it.
        package var pool: Pool
        /// The due times whose rows changed.
        package var changed: Set<DueTimeID> = []
        /// What is started: a run for each claim.
        package var started: [PoolClaim] = []
        /// The tokens of runs that are going and whose claims somebody else took.
        package var lost: Set<Int64> = []
        /// The tokens of runs whose ends are written, or do not count any more.
        package var settled: Set<Int64> = []
        /// The claims of other workers whose runs are lost.
        package var takenOver: [PoolClaim] = []
        /// The shares of which partitions are to be read from now on.
        package var helped: [PoolShare] = []
        /// When to look again, by the server's clock; nil for never.
        package var wakeAt: Int64?
    }

    private let scheduler: Scheduler
    private let worker: PoolWorker

    /// Makes the scheduler of a worker.
    ///
    /// - Parameters:
    ///   - scheduler: The schedules; its scope has the pipelines of the pool that the worker serves.
    ///   - worker: The worker, with as many slots as it has for this pool.
    package init(_ scheduler: Scheduler, worker: PoolWorker) { (self.scheduler, self.worker) = (scheduler, worker) }

    /// The claims that the worker may give up: its own that it has no run of, and those of others that are over.
    ///
    /// - Parameters:
    ///   - pool: The rows of the pool.
    ///   - going: The tokens of the worker's runs that are going.
    ///   - now: The time of the server.
    /// - Returns: The claims, in the order of their pipelines.
    package func movableClaims(of pool: Pool, going: Set<Int64>, at now: Double) -> [PoolClaim] {
        pool.claims.values.filter { claim in
            if claim.worker == worker.id { return !going.contains(claim.token) }
            return pool.isOver(claim, at: now)
                && (scheduler.scope.contains(claim.pipeline) || pool.isForgotten(claim, at: now))
        }.sorted { $0.pipeline < $1.pipeline }
    }

    /// Decides what is to be done.
    ///
    /// - Parameters:
    ///   - ledger: What was decided and done before, with what the view has of it; also of pipelines that have claims and are
    ///     not served.
    ///   - view: The rows of the pool.
    ///   - hand: What the worker has in hand.
    /// - Returns: The decisions, and all rows after them.
    package func step(_ ledger: Ledger, _ view: PoolView, _ hand: Hand) -> Step {
        var step = Step(ledger: ledger, pool: view.pool)
        step.pool.observe(worker, at: view.now)
        giveUpClaims(&step, view, hand)
        let own = step.pool.claims.values.filter { $0.worker == worker.id }
        let tokens = Set(own.map(\.token))
        step.lost = Set(hand.going.keys).subtracting(tokens)
        step.settled.formUnion(Set(hand.ended.keys).subtracting(tokens))
        if hand.isLeaving {
            if own.isEmpty { step.pool.workers[worker.id] = nil }
            return step
        }
        startAsked(&step, view, hand)
        schedule(&step, view, hand)
        help(&step, view, hand)
        return step
    }

    private func giveUpClaims(_ step: inout Step, _ view: PoolView, _ hand: Hand) {
        let now = Scheduler.second(view.now)
        for claim in movableClaims(of: view.pool, going: Set(hand.going.keys), at: view.now)
        where !view.committing.contains(claim.pipeline) {
            step.pool.claims[claim.pipeline] = nil
            if claim.worker == worker.id {
                step.settled.insert(claim.token)
            } else if claim.outcome == nil, scheduler.scope.contains(claim.pipeline) {
                step.takenOver.append(claim)
            }
            guard let attempt = claim.attempt else { continue }
            // What is in the store goes before what became of the process.
            let told = claim.worker == worker.id ? hand.ended[claim.token] : nil
            step.ledger.end(attempt, claim.outcome ?? told ?? .lost, at: now)
            step.changed.insert(attempt.due)
        }
    }

    /// Claims for the runs that people asked for.
    private func startAsked(_ step: inout Step, _ view: PoolView, _ hand: Hand) {
        for name in hand.asked {
            guard step.started.count + hand.others.count + hand.helping.count + hand.going.count < worker.slots else {
                return
            }
            guard step.pool.claims[name] == nil else { continue }
            step.started.append(step.pool.claim(name, nil, by: worker.id, at: view.now))
        }
    }

    private func schedule(_ step: inout Step, _ view: PoolView, _ hand: Hand) {
        var running: [AttemptID: Int64] = [:]
        var others = hand.others
        var elsewhere = Scheduler.Elsewhere()
        for claim in step.pool.claims.values {
            if claim.worker == worker.id {
                if let attempt = claim.attempt, scheduler.scope.contains(claim.pipeline) {
                    running[attempt] = hand.going[claim.token] ?? 0
                } else {
                    // What is not served any more takes its slot all the same.
                    others.append(claim.pipeline)
                }
            } else {
                elsewhere.pipelines.insert(claim.pipeline)
                if let attempt = claim.attempt { elsewhere.attempts.insert(attempt) }
            }
        }
        // A run that is lost takes its slot until it has ended.
        others += step.lost.map { _ in "" } + hand.helping.map { _ in "" }
        let done = scheduler.step(
            step.ledger, at: Scheduler.second(view.now), running: running, others: others, elsewhere: elsewhere)
        (step.decisions, step.ledger, step.wakeAt) = (done.decisions, done.ledger, done.wakeAt)
        step.changed.formUnion(done.decisions.compactMap(\.dueTime))
        for case .start(let attempt) in done.decisions {
            step.started.append(step.pool.claim(attempt.due.pipeline, attempt, by: worker.id, at: view.now))
        }
    }

    /// Takes part in what others run, as far as nothing of its own needs the slots. Who runs a pipeline reads all that it
    /// can of it in any case.
    private func help(_ step: inout Step, _ view: PoolView, _ hand: Hand) {
        let own = step.pool.claims.values.count { $0.worker == worker.id }
        var free = worker.slots - own - hand.others.count - hand.helping.count - step.lost.count
        let known = hand.helping.union(hand.helped)
        for share in view.shares where free > 0 && !known.contains(share.id) {
            guard scheduler.scope.contains(share.pipeline), let claim = step.pool.claims[share.pipeline],
                claim.worker != worker.id
            else { continue }
            step.helped.append(share)
            free -= 1
        }
    }
}

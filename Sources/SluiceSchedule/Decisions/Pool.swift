/// A program that runs pipelines of a store together with others, as its row in the store says.
///
/// All moments are seconds since the epoch by the clock of the store's server.
package struct PoolWorker: Hashable, Sendable {
    /// Its name, which no other one ever has.
    package let id: String
    /// Where it is, for people.
    package let place: String
    /// How many runs it does at a time.
    package let slots: Int
    /// How many seconds it may be silent before others take its runs over.
    package let lease: Double
    /// When it came.
    package var startedAt: Double
    /// When it was heard of last.
    package var seenAt: Double

    /// Makes a worker that has just come.
    package init(id: String, place: String, slots: Int, lease: Double, startedAt: Double = 0) {
        (self.id, self.place, self.slots, self.lease) = (id, place, slots, lease)
        (self.startedAt, seenAt) = (startedAt, startedAt)
    }

    /// Whether it has been silent for longer than its lease.
    package func isLate(at now: Double) -> Bool { now - seenAt > lease }
}

/// The right of a worker to run a pipeline, of which there is one at a time.
package struct PoolClaim: Hashable, Sendable {
    /// The pipeline.
    package let pipeline: String
    /// The run of a due time; nil where somebody asked for the run.
    package let attempt: AttemptID?
    /// The worker's name.
    package let worker: String
    /// A number that grows with each claim of the pool. Who comes back late has a lower one.
    package let token: Int64
    /// Since when, by the server's clock.
    package let since: Double
    /// What the run came to, where it is committed; written with its rows.
    package var outcome: RunOutcome?

    /// Makes a claim.
    package init(
        pipeline: String, attempt: AttemptID?, worker: String, token: Int64, since: Double, outcome: RunOutcome? = nil
    ) {
        (self.pipeline, self.attempt, self.worker, self.token) = (pipeline, attempt, worker, token)
        (self.since, self.outcome) = (since, outcome)
    }
}

/// The right by which a run commits: it holds while no other worker has claimed the pipeline.
package struct PoolTicket: Hashable, Sendable {
    /// The variable by which a worker tells a run the token of its claim.
    package static let variable = "SLUICE_CLAIM"

    /// The pipeline.
    package let pipeline: String
    /// The token of the claim.
    package let token: Int64

    /// Makes a ticket.
    package init(pipeline: String, token: Int64) { (self.pipeline, self.token) = (pipeline, token) }
}

/// The workers of a store and what each of them runs.
package struct Pool: Hashable, Sendable {
    /// How many leases after it was heard of last a worker is forgotten, with what nobody took over.
    private static let listedLeases = 10.0
    /// The workers by their names.
    package var workers: [String: PoolWorker] = [:]
    /// The claims by their pipelines.
    package var claims: [String: PoolClaim] = [:]
    /// The highest token that was given.
    package var lastToken: Int64 = 0
    /// Who reads partitions, whether for a run of its own or for that of another worker.
    package var helps: [PoolHelp] = []

    /// A pool without workers.
    package init() {}

    /// Whether a claim may be taken by others: its worker is late, or not there any more.
    package func isOver(_ claim: PoolClaim, at now: Double) -> Bool { workers[claim.worker]?.isLate(at: now) ?? true }

    /// Whether a claim is one that nobody will take any more: who has its pipeline would have done so long ago.
    func isForgotten(_ claim: PoolClaim, at now: Double) -> Bool {
        workers[claim.worker].map { now - $0.seenAt > Self.listedLeases * $0.lease } ?? true
    }

    /// Notes that a worker is heard of. Nobody was heard of later than now: where the clock was put back, the lease of who is
    /// silent begins anew.
    mutating func observe(_ worker: PoolWorker, at now: Double) {
        for (id, other) in workers where other.seenAt > now { workers[id]?.seenAt = now }
        var worker = worker
        (worker.startedAt, worker.seenAt) = (workers[worker.id]?.startedAt ?? now, now)
        workers[worker.id] = worker
        let held = Set(claims.values.map(\.worker))
        workers = workers.filter { id, worker in
            held.contains(id) || now - worker.seenAt <= Self.listedLeases * worker.lease
        }
    }

    /// Claims a pipeline that nobody has.
    mutating func claim(_ pipeline: String, _ attempt: AttemptID?, by worker: String, at now: Double) -> PoolClaim {
        lastToken += 1
        let claim = PoolClaim(pipeline: pipeline, attempt: attempt, worker: worker, token: lastToken, since: now)
        claims[pipeline] = claim
        return claim
    }
}

/// What a worker finds when it looks at a pool. All looks at one pool come one after the other.
package struct PoolView: Sendable {
    /// The time of the server.
    package var now: Double
    /// The workers and their claims.
    package var pool: Pool
    /// The pipelines whose claims cannot be given up at this moment, since a run is committing by them.
    package var committing: Set<String>
    /// The rows of the pipelines of which something changed since the worker looked last.
    package var changed: ScheduleRows
    /// The shares that have partitions which nobody reads, in the order in which they were made.
    package var shares: [PoolShare]

    /// Says what there is.
    package init(
        now: Double, pool: Pool, committing: Set<String> = [], changed: ScheduleRows = ScheduleRows(),
        shares: [PoolShare] = []
    ) {
        (self.now, self.pool, self.committing, self.changed) = (now, pool, committing, changed)
        self.shares = shares
    }
}

/// What a worker makes of a pool.
package struct PoolChanges: Sendable {
    /// The workers and claims from now on.
    package var pool: Pool
    /// The rows that changed.
    package var rows: ScheduleRows

    /// Says what changes.
    package init(pool: Pool, rows: ScheduleRows) { (self.pool, self.rows) = (pool, rows) }
}

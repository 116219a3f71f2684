package import SluiceSchedule
package import SluiceServeModel
internal import SluiceStores

/// Stores that other services serve as well: each look at one claims what is due there, and gives up what is lost.
extension ServeLoop {
    private static let secondsBetweenShows = 5.0

    /// Looks at the pools whose time has come, and does what was decided.
    func pollPools() {
        let isAsked = wantsPools
        wantsPools = false
        for desk in book.desks.values.sorted(by: { $0.address.url < $1.address.url })
        where isStopping ? !desk.isLeft : isAsked || desk.secondsToLook <= 0 {
            // What does not answer would hold all else up.
            if !desk.isSlow || desk.secondsToLook <= 0 { poll(desk) }
        }
        if !book.desks.isEmpty, time - poolsShownAt >= Self.secondsBetweenShows {
            poolsShownAt = time
            isChanged = true
        }
    }

    private func poll(_ desk: PoolDesk) {
        let names = Set(catalog.entries.filter { $0.value.store.address == desk.address }.keys)
        let before = (desk.isRead, desk.pool.claims, desk.pool.workers.keys)
        let scheduler = makeScheduler(.only(names), reading: desk.address)
        guard let step = desk.poll(scheduler, names, book.ledger, hand(for: desk)) else {
            isChanged = true
            return
        }
        settleChanges(scheduler)
        book.accept(step)
        for claim in step.takenOver { report(claim, of: desk) }
        for decision in step.decisions {
            switch decision {
            case .start: break
            case .stop(let attempt, let signal): send(signal, to: attempt)
            default: perform(decision)
            }
        }
        for token in step.lost { giveUp(token) }
        for claim in step.started { start(claim) }
        for share in step.helped { help(share, of: desk) }
        if before != (desk.isRead, desk.pool.claims, desk.pool.workers.keys) || !step.decisions.isEmpty {
            isChanged = true
        }
        // What others wait for in other stores may have come; and what is due next is known from here on.
        let hasOthers = catalog.entries.values.contains { $0.store.address != desk.address }
        if !before.0 || hasOthers && !step.changed.isEmpty { recordChange() }
    }

    /// Logs that a run is taken over.
    private func report(_ claim: PoolClaim, of desk: PoolDesk) {
        let place = desk.pool.workers[claim.worker]?.place ?? "a service that is gone"
        let due = claim.attempt.map { "due at \(MomentText.of($0.due.moment))" } ?? "that somebody asked for"
        program.log(
            ServeMessage(
                kind: .takenOver, pipeline: claim.pipeline,
                text: "The run \(due) is taken from \(place), which was not heard of for longer than its lease."))
    }

    private func hand(for desk: PoolDesk) -> PoolScheduler.Hand {
        var hand = PoolScheduler.Hand()
        hand.isLeaving = isStopping
        for run in active.values {
            if let claim = run.claim, !run.isLost, run.desk === desk {
                hand.going[claim.token] = Int64(max(0, time - run.start))
            } else {
                hand.others.append("")
            }
        }
        for helper in helpers.values {
            if helper.desk === desk { hand.helping.insert(helper.share.id) } else { hand.others.append("") }
        }
        hand.helped = Set(helpedAt.filter { time - $0.value < settings.leaseSeconds }.keys)
        hand.asked = asked.filter { $0.kind == .run && book.desk(of: $0.pipeline) === desk }.map(\.pipeline)
            .filter { catalog.entries[$0] != nil && !held.contains($0) }
        return hand
    }

    private func start(_ claim: PoolClaim) {
        // What cannot be started is seen at the next look: a claim without a run.
        guard let entry = catalog.entries[claim.pipeline] else { return wantsPools = true }
        if let attempt = claim.attempt { return start(run(for: attempt), entry, attempt: attempt, claim: claim) }
        guard let index = asked.firstIndex(where: { $0.kind == .run && $0.pipeline == claim.pipeline }) else {
            return wantsPools = true
        }
        start(asked.remove(at: index), entry, attempt: nil, claim: claim)
    }

    /// Ends a run that another worker has taken over: it could keep nothing.
    private func giveUp(_ token: Int64) {
        for (id, run) in active where run.claim?.token == token && !run.isLost {
            active[id]?.isLost = true
            active[id]?.run.error =
                "Another worker has taken it over, since this service was not heard of for longer than its lease."
            terminate(id, isKilled: true)
        }
    }

    /// This service and all that share its stores.
    var crew: [ServedWorker] {
        var crew: [String: ServedWorker] = [:]
        for desk in book.desks.values {
            for worker in ServedWorker.all(in: desk.pool, at: desk.now) {
                guard var known = crew.removeValue(forKey: worker.id) else {
                    crew[worker.id] = worker
                    continue
                }
                known.isLate = known.isLate || worker.isLate
                known.tasks += worker.tasks
                crew[worker.id] = known
            }
        }
        var own =
            crew[worker.id]
            ?? ServedWorker(
                id: worker.id, place: worker.place, slots: worker.slots, startedAt: startedAt,
                seenAt: settings.clock.now)
        own.isThis = true
        own.tasks += active.values.filter { $0.claim == nil }.map { run in
            .init(pipeline: run.run.pipeline, due: run.run.due, since: run.run.startedAt ?? startedAt)
        }
        crew[worker.id] = own
        return crew.values.map { worker in
            var worker = worker
            worker.tasks.sort { $0.pipeline < $1.pipeline }
            return worker
        }.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
    }
}

extension ServedWorker {
    /// The workers of a pool, by their places.
    ///
    /// - Parameters:
    ///   - pool: The pool.
    ///   - now: The time of its server.
    /// - Returns: The workers, each with what it runs.
    package static func all(in pool: Pool, at now: Double) -> [ServedWorker] {
        pool.workers.values.map { row in
            var worker = ServedWorker(
                id: row.id, place: row.place, slots: row.slots, startedAt: Int64(row.startedAt),
                seenAt: Int64(row.seenAt))
            worker.lease = row.lease
            worker.isLate = row.isLate(at: now)
            worker.tasks = pool.claims.values.filter { $0.worker == row.id }.map { claim in
                .init(pipeline: claim.pipeline, due: claim.attempt?.due.moment, since: Int64(claim.since))
            }
            // Who has the run reads for itself.
            worker.tasks += pool.helps.filter { help in
                help.worker == row.id && pool.claims[help.pipeline]?.worker != row.id
            }.map { .init(pipeline: $0.pipeline, due: nil, since: Int64($0.since), helps: true) }
            worker.tasks.sort { $0.pipeline < $1.pipeline }
            return worker
        }.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
    }
}

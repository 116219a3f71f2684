extension Scheduler.Pass {
    /// Takes in what runs have come to, and those whose process is gone.
    mutating func endRuns() {
        for row in unsettled {
            if let attempt = row.running, running[attempt] == nil, !isElsewhere(attempt) {
                decide(whatBecame(of: attempt))
            }
            guard let current = ledger.dueTime(row.id), let end = current.attempts.last?.end, current.retryAt == nil
            else { continue }
            if let delay = delay(after: end, of: current) {
                decide(.retry(row.id, at: end.moment + delay))
            } else {
                decide(.settle(row.id, end.outcome))
            }
        }
    }

    /// What is decided on a run that has no end and no process.
    private func whatBecame(of attempt: AttemptID) -> Decision {
        if elsewhere != nil { return .lose(attempt) }
        return committed[attempt].map { .recover(attempt, $0) } ?? .abandon(attempt)
    }

    /// How many seconds after the end of its last run a due time is run again; nil where it is not.
    ///
    /// A run whose worker was lost is replaced, and counts as none of the attempts that a pipeline has.
    private func delay(after end: DueTime.End, of row: DueTime) -> Int64? {
        let lost = row.attempts.count { $0.end?.outcome == .lost }
        if end.outcome == .lost { return lost <= limits.replacements ? 0 : nil }
        guard end.outcome.mayPass else { return nil }
        return graph.pipeline(named: row.id.pipeline)?.retry.delay(after: row.attempts.count - lost)
    }

    /// Stops runs that take too long.
    mutating func stopRuns() {
        for row in unsettled {
            guard let attempt = row.running, let signal = dueSignal(of: row), signal.in <= 0 else { continue }
            decide(.stop(attempt, signal.signal))
        }
    }

    /// The signal that a run is sent next, and in how many seconds.
    func dueSignal(of row: DueTime) -> (signal: StopSignal, in: Int64)? {
        guard let attempt = row.running, !isElsewhere(attempt), let signals = row.attempts.last?.signals else {
            return nil
        }
        // One without a process is one that this step starts.
        let seconds = running[attempt] ?? 0
        // The second signal is sent again while the process stays: the program may have been killed before it was sent.
        if let last = signals.values.max() { return (.kill, last + limits.killDelay - seconds) }
        guard let timeout = graph.pipeline(named: attempt.due.pipeline)?.timeout else { return nil }
        return (.terminate, timeout - seconds)
    }

    /// Starts what waits, the longest wait first, while there are workers.
    mutating func startRuns() {
        var workers = limits.workers - others.count
        workers -= unsettled.count { row in row.running.map { !isElsewhere($0) } ?? false }
        for row in unsettled where row.isWaiting {
            guard let pipeline = graph.pipeline(named: row.id.pipeline) else {
                // A run that was tried is settled by what it came to.
                let outcome = row.attempts.last?.end?.outcome
                decide(outcome.map { .settle(row.id, $0) } ?? .skip(row.id, .unscheduled))
                continue
            }
            let open = ledger.pipelines[pipeline.name]?.unsettled ?? []
            // Where the clock was put back, one for a later due time may be going.
            let isFirst =
                open.first?.id == row.id && !open.contains { $0.running != nil } && !others.contains(pipeline.name)
                && !(elsewhere?.pipelines.contains(pipeline.name) ?? false)
            if isFirst, !pipeline.isHeld, row.attempts.isEmpty,
                case .never(let reason) = answer(of: pipeline, for: row.id)
            {
                decide(.skip(row.id, reason))
                continue
            }
            if !row.isLate, row.attempts.isEmpty, now > lateMoment(of: row, pipeline) { decide(.late(row.id)) }
            if isFirst, !pipeline.isHeld, workers > 0, startMoment(of: row, pipeline) == nil, isReady(row, pipeline) {
                decide(.start(AttemptID(due: row.id, number: row.attempts.count + 1)))
                workers -= 1
            }
        }
    }

    private func isReady(_ row: DueTime, _ pipeline: ScheduledPipeline) -> Bool {
        if !row.attempts.isEmpty { return true }
        if case .now = answer(of: pipeline, for: row.id) { return true }
        return false
    }

    /// When a due time that waits may be started, or nil where it may be now.
    ///
    /// A clock that is put back before the due time, or before the end of the last run, leaves nothing to wait for.
    func startMoment(of row: DueTime, _ pipeline: ScheduledPipeline) -> Int64? {
        let since: Int64
        let moment: Int64
        if let retryAt = row.retryAt, let end = row.attempts.last?.end {
            (since, moment) = (end.moment, retryAt)
        } else {
            (since, moment) = (row.id.moment, pipeline.schedule.jitter.start(ofDue: row.id.moment))
        }
        return now < since || now >= moment ? nil : moment
    }

    /// When a due time has waited for as long as it may.
    func lateMoment(of row: DueTime, _ pipeline: ScheduledPipeline) -> Int64 {
        pipeline.schedule.jitter.start(ofDue: row.id.moment) + limits.grace
    }

    /// Whether a pipeline may be run for a due time, as far as those go that it waits for.
    private enum Answer {
        case now
        /// Those have not come to an end.
        case later([String])
        /// One did not succeed, or is not there.
        case never(SkipReason)
    }

    private func answer(of pipeline: ScheduledPipeline, for id: DueTimeID) -> Answer {
        var waits: [String] = []
        for name in pipeline.after {
            guard let other = graph.pipeline(named: name) else { return .never(.unserved(name)) }
            // Others decide on it, and have not looked at it.
            guard let rows = ledger.pipelines[name] else {
                waits.append(name)
                continue
            }
            // Its last due time up to this one, or what was run for a later one: that has seen as much.
            let needed = lastDue(of: other, rows, upTo: id.moment) ?? id.moment
            // Others decide on it, and have not come as far.
            if !scheduler.scope.contains(name), rows.mark < min(needed, now) {
                waits.append(name)
                continue
            }
            var later = rows.dueTimes[rows.place(of: needed)...]
            if later.isEmpty, needed <= rows.mark, needed > rows.floor ?? .min {
                // Its schedule is newer than that: its last due time is one that it had.
                later = rows.dueTimes.suffix(1)
            }
            if later.contains(where: { $0.settlement == .run(.succeeded) }) { continue }
            if later.allSatisfy({ $0.settlement != nil }) { return .never(.after(name)) }
            waits.append(name)
        }
        return waits.isEmpty ? .now : .later(waits)
    }

    /// The pipelines that a due time waits for.
    func awaited(by id: DueTimeID) -> [String] {
        guard let pipeline = graph.pipeline(named: id.pipeline), case .later(let names) = answer(of: pipeline, for: id)
        else { return [] }
        return names
    }

    private func lastDue(of pipeline: ScheduledPipeline, _ rows: Ledger.Pipeline, upTo moment: Int64) -> Int64? {
        if case .cron = pipeline.schedule.trigger { return pipeline.schedule.last(upTo: moment) }
        let place = rows.place(of: moment + 1)
        return place > 0 ? rows.dueTimes[place - 1].id.moment : nil
    }
}

extension Scheduler.Pass {
    /// Decides on the due times of a pipeline that have passed.
    mutating func decideDueTimes(of pipeline: ScheduledPipeline) {
        watch(pipeline)
        if let change = pipeline.change { begin(pipeline, after: change) }
        while let due = dueNow(of: pipeline, upTo: now) { decide(pipeline, due: due) }
    }

    /// Decides on what was due by the schedule before, and begins with the one that holds now.
    ///
    /// What would have been due by the new one before it was read never was. What is counted from a start is due when the
    /// schedule was read, where it would have been before.
    private mutating func begin(_ pipeline: ScheduledPipeline, after change: ScheduledPipeline.Change) {
        let end = now - change.age
        if let earlier = change.earlier {
            var before = pipeline
            before.schedule = earlier
            while let due = dueNow(of: before, upTo: end) { decide(before, due: due) }
        }
        var start = end
        if case .every(let seconds) = pipeline.schedule.trigger { start -= max(1, seconds) }
        guard let mark = ledger.pipelines[pipeline.name]?.mark, mark < start else { return }
        decide(.watch(pipeline: pipeline.name, from: start))
    }

    private mutating func decide(_ pipeline: ScheduledPipeline, due: Int64) {
        if hasGap(pipeline, before: due), let mark = ledger.pipelines[pipeline.name]?.mark {
            decide(.miss(pipeline: pipeline.name, after: mark, before: due))
        }
        let id = DueTimeID(pipeline: pipeline.name, moment: due)
        // It was decided on before the clock was put back.
        if ledger.dueTime(id) != nil { return decide(.watch(pipeline: pipeline.name, from: due)) }
        guard let reason = reasonToSkip(pipeline, due: due) else { return decide(.queue(id)) }
        decide(.skip(id, reason))
        // What follows a duration is counted from here, for want of a start.
        if case .every = pipeline.schedule.trigger { decide(.watch(pipeline: pipeline.name, from: now)) }
    }

    private func reasonToSkip(_ pipeline: ScheduledPipeline, due: Int64) -> SkipReason? {
        if now - due > limits.grace, pipeline.missed == .never { return .missed }
        let open = ledger.pipelines[pipeline.name]?.open.count ?? 0
        return open < (pipeline.overlap == .skip ? 1 : 2) ? nil : .overlap
    }

    /// Begins with a new pipeline, and goes back with a clock that is put back.
    private mutating func watch(_ pipeline: ScheduledPipeline) {
        if let rows = ledger.pipelines[pipeline.name] {
            let floor = floor(of: pipeline)
            if rows.mark > max(now, floor) {
                decide(.watch(pipeline: pipeline.name, from: max(now, floor)))
            } else if rows.mark < floor {
                // The clock had been put back when what was due later was forgotten.
                decide(.watch(pipeline: pipeline.name, from: floor))
            }
            return
        }
        if case .every(let seconds) = pipeline.schedule.trigger {
            // There was no start, so it is due at once.
            decide(.watch(pipeline: pipeline.name, from: now - max(1, seconds)))
        } else {
            decide(.watch(pipeline: pipeline.name, from: now))
        }
    }

    /// Up to when no due times are looked for, wherever the clock stands: those of an expression of which the rows were
    /// forgotten are not run again. What is counted from a start has none.
    private func floor(of pipeline: ScheduledPipeline) -> Int64 {
        guard case .cron = pipeline.schedule.trigger else { return .min }
        return ledger.pipelines[pipeline.name]?.floor ?? .min
    }

    /// The last due time after those that were decided on, and up to a moment.
    private func dueNow(of pipeline: ScheduledPipeline, upTo end: Int64) -> Int64? {
        guard let rows = ledger.pipelines[pipeline.name] else { return nil }
        if case .cron = pipeline.schedule.trigger {
            return pipeline.schedule.last(upTo: end, after: max(rows.mark, floor(of: pipeline)))
        }
        return nextDue(of: pipeline, rows, passingOver: true).flatMap { $0 <= end ? $0 : nil }
    }

    /// The first due time after those that were decided on.
    ///
    /// The times of an expression are what they are, and one may have a row since before the clock was put back. Those that
    /// are counted from a start give way to such rows.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - rows: Its rows.
    ///   - passesOver: Whether times of an expression that have a row are passed over.
    /// - Returns: The due time, or nil where none is left.
    func nextDue(of pipeline: ScheduledPipeline, _ rows: Ledger.Pipeline, passingOver passesOver: Bool) -> Int64? {
        var next = pipeline.schedule.next(after: max(rows.mark, floor(of: pipeline)))
        while let moment = next, rows.dueTime(at: moment) != nil {
            if case .every = pipeline.schedule.trigger {
                next = moment + 1
            } else if passesOver {
                next = pipeline.schedule.next(after: moment)
            } else {
                break
            }
        }
        return next
    }

    /// Whether there are due times without a row before the last one that has passed.
    private func hasGap(_ pipeline: ScheduledPipeline, before due: Int64) -> Bool {
        guard case .cron = pipeline.schedule.trigger, let rows = ledger.pipelines[pipeline.name] else { return false }
        return nextDue(of: pipeline, rows, passingOver: true).map { $0 < due } ?? false
    }
}

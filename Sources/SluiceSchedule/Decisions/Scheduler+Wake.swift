extension Scheduler.Pass {
    /// When something is to be decided next, if no run ends before.
    func nextMoment() -> Int64? {
        var moments: [Int64] = graph.pipelines.compactMap { pipeline in
            guard scheduler.scope.contains(pipeline.name) else { return nil }
            return ledger.pipelines[pipeline.name].flatMap { nextDue(of: pipeline, $0, passingOver: false) }
        }
        for row in unsettled {
            if let signal = dueSignal(of: row) { moments.append(now + max(0, signal.in)) }
            guard row.isWaiting, let pipeline = graph.pipeline(named: row.id.pipeline) else { continue }
            if let start = startMoment(of: row, pipeline) { moments.append(start) }
            if !row.isLate, row.attempts.isEmpty { moments.append(lateMoment(of: row, pipeline) + 1) }
        }
        // What waits for the end of a run has no moment of its own.
        return moments.filter { $0 > now }.min()
    }
}

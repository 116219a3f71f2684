internal import SluiceSchedule
internal import SluiceServeModel

extension ServeLoop {
    /// A run that has a process.
    struct Active {
        var run: ServedRun
        let attempt: AttemptID?
        /// The claim by which it is kept, where its store has a pool.
        let claim: PoolClaim?
        /// That pool.
        let desk: PoolDesk?
        let handle: any RunHandle
        let start: Double
        /// When it was asked to stop, by somebody or by the end of the service.
        var askedAt: Double?
        var isKilled = false
        /// Whether this service sent it a signal.
        var wasStopped = false
        /// Whether another worker has its claim.
        var isLost = false

        /// Whether only the schedule's time limit stopped it: nobody who would know of it did.
        var tookTooLong: Bool { wasStopped && askedAt == nil }

        /// Whether it ended without telling anybody of it, and somebody is to be told: one that is cut off cannot tell, and one
        /// that is stopped does not.
        func isUntold(_ verdict: RunVerdict) -> Bool {
            guard run.kind == .run, askedAt == nil, !isLost else { return false }
            return verdict.isUntold || tookTooLong && verdict.outcome == .interrupted
        }

        /// Whether it told itself that it failed.
        func hasTold(_ ending: RunEnding) -> Bool {
            run.kind == .run && ["failed", "partial"].contains(ending.status)
        }
    }

    /// What was told of runs before one.
    func toldFailure(before run: ServedRun) -> ToldFailure? {
        guard let failed = told[run.pipeline], let start = failed.startedAt else { return nil }
        return ToldFailure(start: start, isSameDueTime: run.due != nil && failed.due == run.due)
    }

    /// Remembers what was told of a run that has ended.
    func recordTelling(of run: ServedRun, failed: Bool) {
        if failed {
            told[run.pipeline] = run
        } else if run.kind == .run, run.outcome == .succeeded {
            told[run.pipeline] = nil
        }
    }
}

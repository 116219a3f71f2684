/// When a pipeline is due, and what becomes of its due times.
package struct ScheduledPipeline: Sendable {
    /// What becomes of a due time while the last run is still going.
    package enum Overlap: String, CaseIterable, Sendable {
        /// It is left out.
        case skip
        /// It waits for the end of that run; one waits at a time.
        case queue
    }

    /// What becomes of due times that passed in sleep, stop or outage.
    package enum Missed: String, CaseIterable, Sendable {
        /// The last of them is run.
        case once
        /// None is run.
        case never = "none"
    }

    /// How often a run that failed for a reason which may pass is tried, and when.
    package struct Retry: Hashable, Sendable {
        private static let longestDelay: Int64 = 86_400
        /// With the first one, at least one.
        package let maxAttempts: Int
        /// The delay after the first attempt in seconds; it doubles with each other one, up to a day.
        package let base: Int64

        /// One attempt alone.
        package static let never = Retry(maxAttempts: 1, base: 0)

        /// Makes the rule.
        package init(maxAttempts: Int, base: Int64) {
            self.maxAttempts = max(1, maxAttempts)
            self.base = min(max(0, base), Self.longestDelay)
        }

        /// How many seconds after the end of an attempt the next one starts, or nil where it was the last one.
        func delay(after attempt: Int) -> Int64? {
            guard attempt < maxAttempts else { return nil }
            return min(Self.longestDelay, base << Int64(min(attempt - 1, 17)))
        }
    }

    /// That the schedule is not the one that held before.
    package struct Change: Sendable {
        /// The schedule before; nil where the pipeline had none.
        package let earlier: Schedule?
        /// How many seconds ago the schedule was read, by a clock that nobody sets: up to then the one before holds, and this
        /// one from then on.
        package let age: Int64

        /// Says what held until when.
        package init(earlier: Schedule?, age: Int64 = 0) { (self.earlier, self.age) = (earlier, max(0, age)) }
    }

    /// The pipeline's name.
    package let name: String
    /// When it is due.
    package var schedule: Schedule
    /// A due time is run only when each of these has succeeded for its own last due time up to then.
    package var after: [String]
    /// What becomes of a due time while the last run is still going.
    package var overlap = Overlap.skip
    /// What becomes of due times that passed in sleep, stop or outage.
    package var missed = Missed.once
    /// How often a run that failed is tried.
    package var retry = Retry.never
    /// How many seconds a run may take; nil for any time.
    package var timeout: Int64?
    /// That the schedule has changed, until that is decided on; nil where it has not.
    package var change: Change?
    /// Whether no run of it can be started at the moment, nor is it known whether one will be: what is due waits, or others
    /// start it.
    package var isHeld = false

    /// Makes the schedule of a pipeline.
    package init(name: String, schedule: Schedule, after: [String] = []) {
        self.name = name
        self.schedule = schedule
        self.after = after
    }
}

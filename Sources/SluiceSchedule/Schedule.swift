/// When something is due: by a cron expression in a time zone, or each time that a duration has passed.
///
/// Moments are whole seconds since 1970-01-01T00:00:00Z.
package struct Schedule: Sendable {
    /// What makes due times.
    package enum Trigger: Hashable, Sendable {
        /// The times of an expression.
        case cron(CronExpression)
        /// So many seconds after the last start, at least one.
        case every(seconds: Int64)
    }

    /// What makes due times.
    package var trigger: Trigger
    /// Where the times of an expression hold.
    package var zone: ZoneRules
    /// How many seconds starts are spread over.
    package var jitter: Jitter

    /// Makes a schedule.
    package init(trigger: Trigger, zone: ZoneRules = .utc, jitter: Jitter = Jitter()) {
        self.trigger = trigger
        self.zone = zone
        self.jitter = jitter
    }

    /// The first due time after a moment, without jitter.
    ///
    /// - Parameter moment: The moment; for ``Trigger/every(seconds:)`` that of the last start.
    /// - Returns: The due time, or nil where none is left within the years that dates can have.
    package func next(after moment: Int64) -> Int64? {
        switch trigger {
        case .cron(let expression):
            return expression.next(after: moment, in: zone)
        case .every(let seconds):
            let (sum, isOver) = moment.addingReportingOverflow(max(1, seconds))
            return isOver || sum > ZoneRules.moments.upperBound ? nil : sum
        }
    }

    /// Whether another schedule makes the same due times.
    package func isDue(as other: Schedule) -> Bool { trigger == other.trigger && zone.name == other.zone.name }

    /// The due times after a moment, each found when it is asked for; they end where no other is left.
    package func dueTimes(after moment: Int64) -> DueTimes { DueTimes(schedule: self, last: moment) }
}

/// Due times, from the first one on.
package struct DueTimes: Sequence, IteratorProtocol {
    private let schedule: Schedule
    private var last: Int64?

    init(schedule: Schedule, last: Int64) {
        self.schedule = schedule
        self.last = last
    }

    /// The next due time, or nil where there is none.
    package mutating func next() -> Int64? {
        last = last.flatMap(schedule.next(after:))
        return last
    }
}

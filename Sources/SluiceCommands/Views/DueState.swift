internal import SluiceSchedule

/// When a pipeline is due, by its schedule and the start of its last run. Moments are seconds since the epoch.
package struct DueState: Sendable {
    /// The first due time that is still to come, or ``since`` where what is due counts from the last start; nil where
    /// nothing is due any more.
    let next: Int64?
    /// The first due time after the last start, where it has passed and nothing was run since; else nil.
    let since: Int64?

    /// Looks a pipeline up.
    ///
    /// - Parameters:
    ///   - schedule: When it is due.
    ///   - lastStart: When it was run last; nil where it never was.
    ///   - now: The moment that is looked from.
    init(_ schedule: Schedule, lastStart: Int64?, now: Int64) {
        let first = lastStart.flatMap { schedule.next(after: $0) }
        // Starts are spread over the jitter: until then nothing was missed.
        since = first.flatMap { schedule.jitter.start(ofDue: $0) < now ? $0 : nil }
        switch schedule.trigger {
        case .cron: next = schedule.next(after: now)
        case .every: next = first ?? now
        }
    }
}

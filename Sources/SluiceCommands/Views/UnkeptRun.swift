internal import SluiceModel
internal import SluiceSchedule
internal import SluiceStore

/// A run of which the store keeps nothing but that it was: it was cut off, or a service started it and it ended before its store was
/// made.
package struct UnkeptRun: Sendable {
    /// When it was started, in seconds since the epoch.
    let start: Int64
    /// When it ended; nil where nobody saw that.
    let end: Int64?
    /// How it ended, as reports name it.
    let status: String
    /// Why, as the end of a sentence.
    let reason: String

    /// Of a run that took longer than its schedule allows.
    static let tooLong = "it took longer than `schedule.timeout`"

    /// A run that began, and of which the store keeps nothing else.
    ///
    /// - Parameter moment: When it began; nil where there is none.
    init?(begun moment: String?) {
        guard let start = moment.flatMap(MomentText.moment) else { return nil }
        (self.start, end, status) = (start, nil, "interrupted")
        reason = "it was killed, or its machine stopped, or its end could not be kept"
    }

    /// Looks for one that a service started.
    ///
    /// - Parameters:
    ///   - dueTimes: What a service decided on the pipeline, and the runs that it started.
    ///   - last: The last run that the store keeps; nil for none.
    init?(in dueTimes: [DueTime], after last: RunEntry?) {
        guard let attempt = DueTime.latestEnded(of: dueTimes), let end = attempt.end, end.outcome != .succeeded,
            (last.flatMap { MomentText.moment($0.startedAt) } ?? .min) < attempt.start
        else { return nil }
        (start, self.end) = (attempt.start, end.moment)
        switch end.outcome {
        case .interrupted where attempt.tookTooLong: (status, reason) = ("interrupted", Self.tooLong)
        case .interrupted: (status, reason) = ("interrupted", "it was stopped, or ended with its service")
        case .lost: (status, reason) = ("interrupted", "its service was not heard of any more")
        case .failed, .failedForNow, .succeeded:
            (status, reason) = ("failed", "the log and the page of its service say why")
        }
    }
}

internal import SluiceModel
package import SluicePipeline
package import SluiceReport
package import SluiceSchedule
package import SluiceStore

extension RunReport {
    /// What the run gives reason to tell of.
    ///
    /// - Parameter hasRecovered: Whether the run before it had not succeeded; asked where that matters.
    /// - Returns: The events, in the order of their specification.
    package func events(hasRecovered: () -> Bool) -> [NotificationDefinition.Event] {
        NotificationDefinition.Event.allCases.filter { event in
            switch event {
            case .failed: status == .failed || status == .partial
            case .recovered: status == .succeeded && hasRecovered()
            case .refused: status == .refused || refusedDeletes != nil
            case .conflict: openedConflicts > 0
            case .attention: status == .succeeded && needsAttention
            // A run that was started has nothing to say of it.
            case .late: false
            }
        }
    }

    /// How many conflicts are new or have moved on.
    package var openedConflicts: Int {
        streams.reduce(0) { sum, stream in
            sum + stream.newConflicts + stream.parts.reduce(0) { $0 + $1.newConflicts }
        }
    }

    /// Whether a run that succeeded is the first to do so after one that did not.
    ///
    /// Runs that were stopped say nothing, but for those that the time limit of their schedule ended, nor do those that asked
    /// for another part of the source. What else stands among the runs, such as an `apply`, an `undo` or a decision, notifies
    /// nobody, so that there is nothing to recover from.
    ///
    /// - Parameters:
    ///   - runs: The pipeline's latest runs, newest first, which may have this one among them.
    ///   - dueTimes: What a service decided on the pipeline, and the runs that it started.
    ///   - told: When a run was started of which a service told that it failed; nil where it told of none.
    /// - Returns: Whether the run before this one failed, was refused or took too long.
    package func recovers(from runs: [RunEntry], dueTimes: [DueTime] = [], told: Int64? = nil) -> Bool {
        let before = runs.first { entry in
            entry.id != run && entry.command == Command.run.rawValue && entry.scope == scope
                && entry.status != Status.interrupted.rawValue
        }
        let last = scope == nil ? DueTime.latestEnded(of: dueTimes) : nil
        let failures = [last.flatMap { $0.tookTooLong ? $0.start : nil }, scope == nil ? told : nil]
        let start = before.flatMap { Timestamp(stored: Array($0.startedAt.utf8))?.seconds } ?? .min
        if failures.contains(where: { $0.map { $0 > start } ?? false }) { return true }
        let bad: [Status] = [.failed, .partial, .refused]
        return before.map { entry in bad.contains { $0.rawValue == entry.status } } ?? false
    }
}

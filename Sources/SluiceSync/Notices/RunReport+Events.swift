package import SluicePipeline
package import SluiceReport
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
    /// Runs that were stopped say nothing, nor do those that asked for another part of the source. What else stands among the
    /// runs, such as an `apply`, an `undo` or a decision, notifies nobody, so that there is nothing to recover from.
    ///
    /// - Parameter runs: The pipeline's latest runs, newest first, which may have this one among them.
    /// - Returns: Whether the run before this one failed or was refused.
    package func recovers(from runs: [RunEntry]) -> Bool {
        let before = runs.first { entry in
            entry.id != run && entry.command == Command.run.rawValue && entry.scope == scope
                && entry.status != Status.interrupted.rawValue
        }
        let bad: [Status] = [.failed, .partial, .refused]
        return before.map { entry in bad.contains { $0.rawValue == entry.status } } ?? false
    }
}

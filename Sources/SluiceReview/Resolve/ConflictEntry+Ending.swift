internal import SluiceStore

extension ConflictEntry {
    /// Why there is nothing to decide any more, as a sentence; nil where there is.
    package var ending: String? {
        let run = lastRun.map { "run \($0)" } ?? "an earlier run"
        return switch status {
        case .open: nil
        case .resolved: "It was resolved in \(run)."
        case .auto: "A policy resolved it in \(run)."
        case .converged: "It is over since \(run): the source and the row agree."
        case .within: "It waits with conflict \(endingWith ?? 0), over the record that it is within."
        case .obsolete: "It is over since \(run)\(end.map { ": \($0.words)" } ?? ", without a decision")."
        }
    }

    /// Whether a person took the same side, or gave a value of their own, before.
    ///
    /// - Parameter resolution: What is decided now.
    /// - Returns: Whether that is what was decided; of a value only that one was given.
    package func wasDecided(as resolution: Resolution) -> Bool {
        status == .resolved && self.resolution == resolution.name
    }
}

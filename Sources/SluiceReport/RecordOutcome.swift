/// What became of a record in a run, of which a report counts one for each record.
@frozen
package enum RecordOutcome: Sendable {
    case unchanged, insert, update, delete, keptLocal, conflict
    /// It is in conflict, and was written in the fields that nobody has to decide about.
    case conflictWritten
    case quarantined

    /// Whether something was written of its row.
    package var isWritten: Bool { self == .insert || self == .update || self == .conflictWritten }

    /// Whether it waits for a decision.
    package var isOpen: Bool { self == .conflict || self == .conflictWritten }

    /// What became of a record in the run as a whole.
    ///
    /// - Parameter earlier: What had become of it by an earlier page.
    /// - Returns: The outcome that it counts by.
    package func following(_ earlier: RecordOutcome) -> RecordOutcome {
        if isOpen { return isWritten || earlier.isWritten ? .conflictWritten : .conflict }
        if earlier.isOpen { return earlier.isWritten ? .update : self }
        switch earlier {
        case .insert, .update, .quarantined: return earlier
        case .unchanged, .delete, .keptLocal, .conflict, .conflictWritten: return self == .unchanged ? earlier : self
        }
    }
}

extension RunSummary {
    /// Counts records by their outcome; fewer than none are taken away.
    package mutating func count(_ outcome: RecordOutcome, by number: Int = 1) {
        switch outcome {
        case .unchanged: unchanged += number
        case .insert: insert += number
        case .update: update += number
        case .delete: delete += number
        case .keptLocal: keptLocal += number
        case .conflict: conflict += number
        case .conflictWritten:
            conflict += number
            conflictWritten += number
        case .quarantined: quarantined += number
        }
    }
}

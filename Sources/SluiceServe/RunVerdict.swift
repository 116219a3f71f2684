package import SluiceSchedule
package import SluiceServeModel

/// What a run came to: for people, and for what becomes of its due time.
package struct RunVerdict: Equatable {
    /// For people.
    package let outcome: ServedRun.Outcome
    /// For its due time.
    package let dueOutcome: RunOutcome
    /// Why nothing of it can be believed: it ended without a word.
    let isUntold: Bool

    /// Errors that stay until somebody does something.
    private static let lasting: Set<String> = [
        "invalid_pipeline", "login_failed", "invalid_document", "schema_contract", "response_too_large",
        "pagination_loop", "conflict", "duplicate_key", "orphaned", "miscounted", "schema_mismatch", "newer_format",
        "not_a_store", "damaged",
    ]

    /// Judges an ending.
    ///
    /// - Parameters:
    ///   - ending: How the run ended.
    ///   - wasStopped: Whether the service sent it a signal.
    ///   - isLost: Whether another worker has its claim.
    package init(_ ending: RunEnding, wasStopped: Bool, isLost: Bool = false) {
        let code = ending.exitCode
        let outcome: ServedRun.Outcome =
            switch ending.status {
            // It can only have committed while the claim was its own.
            case "succeeded": .succeeded
            case "refused": .refused
            case "partial": .partial
            case _ where isLost: .superseded
            case "locked": ending.error?.code == "superseded" ? .superseded : .locked
            case "interrupted": .interrupted
            case "failed": .failed
            default:
                switch code {
                case 6: .locked
                case 7: .superseded
                case 130, 143: .interrupted
                case let code? where code < 0 && wasStopped: .interrupted
                default: .failed
                }
            }
        self.outcome = outcome
        isUntold = ending.status == nil
        switch outcome {
        case .succeeded: dueOutcome = .succeeded
        case .refused: dueOutcome = .failed
        case .partial, .locked: dueOutcome = .failedForNow
        case .interrupted: dueOutcome = .interrupted
        // Its claim is another's, who says what the due time comes to.
        case .superseded: dueOutcome = .lost
        case .failed:
            // 64 and 78: the command line or the pipeline is wrong.
            let isLasting = code == 64 || code == 78 || Self.lasting.contains(ending.error?.code ?? "")
            dueOutcome = isLasting ? .failed : .failedForNow
        }
    }

    private init(committed outcome: ServedRun.Outcome, _ dueOutcome: RunOutcome) {
        (self.outcome, self.dueOutcome, isUntold) = (outcome, dueOutcome, false)
    }

    /// What is true of a run that ended without a word, where the store has what it committed before: that stands.
    func settled(by committed: RunOutcome?) -> RunVerdict {
        switch committed {
        case .succeeded: RunVerdict(committed: .succeeded, .succeeded)
        case .failed: RunVerdict(committed: .refused, .failed)
        case .failedForNow: RunVerdict(committed: .partial, .failedForNow)
        default: self
        }
    }
}

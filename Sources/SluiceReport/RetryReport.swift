internal import SluiceDiagnostics

/// What became of records in quarantine that were to be tried again.
package struct RetryReport: Codable, Sendable, Equatable {
    /// An entry that was not tried.
    package struct Refusal: Codable, Sendable, Equatable {
        /// The number of the entry.
        package let id: Int64
        /// Why, as the rest of a sentence.
        package let reason: String

        /// Makes a value of its parts.
        package init(id: Int64, reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// How many left the quarantine: taken, filtered out, or replaced by a newer record of the same key.
    package var left = 0
    /// How many still do not fit, with the reason of today.
    package var stayed = 0
    /// What could not be tried, in the order in which it was met.
    package var refused: [Refusal] = []
    /// Those of the numbers asked for that are entries of this pipeline.
    package var known: Set<Int64> = []

    /// Makes an empty report.
    package init() {}

    /// How many were tried.
    package var tried: Int { left + stayed }

    /// What people should know of the refusals: the first ones, each with its reason, and how many more there are.
    package var problems: [RunProblem] {
        let shown = 20
        var messages = refused.prefix(shown).map { "Record \($0.id) was not tried again: \($0.reason)" }
        if refused.count > shown {
            messages.append(
                "\(Plural.of(refused.count - shown, "more record was", "more records were")) not tried again.")
        }
        return messages.map { RunProblem(code: "retry_refused", severity: .warning, message: $0) }
    }
}

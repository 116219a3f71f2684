/// What one check of the machine, a store or a source came to.
package struct CheckupFinding: Sendable, Equatable {
    /// How good it is.
    package enum Verdict: String, Sendable {
        /// All is in order.
        case good
        /// Runs work, and people should look at it.
        case doubtful
        /// Runs cannot work.
        case bad
    }

    /// What was looked at, in a word or two.
    package let subject: String
    package let verdict: Verdict
    /// What was found, and what to do where something is to be done.
    package let message: String

    /// Makes a value of its parts.
    package init(_ subject: String, _ verdict: Verdict, _ message: String) {
        self.subject = subject
        self.verdict = verdict
        self.message = message
    }
}

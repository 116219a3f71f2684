internal import SluiceHTTP
internal import SluicePages
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// Why an import could not begin.
package struct ImportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, which decides the exit code.
    package enum Kind: Sendable, Hashable {
        /// What was asked for does not say enough, or asks for what is not there.
        case usage
        /// The source cannot be read or has no records.
        case failed
        /// It was stopped on request.
        case interrupted
    }

    /// The kind of failure.
    package let kind: Kind
    /// What is wrong, as sentences that may quote what came from outside.
    private let statement: String
    /// What to do: words of the program itself, in which nothing is ever secret.
    private let remedy: StaticString?

    /// Makes an error.
    package init(_ kind: Kind, _ statement: String, remedy: StaticString? = nil) {
        self.kind = kind
        self.statement = statement
        self.remedy = remedy
    }

    /// What is wrong and what to do, as sentences.
    package var message: String { statement + (remedy.map { " \($0)" } ?? "") }

    /// The same without secrets.
    package func hiding(_ secrets: [String]) -> ImportError {
        ImportError(kind, statement.hiding(secrets), remedy: remedy)
    }

    /// What an error from below means for an import.
    package init(_ error: any Error, isCancelled: Bool) {
        if let error = error as? ImportError {
            self = error
            return
        }
        let failure = RunFailure(error, isCancelled: isCancelled, hiding: [])
        self.init(failure.status == .interrupted ? .interrupted : .failed, failure.message)
    }

    /// The message.
    package var description: String { message }
}

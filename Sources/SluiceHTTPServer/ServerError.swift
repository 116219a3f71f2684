/// Why a server cannot be started.
package struct ServerError: Error, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, as sentences.
    package let description: String

    /// Makes an error.
    package init(_ description: String) { self.description = description }
}

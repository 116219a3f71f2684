package import SluiceJSON

extension StreamDefinition {
    /// How a source is asked for what changed since the last run by a token that it gave at the end of that run.
    package struct SyncToken: Sendable, Hashable {
        /// The path to the token on the last page.
        package var path: JSONPath
        /// The query parameter that takes the token; nil where the token is the URL to ask.
        package var parameter: String?

        /// Makes a rule.
        ///
        /// - Parameters:
        ///   - path: The path to the token on the last page.
        ///   - parameter: The query parameter that takes the token; nil where the token is the URL to ask.
        package init(path: JSONPath, parameter: String? = nil) {
            self.path = path
            self.parameter = parameter
        }
    }

    /// Whether it asks for what changed since the last run.
    package var asksForChanges: Bool { incremental != nil || syncToken != nil }
}

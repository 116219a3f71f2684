/// What becomes of a response, where the usual is not to happen.
package struct HTTPVerdict: Sendable, Hashable {
    /// What is done.
    package enum Action: String, Sendable, CaseIterable {
        /// The request is sent again later, as after a failure that may pass.
        case retry
        /// The fetch fails.
        case fail
        /// The response counts as one without content.
        case ignore
        /// The response is whole and has nothing in it.
        case empty
        /// The response is the last one.
        case stop
        /// The place that the request asks for is not known any more, so that the reading begins anew.
        case restart
        /// The request is sent again with new credentials, by whoever has them.
        case refreshCredentials = "refresh_auth"
    }

    /// What is done.
    package var action: Action
    /// What to tell people; nil for nothing.
    package var message: String?
    /// Why the response is none, as the rest of a sentence; nil where `on_response` says so.
    package var reason: String?

    /// Makes a verdict.
    package init(_ action: Action, message: String? = nil, reason: String? = nil) {
        self.action = action
        self.message = message
        self.reason = reason
    }
}

/// Judges responses.
package protocol HTTPJudge {
    /// What becomes of a response; nil for the usual.
    ///
    /// - Parameters:
    ///   - head: Status and headers.
    ///   - body: Gives the body, or the beginning of a large one.
    /// - Returns: The verdict.
    /// - Throws: Whatever the body throws.
    func verdict(_ head: HTTPResponseHead, body: () throws -> [UInt8]) throws -> HTTPVerdict?
}

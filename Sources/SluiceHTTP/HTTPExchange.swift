/// A request that was answered, and what that took.
package struct HTTPExchange: Sendable, Hashable {
    /// The final response's head.
    package let head: HTTPResponseHead
    /// The size of its body, decoded.
    package let bytes: Int
    /// How often the request was tried again.
    package let retries: Int
    /// How many redirects led to the response.
    package let redirects: Int
    /// What was said of the response, where somebody judged it.
    package var verdict: HTTPVerdict?
}

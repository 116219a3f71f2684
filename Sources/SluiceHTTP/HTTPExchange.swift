/// A request that was answered, and what that took.
public struct HTTPExchange: Sendable, Hashable {
    /// The final response's head.
    public let head: HTTPResponseHead
    /// The size of its body, decoded.
    public let bytes: Int
    /// How often the request was tried again.
    public let retries: Int
    /// How many redirects led to the response.
    public let redirects: Int
    /// What was said of the response, where somebody judged it.
    public var verdict: HTTPVerdict?
}

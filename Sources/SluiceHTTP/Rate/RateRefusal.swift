/// What a refusal with status 403 says of too many requests; some servers answer that in place of 429.
enum RateRefusal {
    /// The same request is answered later.
    case passes
    /// No request is left by a header that the configuration does not name.
    case isUnnamed

    /// The headers by which servers commonly say how many requests are left.
    private static let commonHeaders = ["X-RateLimit-Remaining", "RateLimit-Remaining", "X-Rate-Limit-Remaining"]

    /// Reads a response; nil where it says nothing of too many requests, and where its status says so itself.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - rule: What the configuration says of the host.
    ///   - now: The wall clock.
    init?(_ head: HTTPResponseHead, _ rule: HTTPRateLimit, now: Duration) {
        if head.status != 403 { return nil }
        if rule.isUsedUp(head.headers) || RetryAfter.tolerantDelay(head.headers, now: now) != nil {
            self = .passes
            return
        }
        let isUsedUp = Self.commonHeaders.contains { name in
            var common = HTTPRateLimit()
            common.remainingHeader = name
            return common.isUsedUp(head.headers)
        }
        guard isUsedUp, rule.remainingHeader == nil else { return nil }
        self = .isUnnamed
    }
}

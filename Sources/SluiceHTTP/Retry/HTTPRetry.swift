/// When and how often a failed request is tried again.
package struct HTTPRetry: Sendable, Hashable {
    /// Tries in all, the first one included.
    package var maximumAttempts: Int
    /// The upper bound of the first delay, doubled after each try.
    package var base: Duration
    /// The longest delay that is not asked for by the server.
    package var maximumDelay: Duration
    /// The longest time that one request may spend waiting.
    package var maximumWait: Duration

    /// Makes rules for retries.
    package init(
        maximumAttempts: Int = 5, base: Duration = .seconds(1), maximumDelay: Duration = .seconds(300),
        maximumWait: Duration = .seconds(900)
    ) {
        self.maximumAttempts = maximumAttempts
        self.base = base
        self.maximumDelay = maximumDelay
        self.maximumWait = maximumWait
    }
}

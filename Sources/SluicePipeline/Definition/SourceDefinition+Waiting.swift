extension SourceDefinition {
    /// How long to wait.
    package struct Timeout: Sendable, Hashable {
        /// The longest time to connect.
        package var connect: Duration = .seconds(10)
        /// The longest time without a byte.
        package var idle: Duration = .seconds(30)
        /// The longest time for one response.
        package var total: Duration = .seconds(300)
        /// The longest time for a whole run; nil for no limit.
        package var run: Duration?

        /// Makes the defaults.
        package init() {}
    }

    /// How failed requests are retried.
    package struct Retry: Sendable, Hashable {
        /// Tries in all, the first one included.
        package var maximumAttempts = 5
        /// The first delay, doubled after each try.
        package var base: Duration = .seconds(1)
        /// The longest single delay.
        package var maximumDelay: Duration = .seconds(300)
        /// The longest time that one request may spend waiting.
        package var maximumWait: Duration = .seconds(900)

        /// Makes the defaults.
        package init() {}
    }
}

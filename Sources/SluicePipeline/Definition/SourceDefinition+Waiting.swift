extension SourceDefinition {
    /// How long to wait.
    public struct Timeout: Sendable, Hashable {
        /// The longest time to connect.
        public var connect: Duration = .seconds(10)
        /// The longest time without a byte.
        public var idle: Duration = .seconds(30)
        /// The longest time for one response.
        public var total: Duration = .seconds(300)
        /// The longest time for a whole run; nil for no limit.
        public var run: Duration?

        /// Makes the defaults.
        public init() {}
    }

    /// How failed requests are retried.
    public struct Retry: Sendable, Hashable {
        /// Tries in all, the first one included.
        public var maximumAttempts = 5
        /// The first delay, doubled after each try.
        public var base: Duration = .seconds(1)
        /// The longest single delay.
        public var maximumDelay: Duration = .seconds(300)
        /// The longest time that one request may spend waiting.
        public var maximumWait: Duration = .seconds(900)

        /// Makes the defaults.
        public init() {}
    }
}

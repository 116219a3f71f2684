extension SourceDefinition {
    /// How fast requests are sent.
    public struct RateLimit: Sendable, Hashable {
        /// What the number in ``resetHeader`` counts.
        public enum ResetUnit: String, Sendable, CaseIterable {
            /// Seconds from now, or since 1970.
            case seconds, epoch
        }

        /// How many requests may be under way at a time.
        public var concurrency = 2
        /// The most requests within ``interval``; nil for any number.
        public var limit: Int?
        /// The interval of ``limit``.
        public var interval: Duration = .seconds(1)
        /// The header with the number of requests that are left.
        public var remainingHeader: String?
        /// The header that says when there are more again.
        public var resetHeader: String?
        /// What its number counts.
        public var resetUnit = ResetUnit.seconds
        /// How many of the requests that are left are left to others.
        public var reserve = 0

        /// Makes no limits.
        public init() {}
    }

    /// What becomes of some responses.
    public struct ResponseRule: Sendable, Hashable {
        /// What is done.
        public enum Action: String, Sendable, CaseIterable {
            case retry, fail, ignore, empty, stop, restart
            case refreshCredentials = "refresh_auth"
        }

        /// The statuses; none for every one.
        public var statuses: [ClosedRange<Int>]
        /// The jq program that must be true; nil for none.
        public var condition: String?
        /// What is done.
        public var action: Action
        /// What to tell people.
        public var message: String?

        /// Makes a rule.
        public init(
            statuses: [ClosedRange<Int>] = [], condition: String? = nil, action: Action, message: String? = nil
        ) {
            self.statuses = statuses
            self.condition = condition
            self.action = action
            self.message = message
        }
    }
}

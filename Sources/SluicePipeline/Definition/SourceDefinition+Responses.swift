extension SourceDefinition {
    /// How fast requests are sent.
    package struct RateLimit: Sendable, Hashable {
        /// What the number in ``resetHeader`` counts.
        package enum ResetUnit: String, Sendable, CaseIterable {
            /// Seconds from now, or since 1970.
            case seconds, epoch
        }

        /// How many requests may be under way at a time.
        package var concurrency = 2
        /// The most requests within ``interval``; nil for any number.
        package var limit: Int?
        /// The interval of ``limit``.
        package var interval: Duration = .seconds(1)
        /// The header with the number of requests that are left.
        package var remainingHeader: String?
        /// The header that says when there are more again.
        package var resetHeader: String?
        /// What its number counts.
        package var resetUnit = ResetUnit.seconds
        /// How many of the requests that are left are left to others.
        package var reserve = 0

        /// Makes no limits.
        package init() {}
    }

    /// What becomes of some responses.
    package struct ResponseRule: Sendable, Hashable {
        /// What is done.
        package enum Action: String, Sendable, CaseIterable {
            case retry, fail, ignore, empty, stop, restart
            case refreshCredentials = "refresh_auth"
        }

        /// The statuses; none for every one.
        package var statuses: [ClosedRange<Int>]
        /// The jq program that must be true; nil for none.
        package var condition: String?
        /// What is done.
        package var action: Action
        /// What to tell people.
        package var message: String?

        /// Makes a rule.
        package init(
            statuses: [ClosedRange<Int>] = [], condition: String? = nil, action: Action, message: String? = nil
        ) {
            self.statuses = statuses
            self.condition = condition
            self.action = action
            self.message = message
        }
    }
}

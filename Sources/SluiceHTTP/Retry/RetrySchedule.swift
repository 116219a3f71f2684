/// Decides for one request whether and when it is tried again.
package struct RetrySchedule {
    /// What to do after a failure that may pass.
    package enum Decision: Equatable {
        /// Try again after that time.
        case wait(Duration)
        /// All tries are used up.
        case attemptsUsedUp
        /// The server asks for a longer pause than is left.
        case retryAfterTooLong(asked: Duration, left: Duration)
        /// No time for waiting is left.
        case waitUsedUp
    }

    private let rules: HTTPRetry
    /// The tries that have failed.
    package private(set) var failures = 0
    private var waited: Duration = .zero

    /// Begins with all tries and all of the time left.
    ///
    /// - Parameter rules: The configured limits.
    package init(_ rules: HTTPRetry) {
        self.rules = rules
    }

    /// What to do after one more failure.
    ///
    /// The delay is exponential with full jitter: chosen evenly between nothing and a bound that doubles, so that many
    /// clients that failed together do not come back together. The server's own wish is a lower limit to it.
    ///
    /// - Parameters:
    ///   - retryAfter: The server's wish, nil where it has none.
    ///   - random: From 0 up to, but not including, 1.
    /// - Returns: How long to wait for the next try, or why there is none.
    package mutating func decide(retryAfter: Duration?, random: Double) -> Decision {
        failures += 1
        guard failures < rules.maximumAttempts else { return .attemptsUsedUp }
        let left = rules.maximumWait - waited
        if let retryAfter, retryAfter > left { return .retryAfterTooLong(asked: retryAfter, left: left) }
        guard left > .zero else { return .waitUsedUp }
        let delay = min(left, max(bound * random, retryAfter ?? .zero))
        waited += delay
        return .wait(delay)
    }

    /// `base`, doubled for each failure after the first, up to the longest delay.
    private var bound: Duration {
        var bound = min(rules.base, rules.maximumDelay)
        for _ in 1..<failures where bound < rules.maximumDelay {
            bound = min(bound * 2, rules.maximumDelay)
        }
        return bound
    }
}

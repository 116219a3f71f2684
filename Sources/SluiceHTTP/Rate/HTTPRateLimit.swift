/// How many requests a host is sent, and which of its headers say how many it will still take.
package struct HTTPRateLimit: Sendable, Hashable {
    /// What the number in the reset header counts.
    package enum ResetUnit: String, Sendable, CaseIterable {
        /// Seconds from now.
        case seconds
        /// Seconds since 1970-01-01T00:00:00Z.
        case epoch
    }

    /// The most requests within an interval; nil for any number.
    package var limit: Int?
    /// The interval.
    package var interval: Duration = .seconds(1)
    /// The header that says how many requests are left.
    package var remainingHeader: String?
    /// The header that says when there are more again.
    package var resetHeader: String?
    /// What its number counts.
    package var resetUnit = ResetUnit.seconds
    /// How many of them are left to others.
    package var reserve = 0

    /// Makes no limits.
    package init() {}

    /// How long the host wants to be left alone after a response; nil where it does not say so.
    ///
    /// - Parameters:
    ///   - headers: The response's headers.
    ///   - now: The time since 1970-01-01T00:00:00Z.
    /// - Returns: Never less than zero.
    package func pause(after headers: HTTPHeaders, now: Duration) -> Duration? {
        guard let remaining = remaining(headers), remaining <= reserve else { return nil }
        return reset(headers, now: now)
    }

    /// How many further requests may be sent, as a response says; nil where it says nothing of it.
    package func left(_ headers: HTTPHeaders) -> Int? {
        remaining(headers).map { $0.subtractingReportingOverflow(reserve).partialValue }
    }

    /// Whether a response says that no request is left.
    package func isUsedUp(_ headers: HTTPHeaders) -> Bool { remaining(headers).map { $0 <= 0 } ?? false }

    /// The time until there are more requests; nil where it is not said in a readable way.
    package func reset(_ headers: HTTPHeaders, now: Duration) -> Duration? {
        guard let name = resetHeader, let text = headers.first(name)?.trimmingBlanks, !text.isEmpty else { return nil }
        guard let number = Double(text), number.isFinite, number >= 0 else {
            return HTTPDate(text, now: now).map { max(.zero, $0.sinceEpoch - now) }
        }
        // The same header is a moment with one host and a span with another: one of the two makes no sense.
        let earliestMoment = 1_000_000_000.0
        let isMoment = number >= earliestMoment
        let seconds = number >= 1000 * earliestMoment ? number / 1000 : number
        if resetUnit == .epoch || isMoment {
            return isMoment ? max(.zero, .seconds(min(seconds, 1e11)) - now) : .seconds(seconds)
        }
        return .seconds(seconds)
    }

    private func remaining(_ headers: HTTPHeaders) -> Int? {
        guard let name = remainingHeader, let text = headers.first(name)?.trimmingBlanks else { return nil }
        return Double(text).flatMap { Int(exactly: $0.rounded(.down)) }
    }
}

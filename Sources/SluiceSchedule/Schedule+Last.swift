extension Schedule {
    /// The longest time between two due times: 29 February on one weekday, over a century without a leap day.
    private static let longestGap: Int64 = 41 * 366 * 86_400

    /// The last due time of a cron expression up to a moment, without jitter.
    ///
    /// It is found by halving: years between two moments cost no more than hours.
    ///
    /// - Parameters:
    ///   - end: The moment, which counts.
    ///   - start: The due time comes after it; nil for no limit.
    /// - Returns: The due time, or nil where there is none, and for ``Trigger/every(seconds:)``.
    package func last(upTo end: Int64, after start: Int64? = nil) -> Int64? {
        guard case .cron = trigger else { return nil }
        if let start, next(after: start).map({ $0 > end }) ?? true { return nil }
        let end = min(end, ZoneRules.moments.upperBound)
        guard end > ZoneRules.moments.lowerBound else { return nil }
        let lowest = start ?? max(ZoneRules.moments.lowerBound, end - Self.longestGap)
        func isBefore(_ moment: Int64) -> Bool { next(after: moment).map { $0 <= end } ?? false }
        // Something is due after `low` and up to the end, and nothing after `high`.
        var step: Int64 = 60
        while end - step > lowest, !isBefore(end - step) { step *= 2 }
        var low = max(lowest, end - step)
        guard low < end, isBefore(low) else { return nil }
        var high = end
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if isBefore(middle) { low = middle } else { high = middle }
        }
        return next(after: low)
    }
}

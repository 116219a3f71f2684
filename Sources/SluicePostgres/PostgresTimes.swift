/// A moment of `timestamptz`, to the microsecond.
package struct PostgresTimestamp: Sendable, Hashable {
    /// Microseconds since 2000-01-01T00:00:00Z, as PostgreSQL counts.
    package let microseconds: Int64

    /// Seconds from 1970 to 2000.
    private static let epoch: Int64 = 946_684_800
    /// From 4714-11-24 BC to the end of the year 294276. See: postgresql.org/docs/current/datatype-datetime.html
    private static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

    /// Later than every moment.
    package static let infinity = PostgresTimestamp(counted: .max)
    /// Earlier than every moment.
    package static let minusInfinity = PostgresTimestamp(counted: .min)

    /// Makes a moment of PostgreSQL's own count.
    init(counted microseconds: Int64) { self.microseconds = microseconds }

    /// Makes a moment of microseconds since 2000-01-01T00:00:00Z, as PostgreSQL counts.
    package init(microsecondsSince2000 count: Int64) { microseconds = count }

    /// Makes a moment, or nil where PostgreSQL has none.
    ///
    /// - Parameters:
    ///   - seconds: Whole seconds since 1970-01-01T00:00:00Z, rounded towards the past.
    ///   - microsecond: What is left, from 0 to 999999.
    package init?(secondsSince1970 seconds: Int64, microsecond: Int) {
        let (counted, isTooFar) = seconds.subtractingReportingOverflow(Self.epoch)
        let (product, isTooMuch) = counted.multipliedReportingOverflow(by: 1_000_000)
        guard !isTooFar, !isTooMuch, (0..<1_000_000).contains(microsecond) else { return nil }
        let (sum, isOver) = product.addingReportingOverflow(Int64(microsecond))
        guard !isOver, Self.range.contains(sum) else { return nil }
        microseconds = sum
    }

    /// Whether it is a moment, and not before or after all of them.
    package var isFinite: Bool { self != .infinity && self != .minusInfinity }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded towards the past.
    package var secondsSince1970: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return quotient - (remainder < 0 ? 1 : 0) + Self.epoch
    }

    /// What is left beside the seconds, from 0 to 999999.
    package var microsecond: Int {
        let remainder = microseconds % 1_000_000
        return Int(remainder < 0 ? remainder + 1_000_000 : remainder)
    }
}

/// A day of `date`.
package struct PostgresDate: Sendable, Hashable {
    /// Days since 2000-01-01, as PostgreSQL counts.
    package let days: Int32

    /// Days from 1970 to 2000.
    private static let epoch = 10_957
    /// From 4714-11-24 BC to the end of the year 5874897.
    private static let range = -2_451_545...2_145_031_948

    /// Later than every day.
    package static let infinity = PostgresDate(counted: .max)
    /// Earlier than every day.
    package static let minusInfinity = PostgresDate(counted: .min)

    /// Makes a day of PostgreSQL's own count.
    init(counted days: Int32) { self.days = days }

    /// Makes a day, or nil where PostgreSQL has none.
    package init?(daysSince1970 days: Int) {
        let (counted, isTooFar) = days.subtractingReportingOverflow(Self.epoch)
        guard !isTooFar, Self.range.contains(counted) else { return nil }
        self.days = Int32(counted)
    }

    /// Whether it is a day, and not before or after all of them.
    package var isFinite: Bool { self != .infinity && self != .minusInfinity }

    /// Days since 1970-01-01.
    package var daysSince1970: Int { Int(days) + Self.epoch }
}

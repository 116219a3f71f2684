internal import SluiceModel

/// A day of the calendar, without a time and a time zone.
public struct Day: Hashable, Sendable {
    /// The year, from 0 to 9999.
    public let year: Int
    /// The month, from 1.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Makes a day; nil where the calendar has none of these numbers.
    public init?(year: Int, month: Int, day: Int) {
        guard Timestamp.days(year: year, month: month, day: day) != nil else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day of a text such as `2024-02-29`; nil where it is none.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
        guard isPlain, parts.map(\.utf8.count) == [4, 2, 2] else { return nil }
        self.init(year: Int(parts[0]) ?? 0, month: Int(parts[1]) ?? 0, day: Int(parts[2]) ?? 0)
    }
}

extension Day {
    /// Days since 1970-01-01.
    private var number: Int { Timestamp.days(year: year, month: month, day: day) ?? 0 }

    /// The day some days later, or earlier where their number is negative.
    ///
    /// - Parameter days: How many.
    /// - Returns: The day; nil where its year would not be from 0 to 9999.
    public func adding(days: Int) -> Day? {
        let (number, hasOverflown) = number.addingReportingOverflow(days)
        return hasOverflown ? nil : Day(number: number)
    }

    /// How many days another one comes later: 1 for tomorrow, -1 for yesterday.
    public func days(until other: Day) -> Int { other.number - number }

    /// The day of a number of days since 1970-01-01; nil where its year is not from 0 to 9999.
    init?(number: Int) {
        guard (-719_528...2_932_896).contains(number) else { return nil }
        let date = Timestamp.date(days: number)
        self.init(year: date.year, month: date.month, day: date.day)
    }
}

extension Day: Comparable {
    /// Whether the left one comes before.
    public static func < (left: Day, right: Day) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension Day: CustomStringConvertible {
    /// The day as `2024-02-29`.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension Day: Codable {
    /// Reads a text such as `2024-02-29`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = Day(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is no day.")
        }
        self = day
    }

    /// Writes the day as `2024-02-29`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Day: StoredValue, StoredKey {
    /// A day of the calendar.
    public static var storedType: StoredType { .date }

    /// The day of a text.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Day {
        guard case .text(let text) = column.value, let day = Day(text) else { throw column.mismatch("day") }
        return day
    }

    /// The day as `2024-02-29`.
    public func boxed() throws(BoxError) -> BoxedValue { .text(description) }
}

/// A moment: whole seconds since 1970-01-01T00:00:00Z and the digits of the fraction, however many there are.
package struct Timestamp: Hashable {
    /// Seconds since the epoch, rounded towards the past.
    package var seconds: Int64
    /// Decimal digits of the fraction of a second, without trailing zeros.
    package var fraction: [UInt8] = []

    /// The seconds of years 0000 to 9999, which four digits can write.
    package static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Days since 1970-01-01 of a date in the proleptic Gregorian calendar, or nil where there is no such date.
    package static func days(year: Int, month: Int, day: Int) -> Int? {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year: year)
        else { return nil }
        // Years begin in March here, so that the leap day is the last one.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date of a number of days since 1970-01-01.
    package static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    package static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Makes a moment of a date and a time with its offset from UTC, or nil where there is no such moment.
    package init?(
        days: Int, hour: Int, minute: Int, second: Int, fraction: [UInt8] = [], offsetSeconds: Int = 0
    ) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offsetSeconds)
        self.init(seconds: seconds, fraction: fraction)
    }

    /// Makes a moment, or nil where its year does not have four digits.
    package init?(seconds: Int64, fraction: [UInt8] = []) {
        guard Self.range.contains(seconds) else { return nil }
        self.seconds = seconds
        var digits = fraction[...]
        while digits.last == UInt8(ascii: "0") { digits = digits.dropLast() }
        self.fraction = Array(digits)
    }

    /// Appends `YYYY-MM-DD`.
    package func appendDate(to bytes: inout [UInt8]) {
        let date = Self.date(days: dayNumber)
        Self.append(date.year, width: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Self.append(date.month, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        Self.append(date.day, width: 2, to: &bytes)
    }

    /// Appends the moment as RFC 3339 in UTC, with a fraction only where it is not zero.
    package func appendRFC3339(to bytes: inout [UInt8]) {
        appendDate(to: &bytes)
        let time = secondOfDay
        bytes.append(UInt8(ascii: "T"))
        Self.append(time / 3600, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(time / 60 % 60, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(time % 60, width: 2, to: &bytes)
        if !fraction.isEmpty {
            bytes.append(UInt8(ascii: "."))
            bytes.append(contentsOf: fraction)
        }
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Whether the moment is a midnight in UTC.
    package var isMidnight: Bool { secondOfDay == 0 && fraction.isEmpty }

    /// Days since 1970-01-01.
    var dayNumber: Int { Int((seconds - Int64(secondOfDay)) / 86_400) }
    /// Seconds since midnight in UTC.
    var secondOfDay: Int { Int(((seconds % 86_400) + 86_400) % 86_400) }

    /// Appends a number with leading zeros.
    package static func append(_ value: Int, width: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }
}

extension Timestamp: Comparable {
    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        if left.seconds != right.seconds { return left.seconds < right.seconds }
        return left.fraction.lexicographicallyPrecedes(right.fraction)
    }
}

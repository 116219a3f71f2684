/// How text or numbers are read as a moment.
package enum TimeFormat: Sendable, Equatable {
    case rfc3339
    case date
    /// Seconds since the epoch.
    case unix
    /// Milliseconds since the epoch.
    case unixMilliseconds
    /// As mail writes it. See: RFC 2822, sections 3.3 and 4.3
    case mail
    /// With the whole name of the day and dashes. See: RFC 850, section 2.1.4
    case usenet
    /// One of the three forms of HTTP. See: RFC 9110, section 5.6.7
    case http
    /// A pattern of strftime's directives. See: `man 3 strptime`
    case pattern([UInt8])

    package init(_ text: String?) {
        switch text {
        case nil, "rfc3339": self = .rfc3339
        case "date": self = .date
        case "unix": self = .unix
        case "unix_ms": self = .unixMilliseconds
        case "rfc2822": self = .mail
        case "rfc850": self = .usenet
        case "http_date": self = .http
        case let pattern?: self = .pattern(Array(pattern.utf8))
        }
    }

    /// The formats in which a field is read.
    ///
    /// - Parameters:
    ///   - names: What the field names; RFC 3339 where it names none.
    ///   - forDays: Whether they are days of the calendar.
    /// - Returns: The formats in the order in which they are tried.
    package static func named(_ names: [String], forDays: Bool) -> [TimeFormat] {
        let named: [TimeFormat] = names.isEmpty ? [.rfc3339] : names.map { TimeFormat($0) }
        // A day of RFC 3339 stands alone, or with the midnight that begins it.
        return named.flatMap { (format: TimeFormat) -> [TimeFormat] in
            format == .rfc3339 && forDays ? [.date, .rfc3339] : [format]
        }
    }

    /// Whether a moment that was read so is a day: its midnight, or any time of it where a pattern says so.
    package func isDay(_ moment: Timestamp) -> Bool {
        if case .pattern = self { return true }
        return moment.isMidnight
    }

    /// Whether a text of this format states its offset from UTC, or needs none.
    package var statesZone: Bool {
        switch self {
        case .rfc3339, .unix, .unixMilliseconds, .mail, .usenet, .http: true
        case .date: false
        case .pattern(let pattern):
            Self.directives(of: pattern).contains { $0 == UInt8(ascii: "z") || $0 == UInt8(ascii: "Z") }
        }
    }

    /// The letters of a pattern's directives.
    private static func directives(of pattern: [UInt8]) -> [UInt8] {
        var letters: [UInt8] = []
        var index = 0
        while index + 1 < pattern.count {
            if pattern[index] == UInt8(ascii: "%") {
                letters.append(pattern[index + 1])
                index += 1
            }
            index += 1
        }
        return letters
    }

    /// Reads text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - defaultOffset: Seconds east of UTC where the text states none, nil where it must.
    ///   - isLocal: Whether the offset that the text states is left aside, so that day and time are those that it writes.
    /// - Returns: Nil where it is no text of this format.
    package func timestamp(
        text: UnsafeRawBufferPointer, defaultOffset: Int?, isLocal: Bool = false
    ) -> Timestamp? {
        switch self {
        case .rfc3339: return unsafe Timestamp(rfc3339: text, defaultOffset: defaultOffset, isLocal: isLocal)
        case .date: return unsafe Timestamp(date: text)
        case .unix, .unixMilliseconds: return unsafe timestamp(number: text)
        case .mail: return unsafe MailDateReader(text, isLocal: isLocal).mail()
        case .usenet: return unsafe MailDateReader(text, isLocal: isLocal).usenet()
        case .http:
            let reader = unsafe MailDateReader(text, isLocal: isLocal)
            return reader.fixed() ?? reader.usenet() ?? reader.unzoned()
        case .pattern(let pattern):
            return unsafe PatternReader(text, isLocal: isLocal).read(pattern, defaultOffset: defaultOffset)
        }
    }

    /// Reads text, see ``timestamp(text:defaultOffset:isLocal:)``.
    package func timestamp(_ text: String, defaultOffset: Int?, isLocal: Bool = false) -> Timestamp? {
        var text = text
        return text.withUTF8 {
            unsafe timestamp(text: UnsafeRawBufferPointer($0), defaultOffset: defaultOffset, isLocal: isLocal)
        }
    }

    /// Reads the text of a number, see ``timestamp(number:defaultOffset:)-(UnsafeRawBufferPointer,_)``.
    package func timestamp(number text: String, defaultOffset: Int?) -> Timestamp? {
        var text = text
        return text.withUTF8 { unsafe timestamp(number: UnsafeRawBufferPointer($0), defaultOffset: defaultOffset) }
    }

    /// Reads the text of a number: its digits by a pattern, else what it counts since the epoch.
    package func timestamp(number token: UnsafeRawBufferPointer, defaultOffset: Int? = nil) -> Timestamp? {
        if case .pattern(let pattern) = self {
            return unsafe PatternReader(token).read(pattern, defaultOffset: defaultOffset)
        }
        guard self == .unix || self == .unixMilliseconds, var number = unsafe ExactNumber(token) else { return nil }
        if self == .unixMilliseconds { number.exponent -= 3 }
        guard let (seconds, fraction) = number.split() else { return nil }
        return Timestamp(seconds: seconds, fraction: fraction)
    }
}

/// Reads text by a pattern of directives.
private struct PatternReader {
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private var scanner: TimeScanner
    private var year = 1970
    private var month = 1
    private var day = 1
    private var dayOfYear: Int?
    private var hour = 0
    private var minute = 0
    private var second = 0
    private var isAfternoon: Bool?
    private var fraction: [UInt8] = []
    private var offset: Int?
    private var epoch: Int64?
    private let isLocal: Bool

    init(_ text: UnsafeRawBufferPointer, isLocal: Bool = false) {
        unsafe scanner = TimeScanner(text)
        self.isLocal = isLocal
    }

    func read(_ pattern: [UInt8], defaultOffset: Int?) -> Timestamp? {
        var reader = self
        guard reader.scan(pattern), reader.scanner.isAtEnd else { return nil }
        return reader.timestamp(defaultOffset: defaultOffset, hasTime: TimeFormat.hasTime(pattern))
    }

    private mutating func scan(_ pattern: [UInt8]) -> Bool {
        var index = 0
        while index < pattern.count {
            let byte = pattern[index]
            index += 1
            if byte != UInt8(ascii: "%") {
                if !scanner.skip(byte) { return false }
                continue
            }
            guard index < pattern.count, directive(pattern[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func read(_ target: WritableKeyPath<PatternReader, Int>, digits: Int, orFewer: Bool = true) -> Bool
    {
        guard let value = scanner.number(digits: digits, orFewer: orFewer) else { return false }
        self[keyPath: target] = value
        return true
    }

    private mutating func directive(_ letter: UInt8) -> Bool {
        switch Unicode.Scalar(letter) {
        case "Y": return read(\.year, digits: 4, orFewer: false)
        case "y":
            guard let value = scanner.number(digits: 2) else { return false }
            // As POSIX says: 69 to 99 are the twentieth century.
            year = value >= 69 ? 1900 + value : 2000 + value
            return true
        case "m": return read(\.month, digits: 2)
        case "d": return read(\.day, digits: 2)
        case "e":
            _ = scanner.skip(" ")
            return read(\.day, digits: 2)
        case "j":
            dayOfYear = scanner.number(digits: 3, orFewer: true)
            return dayOfYear != nil
        case "H": return read(\.hour, digits: 2)
        case "I": return read(\.hour, digits: 2) && (1...12).contains(hour)
        case "M": return read(\.minute, digits: 2)
        case "S": return read(\.second, digits: 2)
        case "f":
            fraction = scanner.digits()
            return !fraction.isEmpty
        case "p":
            guard let index = scanner.name(of: ["am", "pm"]) else { return false }
            isAfternoon = index == 1
            return true
        case "B", "b":
            guard let index = scanner.name(of: Self.months) ?? scanner.name(of: Self.months, prefixLength: 3) else {
                return false
            }
            month = index + 1
            return true
        case "z":
            offset = scanner.offset(isLenient: true)
            return offset != nil
        case "Z":
            guard scanner.name(of: ["utc", "gmt", "z"]) != nil else { return false }
            offset = 0
            return true
        case "T": return scan(Array("%H:%M:%S".utf8))
        case "D": return scan(Array("%m/%d/%y".utf8))
        case "F": return scan(Array("%Y-%m-%d".utf8))
        case "%": return scanner.skip("%")
        default: return false
        }
    }

    private func timestamp(defaultOffset: Int?, hasTime: Bool) -> Timestamp? {
        var hour = hour
        if let isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        var days = Timestamp.days(year: year, month: month, day: day)
        if let dayOfYear, let first = Timestamp.days(year: year, month: 1, day: 1) {
            let length = Timestamp.length(ofMonth: 2, year: year) + 337
            days = (1...length).contains(dayOfYear) ? first + dayOfYear - 1 : nil
        }
        guard let days, let offset = offset ?? defaultOffset ?? (hasTime ? nil : 0) else { return nil }
        return Timestamp(
            days: days, hour: hour, minute: minute, second: second, fraction: fraction,
            offsetSeconds: isLocal ? 0 : offset)
    }
}

extension TimeFormat {
    /// Whether a pattern reads a time of day, which needs an offset to be a moment.
    fileprivate static func hasTime(_ pattern: [UInt8]) -> Bool {
        zip(pattern, pattern.dropFirst()).contains { $0 == UInt8(ascii: "%") && "HIMST".utf8.contains($1) }
    }
}

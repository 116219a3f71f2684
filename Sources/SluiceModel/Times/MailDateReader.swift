/// Reads dates as mail, news and HTTP write them: with names of days and months.
///
///     Sun, 06 Nov 1994 08:49:37 +0100    mail
///     Sunday, 06-Nov-94 08:49:37 GMT     RFC 850
///     Sun Nov  6 08:49:37 1994           asctime, which HTTP means in UTC
///
/// A name of a day that is not that of the date makes it no date.
struct MailDateReader {
    private static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// The zones that have names, with their hours from UTC. See: RFC 2822, section 4.3
    private static let zones: [(name: String, hours: Int)] = [
        ("utc", 0), ("ut", 0), ("gmt", 0), ("z", 0), ("edt", -4), ("est", -5), ("cdt", -5), ("cst", -6), ("mdt", -6),
        ("mst", -7), ("pdt", -7), ("pst", -8),
    ]

    private var scanner: TimeScanner
    private var weekday: Int?
    private var year = 0
    private var month = 0
    private var day = 0
    private var time = (hour: 0, minute: 0, second: 0)
    private var offset = 0
    private let isLocal: Bool

    /// - Parameters:
    ///   - text: The text.
    ///   - isLocal: Whether the zone that the text states is left aside, so that day and time are those that it writes.
    init(_ text: UnsafeRawBufferPointer, isLocal: Bool = false) {
        unsafe scanner = TimeScanner(text)
        self.isLocal = isLocal
    }

    /// `Sun, 06 Nov 1994 08:49:37 +0100`; without the day's name, without seconds, with a comment behind it.
    func mail() -> Timestamp? {
        var reader = self
        reader.skipBlanks()
        if reader.readDay(prefixLength: 3) {
            guard reader.scanner.skip(",") else { return nil }
            reader.skipBlanks()
        }
        guard reader.readDate(separator: " "), reader.skipBlanks(), reader.readTime(needsSeconds: false),
            reader.skipBlanks(), reader.readZone()
        else { return nil }
        reader.skipBlanks()
        reader.skipComment()
        return reader.timestamp
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`; the day's name may be short, the year whole.
    func usenet() -> Timestamp? {
        var reader = self
        guard reader.readDay(prefixLength: nil) || reader.readDay(prefixLength: 3), reader.scanner.skip(","),
            reader.skipBlanks(), reader.readDate(separator: "-"), reader.skipBlanks(),
            reader.readTime(needsSeconds: true), reader.skipBlanks(), reader.readZone()
        else { return nil }
        return reader.timestamp
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, and no other zone.
    func fixed() -> Timestamp? {
        var reader = self
        guard reader.readDay(prefixLength: 3), reader.scanner.skip(","), reader.skipBlanks(),
            reader.readDate(separator: " "), reader.skipBlanks(), reader.readTime(needsSeconds: true),
            reader.skipBlanks(), reader.scanner.name(of: ["gmt", "utc"]) != nil
        else { return nil }
        return reader.timestamp
    }

    /// `Sun Nov  6 08:49:37 1994`.
    func unzoned() -> Timestamp? {
        var reader = self
        guard reader.readDay(prefixLength: 3), reader.skipBlanks(), reader.readMonth(), reader.skipBlanks(),
            reader.readDayOfMonth(), reader.skipBlanks(), reader.readTime(needsSeconds: true), reader.skipBlanks(),
            let year = reader.scanner.number(digits: 4)
        else { return nil }
        reader.year = year
        return reader.timestamp
    }

    // MARK: Parts

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        var isFound = false
        while scanner.skip(" ") || scanner.skip("\t") { isFound = true }
        return isFound
    }

    private mutating func readDay(prefixLength: Int?) -> Bool {
        weekday = scanner.name(of: Self.days, prefixLength: prefixLength)
        return weekday != nil
    }

    private mutating func readDate(separator: Unicode.Scalar) -> Bool {
        guard readDayOfMonth(), skip(separator), readMonth(), skip(separator) else { return false }
        let digits = scanner.digits()
        guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return false }
        switch digits.count {
        case 2: year = number < 50 ? 2000 + number : 1900 + number
        case 4: year = number
        default: return false
        }
        return true
    }

    private mutating func skip(_ separator: Unicode.Scalar) -> Bool {
        separator == " " ? skipBlanks() : scanner.skip(separator)
    }

    private mutating func readDayOfMonth() -> Bool {
        guard let number = scanner.number(digits: 2, orFewer: true) else { return false }
        day = number
        return true
    }

    private mutating func readMonth() -> Bool {
        guard let index = scanner.name(of: Self.months) else { return false }
        month = index + 1
        return true
    }

    private mutating func readTime(needsSeconds: Bool) -> Bool {
        guard let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2) else {
            return false
        }
        var second = 0
        if needsSeconds || scanner.current == UInt8(ascii: ":") {
            guard scanner.skip(":"), let number = scanner.number(digits: 2) else { return false }
            second = number
        }
        time = (hour, minute, second)
        return true
    }

    private mutating func readZone() -> Bool {
        if let index = scanner.name(of: Self.zones.map(\.name)) {
            offset = Self.zones[index].hours * 3600
            return true
        }
        guard let seconds = scanner.offset(isLenient: true) else { return false }
        offset = seconds
        return true
    }

    /// `(CET)`, as many programs add it.
    private mutating func skipComment() {
        guard scanner.skip("(") else { return }
        while let byte = scanner.current, byte != UInt8(ascii: ")") { scanner.advance() }
        _ = scanner.skip(")")
        skipBlanks()
    }

    private var timestamp: Timestamp? {
        guard scanner.isAtEnd, let days = Timestamp.days(year: year, month: month, day: day),
            // 1970-01-01 was a Thursday.
            weekday == nil || weekday == ((days + 4) % 7 + 7) % 7
        else { return nil }
        return Timestamp(
            days: days, hour: time.hour, minute: time.minute, second: time.second,
            offsetSeconds: isLocal ? 0 : offset)
    }
}

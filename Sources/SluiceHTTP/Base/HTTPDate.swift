/// A date as HTTP writes it (RFC 9110, section 5.6.7), read strictly.
///
/// ```
/// Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate, what servers send
/// Sunday, 06-Nov-94 08:49:37 GMT   RFC 850, obsolete
/// Sun Nov  6 08:49:37 1994         asctime, obsolete
/// ```
/// A day with one digit and `UTC` for `GMT` are also taken: both are seen in the wild and mean one thing only.
package struct HTTPDate {
    /// The time since 1970-01-01T00:00:00Z.
    package let sinceEpoch: Duration

    /// Reads a date; nil where the text is none.
    ///
    /// - Parameters:
    ///   - text: The text, without surrounding white space.
    ///   - now: The time since the epoch: a year of two digits is never more than 50 years after it.
    package init?(_ text: String, now: Duration) {
        let words = text.split(separator: " ").map(String.init)
        let date: (year: Int, month: Int, day: Int)?
        let time: String
        switch words.count {
        case 6 where words[0].hasSuffix(",") && Self.isZone(words[5]):
            time = words[4]
            date = Self.date(year: words[3], month: words[2], day: words[1], isValidDay: Self.isShortDay(words[0]))
        case 4 where words[0].hasSuffix(",") && Self.isZone(words[3]):
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let short = Self.number(parts[2], digits: 2...2) else { return nil }
            time = words[2]
            let year = String(Self.fullYear(short, now: now))
            date = Self.date(year: year, month: parts[1], day: parts[0], isValidDay: Self.isLongDay(words[0]))
        case 5:
            time = words[3]
            date = Self.date(
                year: words[4], month: words[1], day: words[2], isValidDay: Self.isShortDay(words[0] + ","))
        default:
            return nil
        }
        guard let date, let seconds = Self.seconds(time) else { return nil }
        sinceEpoch = .seconds(Self.days(date.year, date.month, date.day) * 86_400 + seconds)
    }

    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func isZone(_ word: String) -> Bool { word == "GMT" || word == "UTC" }
    private static func isShortDay(_ word: String) -> Bool { days.contains { $0.prefix(3) + "," == word } }
    private static func isLongDay(_ word: String) -> Bool { days.contains { $0 + "," == word } }

    private static func date(
        year: String, month: String, day: String, isValidDay: Bool
    ) -> (year: Int, month: Int, day: Int)? {
        guard isValidDay, let year = number(year, digits: 4...4), year > 0, let month = months.firstIndex(of: month),
            let day = number(day, digits: 1...2), 1...length(ofMonth: month + 1, year) ~= day
        else { return nil }
        return (year, month + 1, day)
    }

    private static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let hour = number(parts[0], digits: 2...2),
            let minute = number(parts[1], digits: 2...2),
            let second = number(parts[2], digits: 2...2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }

    /// The latest year with those last digits that is at most 50 years ahead.
    private static func fullYear(_ short: Int, now: Duration) -> Int {
        let latest = 1970 + Int(now.components.seconds / 31_556_952) + 50
        return latest - (latest - short) % 100
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        switch month {
        case 2: return isLeap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    /// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return shifted * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
    }
}

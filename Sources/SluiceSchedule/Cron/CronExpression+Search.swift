internal import SluiceModel

extension CronExpression {
    /// A day that is due comes within so many years or never: 29 February falls on each weekday once in 40 years even
    /// over a century without leap day, and nothing is rarer.
    private static let longestGap = 40

    /// The first due time after a moment.
    ///
    /// Where clocks are put forward, a time that is left out is due at the first one that there is; several of them are
    /// due once. Where they are put back, a time that comes twice is due at its first.
    ///
    /// - Parameters:
    ///   - moment: Seconds since the epoch.
    ///   - zone: Where the fields hold.
    /// - Returns: Seconds since the epoch, or nil where none is left within the years that dates can have.
    package func next(after moment: Int64, in zone: ZoneRules) -> Int64? {
        guard moment < ZoneRules.moments.upperBound else { return nil }
        let start = max(moment, ZoneRules.moments.lowerBound)
        // No time up to what the clock shows now is due later: the order of times is that of their moments.
        var local = start + zone.offset(at: start)
        while let next = nextLocal(after: local) {
            let due = zone.moment(ofLocal: next)
            if due > moment { return ZoneRules.moments.contains(due) ? due : nil }
            local = next
        }
        return nil
    }

    /// Whether there is no day that is due, as 31 February.
    package var isNever: Bool {
        // Any start will do: a gap is never longer than the search.
        next(after: 0, in: .utc) == nil
    }

    /// The first time after another, both as a clock shows them, in seconds as though it were UTC.
    func nextLocal(after local: Int64) -> Int64? {
        var day = Int((local + 1) / 86_400)
        if (local + 1) % 86_400 < 0 { day -= 1 }
        var second = Int(local + 1 - Int64(day) * 86_400)
        let lastYear = min(9999, Timestamp.date(days: day).year + Self.longestGap)
        while true {
            let date = Timestamp.date(days: day)
            if date.year > lastYear { return nil }
            // The day 1970-01-01 was a Thursday.
            let weekday = ((day + 4) % 7 + 7) % 7
            if !months.contains(date.month) {
                day += Timestamp.length(ofMonth: date.month, year: date.year) - date.day
            } else if days.contains(date, weekday: weekday), let time = firstTime(from: second) {
                return Int64(day) * 86_400 + Int64(time)
            }
            day += 1
            second = 0
        }
    }

    /// The first second of a day that is due and not before another.
    private func firstTime(from second: Int) -> Int? {
        var hour = second / 3600
        var minute = second / 60 % 60
        var rest = second % 60
        while let nextHour = hours.first(from: hour) {
            if nextHour > hour { (minute, rest) = (0, 0) }
            while let nextMinute = minutes.first(from: minute) {
                if nextMinute > minute { rest = 0 }
                if let found = seconds.first(from: rest) { return nextHour * 3600 + nextMinute * 60 + found }
                (minute, rest) = (nextMinute + 1, 0)
            }
            (hour, minute, rest) = (nextHour + 1, 0, 0)
        }
        return nil
    }
}

/// What a cron expression is in the words of a systemd timer.
package struct TimerCalendar: Sendable {
    /// The values of `OnCalendar`, each with its time zone. A timer that has several of them elapses at each.
    package let values: [String]

    /// Puts an expression into other words, which mean the same.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - zone: Where its times hold.
    ///   - moment: From when on it must mean the same, in seconds since the epoch.
    /// - Throws: ``ScheduleError`` where a timer cannot mean the same.
    package init(_ expression: CronExpression, in zone: ZoneRules, from moment: Int64) throws(ScheduleError) {
        func problem(_ reason: String, _ remedy: String) -> ScheduleError {
            ScheduleError(field: "cron", value: expression.description, reason: reason, remedy: remedy)
        }
        if expression.isNever { throw problem("it is never due", "write a day that there is") }
        let days = expression.days
        if days.hasLastWorkday || !days.workdays.isEmpty {
            throw problem("a systemd timer knows no `W`", "name the days")
        }
        if let time = ClockChanges(expression: expression, zone: zone).firstLeftOut(after: moment) {
            throw problem(
                "clocks in \(zone.name) leave out \(ClockChanges.text(ofLocal: time)), and a systemd timer then leaves out the run",
                "choose an hour in which no clock is put forward, or `timezone: UTC`")
        }
        let time = [(expression.hours, CronField.hour), (expression.minutes, .minute), (expression.seconds, .second)]
            .map { $0.0.list(of: $0.1.all, isPadded: true) }.joined(separator: ":")
        values = Self.dates(of: expression).map { "\($0) \(time) \(zone.name)" }
    }

    /// The dates, each with its weekdays.
    private static func dates(of expression: CronExpression) -> [String] {
        let (rule, month) = (expression.days, expression.months.list(of: CronField.month.all, isPadded: true))
        if rule.isAnyDay && rule.isAnyWeekday { return ["*-\(month)-*"] }
        var dates: [String] = []
        if !rule.isAnyDay {
            if !rule.days.isEmpty {
                dates.append("*-\(month)-\(rule.days.list(of: CronField.dayOfMonth.all, isPadded: true))")
            }
            if rule.hasLastDay { dates.append("*-\(month)~01") }
        }
        if !rule.isAnyWeekday {
            if !rule.weekdays.isEmpty { dates.append("\(names(of: rule.weekdays))*-\(month)-*") }
            for (week, weekdays) in rule.weekdaysOfWeek.enumerated() where !weekdays.isEmpty {
                let last = min(31, week * 7 + 7)
                dates.append(
                    "\(names(of: weekdays))*-\(month)-\(ValueSet.padded(week * 7 + 1))..\(last < 10 ? "0" : "")\(last)")
            }
            if !rule.lastWeekdays.isEmpty { dates.append("\(names(of: rule.lastWeekdays))*-\(month)~07/1") }
        }
        return dates
    }

    /// Weekdays with a blank behind them; nothing where all of them are meant.
    private static func names(of weekdays: ValueSet) -> String {
        let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        // A week begins with Monday there.
        let days = [1, 2, 3, 4, 5, 6, 0].filter(weekdays.contains)
        if days.count == names.count { return "" }
        if days == [1, 2, 3, 4, 5] { return "Mon..Fri " }
        return days.map { names[$0] }.joined(separator: ",") + " "
    }
}

extension ValueSet {
    /// The values as lists of timers have them: `*` for all, else numbers and ranges such as `06..20`.
    ///
    /// - Parameters:
    ///   - all: The values that there are.
    ///   - isPadded: Whether the words are those of timers, with two digits and `..`; else those of a crontab.
    ///   - star: Whether all of them are a `*`.
    /// - Returns: The list.
    func list(of all: ClosedRange<Int>, isPadded: Bool, star: Bool = true) -> String {
        let values = all.filter(contains)
        if star && values.count == all.count { return "*" }
        var ranges: [ClosedRange<Int>] = []
        for value in values {
            if let last = ranges.last, last.upperBound + 1 == value {
                ranges[ranges.count - 1] = last.lowerBound...value
            } else {
                ranges.append(value...value)
            }
        }
        func text(_ value: Int) -> String { isPadded ? Self.padded(value) : String(value) }
        return ranges.map { range in
            switch range.count {
            case 1: text(range.lowerBound)
            case 2: "\(text(range.lowerBound)),\(text(range.upperBound))"
            default: text(range.lowerBound) + (isPadded ? ".." : "-") + text(range.upperBound)
            }
        }.joined(separator: ",")
    }

    static func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}

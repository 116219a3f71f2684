/// What a cron expression is in the words of a crontab, which has five fields and fewer words.
package struct CrontabTime: Sendable {
    /// Minute, hour, day of month, month and day of week.
    package let fields: String

    /// Puts an expression into other words, which mean the same.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - zone: Where its times hold.
    ///   - moment: From when on it must mean the same, in seconds since the epoch.
    /// - Throws: ``ScheduleError`` where a crontab cannot mean the same.
    package init(_ expression: CronExpression, in zone: ZoneRules, from moment: Int64) throws(ScheduleError) {
        func problem(_ reason: String, _ remedy: String) -> ScheduleError {
            ScheduleError(field: "cron", value: expression.description, reason: reason, remedy: remedy)
        }
        if expression.isNever { throw problem("it is never due", "write a day that there is") }
        if expression.seconds.list(of: CronField.second.all, isPadded: false) != "0" {
            throw problem("a crontab has no seconds", "leave the seconds out")
        }
        let rule = expression.days
        let isPlain =
            !rule.hasLastDay && !rule.hasLastWorkday && rule.workdays.isEmpty && rule.lastWeekdays.isEmpty
            && rule.weekdaysOfWeek.allSatisfy(\.isEmpty)
        if !isPlain { throw problem("a crontab knows no `L`, `W` or `#`", "name the days") }
        if let time = ClockChanges(expression: expression, zone: zone).firstTouched(after: moment) {
            throw problem(
                "it is due at \(ClockChanges.text(ofLocal: time)), when clocks in \(zone.name) change, and programs differ in what they do then",
                expression.hours.list(of: CronField.hour.all, isPadded: false, star: true) == "*"
                    ? "write `timezone: UTC`" : "choose an hour in which no clock changes, or write `timezone: UTC`")
        }
        func list(_ values: ValueSet, _ field: CronField, star: Bool = true) -> String {
            values.list(of: field.all, isPadded: false, star: star)
        }
        // Where a field of days begins with `*`, the other one decides alone.
        fields = [
            list(expression.minutes, .minute), list(expression.hours, .hour),
            rule.isAnyDay ? "*" : list(rule.days, .dayOfMonth, star: false), list(expression.months, .month),
            rule.isAnyWeekday ? "*" : list(rule.weekdays, .dayOfWeek, star: false),
        ].joined(separator: " ")
    }
}

internal import SluiceModel

/// On which days an expression is due.
///
/// Where day of month and day of week both say something, a day that either of them names is one, as in cron.
struct DayRule: Hashable, Sendable {
    /// Whether `*` or `?` stands for the day of the month.
    var isAnyDay = false
    var days = ValueSet()
    /// `L`: the last day of the month.
    var hasLastDay = false
    /// `LW`: the last day of the month that is none of a weekend.
    var hasLastWorkday = false
    /// `15W`: the day from Monday to Friday next to that day, within the month.
    var workdays = ValueSet()

    /// Whether `*` or `?` stands for the day of the week.
    var isAnyWeekday = false
    /// From Sunday, 0, to Saturday, 6.
    var weekdays = ValueSet()
    /// `5#2`: the weekdays of each week of the month; the first element is that of the first week.
    var weekdaysOfWeek = [ValueSet](repeating: ValueSet(), count: 5)
    /// `5L`: the weekdays that count for their last time in the month alone.
    var lastWeekdays = ValueSet()

    /// Whether a date is one of its days.
    func contains(_ date: (year: Int, month: Int, day: Int), weekday: Int) -> Bool {
        if isAnyDay, isAnyWeekday { return true }
        if isAnyDay { return isWeekdayNamed(date, weekday) }
        if isAnyWeekday { return isDayNamed(date, weekday) }
        return isDayNamed(date, weekday) || isWeekdayNamed(date, weekday)
    }

    private func isDayNamed(_ date: (year: Int, month: Int, day: Int), _ weekday: Int) -> Bool {
        if days.contains(date.day) { return true }
        let length = Timestamp.length(ofMonth: date.month, year: date.year)
        if hasLastDay, date.day == length { return true }
        guard (1...5).contains(weekday) else { return false }
        if hasLastWorkday, date.day == length || (weekday == 5 && date.day >= length - 2) { return true }
        return workdaySources(date.day, weekday, length).contains(where: workdays.contains)
    }

    /// The days for which a day from Monday to Friday is the next one: itself, and those of a weekend beside it.
    private func workdaySources(_ day: Int, _ weekday: Int, _ length: Int) -> [Int] {
        var sources = [day]
        if weekday == 5 {
            if day < length { sources.append(day + 1) }
            if day + 2 == length { sources.append(day + 2) }
        }
        if weekday == 1 {
            if day > 1 { sources.append(day - 1) }
            if day == 3 { sources.append(1) }
        }
        return sources
    }

    private func isWeekdayNamed(_ date: (year: Int, month: Int, day: Int), _ weekday: Int) -> Bool {
        if weekdays.contains(weekday) || weekdaysOfWeek[(date.day - 1) / 7].contains(weekday) { return true }
        return lastWeekdays.contains(weekday)
            && date.day + 7 > Timestamp.length(ofMonth: date.month, year: date.year)
    }
}

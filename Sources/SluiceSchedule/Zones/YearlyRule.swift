internal import SluiceModel

/// The rule of a zone for all years to come, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// See: RFC 9636, section 3.3.1
struct YearlyRule: Hashable, Sendable {
    /// A day of each year.
    enum Day: Hashable {
        /// `M3.5.0`: a weekday of a week of a month; the week 5 is the last one.
        case weekday(month: Int, week: Int, weekday: Int)
        /// `J60`: a day from 1 to 365 that never counts 29 February.
        case withoutLeapDay(Int)
        /// `59`: a day from 0 to 365.
        case dayOfYear(Int)
    }

    /// When clocks change: a day, and seconds from its midnight, by the clocks as they are then.
    struct Turn: Hashable {
        let day: Day
        let seconds: Int64
    }

    /// What holds for a part of the year.
    struct Summer: Hashable {
        let offset: Int64
        let begin: Turn
        let end: Turn
    }

    let offset: Int64
    let summer: Summer?

    /// How many seconds clocks are ahead of UTC at a moment.
    func offset(at moment: Int64) -> Int64 {
        changes(around: moment).last { $0.moment <= moment }?.offset ?? offset
    }

    /// The changes of a moment's year and of those beside it, in the order of their moments.
    func changes(around moment: Int64) -> [ZoneRules.Change] {
        guard let summer else { return [] }
        let year = Timestamp.date(days: Int(moment / 86_400)).year
        var changes: [ZoneRules.Change] = []
        for year in max(1, year - 1)...max(1, min(9999, year + 1)) {
            let begin = summer.begin.day.number(inYear: year) * 86_400 + summer.begin.seconds - offset
            let end = summer.end.day.number(inYear: year) * 86_400 + summer.end.seconds - summer.offset
            changes.append(ZoneRules.Change(moment: begin, offset: summer.offset))
            changes.append(ZoneRules.Change(moment: end, offset: offset))
        }
        return changes.sorted { $0.moment < $1.moment }
    }
}

extension YearlyRule.Day {
    /// Its number in days since 1970-01-01.
    func number(inYear year: Int) -> Int64 {
        let newYear = Timestamp.days(year: year, month: 1, day: 1) ?? 0
        switch self {
        case .dayOfYear(let day): return Int64(newYear + day)
        case .withoutLeapDay(let day):
            let isAfterLeapDay = day >= 60 && Timestamp.length(ofMonth: 2, year: year) == 29
            return Int64(newYear + day - (isAfterLeapDay ? 0 : 1))
        case .weekday(let month, let week, let weekday):
            let first = Timestamp.days(year: year, month: month, day: 1) ?? newYear
            var day = first + ((weekday - (first + 4)) % 7 + 7) % 7 + 7 * (week - 1)
            // Only the last week can be beyond the month.
            if day >= first + Timestamp.length(ofMonth: month, year: year) { day -= 7 }
            return Int64(day)
        }
    }
}

/// A cron expression: five fields, six where seconds stand first, or a name such as `@daily`.
///
///     ┌ second (0-59), may be left out
///     │ ┌ minute (0-59)
///     │ │ ┌ hour (0-23)
///     │ │ │ ┌ day of month (1-31, L, LW, 15W)
///     │ │ │ │ ┌ month (1-12, jan-dec)
///     │ │ │ │ │ ┌ day of week (0-7, sun-sat, 5#2, 5L)
///     * * * * * *
package struct CronExpression: Hashable, Sendable, CustomStringConvertible {
    /// The expression as it was written, without blanks around it.
    package let description: String
    let seconds: ValueSet
    let minutes: ValueSet
    let hours: ValueSet
    let months: ValueSet
    let days: DayRule

    /// The names that stand for whole expressions.
    private static let names = [
        "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
        "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
    ]

    /// Reads an expression.
    ///
    /// - Throws: ``ScheduleError``, which names the field and what to write instead.
    package init(_ text: String) throws(ScheduleError) {
        var words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        description = words.joined(separator: " ")
        if let name = words.first, name.hasPrefix("@") { words = try Self.fields(ofName: name, words.count) }
        if words.count == 5 { words.insert("0", at: 0) }
        guard words.count == 6 else {
            throw ScheduleError(
                field: "cron", value: description,
                reason: "an expression has 5 or 6 fields and this has \(words.count)",
                remedy: "write minute, hour, day of month, month and day of week, with seconds before them if needed")
        }
        var sets = [ValueSet](repeating: ValueSet(), count: 6)
        var days = DayRule()
        for (field, word) in zip(CronField.allCases, words) {
            for item in try CronFieldReader(field: field, text: word).items() {
                sets[field.rawValue].add(item, of: field)
                days.add(item, of: field)
            }
        }
        seconds = sets[CronField.second.rawValue]
        minutes = sets[CronField.minute.rawValue]
        hours = sets[CronField.hour.rawValue]
        months = sets[CronField.month.rawValue]
        self.days = days
    }

    private static func fields(ofName name: String, _ count: Int) throws(ScheduleError) -> [String] {
        guard count == 1, let fields = names[name.lowercased()] else {
            throw ScheduleError(
                field: "cron", value: name, reason: "it is none of the names",
                remedy: "write \(names.keys.sorted().joined(separator: ", ")) or five fields")
        }
        return fields.split(separator: " ").map(String.init)
    }
}

extension ValueSet {
    /// Adds the values of an entry of a list.
    fileprivate mutating func add(_ item: CronFieldReader.Item, of field: CronField) {
        switch item {
        case .all: for value in field.all { insert(value) }
        case .values(let values): for value in values { insert(value) }
        case .weekdays, .lastDay, .lastWorkday, .workday: break
        }
    }
}

extension DayRule {
    /// Adds the days of an entry of a list.
    fileprivate mutating func add(_ item: CronFieldReader.Item, of field: CronField) {
        switch (item, field) {
        case (.all, .dayOfMonth): isAnyDay = true
        case (.all, .dayOfWeek): isAnyWeekday = true
        case (.values(let values), .dayOfMonth): for value in values { days.insert(value) }
        case (.values(let values), .dayOfWeek): for value in values { weekdays.insert(value) }
        case (.weekdays(let values, let week), _):
            for value in values {
                if let week { weekdaysOfWeek[week - 1].insert(value) } else { lastWeekdays.insert(value) }
            }
        case (.lastDay, _): hasLastDay = true
        case (.lastWorkday, _): hasLastWorkday = true
        case (.workday(let day), _): workdays.insert(day)
        default: break
        }
    }
}

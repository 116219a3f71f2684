/// Reads one field of a cron expression: a list of numbers, names, ranges and steps.
struct CronFieldReader {
    let field: CronField
    /// The field as it was written, for messages.
    let text: String

    /// What one entry of the list stands for.
    enum Item {
        /// All values, as `*` or `?`.
        case all
        /// Some values.
        case values([Int])
        /// `5#2`, where `week` is 2; nil for the last one, `5L`.
        case weekdays([Int], week: Int?)
        /// `L`, the last day.
        case lastDay
        /// `LW`, the last day from Monday to Friday.
        case lastWorkday
        /// `15W`, the day from Monday to Friday next to it.
        case workday(Int)
    }

    /// The entries of the list.
    ///
    /// - Throws: ``ScheduleError``.
    func items() throws(ScheduleError) -> [Item] {
        var items: [Item] = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            if part.isEmpty { throw problem("an entry of the list is empty", "write one value between commas") }
            items.append(try item(part))
        }
        return items
    }

    func problem(_ reason: String, _ remedy: String? = nil) -> ScheduleError {
        ScheduleError(field: field.name, value: text, reason: reason, remedy: remedy ?? field.remedy)
    }

    private func item(_ text: Substring) throws(ScheduleError) -> Item {
        if text == "*" { return .all }
        if text == "?" {
            if field == .dayOfMonth || field == .dayOfWeek { return .all }
            throw problem("`?` stands for days alone", "write `*`")
        }
        switch field {
        case .dayOfMonth: if let item = try dayItem(text) { return item }
        case .dayOfWeek: if let item = try weekdayItem(text) { return item }
        default: break
        }
        let values = try values(text)
        // A step of one leaves nothing out.
        return text == "*/1" ? .all : .values(values)
    }

    private func dayItem(_ text: Substring) throws(ScheduleError) -> Item? {
        if text == "l" { return .lastDay }
        if text == "lw" || text == "wl" { return .lastWorkday }
        guard text.last == "w" else { return nil }
        let day = text.dropLast()
        if day.contains("-") || day.contains("/") { throw problem("`W` follows one day", "write each day: 10W,11W") }
        return .workday(try value(day))
    }

    private func weekdayItem(_ text: Substring) throws(ScheduleError) -> Item? {
        let parts = text.split(separator: "#", omittingEmptySubsequences: false)
        if parts.count > 2 { throw problem("`#` stands there twice", "write a day and its week: mon#1") }
        if parts.count == 2 {
            let days = try values(parts[0], allowsStep: false)
            if parts[1] == "l" { return .weekdays(days, week: nil) }
            guard let week = Self.number(parts[1]), (1...5).contains(week) else {
                throw problem("`\(parts[1])` is no week of a month", "write a number from 1 to 5 after `#`, or `L`")
            }
            return .weekdays(days, week: week)
        }
        guard text.last == "l" else { return nil }
        let day = text.dropLast()
        if day.isEmpty { throw problem("`L` needs a day before it", "write 5L for the last Friday of the month") }
        return .weekdays(try values(day, allowsStep: false), week: nil)
    }

    /// The values of a number, a name, a range or `*`, each with a step or without.
    private func values(_ text: Substring, allowsStep: Bool = true) throws(ScheduleError) -> [Int] {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count > 2 { throw problem("`/` stands there twice", "write one step: */5") }
        if parts.count == 2, !allowsStep { throw problem("a step does not go with `#` or `L`", "list the days") }
        let step = parts.count == 2 ? try step(parts[1]) : 1
        let ends = try ends(parts[0], isOpen: parts.count == 2)
        if ends.first <= ends.last { return numbers(from: ends.first, through: ends.last, by: step) }
        // A range over the end goes on at the lowest number: there as many are passed over as the step has left, as in
        // croniter, whose table is the one that all agree on.
        let all = field.all
        let front = numbers(from: ends.first, through: all.upperBound, by: step)
        let left = all.upperBound - (front.last ?? all.upperBound)
        let passed = left + 1 == step ? 0 : step - left
        return front + numbers(from: all.lowerBound + (step == 1 ? 0 : passed), through: ends.last, by: step)
    }

    private func numbers(from first: Int, through last: Int, by step: Int) -> [Int] {
        // Sunday is 0 in a set, whichever number stands for it.
        stride(from: first, through: last, by: step).map { $0 == 7 && field == .dayOfWeek ? 0 : $0 }
    }

    /// The first and the last number, of which the last one is lower in a range over the end.
    private func ends(_ text: Substring, isOpen: Bool) throws(ScheduleError) -> (first: Int, last: Int) {
        if text == "*" { return (field.all.lowerBound, field.all.upperBound) }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.count > 2 { throw problem("`-` stands there twice", "write one range: 1-5") }
        var first = try value(parts[0])
        if parts.count == 1 { return (first, isOpen ? max(first, field.all.upperBound) : first) }
        var last = field == .dayOfMonth && parts[1] == "l" ? field.numbers.upperBound : try value(parts[1])
        if field == .dayOfWeek {
            // A range begins with Sunday as 0 and ends with it as 7, however it is written.
            if first == 7 { first = 0 }
            if last == 0 { last = 7 }
        }
        if first > last, !field.isRound {
            throw problem(
                "the range begins after its end",
                "write two: \(first)-\(field.numbers.upperBound),\(field.numbers.lowerBound)-\(last)")
        }
        return (first, last)
    }

    private func value(_ text: Substring) throws(ScheduleError) -> Int {
        if let number = Self.number(text) {
            if field.numbers.contains(number) { return number }
            throw problem(
                "\(text) is not within \(field.numbers.lowerBound) to \(field.numbers.upperBound)")
        }
        if text.utf8.count >= 3, let index = field.names.firstIndex(where: { $0.hasPrefix(text) }) {
            return field.all.lowerBound + index
        }
        if text.isEmpty { throw problem("a value is missing") }
        throw problem("`\(text)` is none of its values")
    }

    private func step(_ text: Substring) throws(ScheduleError) -> Int {
        let longest = field.all.upperBound - field.all.lowerBound
        guard let step = Self.number(text), (1...longest).contains(step) else {
            throw problem("`\(text)` is no step", "write a number from 1 to \(longest) after `/`")
        }
        return step
    }

    /// A number of at most four digits.
    private static func number(_ text: Substring) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}

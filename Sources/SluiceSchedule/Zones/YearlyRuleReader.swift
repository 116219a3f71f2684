/// Reads the rule of a zone for all years to come.
struct YearlyRuleReader {
    private var rest: ArraySlice<UInt8>

    /// Reads a rule.
    ///
    /// - Returns: The rule, or nil where the text is none.
    static func rule(_ text: ArraySlice<UInt8>) -> YearlyRule? {
        var reader = YearlyRuleReader(rest: text)
        return reader.rule()
    }

    private mutating func rule() -> YearlyRule? {
        guard skipName(), let offset = time() else { return nil }
        if rest.isEmpty { return YearlyRule(offset: -offset, summer: nil) }
        guard skipName() else { return nil }
        var summerOffset = 3600 - offset
        if rest.first != UInt8(ascii: ",") {
            guard let written = time() else { return nil }
            summerOffset = -written
        }
        guard let begin = turn(), let end = turn(), rest.isEmpty else { return nil }
        return YearlyRule(
            offset: -offset, summer: YearlyRule.Summer(offset: summerOffset, begin: begin, end: end))
    }

    /// `CET`, or `<+0330>`.
    private mutating func skipName() -> Bool {
        if skip("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & ~0x20) }
        rest = rest.dropFirst(letters.count)
        return !letters.isEmpty
    }

    /// `,M3.5.0/2`.
    private mutating func turn() -> YearlyRule.Turn? {
        guard skip(","), let day = day() else { return nil }
        guard skip("/") else { return YearlyRule.Turn(day: day, seconds: 7200) }
        return time().map { YearlyRule.Turn(day: day, seconds: $0) }
    }

    private mutating func day() -> YearlyRule.Day? {
        if skip("J") { return number(upTo: 365).flatMap { $0 > 0 ? .withoutLeapDay($0) : nil } }
        guard skip("M") else { return number(upTo: 365).map { .dayOfYear($0) } }
        guard let month = number(upTo: 12), month > 0, skip("."), let week = number(upTo: 5), week > 0, skip("."),
            let weekday = number(upTo: 6)
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }

    /// `-3:30:15`, in seconds.
    private mutating func time() -> Int64? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number(upTo: 167) else { return nil }
        var seconds = Int64(hours) * 3600
        for unit: Int64 in [60, 1] where skip(":") {
            guard let part = number(upTo: 59) else { return nil }
            seconds += Int64(part) * unit
        }
        return isNegative ? -seconds : seconds
    }

    private mutating func number(upTo highest: Int) -> Int? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        return value <= highest ? value : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}

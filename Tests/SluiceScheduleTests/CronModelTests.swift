import SluiceModel
import SluiceSchedule
import TestSupport
import Testing

/// Random expressions against a search that looks at each minute by itself.
@Suite struct CronModelTests {
    /// A field as a set of numbers, with its text.
    private struct Field {
        var text: String
        var values: Set<Int>
        var isAny = false
    }

    /// Days that a field names beside those of its numbers.
    private struct Expression {
        let minute: Field
        let hour: Field
        let day: Field
        let month: Field
        let weekday: Field
        /// A weekday and its week of the month, 6 for the last one.
        var nth: (weekday: Int, week: Int)?
        var hasLastDay = false

        var text: String {
            let day = hasLastDay ? "\(day.text),L" : day.text
            var weekday = weekday.text
            if let nth { weekday += ",\(nth.weekday)" + (nth.week == 6 ? "L" : "#\(nth.week)") }
            return [minute.text, hour.text, day, month.text, weekday].joined(separator: " ")
        }

        func contains(_ local: Int64) -> Bool {
            let days = Int((local - ((local % 86_400) + 86_400) % 86_400) / 86_400)
            let second = Int(local - Int64(days) * 86_400)
            let date = Timestamp.date(days: days)
            let tomorrow = Timestamp.date(days: days + 1)
            let week = Timestamp.date(days: days + 7)
            guard second % 60 == 0, minute.values.contains(second / 60 % 60), hour.values.contains(second / 3600),
                month.values.contains(date.month)
            else { return false }
            let name = ((days + 4) % 7 + 7) % 7
            var isWeekday = weekday.values.contains(name)
            if let nth, nth.weekday % 7 == name {
                if nth.week == 6 ? week.month != date.month : (date.day + 6) / 7 == nth.week { isWeekday = true }
            }
            let isDay = day.values.contains(date.day) || hasLastDay && tomorrow.month != date.month
            if day.isAny || weekday.isAny { return (day.isAny || isDay) && (weekday.isAny || isWeekday) }
            return isDay || isWeekday
        }
    }

    private func field(_ range: ClosedRange<Int>, _ random: inout SeededGenerator, any: Int) -> Field {
        if random.chance(any) { return Field(text: "*", values: Set(range), isAny: true) }
        var texts: [String] = []
        var values: Set<Int> = []
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let first = Int.random(in: range, using: &random)
            // From Sunday to Sunday is a whole week, and no range of one day.
            let last = max(first == 0 ? 1 : 0, Int.random(in: first...range.upperBound, using: &random))
            let step = Int.random(in: 1...max(1, (range.upperBound - range.lowerBound) / 2), using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                texts.append("\(first)")
                values.insert(first)
            case 1:
                texts.append("\(first)-\(last)")
                values.formUnion(first...last)
            case 2:
                texts.append("\(first)-\(last)/\(step)")
                values.formUnion(stride(from: first, through: last, by: step))
            default:
                texts.append("\(first)/\(step)")
                values.formUnion(stride(from: first, through: range.upperBound, by: step))
            }
        }
        return Field(text: texts.joined(separator: ","), values: values)
    }

    private func expression(_ random: inout SeededGenerator) -> Expression {
        var made = Expression(
            minute: field(0...59, &random, any: 20), hour: field(0...23, &random, any: 40),
            day: field(1...31, &random, any: 50), month: field(1...12, &random, any: 80),
            weekday: field(0...6, &random, any: 50))
        if !made.weekday.isAny, random.chance(30) {
            made.nth = (Int.random(in: 0...6, using: &random), Int.random(in: 1...6, using: &random))
        }
        if !made.day.isAny { made.hasLastDay = random.chance(30) }
        return made
    }

    /// The due times up to a moment by looking at every minute that clocks show.
    ///
    /// Each local minute from a day before is due once: at the first moment that clocks show it, and where they never
    /// do, at the first moment at which they show a later one.
    private func model(_ expression: Expression, zone: ZoneRules, after: Int64, until: Int64) -> [Int64] {
        var first: [Int64: Int64] = [:]
        var shown: [(moment: Int64, local: Int64)] = []
        for moment in stride(from: after - 90_000, through: until, by: 60) {
            let local = moment + zone.offset(at: moment)
            if first[local] == nil {
                first[local] = moment
                shown.append((moment, local))
            }
        }
        var due: Set<Int64> = []
        var last = shown[0].local
        for (moment, local) in shown where local > last || last == shown[0].local {
            // What was left out between the last minute and this one is due now.
            for minute in stride(from: min(last + 60, local), through: local, by: 60)
            where expression.contains(minute) && moment > after { due.insert(moment) }
            last = max(last, local)
        }
        return due.sorted()
    }

    @Test func everyMinuteThatIsDueIsFound() throws {
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next()
        print("CronModelTests.everyMinuteThatIsDueIsFound: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let zones = [
            "UTC", "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe",
            "Africa/Casablanca", "Asia/Kathmandu", "Pacific/Apia", "America/St_Johns",
        ]
        for round in 0..<100 {
            let expression = expression(&random)
            let zone = try ZoneDatabase.zone(random.pick(zones))
            // Between 1995 and 2060, and often next to a change of the clocks.
            var start = Int64.random(in: 800_000_000...2_850_000_000, using: &random) / 60 * 60
            if round.isMultiple(of: 2) {
                for moment in stride(from: start, to: start + 400 * 86_400, by: 3600)
                where zone.offset(at: moment) != zone.offset(at: moment + 3600) {
                    start = moment - 3600 * Int64.random(in: 0...30, using: &random)
                    break
                }
            }
            let until = start + 4 * 86_400
            let cron = try CronExpression(expression.text)
            let found = Array(
                Schedule(trigger: .cron(cron), zone: zone).dueTimes(after: start).prefix { $0 <= until })
            let expected = model(expression, zone: zone, after: start, until: until)
            #expect(
                found.map(Moment.text) == expected.map(Moment.text),
                "seed \(seed), round \(round): \(expression.text) in \(zone.name) after \(Moment.text(start))")
        }
    }
}

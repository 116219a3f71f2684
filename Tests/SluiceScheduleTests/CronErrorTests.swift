import SluiceSchedule
import TestSupport
import Testing

@Suite struct CronErrorTests {
    @Test(
        arguments: [
            ("61 * * * *", "minute `61`: 61 is not within 0 to 59; write a number from 0 to 59"),
            ("* 24 * * *", "hour `24`: 24 is not within 0 to 23; write a number from 0 to 23"),
            ("* 22-6 * * *", "hour `22-6`: the range begins after its end; write two: 22-23,0-6"),
            ("*/0 * * * *", "minute `*/0`: `0` is no step; write a number from 1 to 59 after `/`"),
            ("*/90 * * * *", "minute `*/90`: `90` is no step; write a number from 1 to 59 after `/`"),
            (
                "0 0 * * MON-TUR",
                "day of week `MON-TUR`: `tur` is none of its values; write a number from 0 to 7 or a name such as mon"
            ),
            (
                "0 0 * foo *",
                "month `foo`: `foo` is none of its values; write a number from 1 to 12 or a name such as jan"
            ),
            ("0 0 * * L", "day of week `L`: `L` needs a day before it; write 5L for the last Friday of the month"),
            (
                "0 0 * * 1#6",
                "day of week `1#6`: `6` is no week of a month; write a number from 1 to 5 after `#`, or `L`"
            ),
            ("0 0 10-15W * *", "day of month `10-15W`: `W` follows one day; write each day: 10W,11W"),
            ("? * * * *", "minute `?`: `?` stands for days alone; write `*`"),
            ("1,,2 * * * *", "minute `1,,2`: an entry of the list is empty; write one value between commas"),
            ("5- * * * *", "minute `5-`: a value is missing; write a number from 0 to 59"),
            (
                "* * * *",
                "cron `* * * *`: an expression has 5 or 6 fields and this has 4; "
                    + "write minute, hour, day of month, month and day of week, with seconds before them if needed"
            ),
            (
                "@reboot",
                "cron `@reboot`: it is none of the names; write @annually, @daily, @hourly, @midnight, @monthly, "
                    + "@weekly, @yearly or five fields"
            ),
        ])
    func aProblemNamesFieldValueAndRemedy(_ text: String, _ message: String) {
        let error = #expect(throws: ScheduleError.self) { try CronExpression(text) }
        #expect(error?.description == message)
    }

    @Test func noTextTraps() {
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next()
        print("CronErrorTests.noTextTraps: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let parts = [
            "*", "/", "-", ",", "#", "l", "w", "?", " ", "0", "7", "31", "99999999999999999999", "mon", "jan",
            "@", "é",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in random.pick(parts) }.joined()
            for tail in ["", " * * * *"] {
                guard let expression = try? CronExpression(text + tail) else { continue }
                _ = expression.next(after: Int64.random(in: -1 << 40...1 << 40, using: &random), in: .utc)
            }
        }
    }
}

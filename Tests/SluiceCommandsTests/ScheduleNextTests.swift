import Testing

@Suite struct ScheduleNextTests {
    private func next(_ arguments: String...) throws -> Workshop.Outcome {
        try Workshop().run(["schedule", "next"] + arguments)
    }

    @Test func dueTimesAreShownByTheClocksOfTheZone() throws {
        let outcome = try next(
            "30 2 * * *", "--from", "2026-03-28T00:00:00", "--timezone", "Europe/Berlin", "--count", "3")
        #expect(outcome.code == 0 && outcome.errors == "")
        #expect(
            outcome.output == """
                2026-03-28T02:30:00+01:00  Saturday
                2026-03-29T03:00:00+02:00  Sunday
                2026-03-30T02:30:00+02:00  Monday

                """)
    }

    @Test(
        arguments: [
            ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), ("2026-01-01T00:00:00", "2025-12-31T23:00:00Z"),
            ("2026-01-01T00:00", "2025-12-31T23:00:00Z"), ("2026-01-01T12:34", "2026-01-01T11:34:00Z"),
            ("2026-01-01", "2025-12-31T23:00:00Z"), ("2026-01-01T00:00:00+05:30", "2025-12-31T18:30:00Z"),
        ])
    func aTimeWithoutOffsetIsInTheZone(_ from: String, _ moment: String) throws {
        let outcome = try next("@daily", "--from", from, "--timezone", "Europe/Berlin", "--count=1", "--format=json")
        #expect(outcome.output.contains("\"from\":\"\(moment)\""), "\(outcome.output)")
    }

    @Test func jsonHoldsBothTimes() throws {
        let outcome = try next(
            "0 6 * * MON", "--from", "2026-01-01", "--timezone", "America/New_York", "--count", "1", "--format", "json")
        #expect(
            outcome.output == """
                {"format":"sluice.due_times/1","cron":"0 6 * * MON","timezone":"America/New_York",\
                "from":"2026-01-01T05:00:00Z","due":[
                {"at":"2026-01-05T11:00:00Z","local":"2026-01-05T06:00:00-05:00"}
                ]}

                """)
    }

    @Test func whatIsNeverDueIsTold() throws {
        let text = try next("0 0 31 2 *")
        #expect(text.code == 0 && text.output == "`0 0 31 2 *` is never due: there is no such day.\n")
        #expect(try next("0 0 31 2 *", "--format", "json").output.hasSuffix("\"due\":[]}\n"))
    }

    @Test func withoutATimeItBeginsNow() throws {
        let outcome = try next("* * * * *")
        #expect(outcome.code == 0 && outcome.output.split(separator: "\n").count == 5)
    }

    @Test(
        arguments: [
            (["61 * * * *"], "minute `61`: 61 is not within 0 to 59; write a number from 0 to 59."),
            (
                ["@daily", "--timezone", "Europe/Berln"],
                "time zone `Europe/Berln`: the system knows no zone of that name"
            ),
            (["@daily", "--from", "yesterday"], "The option `--from` needs a time such as 2026-03-28T12:00:00Z"),
            (
                ["@daily", "--count", "10001"],
                "The option `--count` needs a whole number, 0 to 10000, and got `10001`."
            ),
            (["@daily", "@weekly"], "takes EXPR alone, and got `@weekly` too."),
            ([], "needs EXPR, a cron expression in quotes"),
        ])
    func whatIsWrongIsToldWithItsRemedy(_ arguments: [String], _ message: String) throws {
        let outcome = try Workshop().run(["schedule", "next"] + arguments)
        #expect(outcome.code == 64 && outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}

import SluiceSchedule
import TestSupport
import Testing

@Suite struct ScheduleTests {
    private func times(_ text: String, _ from: String, _ zone: String = "UTC", count: Int) throws -> [String] {
        let zone = try ZoneDatabase.zone(zone)
        let from = try #require(Moment.of(from))
        return try Schedule(trigger: .cron(CronExpression(text)), zone: zone).dueTimes(after: from).prefix(count)
            .map(Moment.text)
    }

    @Test(
        arguments: [
            // Clocks are put forward from 2 to 3 o'clock: what lies between is due at 3, once.
            (
                "30 2 * * *", "2026-03-28T12:00:00Z", "Europe/Berlin",
                ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]
            ),
            (
                "*/20 * * * *", "2026-03-29T00:30:00Z", "Europe/Berlin",
                ["2026-03-29T00:40:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:20:00Z"]
            ),
            // They are put back from 3 to 2 o'clock: the hour that comes twice is due at its first.
            (
                "30 2 * * *", "2026-10-24T12:00:00Z", "Europe/Berlin",
                ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]
            ),
            (
                "0 * * * *", "2026-10-24T23:30:00Z", "Europe/Berlin",
                ["2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z"]
            ),
            // A moment within the second of the two hours.
            ("30 2 * * *", "2026-10-25T01:10:00Z", "Europe/Berlin", ["2026-10-26T01:30:00Z"]),
            // Half an hour, midnight, and a whole day that is left out.
            ("15 2 * * *", "2026-10-03T12:00:00Z", "Australia/Lord_Howe", ["2026-10-03T15:30:00Z"]),
            ("0 0 * * *", "2018-11-03T12:00:00Z", "America/Sao_Paulo", ["2018-11-04T03:00:00Z"]),
            ("0 12 30 12 *", "2011-12-01T00:00:00Z", "Pacific/Apia", ["2011-12-30T10:00:00Z"]),
            // Winter time is the exception in Ireland.
            ("0 12 * * *", "2026-06-30T12:30:00Z", "Europe/Dublin", ["2026-07-01T11:00:00Z"]),
            ("0 12 * * *", "2026-12-30T12:30:00Z", "Europe/Dublin", ["2026-12-31T12:00:00Z"]),
            // Years beyond the table.
            ("0 12 1 7 *", "2199-01-01T00:00:00Z", "Europe/Berlin", ["2199-07-01T10:00:00Z"]),
            ("0 12 1 7 *", "2199-01-01T00:00:00Z", "Australia/Sydney", ["2199-07-01T02:00:00Z"]),
            ("0 12 1 1 *", "2199-01-01T00:00:00Z", "Australia/Sydney", ["2199-01-01T01:00:00Z"]),
            // Leap days, also over a century without one.
            ("0 0 29 2 *", "2024-03-01T00:00:00Z", "UTC", ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]),
            ("0 0 29 2 *", "2096-03-01T00:00:00Z", "UTC", ["2104-02-29T00:00:00Z"]),
            ("0 0 * 2 0#5", "2070-03-01T00:00:00Z", "UTC", ["2088-02-29T00:00:00Z", "2128-02-29T00:00:00Z"]),
            ("0 0 31 2 *", "2024-03-01T00:00:00Z", "UTC", []),
            // Either of the days.
            ("0 0 13 * 5", "2026-02-01T00:00:00Z", "UTC", ["2026-02-06T00:00:00Z", "2026-02-13T00:00:00Z"]),
            ("0 0 L * *", "2024-02-01T00:00:00Z", "UTC", ["2024-02-29T00:00:00Z", "2024-03-31T00:00:00Z"]),
            ("0 0 * * 5L", "2024-02-01T00:00:00Z", "UTC", ["2024-02-23T00:00:00Z", "2024-03-29T00:00:00Z"]),
            ("0 0 * * mon#2", "2024-02-01T00:00:00Z", "UTC", ["2024-02-12T00:00:00Z", "2024-03-11T00:00:00Z"]),
            ("0 0 1W * *", "2026-01-10T00:00:00Z", "UTC", ["2026-02-02T00:00:00Z", "2026-03-02T00:00:00Z"]),
            ("0 22 * * fri-mon", "2026-01-06T00:00:00Z", "UTC", ["2026-01-09T22:00:00Z", "2026-01-10T22:00:00Z"]),
            ("30 0 0 1 jan ?", "2026-01-06T00:00:00Z", "UTC", ["2027-01-01T00:00:30Z"]),
            ("@weekly", "2026-01-06T00:00:00Z", "UTC", ["2026-01-11T00:00:00Z"]),
            ("0 0 1 1 *", "9998-06-01T00:00:00Z", "UTC", ["9999-01-01T00:00:00Z"]),
        ] as [(String, String, String, [String])])
    func dueTimes(_ text: String, _ from: String, _ zone: String, _ expected: [String]) throws {
        #expect(try times(text, from, zone, count: max(1, expected.count)) == expected)
    }

    @Test func whatIsNeverDueIsTold() throws {
        for text in ["0 0 31 2 *", "0 0 30 feb *", "0 0 31 4,6,9,11 *"] { #expect(try CronExpression(text).isNever) }
        for text in ["0 0 29 2 *", "0 0 * 2 0#5", "0 0 31 2 1", "* * * * *"] {
            #expect(try !CronExpression(text).isNever)
        }
    }

    @Test func everyCountsFromTheLastStart() {
        let schedule = Schedule(trigger: .every(seconds: 900))
        #expect(Array(schedule.dueTimes(after: 100).prefix(3)) == [1000, 1900, 2800])
        #expect(schedule.next(after: .max) == nil)
        #expect(schedule.next(after: .max - 1) == nil)
    }

    @Test func jitterIsTheSameForTheSameDueTime() {
        let jitter = Jitter(seconds: 30, name: "books")
        let delays = (0..<1000).map { jitter.start(ofDue: $0 * 900) - $0 * 900 }
        #expect(delays == (0..<1000).map { Jitter(seconds: 30, name: "books").start(ofDue: $0 * 900) - $0 * 900 })
        #expect(Set(delays) == Set(0...30))
        #expect(delays != (0..<1000).map { Jitter(seconds: 30, name: "orders").start(ofDue: $0 * 900) - $0 * 900 })
        #expect(Jitter(seconds: 0, name: "books").start(ofDue: 900) == 900)
        #expect(Jitter(seconds: .max, name: "books").start(ofDue: 900) == 900)
    }

    @Test(arguments: [
        "", "Europe", "Europe/Berln", "../etc/passwd", "/etc/passwd", "europe//Berlin", "tzdata.zi", "leapseconds",
    ])
    func whatIsNoZoneIsRefused(_ name: String) {
        let error = #expect(throws: ScheduleError.self) { try ZoneDatabase.zone(name) }
        #expect(
            error?.description
                == "time zone `\(name)`: the system knows no zone of that name; "
                + "write an IANA name such as Europe/Berlin, or UTC")
    }
}

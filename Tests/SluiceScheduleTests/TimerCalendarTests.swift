import Foundation
import SluiceSchedule
import TestSupport
import Testing

/// What cron expressions are in the words of systemd timers and of crontabs.
@Suite struct TimerCalendarTests {
    /// An expression, its zone, and what becomes of it.
    struct Case: CustomTestStringConvertible, Sendable {
        let cron: String
        let zone: String
        let words: [String]
        var testDescription: String { "\(cron) \(zone)" }

        init(_ cron: String, _ zone: String = "UTC", _ words: String...) {
            (self.cron, self.zone, self.words) = (cron, zone, words)
        }

        func calendar() throws -> TimerCalendar {
            let start = try #require(Moment.of("2026-01-01T00:00:00Z"))
            return try TimerCalendar(CronExpression(cron), in: ZoneDatabase.zone(zone), from: start)
        }

        func crontab() throws -> CrontabTime {
            let start = try #require(Moment.of("2026-01-01T00:00:00Z"))
            return try CrontabTime(CronExpression(cron), in: ZoneDatabase.zone(zone), from: start)
        }
    }

    static let said: [Case] = [
        Case("0 6 * * MON-FRI", "Europe/Berlin", "Mon..Fri *-*-* 06:00:00 Europe/Berlin"),
        Case("@daily", "UTC", "*-*-* 00:00:00 UTC"),
        Case("*/15 6-20 1,15 * *", "UTC", "*-*-01,15 06..20:00,15,30,45:00 UTC"),
        Case("*/20 30 4 * jan,feb sun,sat", "UTC", "Sat,Sun *-01,02-* 04:30:00,20,40 UTC"),
        Case("0 6 L * *", "UTC", "*-*~01 06:00:00 UTC"), Case("0 6 * 3 5L", "UTC", "Fri *-03~07/1 06:00:00 UTC"),
        Case("0 6 * * 1#1,5#5", "UTC", "Mon *-*-01..07 06:00:00 UTC", "Fri *-*-29..31 06:00:00 UTC"),
        // A day that either field names is due.
        Case("0 6 1,L * mon", "UTC", "*-*-01 06:00:00 UTC", "*-*~01 06:00:00 UTC", "Mon *-*-* 06:00:00 UTC"),
        Case("0 6 1-31 * mon", "UTC", "*-*-* 06:00:00 UTC", "Mon *-*-* 06:00:00 UTC"),
        // The time that is left out is due anyway when clocks go on.
        Case("*/30 * * * *", "Europe/Berlin", "*-*-* *:00,30:00 Europe/Berlin"),
        Case("0,30 2,3 * * *", "Europe/Berlin", "*-*-* 02,03:00,30:00 Europe/Berlin"),
        // Clocks are never put forward on such a day, or at such an hour.
        Case("30 2 * * 1", "Europe/Berlin", "Mon *-*-* 02:30:00 Europe/Berlin"),
        Case("30 3 * * *", "America/New_York", "*-*-* 03:30:00 America/New_York"),
    ]

    @Test(arguments: said)
    func aTimerSaysTheSame(_ example: Case) throws { #expect(try example.calendar().values == example.words) }

    @Test(arguments: [
        Case("0 6 15W * *", "UTC", "a systemd timer knows no `W`"), Case("0 6 LW * *", "UTC", "knows no `W`"),
        Case("0 0 31 2 *", "UTC", "never due"),
        Case("30 2 * * *", "Europe/Berlin", "leave out 2026-03-29 02:30", "choose an hour"),
        Case("*/20 2 29 * *", "Europe/Berlin", "leave out 2026-03-29 02:00"),
        Case("0 0 * * *", "Africa/Cairo", "clocks in Africa/Cairo leave out 2026-04-24 00:00"),
    ])
    func whatATimerCannotSayIsRefused(_ example: Case) throws {
        let error = #expect(throws: ScheduleError.self) { try example.calendar() }
        let text = error?.description ?? ""
        for words in example.words { #expect(text.contains(words), "\(text)") }
    }

    @Test(arguments: [
        Case("0 6 * * MON-FRI", "Europe/Berlin", "0 6 * * 1-5"), Case("@weekly", "UTC", "0 0 * * 0"),
        Case("*/15 6-20 1,15 jan,feb *", "UTC", "0,15,30,45 6-20 1,15 1,2 *"),
        Case("0 30 6 * * *", "UTC", "30 6 * * *"), Case("*/10 * * * *", "UTC", "0,10,20,30,40,50 * * * *"),
        Case("0 6 ? * fri-mon", "UTC", "0 6 * * 0,1,5,6"),
        // A field that begins with `*` would let the other one decide alone.
        Case("0 6 */10 * mon", "UTC", "0 6 1,11,21,31 * 1"), Case("0 6 1-31 * mon", "UTC", "0 6 1-31 * 1"),
        Case("0 5 * * *", "Europe/Berlin", "0 5 * * *"),
    ])
    func aCrontabSaysTheSame(_ example: Case) throws { #expect(try [example.crontab().fields] == example.words) }

    @Test(arguments: [
        Case("30 0 6 * * *", "UTC", "a crontab has no seconds"), Case("0 6 L * *", "UTC", "knows no `L`, `W` or `#`"),
        Case("0 6 * * 5#2", "UTC", "no `L`, `W` or `#`"), Case("0 6 * * 5L", "UTC", "no `L`, `W` or `#`"),
        Case("0 6 15W * *", "UTC", "no `L`, `W` or `#`"), Case("0 0 31 2 *", "UTC", "never due"),
        Case("*/30 * * * *", "Europe/Berlin", "due at 2026-03-29 02:00, when clocks in Europe/Berlin change"),
        Case("30 1 * 10 *", "Europe/London", "due at 2026-10-25 01:30"),
    ])
    func whatACrontabCannotSayIsRefused(_ example: Case) throws {
        let error = #expect(throws: ScheduleError.self) { try example.crontab() }
        let text = error?.description ?? ""
        for words in example.words { #expect(text.contains(words), "\(text)") }
    }
}

/// systemd itself finds the same times as the schedule.
@Suite(.enabled("systemd-analyze is not installed", { SystemdCalendar.isAvailable }))
struct SystemdCalendarTests {
    private static let count = 12
    private static let starts = [
        "2026-03-28T12:00:00Z", "2026-04-04T12:00:00Z", "2026-10-24T12:00:00Z", "2028-02-28T12:00:00Z",
    ]

    private func check(_ example: TimerCalendarTests.Case) throws {
        let values = try example.calendar().values
        let schedule = Schedule(
            trigger: .cron(try CronExpression(example.cron)), zone: try ZoneDatabase.zone(example.zone))
        for start in Self.starts {
            let moment = try #require(Moment.of(start))
            let own = schedule.dueTimes(after: moment).prefix(Self.count).map(Moment.text)
            let theirs = try SystemdCalendar.times(values, after: start, count: Self.count)
            #expect(Set(theirs).sorted().prefix(Self.count).elementsEqual(own), "\(values) after \(start): \(theirs)")
        }
    }

    @Test(
        arguments: TimerCalendarTests.said + [
            TimerCalendarTests.Case("*/15 * * * *", "Australia/Lord_Howe"),
            TimerCalendarTests.Case("15 2 * * *", "Asia/Kolkata"),
            TimerCalendarTests.Case("45 1 * * *", "Europe/Berlin"),
            TimerCalendarTests.Case("0 3 29 * *", "Europe/Berlin"), TimerCalendarTests.Case("0 12 29 2 *"),
            TimerCalendarTests.Case("0 */3 * * *", "America/New_York"),
        ])
    func theTimesAreTheSame(_ example: TimerCalendarTests.Case) throws { try check(example) }

    @Test func theTimesOfAnyExpressionAreTheSame() throws {
        var generator = SeededGenerator(seed: 7)
        var checked = 0
        let zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago"]
        let days = ["*", "*", "1,15", "L", "*/10", "28-31"]
        let weekdays = ["*", "*", "mon-fri", "0#5", "5L", "1#2,3", "6-1"]
        while checked < 12 {
            let fields = [
                generator.pick(["0", "*/20", "7,33"]), generator.pick(["*", "2", "1-3", "23", "*/6"]),
                generator.pick(days), generator.pick(["*", "3,10", "apr-nov"]),
                generator.pick(weekdays),
            ]
            let example = TimerCalendarTests.Case(fields.joined(separator: " "), generator.pick(zones))
            // What is refused is refused for a reason, see above.
            guard (try? example.calendar()) != nil else { continue }
            try check(example)
            checked += 1
        }
    }
}

/// `systemd-analyze calendar`
private enum SystemdCalendar {
    private static let path = "/usr/bin/systemd-analyze"

    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// The first times of each value of `OnCalendar` after another, RFC 3339 in UTC.
    static func times(_ values: [String], after start: String, count: Int) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        let base = start.replacingOccurrences(of: "T", with: " ").replacingOccurrences(of: "Z", with: " UTC")
        process.arguments = ["calendar", "--iterations=\(count)", "--base-time=\(base)"] + values
        process.environment = ["TZ": "UTC", "LC_ALL": "C", "SYSTEMD_COLORS": "0", "PATH": "/usr/bin:/bin"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(values): \(text)")
        return text.matches(of: #/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\n/#).map { "\($0.1)T\($0.2)Z" }
    }
}

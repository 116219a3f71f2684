import Foundation
import Sluice
import Testing

/// Models read what pipelines write: the calendar is the same.
@Suite struct DayTests {
    @Test(arguments: [
        ("2024-02-29", true), ("2023-02-29", false), ("1900-02-29", false), ("2000-02-29", true), ("0000-02-29", true),
        ("0000-01-01", true), ("9999-12-31", true), ("0000-00-01", false), ("2024-04-31", false), ("2024-13-01", false),
        ("24-01-01", false), ("2024-1-1", false), ("10000-01-01", false), ("", false),
    ])
    func dayIsOneOfTheCalendar(text: String, isDay: Bool) {
        #expect(Day(text)?.description == (isDay ? text : nil))
    }

    @Test(
        arguments: [
            ("2026-11-29", 21, "2026-12-20"), ("2024-02-28", 1, "2024-02-29"), ("2024-03-01", -1, "2024-02-29"),
            ("0000-01-01", 0, "0000-01-01"), ("0000-01-01", -1, nil), ("9999-12-31", 1, nil), ("9999-12-31", .max, nil),
            ("0000-01-01", 3_652_424, "9999-12-31"),
        ] as [(String, Int, String?)])
    func daysAreCounted(text: String, days: Int, later: String?) throws {
        let day = try #require(Day(text))
        #expect(day.adding(days: days)?.description == later)
        if let other = day.adding(days: days) { #expect(day.days(until: other) == days) }
    }

    /// 2026-01-01 00:30 in UTC.
    @Test(arguments: [("UTC", "2026-01-01"), ("America/New_York", "2025-12-31"), ("Asia/Tokyo", "2026-01-01")])
    func aTimeFallsOnADayOfAZone(zone: String, day: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        #expect(Day(Date(timeIntervalSince1970: 1_767_227_400), in: zone)?.description == day)
        for seconds in [-1e12, 1e12, 1e300, -.infinity, .nan] {
            #expect(Day(Date(timeIntervalSince1970: seconds), in: zone) == nil)
        }
    }
}

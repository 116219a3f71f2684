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
}

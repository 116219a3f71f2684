/// A directive of the patterns by which times are read and written, with `%` before its letter. See: `man 3 strptime`
package struct TimeDirective: Sendable {
    /// Its letter.
    package let letter: Character
    /// What it reads.
    package let meaning: String
    /// What it writes of 2026-11-01T20:05:09.25Z.
    package let example: String

    private init(_ letter: Character, _ meaning: String, example: String) {
        (self.letter, self.meaning, self.example) = (letter, meaning, example)
    }

    /// All of them.
    package static let all = [
        TimeDirective("Y", "the year, four digits", example: "2026"),
        TimeDirective("m", "the month, one or two digits", example: "11"),
        TimeDirective("d", "the day of the month, one or two digits", example: "01"),
        TimeDirective("H", "the hour of the day, one or two digits", example: "20"),
        TimeDirective("M", "the minute, one or two digits", example: "05"),
        TimeDirective("S", "the second, one or two digits", example: "09"),
        TimeDirective("f", "the fraction of the second, one or more digits", example: "250000"),
        TimeDirective("z", "the offset from UTC: `+0100`, `+01:00`, `+01` or `Z`", example: "+0000"),
        TimeDirective("Z", "`UTC`, `GMT` or `Z`; no other names of zones", example: "UTC"),
        TimeDirective("b", "the month in English, its name or the first three letters", example: "Nov"),
        TimeDirective("B", "the same", example: "November"),
        TimeDirective("y", "the year, two digits: 69 to 99 are those of 1900", example: "26"),
        TimeDirective("j", "the day of the year, up to three digits", example: "305"),
        TimeDirective("e", "the day of the month, one digit with or without a blank before it", example: "\u{20}1"),
        TimeDirective("p", "`AM` or `PM`, of either case; needs `%I`", example: "PM"),
        TimeDirective("I", "the hour of twelve, one or two digits; needs `%p`", example: "08"),
        TimeDirective("T", "`%H:%M:%S`", example: "20:05:09"),
        TimeDirective("D", "`%m/%d/%y`", example: "11/01/26"),
        TimeDirective("F", "`%Y-%m-%d`", example: "2026-11-01"),
        TimeDirective("%", "a `%`", example: "%"),
    ]
}

/// Seconds since 1970, written as RFC 3339 in UTC.
struct Timestamp {
    let seconds: Int

    init(_ seconds: Int) { self.seconds = seconds }

    var text: String {
        let (year, month, day) = Self.date(day: seconds / 86_400)
        let time = seconds % 86_400
        return "\(year)-\(pad(month))-\(pad(day))T\(pad(time / 3600)):\(pad(time / 60 % 60)):\(pad(time % 60))Z"
    }

    /// Counts years from March, so that the leap day comes last and months have a fixed pattern of lengths.
    private static func date(day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    private func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

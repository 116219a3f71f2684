public import FoundationEssentials

extension Day {
    /// Makes the day on which a time falls in a time zone; nil where its year is not from 0 to 9999.
    ///
    /// ```swift
    /// let today = Day(Date(), in: .current)
    /// let due = today?.adding(days: 21)
    /// ```
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - timeZone: The zone whose calendar counts.
    public init?(_ time: Date, in timeZone: TimeZone) {
        let seconds = time.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: time))
        guard let number = Int(exactly: (seconds / 86_400).rounded(.down)) else { return nil }
        self.init(number: number)
    }
}

internal import SluiceModel
internal import SluiceSchedule
internal import SluiceSystem

/// The moment that due times come after.
enum ScheduleStart {
    /// Reads the value of `--from`.
    ///
    /// - Parameters:
    ///   - value: The value; nil for now.
    ///   - zone: Where a time without an offset holds.
    /// - Returns: Seconds since the epoch.
    /// - Throws: ``Failure`` where it is no time.
    static func moment(_ value: String?, in zone: ZoneRules) throws(Failure) -> Int64 {
        guard let text = value else { return WallClock.seconds() }
        // A time without an offset is one if an offset makes it whole.
        if let local = Timestamp(stored: Array((text + "Z").utf8)) { return zone.moment(ofLocal: local.seconds) }
        guard let read = Timestamp(stored: Array(text.utf8)) else {
            throw Failure(
                .usage,
                "The option `--from` needs a time such as 2026-03-28T12:00:00Z or 2026-03-28, and got `\(text)`.")
        }
        let isDate = !text.contains(":")
        return isDate ? zone.moment(ofLocal: read.seconds) : read.seconds
    }
}

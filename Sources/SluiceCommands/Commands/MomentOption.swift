internal import SluiceModel
internal import SluiceSchedule
internal import SluiceSystem

/// The moments that options name.
enum MomentOption {
    /// Reads the value of `--from`.
    ///
    /// - Parameters:
    ///   - value: The value; nil for now.
    ///   - zone: Where a time without an offset holds.
    /// - Returns: Seconds since the epoch.
    /// - Throws: ``Failure`` where it is no time.
    static func moment(_ value: String?, in zone: ZoneRules) throws(Failure) -> Int64 {
        guard let text = value else { return WallClock.seconds() }
        guard let moment = moment(text, in: zone) else {
            throw Failure(
                .usage,
                "The option `--from` needs a time such as 2026-03-28T12:00:00Z or 2026-03-28, and got `\(text)`.")
        }
        return moment
    }

    /// Reads the value of `--since`: a time, in UTC if it has no offset, or how long ago.
    ///
    /// - Returns: Seconds since the epoch; nil where the option was not given.
    /// - Throws: ``Failure`` where it is neither.
    static func since(_ value: String?) throws(Failure) -> Int64? {
        guard let text = value else { return nil }
        if let seconds = OptionSpec.seconds(text) { return WallClock.seconds() - Int64(min(seconds, 1e12)) }
        guard let moment = moment(text, in: .utc) else {
            throw Failure(
                .usage,
                "The option `--since` needs a time such as 2026-03-28T12:00:00Z or 2026-03-28, or how long ago, such as 7d, and got `\(text)`."
            )
        }
        return moment
    }

    private static func moment(_ text: String, in zone: ZoneRules) -> Int64? {
        // A time without an offset, or without seconds too, is one if these make it whole.
        for end in ["Z", ":00Z"] {
            if let local = Timestamp(stored: Array((text + end).utf8)) { return zone.moment(ofLocal: local.seconds) }
        }
        guard let read = Timestamp(stored: Array(text.utf8)) else { return nil }
        let isDate = !text.contains(":")
        return isDate ? zone.moment(ofLocal: read.seconds) : read.seconds
    }
}

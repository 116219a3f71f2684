internal import SluiceModel
internal import SluiceSchedule

/// Moments for people and programs.
package enum MomentText {
    /// A moment as RFC 3339 in UTC.
    package static func utc(_ moment: Int64) -> String {
        var bytes: [UInt8] = []
        Timestamp(seconds: moment)?.appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a moment as a store keeps it: seconds since the epoch, nil where it is none.
    package static func moment(_ text: String) -> Int64? { Timestamp(stored: Array(text.utf8))?.seconds }

    /// What the clocks of a zone show, with their offset from UTC.
    static func local(_ moment: Int64, in zone: ZoneRules) -> String {
        let offset = zone.offset(at: moment)
        if offset == 0 { return utc(moment) }
        var bytes = Array(utc(moment + offset).utf8.dropLast())
        bytes.append(UInt8(ascii: offset < 0 ? "-" : "+"))
        Timestamp.append(Int(abs(offset)) / 3600, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Timestamp.append(Int(abs(offset)) / 60 % 60, width: 2, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The day of the week by the clocks of a zone.
    static func weekday(_ moment: Int64, in zone: ZoneRules) -> String {
        let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        let seconds = moment + zone.offset(at: moment)
        let day = Int((seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400)
        // The day 1970-01-01 was a Thursday.
        return names[((day + 4) % 7 + 7) % 7]
    }
}

internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceSchedule

/// The due times of a cron expression, for people and programs.
struct DueTimeList {
    let expression: CronExpression
    let zone: ZoneRules
    let from: Int64
    /// Seconds since the epoch.
    let due: [Int64]

    /// A line for each due time, by the clocks of the zone.
    var text: String {
        if expression.isNever {
            return "`\(PrintableText.escape(expression.description))` is never due: there is no such day.\n"
        }
        return due.map { "\(Self.local($0, in: zone))  \(Self.weekday($0, in: zone))\n" }.joined()
    }

    var json: String {
        var object = JSONObject()
        object.add("format", "sluice.due_times/1")
        object.add("cron", expression.description)
        object.add("timezone", zone.name)
        object.add("from", Self.text(from))
        let times = due.map { moment in
            var time = JSONObject()
            time.add("at", Self.text(moment))
            time.add("local", Self.local(moment, in: zone))
            return time.text
        }
        object.add("due", json: JSONObject.array(times))
        return object.text + "\n"
    }

    /// A moment as RFC 3339 in UTC.
    private static func text(_ moment: Int64) -> String {
        var bytes: [UInt8] = []
        Timestamp(seconds: moment)?.appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the clocks of a zone show, with their offset from UTC.
    private static func local(_ moment: Int64, in zone: ZoneRules) -> String {
        let offset = zone.offset(at: moment)
        if offset == 0 { return text(moment) }
        var bytes = Array(text(moment + offset).utf8.dropLast())
        bytes.append(UInt8(ascii: offset < 0 ? "-" : "+"))
        Timestamp.append(Int(abs(offset)) / 3600, width: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Timestamp.append(Int(abs(offset)) / 60 % 60, width: 2, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func weekday(_ moment: Int64, in zone: ZoneRules) -> String {
        let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        let seconds = moment + zone.offset(at: moment)
        let day = Int((seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400)
        // The day 1970-01-01 was a Thursday.
        return names[((day + 4) % 7 + 7) % 7]
    }
}

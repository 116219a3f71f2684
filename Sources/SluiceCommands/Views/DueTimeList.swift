internal import SluiceDiagnostics
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
        return due.map { "\(MomentText.local($0, in: zone))  \(MomentText.weekday($0, in: zone))\n" }.joined()
    }

    var json: String {
        var object = JSONObject()
        object.add("format", "sluice.due_times/1")
        object.add("cron", expression.description)
        object.add("timezone", zone.name)
        object.add("from", MomentText.utc(from))
        let times = due.map { moment in
            var time = JSONObject()
            time.add("at", MomentText.utc(moment))
            time.add("local", MomentText.local(moment, in: zone))
            return time.text
        }
        object.add("due", json: JSONObject.array(times))
        return object.text + "\n"
    }
}

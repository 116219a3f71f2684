internal import SluicePipeline
internal import SluiceReport
internal import SluiceServe

/// What hooks are told of a run: its report without lists of records, and what there is to tell of it.
enum NoticeJSON {
    static func text(_ report: RunReport, events: [NotificationDefinition.Event]) -> String {
        var object = JSONObject()
        object.add("format", "sluice.report/1")
        object.add("events", json: "[" + events.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]")
        object.add("text", NoticeText.of(report, events: events))
        object.add("pipelines", json: JSONObject.array([ReportJSON.withoutRecords(report)]))
        return object.text + "\n"
    }

    /// What hooks are told by a service of a run that does not tell of itself.
    static func text(_ notice: ServeNotice) -> String {
        var object = JSONObject()
        object.add("format", "sluice.report/1")
        object.add("events", json: "[\"\(notice.event.rawValue)\"]")
        object.add("text", "\(notice.pipeline.name): \(notice.message)")
        object.add("pipeline", notice.pipeline.name)
        if let due = notice.due { object.add("due", MomentText.utc(due)) }
        object.add("pipelines", json: "[]")
        return object.text + "\n"
    }
}

internal import SluicePipeline
internal import SluiceReport

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
}

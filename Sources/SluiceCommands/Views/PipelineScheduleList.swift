internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline
internal import SluiceSchedule

/// When pipelines are due, for people and programs.
struct PipelineScheduleList {
    private struct Row {
        let moment: Int64
        let pipeline: ScheduledPipeline
        /// When it starts, with jitter.
        var start: Int64 { pipeline.schedule.jitter.start(ofDue: moment) }
        var zone: ZoneRules { pipeline.schedule.zone }
    }

    let pipelines: [PipelineDefinition]
    let from: Int64
    /// How many due times of each pipeline.
    let count: Int

    private var scheduled: [ScheduledPipeline] { pipelines.compactMap { $0.schedule?.pipeline } }

    /// By time, and at one time those first that others wait for.
    private var rows: [Row] {
        // Where the order has a gap, it is the order of the files.
        let ordered = (try? ScheduleGraph(scheduled))?.pipelines ?? scheduled
        let rows = ordered.enumerated().flatMap { place, pipeline in
            pipeline.schedule.dueTimes(after: from).prefix(count).map { (place, Row(moment: $0, pipeline: pipeline)) }
        }
        return rows.sorted { ($0.1.moment, $0.0) < ($1.1.moment, $1.0) }.map(\.1)
    }

    /// A line for each due time.
    func text(_ style: TextStyle) -> String {
        let rows = rows
        let lines = rows.map { row in
            [
                MomentText.utc(row.moment), MomentText.local(row.moment, in: row.zone),
                MomentText.weekday(row.moment, in: row.zone), PrintableText.escape(row.pipeline.name), note(row),
            ]
        }
        let table = rows.isEmpty ? [] : [["UTC", "local time", "", "pipeline", ""]] + lines
        let widths = (0..<5).map { column in table.map { $0[column].count }.max() ?? 0 }
        var text = table.enumerated().map { index, cells in
            let line = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
                .joined(separator: "  ")
            let trimmed = String(line.reversed().drop { $0 == " " }.reversed())
            return (index == 0 ? style.paint(trimmed, .strong) : trimmed) + "\n"
        }.joined()
        for pipeline in pipelines where pipeline.schedule == nil {
            text += "\(PrintableText.escape(pipeline.name)) has no `schedule`.\n"
        }
        return text
    }

    private func note(_ row: Row) -> String {
        var notes: [String] = []
        if row.start > row.moment { notes.append("starts \(row.start - row.moment) s later") }
        if !row.pipeline.after.isEmpty {
            notes.append("after \(PrintableText.escape(row.pipeline.after.joined(separator: ", ")))")
        }
        if case .every = row.pipeline.schedule.trigger { notes.append("from the last start") }
        return notes.joined(separator: "; ")
    }

    var json: String {
        var object = JSONObject()
        object.add("format", "sluice.schedule/1")
        object.add("from", MomentText.utc(from))
        object.add("pipelines", json: JSONObject.array(pipelines.map(Self.json)))
        let due = rows.map { row in
            var object = JSONObject()
            object.add("pipeline", row.pipeline.name)
            object.add("at", MomentText.utc(row.moment))
            object.add("local", MomentText.local(row.moment, in: row.zone))
            object.add("start", MomentText.utc(row.start))
            return object.text
        }
        object.add("due", json: JSONObject.array(due))
        return object.text + "\n"
    }

    private static func json(_ pipeline: PipelineDefinition) -> String {
        var object = JSONObject()
        object.add("name", pipeline.name)
        object.add("file", pipeline.file)
        guard let scheduled = pipeline.schedule?.pipeline else { return object.text }
        switch scheduled.schedule.trigger {
        case .cron(let expression):
            object.add("cron", expression.description)
            object.add("timezone", scheduled.schedule.zone.name)
        case .every(let seconds): object.add("every_seconds", Int(seconds))
        }
        object.add("jitter_seconds", Int(scheduled.schedule.jitter.seconds))
        object.add("after", json: "[" + scheduled.after.map { FieldJSON.quoted($0) }.joined(separator: ",") + "]")
        return object.text
    }
}

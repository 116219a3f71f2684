internal import SluiceReport
internal import SluiceStore

/// The last runs of a store's pipelines, for programs.
enum StatusJSON {
    /// The document.
    ///
    /// - Parameters:
    ///   - blocks: The stores that could be read.
    ///   - isOne: Whether no other store was meant.
    /// - Returns: Its text.
    static func text(_ blocks: [StatusBlock], isOne: Bool) -> String {
        var object = JSONObject()
        object.add("format", "sluice.status/1")
        object.add("store", isOne ? blocks.first?.url : nil)
        let pipelines = blocks.flatMap { block in block.rows.map { text($0, store: block.url) } }
        object.add("pipelines", json: JSONObject.array(pipelines))
        return object.text + "\n"
    }

    private static func text(_ row: StatusRow, store: String) -> String {
        var object = JSONObject()
        object.add("pipeline", row.pipeline)
        object.add("store", store)
        object.add("last_run", json: row.run.map(text) ?? "null")
        if row.isAtWork { object.add("at_work", true) }
        if row.tookTooLong { object.add("stop_reason", UnkeptRun.tooLong) }
        if let undo = row.undo { object.add("undo", json: text(undo)) }
        if let earlier = row.unfinished { object.add("unfinished_run", json: text(earlier)) }
        object.add("last_success", json: row.success.map { text($0, age: row.age) } ?? "null")
        if let run = row.unkept { object.add("unkept_run", json: text(run)) }
        if row.mostAge != nil { object.add("too_old", json: row.isTooOld ? "true" : "false") }
        if let seconds = row.usual.seconds { object.add("usual_duration_seconds", seconds) }
        if let records = row.usual.recordsRead { object.add("usual_records_read", records) }
        if let short = row.usual.shortRun { object.add("short_run", json: text(short)) }
        if let due = row.due {
            object.add("next_due", due.next.map { MomentText.utc($0) })
            if let since = due.since { object.add("due_since", MomentText.utc(since)) }
        }
        if let leftOut = row.leftOut {
            object.add("left_out", json: Self.leftOut(leftOut.due, leftOut.reason))
        }
        object.add("open_conflicts", row.openConflicts)
        object.add("records_in_conflict", row.recordsInConflict)
        object.add("quarantined", row.quarantined)
        object.add("edits", json: EditJSON.text(row.edits))
        return object.text
    }

    private static func leftOut(_ due: Int64, _ reason: String) -> String {
        var object = JSONObject()
        object.add("due", MomentText.utc(due))
        object.add("reason", reason)
        return object.text
    }

    private static func text(_ run: UnkeptRun) -> String {
        var object = JSONObject()
        object.add("status", run.status)
        object.add("started_at", MomentText.utc(run.start))
        object.add("finished_at", run.end.map { MomentText.utc($0) })
        object.add("reason", run.reason)
        return object.text
    }

    private static func text(_ success: RunEntry, age: Int?) -> String {
        var object = JSONObject()
        object.add("run", success.id)
        object.add("finished_at", success.finishedAt)
        object.add("age_seconds", age.map { Int64($0) })
        return object.text
    }

    private static func text(_ run: RunEntry) -> String {
        var object = JSONObject()
        object.add("run", run.id)
        object.add("command", run.command)
        if let scope = run.scope { object.add("scope", scope) }
        object.add("status", run.status)
        object.add("started_at", run.startedAt)
        object.add("finished_at", run.finishedAt)
        HistoryJSON.addExtent(of: run, to: &object)
        object.add("summary", json: ReportJSON.text(RunSummary(run)))
        if !run.within.isEmpty {
            object.add("entities", json: ReportJSON.entities(run.within.mapValues { RunSummary($0) }))
        }
        object.add("error", run.error)
        if let undone = run.undoes { object.add("undoes", undone) }
        object.add("undone_by", run.undoneBy)
        if !run.warnings.isEmpty {
            object.add("problems", json: ReportJSON.problems(run.warnings.map { RunProblem($0) }))
        }
        return object.text
    }
}

internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// The parts of a report that are held in memory, for programs.
enum ReportJSON {
    /// Everything that stands before the changes.
    static func head(_ report: RunReport) -> JSONObject {
        var object = JSONObject()
        object.add("pipeline", report.pipeline)
        object.add("command", report.commandName)
        object.add("status", report.status.rawValue)
        object.add("run", report.run)
        if let undone = report.undoes {
            object.add("undoes", undone)
            object.add("left", report.left)
            object.add("left_entries", report.leftEntries)
            let withdrawn = report.withdrawnConflicts.map { String($0) }.joined(separator: ",")
            object.add("withdrawn_conflicts", json: "[\(withdrawn)]")
        }
        if let against = report.against { object.add("against", against) }
        if let saved = report.savedAs { object.add("saved_as", saved) }
        if let applied = report.applied { object.add("saved_plan", json: text(applied)) }
        object.add("started_at", report.startedAt)
        object.add("finished_at", report.finishedAt)
        object.add("schema_changes", json: JSONObject.array(report.schemaChanges.map(text)))
        object.add("streams", json: JSONObject.array(report.streams.map(text)))
        object.add("summary", json: text(report.summary))
        if report.linked > 0 { object.add("linked", report.linked) }
        let unlinked = (report.unlinked ?? [:]).values.reduce(0, +)
        if unlinked > 0 { object.add("unlinked", unlinked) }
        if !report.entities.isEmpty { object.add("entities", json: entities(report.entities)) }
        if !report.openBesides.isEmpty { object.add("open_besides", json: text(report.openBesides)) }
        if let edits = report.edits { object.add("edits", json: EditJSON.text(edits)) }
        if let retry = report.retry { object.add("retry", json: text(retry)) }
        return object
    }

    /// The report of a pipeline with none of its records.
    static func withoutRecords(_ report: RunReport) -> String {
        var object = head(report)
        object.add("changes", json: "[]")
        object.add("changes_truncated", report.total.hasNews)
        for name in ["kept_local", "conflicts", "quarantine"] { object.add(name, json: "[]") }
        object.add("problems", json: problems(report.problems))
        return object.text
    }

    private static func text(_ counts: OpenCounts) -> String {
        var object = JSONObject()
        object.add("conflict", counts.conflicts)
        object.add("quarantined", counts.quarantined)
        if counts.typeChanged > 0 { object.add("type_changed", counts.typeChanged) }
        return object.text
    }

    private static func text(_ retry: RetryReport) -> String {
        var object = JSONObject()
        object.add("left", retry.left)
        object.add("stayed", retry.stayed)
        let refused = retry.refused.map { refusal in
            var object = JSONObject()
            object.add("id", refusal.id)
            object.add("reason", refusal.reason)
            return object.text
        }
        object.add("refused", json: JSONObject.array(refused))
        return object.text
    }

    static func problems(_ problems: [RunProblem]) -> String {
        JSONObject.array(
            problems.map { problem in
                var object = JSONObject()
                object.add("code", problem.code)
                object.add("severity", problem.severity.rawValue)
                object.add("message", problem.message)
                if let stream = problem.stream { object.add("stream", stream) }
                if let entity = problem.entity { object.add("entity", entity) }
                if !problem.keys.isEmpty { object.add("keys", json: JSONObject.array(problem.keys)) }
                return object.text
            })
    }

    static func text(_ summary: RunSummary) -> String {
        var object = JSONObject()
        object.add("insert", summary.insert)
        object.add("update", summary.update)
        object.add("delete", summary.delete)
        object.add("unchanged", summary.unchanged)
        object.add("kept_local", summary.keptLocal)
        object.add("conflict", summary.conflict)
        object.add("conflict_written", summary.conflictWritten)
        object.add("quarantined", summary.quarantined)
        object.add("delete_refused", summary.deleteRefused)
        for (name, count) in [
            ("stale", summary.stale), ("delete_reported", summary.deleteReported), ("duplicates", summary.duplicates),
        ] where count > 0 {
            object.add(name, count)
        }
        return object.text
    }

    private static func text(_ plan: AppliedPlan) -> String {
        var object = JSONObject()
        object.add("file", plan.file)
        object.add("started_at", plan.startedAt)
        object.add("planned", plan.planned)
        object.add("made", plan.made)
        object.add("moved", plan.moved)
        return object.text
    }

    /// Counts by entity.
    static func entities(_ entities: [String: RunSummary]) -> String {
        var object = JSONObject()
        for (entity, summary) in entities.sorted(by: { $0.key < $1.key }) {
            object.add(entity, json: text(summary))
        }
        return object.text
    }

    static func text(_ change: SchemaChange) -> String {
        var object = JSONObject()
        object.add("table", change.table)
        object.add("change", change.kind.rawValue)
        object.add("sql", change.sql)
        if let statements = change.statements {
            object.add("statements", json: JSONObject.array(statements.map(FieldJSON.quoted)))
        }
        if let rows = change.rows { object.add("rows", rows) }
        if let examples = change.examples {
            object.add("examples", json: JSONObject.array(examples.map(FieldJSON.quoted)))
        }
        if let redacted = change.redacted {
            var counts = JSONObject()
            for place in redacted.places { counts.add(place.name, place.count) }
            object.add("redacted", json: counts.text)
        }
        return object.text
    }

    private static func text(_ stream: StreamReport) -> String {
        var object = JSONObject()
        object.add("stream", stream.stream)
        object.add("entity", stream.entity)
        object.add("complete", stream.isComplete)
        if let partitions = stream.partitions {
            var counts = JSONObject()
            counts.add("count", partitions.count)
            counts.add("asked", partitions.asked)
            counts.add("failed", partitions.failed)
            object.add("partitions", json: counts.text)
        }
        if let rests = stream.rests {
            var counts = JSONObject()
            counts.add("count", rests.count)
            counts.add("failed", rests.failed)
            object.add("continued_lists", json: counts.text)
            // The name of earlier versions, for one more of them.
            object.add("rests", json: counts.text)
        }
        object.add("requests", stream.requests)
        object.add("pages", stream.pages)
        if let page = stream.resumedAtPage { object.add("resumed_at_page", page) }
        if let page = stream.nextPage { object.add("next_page", page) }
        object.add("bytes", stream.bytes)
        object.add("not_modified", stream.notModified)
        object.add("retries", stream.retries)
        object.add("read", stream.read)
        object.add("filtered", stream.filtered)
        object.add("duplicates", stream.duplicates)
        object.add("quarantined", stream.quarantined)
        if stream.missing > 0 { object.add("missing", stream.missing) }
        if let count = stream.goneKept { object.add("gone_kept", count) }
        if stream.unmapped.count > 0 {
            object.add("unmapped_keys", stream.unmapped.count)
            let paths = stream.unmapped.paths.map { FieldJSON.quoted($0) }.joined(separator: ",")
            object.add("unmapped", json: "[\(paths)]")
        }
        object.add("summary", json: text(stream.outcomes.counts))
        if !stream.parts.isEmpty {
            var parts = JSONObject()
            for part in stream.parts { parts.add(part.entity, json: text(part.summary)) }
            object.add("entities", json: parts.text)
        }
        if let cursor = stream.cursor {
            var read = JSONObject()
            read.add("start", cursor.start)
            read.add("end", cursor.end)
            read.add("next", cursor.next)
            object.add("cursor", json: read.text)
        }
        return object.text
    }
}

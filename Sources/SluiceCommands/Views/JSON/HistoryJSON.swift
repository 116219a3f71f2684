internal import SluiceModel
internal import SluiceReport
package import SluiceReview
package import SluiceStore

/// What ran and what that changed, for programs.
package enum HistoryJSON {
    /// A list of runs, those of one store after those of another.
    ///
    /// - Parameters:
    ///   - stores: The stores with their runs.
    ///   - since: The time of `--since`.
    ///   - isOne: Whether one store is meant: else each run says which one has it.
    /// - Returns: The document.
    static func list(_ stores: [StoreRuns], since: String?, isOne: Bool) -> String {
        var object = head(since: since, store: isOne ? stores.first?.url : nil)
        let runs = stores.flatMap { store in
            store.runs.map { text($0, store.tables[$0.id] ?? [], store: isOne ? nil : store.url) }
        }
        object.add("runs", json: JSONObject.array(runs))
        object.add("runs_truncated", stores.contains(where: \.isTruncated))
        return object.text + "\n"
    }

    /// What pipelines usually did, by store.
    static func trends(_ stores: [StoreRuns], since: String?, isOne: Bool) -> String {
        var object = head(since: since, store: isOne ? stores.first?.url : nil)
        let trends = stores.flatMap { store in RunTrend.all(of: store.runs).map { (trend: $0, store: store.url) } }
        let pipelines = trends.map { trend, store in
            var object = JSONObject()
            object.add("pipeline", trend.pipeline)
            if !isOne { object.add("store", store) }
            object.add("runs", trend.runs)
            object.add("failures", trend.failures)
            object.add("median_duration_seconds", trend.seconds.map { Int64($0) })
            object.add("median_records_read", trend.recordsRead.map { Int64($0) })
            return object.text
        }
        object.add("trends", json: JSONObject.array(pipelines))
        return object.text + "\n"
    }

    private static func head(since: String?, store: String?) -> JSONObject {
        var object = JSONObject()
        object.add("format", "sluice.history/1")
        object.add("store", store)
        if let since { object.add("since", since) }
        return object
    }

    /// The beginning of the changes of one run, up to the bracket that opens those of records.
    static func start(of run: RunEntry, _ tables: [SchemaChange], store: String) -> String {
        var object = JSONObject()
        object.add("format", "sluice.history/1")
        object.add("store", store)
        object.add("runs", json: JSONObject.array([text(run)]))
        if !tables.isEmpty { object.add("schema_changes", json: JSONObject.array(tables.map(ReportJSON.text))) }
        return String(object.text.dropLast()) + ",\"changes\":["
    }

    package static func text(_ run: RunEntry) -> String { text(run, [], store: nil) }

    private static func text(_ run: RunEntry, _ tables: [SchemaChange], store: String?) -> String {
        var object = JSONObject()
        object.add("run", run.id)
        object.add("pipeline", run.pipeline)
        if let store { object.add("store", store) }
        object.add("command", run.command)
        if let scope = run.scope { object.add("scope", scope) }
        if let who = run.who { object.add("who", who) }
        object.add("status", run.status)
        object.add("started_at", run.startedAt)
        object.add("finished_at", run.finishedAt)
        addExtent(of: run, to: &object)
        object.add("summary", json: ReportJSON.text(RunSummary(run)))
        if run.linked > 0 { object.add("linked", run.linked) }
        let unlinked = run.unlinked.values.reduce(0, +)
        if unlinked > 0 { object.add("unlinked", unlinked) }
        if !run.within.isEmpty {
            object.add("entities", json: ReportJSON.entities(run.within.mapValues { RunSummary($0) }))
        }
        object.add("error", run.error)
        object.add("undoes", run.undoes)
        object.add("undone_by", run.undoneBy)
        object.add("changes_kept", run.changes == .kept)
        if !tables.isEmpty { object.add("schema_changes", json: JSONObject.array(tables.map(ReportJSON.text))) }
        if !run.warnings.isEmpty {
            object.add("problems", json: ReportJSON.problems(run.warnings.map { RunProblem($0) }))
        }
        return object.text
    }

    /// Adds how long a run took and how much it read.
    static func addExtent(of run: RunEntry, to object: inout JSONObject) {
        object.add("duration_seconds", run.seconds.map { Int64($0) })
        if let read = run.recordsRead { object.add("records_read", read) }
        if run.filtered > 0 { object.add("filtered", run.filtered) }
        if run.suspected > 0 { object.add("suspected", run.suspected) }
    }

    package static func text(_ change: HistoryChange) -> String {
        var object = JSONObject()
        object.add("run", change.run)
        object.add("stream", change.mapping.stream)
        object.add("entity", change.mapping.entity)
        object.add("table", change.table)
        object.add("key", json: JSONObject.kept(change.key))
        object.add("action", change.action.rawValue)
        object.add("kind", change.kind)
        if change.isAgain { object.add("again", true) }
        let fields = change.fields.map { field in
            var object = JSONObject()
            object.add(field.isField ? "field" : "column", field.name)
            if let fieldClass = field.fieldClass { object.add("class", fieldClass) }
            if let old = field.old { object.add("old", json: old) }
            if let new = field.new { object.add("new", json: new) }
            return object.text
        }
        object.add("fields", json: "[" + fields.joined(separator: ",") + "]")
        if let page = change.page { object.add("page", page) }
        return object.text
    }

    package static func text(_ entry: RecordedEntry) -> String {
        var object = JSONObject()
        object.add("run", entry.run)
        if entry.subject == .state {
            object.add("state", entry.kind)
            object.add("action", entry.action)
            object.add("stream", entry.mapping.stream)
            object.add("old", entry.old)
            object.add("new", entry.new)
            return object.text
        }
        object.add(entry.subject.rawValue, entry.entry)
        object.add("action", entry.action)
        object.add("stream", entry.mapping.stream)
        object.add("entity", entry.mapping.entity)
        object.add("key", json: entry.key.map { JSONObject.kept($0) } ?? "null")
        object.add("field", entry.field)
        object.add("kind", entry.kind)
        if let end = entry.end { object.add("ended", end.name) }
        if let note = entry.note { object.add("note", note) }
        if let (before, now) = entry.remotes {
            if let before { object.add("remote_before", json: JSONObject.kept(before)) }
            if let now { object.add("remote", json: JSONObject.kept(now)) }
        }
        return object.text
    }
}

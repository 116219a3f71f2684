internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
package import SluiceStore

/// One conflict, for programs.
package enum ConflictJSON {
    /// The members that a report has.
    static func text(_ entry: ConflictEntry) -> String { object(entry).text }

    /// A list of a store's conflicts.
    static func list(_ entries: [ConflictEntry]) -> String {
        var object = JSONObject()
        object.add("format", "sluice.conflicts/1")
        object.add("conflicts", json: JSONObject.array(entries.map(listed)))
        return object.text + "\n"
    }

    /// A list of one conflict, with what the source said while it was open.
    static func shown(
        _ entry: ConflictEntry, said: [SaidValue], _ previews: [DecisionPreview], _ waiting: [WaitingValue]
    ) -> String {
        var object = JSONObject()
        object.add("format", "sluice.conflicts/1")
        object.add("conflicts", json: JSONObject.array([listed(entry, said: said, previews, waiting)]))
        return object.text + "\n"
    }

    /// The members that a list of a store's conflicts has; those of a decision where a person made one.
    package static func listed(_ entry: ConflictEntry) -> String { listed(entry, said: []) }

    private static func listed(
        _ entry: ConflictEntry, said: [SaidValue], _ previews: [DecisionPreview] = [], _ waiting: [WaitingValue] = []
    ) -> String {
        var object = object(entry)
        if entry.field != nil {
            if let value = waiting.first { object.add("waits_in_quarantine", value.entry) }
        } else if !waiting.isEmpty {
            var fields = JSONObject()
            for value in waiting { fields.add(value.field, value.entry) }
            object.add("fields_in_quarantine", json: fields.text)
        }
        object.add("pipeline", entry.pipeline)
        object.add("stream", entry.stream)
        object.add("first_run", entry.firstRun)
        object.add("last_run", entry.lastRun)
        object.add("seen", entry.seen)
        if entry.status == .open { object.add("mark", entry.mark) }
        for case (let name, let value?) in [
            ("resolution", entry.resolution), ("who", entry.who), ("note", entry.status == .open ? nil : entry.note),
        ] { object.add(name, value) }
        if !said.isEmpty { object.add("said", json: JSONObject.array(said.map(text))) }
        if !previews.isEmpty { object.add("decisions", json: JSONObject.array(previews.map(text))) }
        return object.text
    }

    private static func text(_ preview: DecisionPreview) -> String {
        var object = JSONObject()
        object.add("take", preview.decision.resolution.name)
        if case .refused(let reason) = preview.decision.outcome { object.add("refused", reason) }
        if preview.decision.outcome == .reopened { object.add("reopened", true) }
        if !preview.within.isEmpty {
            object.add("entities", json: ReportJSON.entities(preview.within.mapValues { RunSummary($0) }))
        }
        if !preview.problems.isEmpty { object.add("problems", json: ReportJSON.problems(preview.problems)) }
        return object.text
    }

    private static func text(_ said: SaidValue) -> String {
        var object = JSONObject()
        object.add("run", said.run)
        object.add("at", said.at)
        object.add("remote", json: said.value.map { JSONObject.kept($0) } ?? "null")
        return object.text
    }

    private static func object(_ entry: ConflictEntry) -> JSONObject {
        var object = JSONObject()
        object.add("id", entry.id)
        object.add("kind", entry.kind)
        object.add("entity", entry.entity)
        object.add("key", json: JSONObject.kept(entry.key))
        object.add("field", entry.field)
        let sides = [("base", entry.base), ("local", entry.local), ("remote", entry.remote)]
        for case (let name, let value?) in sides { object.add(name, json: JSONObject.kept(value)) }
        if let absence = entry.baseAbsence { object.add("no_base", absence.rawValue) }
        let paths = entry.divergences
        if !paths.isEmpty {
            object.add("paths", json: "[" + paths.map { FieldJSON.quoted($0) }.joined(separator: ",") + "]")
        }
        object.add("policy", entry.policy)
        object.add("status", entry.status.rawValue)
        if let end = entry.end { object.add("ended", end.name) }
        if let other = entry.otherSource {
            var sources = JSONObject()
            sources.add("local", other)
            sources.add("remote", "\(entry.pipeline)/\(entry.stream)")
            object.add("sources", json: sources.text)
        }
        // What stands in the way; of a closed conflict it is what a person wrote.
        if entry.status == .open, let note = entry.note { object.add("note", note) }
        return object
    }
}

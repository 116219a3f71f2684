internal import SluiceModel
package import SluiceReview
internal import SluiceStore

/// All that a store knows of a record, for programs.
package enum RecordLifeJSON {
    package static func text(_ lives: [RecordLife], store: String) -> String {
        var object = JSONObject()
        object.add("format", "sluice.record/1")
        object.add("store", store)
        object.add("records", json: JSONObject.array(lives.map(text)))
        return object.text + "\n"
    }

    private static func text(_ life: RecordLife) -> String {
        var object = JSONObject()
        object.add("pipeline", life.mapping.pipeline)
        object.add("stream", life.mapping.stream)
        object.add("entity", life.mapping.entity)
        object.add("table", life.table)
        object.add("key", json: JSONObject.kept(life.key))
        object.add("row", life.isThere)
        if let time = life.markedAt { object.add("marked_deleted_at", time) }
        object.add("state", life.state.rawValue)
        if let absence = life.absence {
            var fact = JSONObject()
            fact.add("kind", absence.kind.rawValue)
            fact.add("since_run", absence.since)
            object.add("absence", json: fact.text)
        }
        if !life.awaitedBy.isEmpty {
            let references = life.awaitedBy.map { reference in
                var object = JSONObject()
                object.add("pipeline", reference.mapping.pipeline)
                object.add("stream", reference.mapping.stream)
                object.add("entity", reference.mapping.entity)
                object.add("key", json: JSONObject.kept(reference.key))
                object.add("field", reference.field)
                return object.text
            }
            object.add("awaited_by", json: JSONObject.array(references))
        }
        object.add("first_run", life.firstRun)
        object.add("last_run", life.lastRun)
        let fields = life.fields.map { field in
            var object = JSONObject()
            object.add("field", field.name)
            if let value = field.value { object.add("value", json: value) }
            if let entry = field.waitsIn { object.add("waits_in_quarantine", entry) }
            if let base = field.base { object.add("base", json: base) }
            object.add("edited", field.isEdited)
            if let from = field.from { object.add("from", from) }
            object.add("run", field.run)
            if let run = field.foundBy { object.add("before_run", run) }
            if !field.waitsFor.isEmpty {
                object.add("waits_for", json: "[" + field.waitsFor.joined(separator: ",") + "]")
                object.add("waits_for_table", field.target)
            }
            if !field.emptied.isEmpty {
                object.add("emptied", json: "[" + field.emptied.joined(separator: ",") + "]")
                object.add("emptied_table", field.target)
            }
            return object.text
        }
        object.add("fields", json: JSONObject.array(fields))
        if !life.lists.isEmpty { object.add("lists", json: JSONObject.array(life.lists.map(text))) }
        object.add("changes", json: JSONObject.array(life.changes.map(HistoryJSON.text)))
        object.add("changes_truncated", life.isCut)
        if !life.said.isEmpty { object.add("said", json: JSONObject.array(life.said.map(HistoryJSON.text))) }
        object.add("runs", json: JSONObject.array(life.runs.values.sorted { $0.id > $1.id }.map(HistoryJSON.text)))
        object.add("conflicts", json: JSONObject.array(life.conflicts.map(ConflictJSON.listed)))
        object.add("quarantine", json: JSONObject.array(life.quarantine.map(QuarantineJSON.listed)))
        return object.text
    }

    private static func text(_ list: RecordLife.List) -> String {
        var object = JSONObject()
        object.add("stream", list.mapping.stream)
        object.add("entity", list.mapping.entity)
        object.add("table", list.table)
        object.add("base", json: list.said)
        object.add("local", json: list.held)
        object.add("edited", list.isEdited)
        if let conflict = list.conflict {
            object.add("conflict", conflict.id)
            object.add("since_run", conflict.firstRun)
            if let remote = conflict.remote { object.add("remote", json: remote) }
        }
        if !list.elementConflicts.isEmpty {
            object.add(
                "element_conflicts", json: "[" + list.elementConflicts.map { String($0) }.joined(separator: ",") + "]")
        }
        return object.text
    }
}

internal import SluiceModel
internal import SluiceReport
internal import SluiceReview

/// What people changed, for programs: `sluice.edits/1`.
struct EditJSON: EditView {
    let store: String
    private var isFirst = true

    init(store: String) { self.store = store }

    var start: String {
        var object = JSONObject()
        object.add("format", "sluice.edits/1")
        object.add("store", store)
        return String(object.text.dropLast()) + ",\"edits\":["
    }

    mutating func text(_ edit: RecordEdit) -> String {
        let separator = isFirst ? "\n" : ",\n"
        isFirst = false
        return separator + EditLine.of(edit).map { Self.object($0, edit) }.joined(separator: ",\n")
    }

    func end(_ tally: EditTally, _ missing: [MissingPlace], left: Int) -> String {
        let counts = tally.parts.map { part in
            var object = JSONObject()
            object.add("entity", part.entity)
            object.add("table", part.table)
            Self.add(part.counts, to: &object)
            return object.text
        }
        let places = missing.map { place in
            var object = JSONObject()
            object.add("entity", place.entity)
            object.add("table", place.table)
            if let column = place.column { object.add("column", column) }
            return object.text
        }
        let gaps = places.isEmpty ? "" : ",\"missing\":\(JSONObject.array(places))"
        return
            "\(isFirst ? "" : "\n")],\"edits_truncated\":\(left > 0)\(gaps),\"counts\":\(JSONObject.array(counts))}\n"
    }

    /// The members of counts.
    static func add(_ counts: EditCounts, to object: inout JSONObject) {
        object.add("rows", counts.rows)
        object.add("values", counts.values)
        object.add("deleted", counts.deleted)
        object.add("added", counts.added)
        if let missing = counts.missing { object.add("missing", missing) }
    }

    /// The object of counts.
    static func text(_ counts: EditCounts) -> String {
        var object = JSONObject()
        add(counts, to: &object)
        return object.text
    }

    private static func object(_ line: EditLine, _ edit: RecordEdit) -> String {
        var object = JSONObject()
        object.add("kind", edit.kind.rawValue)
        object.add("entity", edit.mapping.entity)
        object.add("table", edit.table)
        object.add("key", json: edit.key)
        object.add("field", line.field)
        if let base = line.base { object.add("base", json: base) }
        if let absence = line.absence { object.add("no_base", absence.rawValue) }
        if let local = line.local { object.add("local", json: local) }
        if let entry = line.waitsIn { object.add("waits_in_quarantine", entry) }
        if line.lost == .awaited { object.add("waits_for_record", true) }
        if line.lost == .gone { object.add("went_with_record", true) }
        if let conflict = line.conflict {
            if let remote = conflict.remote { object.add("remote", json: remote) }
            object.add("conflict", conflict.number)
        }
        object.add("since_run", edit.sinceRun)
        object.add("pipeline", edit.mapping.pipeline)
        object.add("stream", edit.mapping.stream)
        return object.text
    }
}

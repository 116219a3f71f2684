internal import SluiceDiscovery
internal import SluiceJSON
internal import SluiceModel

/// What an import found in its source, for programs.
enum ImportJSON {
    /// The object of the report's member `import`.
    static func text(_ inspection: ImportInspection, key: ImportKey, pagination: ProbeFinding?) -> String {
        var object = JSONObject()
        object.add("records", inspection.place.text)
        object.add("entries", inspection.place.entries)
        object.add("reason", inspection.place.reason)
        object.add("sample", inspection.records)
        if let pagination { object.add("paginator", json: ProbeJSON.text(of: pagination)) }
        object.add("key", json: JSONObject.array(key.fields.map { FieldJSON.quoted($0) }))
        object.add("key_reason", key.reason)
        let fields = inspection.fields.map { text(of: $0) }
        object.add("fields", json: JSONObject.array(fields))
        return object.text
    }

    /// The object of a field.
    static func text(of field: ImportedField) -> String {
        var object = JSONObject()
        object.add("field", field.name)
        object.add("from", field.path.text)
        object.add("type", field.type.rawValue)
        if let format = field.format { object.add("format", format) }
        object.add("empty", field.empty)
        object.add("absent", field.absent)
        object.add("example", field.example)
        return object.text
    }
}

internal import SluiceMerge
internal import SluiceSync

/// One change of a record, for programs.
enum ChangeJSON {
    static func text(_ change: RecordChange, schema: RecordSchema) -> String {
        var object = JSONObject()
        object.add("entity", schema.entity)
        object.add("table", schema.table)
        object.add("key", json: FieldJSON.object(key: change.key, schema: schema))
        object.add("action", change.action.rawValue)
        object.add("kind", change.kind.rawValue)
        let fields = change.fields.map { text($0, field: schema.fields[$0.index]) }
        object.add("fields", json: "[" + fields.joined(separator: ",") + "]")
        return object.text
    }

    private static func text(_ change: RecordChange.Field, field: RecordSchema.Field) -> String {
        var object = JSONObject()
        object.add("field", field.name)
        object.add("class", change.fieldClass.rawValue)
        let sides = [
            ("base", change.base), ("local", change.local), ("remote", change.remote), ("result", change.result),
        ]
        for case (let name, let value?) in sides { object.add(name, json: FieldJSON.text(value, type: field.type)) }
        return object.text
    }
}

internal import SluiceModel
internal import SluiceStore

/// The tables of a store, for programs.
enum SchemaJSON {
    static func text(_ tables: [StoredTable], store: String) -> String {
        var object = JSONObject()
        object.add("format", "sluice.schema/1")
        object.add("store", store)
        object.add("tables", json: JSONObject.array(tables.map(text)))
        return object.text + "\n"
    }

    private static func text(_ table: StoredTable) -> String {
        var object = JSONObject()
        object.add("table", table.name)
        object.add("role", table.role.rawValue)
        object.add("sources", json: JSONObject.array(table.sources.map(text)))
        object.add("columns", json: JSONObject.array(table.columns.map(text)))
        object.add("unique", json: "[" + table.unique.map(list).joined(separator: ",") + "]")
        object.add("references", json: JSONObject.array(table.references.map(text)))
        return object.text
    }

    private static func text(_ source: StoredTable.Source) -> String {
        var object = named(source.mapping)
        object.add("marks_deleted", source.deletesSoftly)
        return object.text
    }

    private static func named(_ mapping: RecordMapping) -> JSONObject {
        var object = JSONObject()
        object.add("pipeline", mapping.pipeline)
        object.add("stream", mapping.stream)
        object.add("entity", mapping.entity)
        return object
    }

    private static func text(_ column: StoredTable.Column) -> String {
        var object = JSONObject()
        object.add("column", column.name)
        object.add("type", column.type)
        if let position = column.keyPosition { object.add("key_position", position) }
        object.add("required", column.isRequired)
        switch column.origin {
        case .fields(let fields):
            object.add("origin", "fields")
            object.add("fields", json: JSONObject.array(fields.map(text)))
        case .given(let fields):
            object.add("origin", "given_up")
            object.add("fields", json: JSONObject.array(fields.map(text)))
        case .link(let name):
            object.add("origin", "link")
            object.add("reference", name)
        case .mark: object.add("origin", "mark")
        case .own: object.add("origin", "own")
        }
        return object.text
    }

    private static func text(_ field: StoredTable.Field) -> String {
        var object = named(field.mapping)
        object.add("field", field.name)
        object.add("type", field.type.rawValue)
        if let values = field.values { object.add("values", json: list(values)) }
        if let redaction = field.redaction { object.add("redact", redaction.rawValue) }
        return object.text
    }

    private static func text(_ reference: StoredTable.Reference) -> String {
        var object = JSONObject()
        if let name = reference.name { object.add("reference", name) }
        object.add("columns", json: list(reference.columns))
        object.add("target", reference.target)
        object.add("target_columns", json: list(reference.targetColumns))
        if let link = reference.link { object.add("through", link) }
        if let rule = reference.rule { object.add("on_dangling", rule.rawValue) }
        object.add("foreign_key", reference.isForeignKey)
        return object.text
    }

    private static func list(_ names: [String]) -> String {
        "[" + names.map { FieldJSON.quoted($0) }.joined(separator: ",") + "]"
    }
}

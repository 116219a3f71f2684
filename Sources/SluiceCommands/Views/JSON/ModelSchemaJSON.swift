internal import SluiceModel
internal import SluiceSwiftModels

/// The tables of Swift models, for programs: those of a store with what models say in the place of what fills them.
enum ModelSchemaJSON {
    static func text(_ tables: [ModelTable], files: [String]) -> String {
        var object = JSONObject()
        object.add("format", "sluice.schema/1")
        object.add("swift", json: list(files))
        object.add("tables", json: JSONObject.array(tables.map(text)))
        return object.text + "\n"
    }

    private static func text(_ table: ModelTable) -> String {
        var model = JSONObject()
        model.add("type", table.type)
        model.add("entity", table.entity)
        model.add("file", table.file)
        model.add("line", table.line)
        var object = JSONObject()
        object.add("table", table.name)
        object.add("role", "records")
        object.add("model", json: model.text)
        object.add("columns", json: JSONObject.array(table.columns.map(text)))
        object.add("unique", json: "[" + table.unique.map(list).joined(separator: ",") + "]")
        object.add("references", json: JSONObject.array(table.references.map(text)))
        return object.text
    }

    private static func text(_ column: ModelTable.Column) -> String {
        var object = JSONObject()
        object.add("column", column.name)
        object.add("type", column.type?.rawValue ?? "")
        if let position = column.keyPosition { object.add("key_position", position) }
        object.add("required", column.isRequired)
        object.add("origin", "property")
        object.add("property", column.property)
        object.add("swift_type", column.swiftType)
        if let json = column.json { object.add("json", json) }
        return object.text
    }

    private static func text(_ reference: ModelTable.Reference) -> String {
        var object = JSONObject()
        object.add("reference", reference.name)
        object.add("property", reference.property)
        object.add("columns", json: list(reference.column.map { [$0] } ?? []))
        object.add("target", reference.target)
        object.add("target_columns", json: list(reference.targetColumn.map { [$0] } ?? []))
        if let via = reference.via { object.add("through", via) }
        if let inverse = reference.inverse { object.add("inverse", inverse) }
        object.add("delete_rule", reference.deleteRule)
        return object.text
    }

    private static func list(_ names: [String]) -> String {
        "[" + names.map { FieldJSON.quoted($0) }.joined(separator: ",") + "]"
    }
}

internal import SluiceModel
internal import SluiceStore

/// Values that begin to wait with a write of their row.
extension HeldEdits {
    /// Has values wait that a row is written without: those that undo brings back and their fields cannot hold, and what the
    /// base of a row that is made says in a type that its field had before.
    ///
    /// - Parameters:
    ///   - write: What was written.
    ///   - layout: What the row is of.
    /// - Throws: What the database throws.
    func keep(_ write: RecordWrite, _ layout: TableLayout) throws {
        let schema = layout.schema
        if case .insert(let row) = write.row, let base = write.base {
            for field in schema.fields.indices where row[field].isNull {
                guard let said = base.entries[field].value, !said.isNull, schema.fields[field].redaction == nil,
                    !schema.fields[field].canHold(said), let json = said.untypedJSON
                else { continue }
                try keep(
                    said, json, field, of: write.key, schema,
                    "what the source said before of a row that is back, \(short(json))")
            }
        }
        for (field, value) in write.waiting {
            guard let json = value.untypedJSON, try !waitsAgain(value, field, of: write.key, schema) else { continue }
            try keep(value, json, field, of: write.key, schema, "\(short(json)), which came back by undo")
        }
    }

    private func short(_ json: String) -> String { TypeConversion.LostValues.short(json) }

    /// Whether a value of a record waits already, or does so again in its entry of before.
    private func waitsAgain(_ value: FieldValue, _ field: Int, of key: RecordKey, _ schema: RecordSchema) throws -> Bool
    {
        let name = schema.fields[field].name
        let entries = try ledger.entries(of: schema.source, key: FieldJSON.object(key: key, schema: schema)).filter {
            $0.changedField == name
        }
        let same = entries.filter { $0.value.map { FieldValue(untyped: $0) } == value }
        if same.contains(where: \.isOpen) { return true }
        let closed = same.last { entry in
            entry.status == .closed && !entries.contains { $0.isOpen && $0.reason == entry.reason }
        }
        guard let id = closed?.id else { return false }
        try ledger.reopen(id, run: recorder.run)
        let isSaid = try registry.entry(TypeConversion.keptBase, String(id)) != nil
        count(Edit(id: id, column: schema.fields[field].column.lowercased(), value: value, isSaid: isSaid), key, schema)
        return true
    }

    private func keep(
        _ value: FieldValue, _ json: String, _ field: Int, of key: RecordKey, _ schema: RecordSchema, _ what: String
    ) throws {
        let (name, type) = (schema.fields[field].name, schema.fields[field].type.rawValue)
        let record = try record(of: key, schema)
        let object = FieldJSON.object(key: key, schema: schema)
        let entry = QuarantineEntry(
            pipeline: schema.pipeline, stream: schema.stream, entity: schema.entity, key: object,
            recordHash: Int64(bitPattern: FieldDigest.text(record)),
            reason: try ledger.freeReason(ofField: name, of: schema.source, key: object), pointer: "/\(name)",
            value: json,
            message:
                "`\(name)` is \(type) now and cannot hold \(what). The column is null, and the value waits here. Write the value that is meant into the table. If the field gets its `type` or `values` of before, the value comes back.",
            record: record, firstRun: recorder.run, lastRun: recorder.run)
        let id = try ledger.put(entry)
        var edit = Edit(id: id, column: schema.fields[field].column.lowercased(), value: value, isSaid: false)
        // What a base says as well nobody edited.
        edit.isSaid = try stands(edit, key, schema)
        if edit.isSaid { try registry.put(TypeConversion.keptBase, String(id), json) }
        count(edit, key, schema)
    }

    /// A row as the quarantine keeps it.
    private func record(of key: RecordKey, _ schema: RecordSchema) throws -> [UInt8] {
        let columns = schema.columnFields
        let keys = schema.keyFields.map { schema.fields[$0].column }
        let row = try database.rows(
            "SELECT \(SQLText.list(columns.map { schema.fields[$0].column })) FROM \(database.table(schema.table)) WHERE \(SQLText.match(keys))",
            key.values
        ).first
        let members = zip(columns, row ?? []).map { field, value in
            let shown = schema.shown(value, field: field)
            return
                "\(FieldJSON.quoted(schema.fields[field].name)):\(FieldJSON.text(shown, type: schema.fields[field].type))"
        }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }
}

internal import SluiceJSON
package import SluiceModel
package import SluiceStore

/// Edits that wait in the quarantine since their column took another type or other values: the column is null, and the
/// row counts as holding what waits.
///
///     entry 7   Item {"id":4}   type_changed:p   "E2"     the row of 4 has null in p, and its local side is the text E2
///     entry 8   Item {"id":5}   type_changed:p   "x"      with a `kept_base`: its source said x, and nobody edited it
///
/// One for a store and all its tables. An edit is over once something else is written into its field, or its row goes.
package final class HeldEdits {
    /// An edit.
    private struct Edit {
        let id: Int64
        /// The column, in lower case.
        let column: String
        let value: FieldValue
    }

    private let database: any SQLDatabase
    private let recorder: any ChangeNoting
    private let ledger: SQLQuarantineLedger
    private var isKnownToBeEmpty: Bool?
    /// The edits of a source's table, by the key of the record as that source has it.
    private var known: [RecordMapping: [ExactText: [Edit]]] = [:]

    /// Makes a look at them.
    package init(_ database: any SQLDatabase, recorder: any ChangeNoting) {
        (self.database, self.recorder) = (database, recorder)
        ledger = SQLQuarantineLedger(database, recorder: recorder)
    }

    /// Has them looked for again: values may have gone to the quarantine, or come from there.
    package func forget() { (isKnownToBeEmpty, known) = (nil, [:]) }

    /// Has them looked for again where there are some: what was written is taken back.
    package func reconsider() { if isKnownToBeEmpty == false { known = [:] } }

    /// Whether there are none, by one look for each transaction.
    package func isEmpty() throws -> Bool {
        if let isKnownToBeEmpty { return isKnownToBeEmpty }
        let isEmpty =
            try !database.hasHistory()
            || !database.hasRow("SELECT 1 FROM \(database.ledger("quarantine")) AS q WHERE \(isHeld) LIMIT 1")
        isKnownToBeEmpty = isEmpty
        return isEmpty
    }

    /// Whether none is about a table.
    package func isEmpty(for schema: RecordSchema) throws -> Bool {
        try isEmpty() || edits(of: schema).isEmpty
    }

    // MARK: Reading

    /// Whether an edit of a record waits.
    package func waits(for key: RecordKey, _ schema: RecordSchema) throws -> Bool {
        try !edits(of: key, schema).isEmpty
    }

    /// Puts the edits of a record in the place of the nulls of its row.
    ///
    /// - Parameters:
    ///   - row: One value for each field.
    ///   - key: The record.
    ///   - schema: What the row is of.
    /// - Throws: What the database throws.
    package func fill(_ row: inout [FieldValue], of key: RecordKey, _ schema: RecordSchema) throws {
        for edit in try edits(of: key, schema) {
            let field = schema.fields.firstIndex { $0.column.lowercased() == edit.column }
            if let field, row[field].isNull { row[field] = edit.value }
        }
    }

    /// Puts the edits of a record in the place of the nulls of its row, which has all columns of its table.
    package func fill(_ row: inout RowImage, of key: RecordKey, _ schema: RecordSchema) throws {
        for edit in try edits(of: key, schema) {
            let place = row.columns.firstIndex { $0.name.lowercased() == edit.column }
            if let place, row.columns[place].value.isNull { row.columns[place].value = edit.value }
        }
    }

    /// The edits of a record, those that people made last first.
    private func edits(of key: RecordKey, _ schema: RecordSchema) throws -> [Edit] {
        if try isEmpty(for: schema) { return [] }
        return try edits(of: schema)[ExactText(FieldJSON.object(key: key, schema: schema))] ?? []
    }

    private func edits(of schema: RecordSchema) throws -> [ExactText: [Edit]] {
        if let edits = known[schema.source] { return edits }
        var edits: [ExactText: [Edit]] = [:]
        let registry = EntityRegistry(database: database)
        for source in try registry.sources(of: schema.table) {
            let slots = try registry.slots(of: EntityRegistry.name(source))
            try eachEdit(of: source) { id, key, field, value in
                guard let column = slots.first(where: { $0.field == field })?.column,
                    let name = Self.name(key, slots, in: schema)
                else { return }
                edits[ExactText(name), default: []].append(Edit(id: id, column: column.lowercased(), value: value))
            }
        }
        for name in Array(edits.keys) { edits[name]?.sort { $0.id > $1.id } }
        known[schema.source] = edits
        return edits
    }

    private func eachEdit(
        of source: RecordMapping, _ body: (_ id: Int64, _ key: String, _ field: String, FieldValue) throws -> Void
    ) throws {
        try database.each(
            """
            SELECT q.id, q.key, q.reason, q.value FROM \(database.ledger("quarantine")) AS q
            WHERE q.pipeline = ?1 AND q.stream = ?2 AND q.entity = ?3 AND \(isHeld)
            """, [FieldValue(source.pipeline), FieldValue(source.stream), FieldValue(source.entity)]
        ) { row in
            if let id = row[0].number, let key = row[1].string,
                let field = row[2].string.flatMap(QuarantineEntry.changedField), let json = row[3].string
            {
                let value = Self.value(json)
                if !value.isNull { try body(id, key, field, value) }
            }
            return true
        }
    }

    /// A condition of the entries `q` that keep an edit. With a `kept_base`, what it keeps is what a source said.
    private var isHeld: String {
        let prefix = QuarantineEntry.typeChange
        return """
            q.status = 'open' AND q.key IS NOT NULL
            AND substr(q.reason, 1, \(prefix.utf8.count)) = \(SQLText.literal(prefix))
            AND NOT EXISTS (SELECT 1 FROM \(database.ledger("schema")) AS s
            WHERE s.kind = \(SQLText.literal(TypeConversion.keptBase)) AND s.name = CAST(q.id AS text))
            """
    }

    /// A record's key as a source of the same table has it; nil where that identifies records by other columns.
    private static func name(_ key: String, _ slots: [EntityRegistry.Slot], in schema: RecordSchema) -> String? {
        guard let members = ObjectText(key)?.members else { return nil }
        let parts = members.compactMap { member in
            slots.first { $0.field == member.name }.map { (column: $0.column, json: member.json) }
        }
        guard parts.count == members.count, parts.count == schema.keyFields.count else { return nil }
        let own = schema.keyFields.compactMap { index -> String? in
            let field = schema.fields[index]
            let part = parts.first { ColumnName.areSame($0.column, field.column) }
            return part.map { FieldJSON.quoted(field.name) + ":" + $0.json }
        }
        return own.count == parts.count ? "{" + own.joined(separator: ",") + "}" : nil
    }

    /// What a row held, of which an entry keeps the JSON. It is none of its column's type, and equals no value of that.
    private static func value(_ json: String) -> FieldValue {
        guard let value = try? JSONDocument(json).root else { return FieldValue(json) }
        switch value.kind {
        case .null: return .null
        case .bool: return .integer(value.boolean ? 1 : 0)
        case .integer, .number:
            return Int64(json).map { .integer($0) } ?? Double(json).map { .real($0) } ?? FieldValue(json)
        case .string: return FieldValue(value.string ?? json)
        case .array, .object: return FieldValue(json)
        }
    }

    // MARK: Writing

    /// Closes the entries of edits over which something is written, or whose row goes or is made anew.
    ///
    /// - Parameters:
    ///   - write: What is written.
    ///   - schema: What the row is of.
    /// - Throws: What the database throws.
    package func close(over write: RecordWrite, _ schema: RecordSchema) throws {
        if try isEmpty(for: schema) { return }
        switch write.row {
        case .none, .restore: return
        case .insert, .delete, .markDeleted: try close(over: write.key, schema)
        case .update, .set:
            let columns = Set(write.writtenFields(schema).map { schema.fields[$0.field].column.lowercased() })
            try close(write.key, schema) { columns.contains($0) }
        }
    }

    /// Closes the entries of edits of a record whose row is made anew.
    package func close(over key: RecordKey, _ schema: RecordSchema) throws { try close(key, schema) { _ in true } }

    private func close(_ key: RecordKey, _ schema: RecordSchema, where isMeant: (String) -> Bool) throws {
        let over = try edits(of: key, schema).filter { isMeant($0.column) }
        if over.isEmpty { return }
        for edit in over { try ledger.close(id: edit.id, run: recorder.run) }
        let (name, closed) = (ExactText(FieldJSON.object(key: key, schema: schema)), Set(over.map(\.id)))
        // Other sources know the record under names of their own.
        known = known.filter { $0.key == schema.source }
        let rest = (known[schema.source]?[name] ?? []).filter { !closed.contains($0.id) }
        known[schema.source]?[name] = rest.isEmpty ? nil : rest
    }
}

package import SluiceModel
package import SluiceStore

/// Values that wait in the quarantine since their column took another type or other values: the column is null, and the
/// row counts as holding what waits.
///
///     entry 7   Item {"id":4}   type_changed:p   "E2"     the row of 4 has null in p, and its local side is the text E2
///     entry 8   Item {"id":5}   type_changed:p   "x"      said (`kept_base`): its source said x, and nobody edited it
///
/// One for a store and all its tables. What waits is over once a value is written into its field, or its row goes; an edit also
/// once its field is cleared. A value that a source said counts as long as a base says it.
package final class HeldEdits {
    /// A value that waits.
    struct Edit {
        let id: Int64
        /// The column, in lower case.
        let column: String
        let value: FieldValue
        /// Whether a source said it, and nobody edited it.
        var isSaid: Bool
    }

    let database: any SQLDatabase
    let recorder: any ChangeNoting
    let ledger: SQLQuarantineLedger
    private var isKnownToBeEmpty: Bool?
    /// The edits of a source's table, by the key of the record as that source has it.
    private var known: [RecordMapping: [ExactText: [Edit]]] = [:]
    /// Whether bases say what entries keep that sources said, by the entries' numbers.
    private var standing: [Int64: Bool] = [:]
    var registry: EntityRegistry { EntityRegistry(database: database) }

    /// Makes a look at them.
    package init(_ database: any SQLDatabase, recorder: any ChangeNoting) {
        (self.database, self.recorder) = (database, recorder)
        ledger = SQLQuarantineLedger(database, recorder: recorder)
    }

    /// Has them looked for again: values may have gone to the quarantine, or come from there.
    package func forget() { (isKnownToBeEmpty, known, standing) = (nil, [:], [:]) }

    /// Has them looked for again where there are some: what was written is taken back.
    package func reconsider() { if isKnownToBeEmpty == false { (known, standing) = ([:], [:]) } }

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

    /// What counts as held by the row of a record, what went to the quarantine last first.
    private func edits(of key: RecordKey, _ schema: RecordSchema) throws -> [Edit] {
        try all(of: key, schema).filter { try !$0.isSaid || stands($0, key, schema) }
    }

    /// All that waits of a record, what went to the quarantine last first.
    private func all(of key: RecordKey, _ schema: RecordSchema) throws -> [Edit] {
        if try isEmpty(for: schema) { return [] }
        return try edits(of: schema)[ExactText(FieldJSON.object(key: key, schema: schema))] ?? []
    }

    private func edits(of schema: RecordSchema) throws -> [ExactText: [Edit]] {
        if let edits = known[schema.source] { return edits }
        var edits: [ExactText: [Edit]] = [:]
        for source in try registry.sources(of: schema.table) {
            let slots = try registry.slots(of: EntityRegistry.name(source))
            try eachEdit(of: source) { id, key, field, value, isSaid in
                guard let column = slots.first(where: { $0.field == field })?.column,
                    let name = Self.name(key, slots, in: schema)
                else { return }
                edits[ExactText(name), default: []].append(
                    Edit(id: id, column: column.lowercased(), value: value, isSaid: isSaid))
            }
        }
        for name in Array(edits.keys) { edits[name]?.sort { $0.id > $1.id } }
        known[schema.source] = edits
        return edits
    }

    private func eachEdit(
        of source: RecordMapping,
        _ body: (_ id: Int64, _ key: String, _ field: String, FieldValue, _ isSaid: Bool) throws -> Void
    ) throws {
        try database.each(
            """
            SELECT q.id, q.key, q.reason, q.value, CASE WHEN \(isSaid) THEN 1 ELSE 0 END
            FROM \(database.ledger("quarantine")) AS q
            WHERE q.pipeline = ?1 AND q.stream = ?2 AND q.entity = ?3 AND \(isHeld)
            """, [FieldValue(source.pipeline), FieldValue(source.stream), FieldValue(source.entity)]
        ) { row in
            if let id = row[0].number, let key = row[1].string,
                let field = row[2].string.flatMap(QuarantineEntry.changedField), let json = row[3].string
            {
                // It is none of its column's type, and equals no value of that.
                let value = FieldValue(untyped: json)
                if !value.isNull { try body(id, key, field, value, row[4].number == 1) }
            }
            return true
        }
    }

    /// A condition of the entries `q` that keep a value of a column.
    private var isHeld: String {
        let prefix = QuarantineEntry.typeChange
        return """
            q.status = 'open' AND q.key IS NOT NULL
            AND substr(q.reason, 1, \(prefix.utf8.count)) = \(SQLText.literal(prefix))
            """
    }

    /// A condition of the entries `q` whose value a source said.
    private var isSaid: String {
        """
        EXISTS (SELECT 1 FROM \(database.ledger("schema")) AS s
        WHERE s.kind = \(SQLText.literal(TypeConversion.keptBase)) AND s.name = CAST(q.id AS text))
        """
    }

    /// Whether the base of a source of the table says of a record what an entry keeps.
    func stands(_ edit: Edit, _ key: RecordKey, _ schema: RecordSchema) throws -> Bool {
        if let known = standing[edit.id] { return known }
        let stands = try registry.sources(of: schema.table).contains { try says(edit, key, schema, $0) }
        standing[edit.id] = stands
        return stands
    }

    private func says(_ edit: Edit, _ key: RecordKey, _ schema: RecordSchema, _ source: RecordMapping) throws -> Bool {
        let name = EntityRegistry.name(source)
        let (slots, keys) = (try registry.slots(of: name), try registry.keySlots(of: name))
        let values = keys.compactMap { slot in
            zip(schema.keyFields, key.values).first {
                ColumnName.areSame(schema.fields[$0.0].column, slot.column)
            }?.1
        }
        guard values.count == key.values.count, let base = try registry.tables(of: name)?.base,
            let slot = slots.first(where: { !$0.isRetired && $0.column.lowercased() == edit.column })
        else { return false }
        let columns = keys.map { TableLayout.baseColumn(for: $0.column) }
        let blob = try database.rows(
            "SELECT fields FROM \(database.table(base)) WHERE \(SQLText.match(columns))", values
        ).first?.first?.bytes
        guard let blob, let entries = BaseCoding.decode(blob, slotCount: slot.number + 1) else { return false }
        return entries[slot.number] == .value(edit.value)
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

    // MARK: Writing

    /// Has what waits follow a write: entries over which something is written, and all whose row goes or is made anew, are
    /// closed. What undo brings back and a field cannot hold waits from then on, and so does what the base of a row that is
    /// made says in a type that its field had before, as where the row had been there all the while.
    ///
    /// - Parameters:
    ///   - write: What is written.
    ///   - layout: What the row is of.
    /// - Throws: What the database throws.
    package func follow(_ write: RecordWrite, _ layout: TableLayout) throws {
        let schema = layout.schema
        if try !isEmpty(for: schema) {
            try close(over: write, schema)
            if write.base != nil || write.keptBase != nil {
                for edit in try all(of: write.key, schema) { standing[edit.id] = nil }
            }
        }
        try keep(write, layout)
    }

    private func close(over write: RecordWrite, _ schema: RecordSchema) throws {
        switch write.row {
        case .none, .restore: return
        case .insert, .delete, .markDeleted: try close(over: write.key, schema)
        case .update, .set:
            let written = write.writtenFields(schema).map {
                (column: schema.fields[$0.field].column.lowercased(), isCleared: $0.value.isNull)
            }
            try close(write.key, schema) { edit in
                written.contains { $0.column == edit.column && !($0.isCleared && edit.isSaid) }
            }
        }
    }

    /// Has a value count as held by its row from now on.
    func count(_ edit: Edit, _ key: RecordKey, _ schema: RecordSchema) {
        isKnownToBeEmpty = false
        standing[edit.id] = nil
        // Other sources know the record under names of their own.
        known = known.filter { $0.key == schema.source }
        let name = ExactText(FieldJSON.object(key: key, schema: schema))
        known[schema.source]?[name, default: []].append(edit)
        known[schema.source]?[name]?.sort { $0.id > $1.id }
    }

    /// Closes the entries of a record whose row is made anew.
    package func close(over key: RecordKey, _ schema: RecordSchema) throws { try close(key, schema) { _ in true } }

    private func close(_ key: RecordKey, _ schema: RecordSchema, where isMeant: (Edit) -> Bool) throws {
        let over = try all(of: key, schema).filter(isMeant)
        if over.isEmpty { return }
        try ledger.close(over.map(\.id), run: recorder.run)
        let (name, closed) = (ExactText(FieldJSON.object(key: key, schema: schema)), Set(over.map(\.id)))
        // Other sources know the record under names of their own.
        known = known.filter { $0.key == schema.source }
        let rest = (known[schema.source]?[name] ?? []).filter { !closed.contains($0.id) }
        known[schema.source]?[name] = rest.isEmpty ? nil : rest
    }
}

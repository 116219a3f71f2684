internal import SluiceModel
internal import SluiceStore

/// Rows that have a key and nothing else, for records that are referred to and not there.
extension ReferenceSettlement {
    /// Makes a row for each record that is referred to and not there. References to those of which the table takes no row with
    /// its key alone stay as they are.
    mutating func makeStubs(_ source: Dangling) throws {
        let reference = source.reference
        let missing = try database.rows(
            "SELECT DISTINCT \(source.targetValues.joined(separator: ", ")) FROM \(source.rows) ORDER BY 1")
        guard !missing.isEmpty else { return }
        let statement = """
            \(database.insert) \(database.table(reference.target)) (\(SQLText.list(reference.targetColumns)))
            VALUES (\(SQLText.parameters(reference.targetColumns.count)))
            """
        let known = try EntityRegistry(database: database).sources(of: reference.target).first
        var made: [[FieldValue]] = []
        for key in missing {
            let refusal = try database.attempt {
                if try database.run(statement, key) == 0 { throw SQLRefusal.swallowed }
            }
            if let refusal {
                try leave(source, to: key, refusal)
            } else {
                try note(RecordKey(key), reference, known)
                made.append(key)
            }
        }
        if made.isEmpty { return }
        let keys = made.prefix(ReferenceOutcome.Rows.listed).map { key in
            let members = zip(reference.targetColumns, key).map { column, value in
                "\(FieldJSON.quoted(column)):\(FieldJSON.text(value, type: .string))"
            }
            return "{" + members.joined(separator: ",") + "}"
        }
        let rows = ReferenceOutcome.Rows(
            count: made.count, entity: known?.entity ?? reference.target, keys: keys)
        outcome.stubs[reference.target, default: rows.none].add(rows)
        outcome.hasWritten = true
    }

    /// Leaves references as they are of whose target a table takes no row with its key alone.
    private mutating func leave(_ source: Dangling, to key: [FieldValue], _ refusal: SQLRefusal) throws {
        let reference = source.reference
        let isMeant = zip(source.targetValues, key.indices).map { "\($0) = ?\($1 + 1)" }.joined(separator: " AND ")
        let rows = try database.rows(
            "SELECT \(source.names.joined(separator: ", ")) FROM \(source.rows) AND \(isMeant)", key)
        let words = refusal.told.words(table: reference.target, record: "a row with only its key")
        let other = reference.isInKey ? "`on_dangling: fail`" : "`on_dangling: defer`"
        try leave(
            rows.map { ($0, "\(words) Give the column a default, allow null in it, or use \(other).") }, of: reference)
    }

    /// Writes down that a row was made, also as a record of a source of its table where there is one.
    private func note(_ key: RecordKey, _ reference: EntityRegistry.Reference, _ known: RecordMapping?) throws {
        guard recorder.isRecording else { return }
        try StubHistory(database: database).note(key, reference, recorder)
        guard let known else { return }
        let slots = try EntityRegistry(database: database).keySlots(of: EntityRegistry.name(known))
        // The key may be in another order in the target's own eyes.
        let values = slots.map { slot in
            reference.targetColumns.firstIndex { $0.lowercased() == slot.column.lowercased() }.map { key.values[$0] }
        }
        guard !slots.isEmpty, !values.contains(nil) else { return }
        let schema = RecordSchema(
            pipeline: known.pipeline, stream: known.stream, entity: known.entity, table: reference.target,
            fields: slots.map(\.schemaField), keyFields: Array(slots.indices))
        let keyColumns = zip(reference.targetColumns, key.values).map { RowImage.Column(name: $0, value: $1) }
        // What the table puts in by itself is no edit.
        let made = try StubHistory(database: database).row(of: reference.target, keyColumns)?.columns ?? []
        let columns =
            keyColumns
            + made.filter { column in
                !column.value.isNull && !keyColumns.contains { ColumnName.areSame($0.name, column.name) }
            }
        let note = RecordNote(
            key: RecordKey(values.compactMap { $0 }), action: .insert, kind: nil, before: nil, after: nil,
            row: RowImage(columns), columns: [])
        try recorder.note([note], schema)
    }
}

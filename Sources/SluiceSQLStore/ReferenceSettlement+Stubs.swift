internal import SluiceModel
internal import SluiceStore

/// Rows that have a key and nothing else, for records that are referred to and not there.
extension ReferenceSettlement {
    /// Makes a row for each record that is referred to and not there.
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
        for key in missing {
            if let refusal = try database.attempt({ try database.run(statement, key) }) {
                throw StoreError(
                    .rejected,
                    "The table `\(reference.target)` accepts no row with only its key, which `\(reference.name)` of `\(reference.table)` needs: \(refusal.message). Give the column a default, or allow null in it\(reference.isInKey ? "" : "; or use `on_dangling: defer` if `\(reference.name)` may be null in `\(reference.table)`"). Else leave the records that refer to what is not there out with `filter`."
                )
            }
            try note(RecordKey(key), reference, known)
        }
        let keys = missing.prefix(ReferenceOutcome.Rows.listed).map { key in
            let members = zip(reference.targetColumns, key).map { column, value in
                "\(FieldJSON.quoted(column)):\(FieldJSON.text(value, type: .string))"
            }
            return "{" + members.joined(separator: ",") + "}"
        }
        let rows = ReferenceOutcome.Rows(
            count: missing.count, entity: known?.entity ?? reference.target, keys: keys)
        outcome.stubs[reference.target, default: rows.none].add(rows)
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

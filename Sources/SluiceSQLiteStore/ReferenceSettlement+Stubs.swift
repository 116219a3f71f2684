internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// Rows that have a key and nothing else, for records that are referred to and not there.
extension ReferenceSettlement {
    /// Makes a row for each record that is referred to and not there.
    mutating func makeStubs(_ source: Dangling) throws {
        let reference = source.reference
        let missing = try connection.rows(
            "SELECT DISTINCT \(source.targetValues.joined(separator: ", ")) FROM \(source.rows) ORDER BY 1")
        guard !missing.isEmpty else { return }
        let parameters = (1...reference.targetColumns.count).map { "?\($0)" }
        let statement = try connection.prepare(
            """
            INSERT OR ABORT INTO \(SQLName.quoted(reference.target)) (\(SQLName.list(reference.targetColumns)))
            VALUES (\(parameters.joined(separator: ", ")))
            """)
        let known = try EntityRegistry(connection: connection).sources(of: reference.target).first
        for key in missing {
            if let error = try refusal({ () throws(SQLiteError) in try statement.run(key) }) {
                throw StoreError(
                    .rejected,
                    "The table `\(reference.target)` accepts no row with only its key, which `\(reference.name)` of `\(reference.table)` needs: \(error.message). Give the column a default, allow null in it, or use \(reference.isInKey ? "`on_dangling: fail`" : "`on_dangling: defer`")."
                )
            }
            try note(RecordKey(key.map { FieldValue($0) }), reference, known)
        }
        let names = zip(reference.targetColumns, parameters).map { "\(SQLText.literal($0)), \($1)" }
        var keys: [String] = []
        for key in missing.prefix(ReferenceOutcome.Rows.listed) {
            let name = try connection.rows("SELECT json_object(\(names.joined(separator: ", ")))", key)
            keys += name.map { EntityRegistry.text($0[0]) }
        }
        let rows = ReferenceOutcome.Rows(
            count: missing.count, entity: known?.entity ?? reference.target, keys: keys)
        outcome.stubs[reference.target, default: rows.none].add(rows)
    }

    /// Writes down that a row was made, also as a record of a source of its table where there is one.
    private func note(
        _ key: RecordKey, _ reference: EntityRegistry.Reference, _ known: RecordMapping?
    ) throws(SQLiteError) {
        guard recorder.isRecording else { return }
        try StubHistory(connection: connection).note(key, reference, recorder)
        guard let known else { return }
        let registry = EntityRegistry(connection: connection)
        let slots = try registry.slots(of: EntityRegistry.name(known)).filter { $0.keyPosition != nil }
            .sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
        // The key may be in another order in the target's own eyes.
        let values = slots.map { slot in
            reference.targetColumns.firstIndex { $0.lowercased() == slot.column.lowercased() }.map { key.values[$0] }
        }
        guard !slots.isEmpty, !values.contains(nil) else { return }
        let schema = RecordSchema(
            pipeline: known.pipeline, stream: known.stream, entity: known.entity, table: reference.target,
            fields: slots.map(\.schemaField), keyFields: Array(slots.indices))
        let columns = zip(reference.targetColumns, key.values).map { RowImage.Column(name: $0, value: $1) }
        try recorder.note(
            RecordKey(values.compactMap { $0 }), schema, action: .insert, kind: nil, base: (nil, nil),
            row: RowImage(columns), columns: [])
    }
}

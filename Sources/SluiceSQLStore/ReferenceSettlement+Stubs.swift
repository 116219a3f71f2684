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
        let sources = try EntityRegistry(database: database).sources(of: reference.target)
        let known = sources.first
        let history = StubHistory(database: database)
        var made: [[FieldValue]] = []
        // What a run made once and people deleted does not come back. What is part of a key is never null.
        let deleted =
            try reference.isInKey
            ? []
            : history.deletedByHand(
                missing, of: reference.targetColumns, in: reference.target, sources, until: recorder.run)
        let waiting = deleted.sorted().map { missing[$0] }
        for start in stride(from: 0, to: waiting.count, by: StubHistory.pace) {
            let some = Array(waiting[start...].prefix(StubHistory.pace))
            try hold(source.leading(to: some), .defer, where: "")
        }
        for (index, key) in missing.enumerated() where !deleted.contains(index) {
            let refusal = try database.attempt {
                if try database.run(statement, key) == 0 { throw SQLRefusal.swallowed }
            }
            if let refusal {
                try keep(source, to: key, refusal)
            } else {
                for mapping in sources { try forgetSaid(RecordKey(key), reference, by: mapping) }
                try record(RecordKey(key), reference, known)
                made.append(key)
            }
        }
        if made.isEmpty { return }
        try StandingStubs(database: database).note(made, of: reference)
        let rows = ReferenceOutcome.Rows(
            made, of: reference.targetColumns, entity: known?.entity ?? reference.target)
        outcome.stubs[reference.target, default: rows.none].add(rows)
        outcome.hasWritten = true
    }

    /// Leaves references as they are of whose target a table takes no row with its key alone.
    private mutating func keep(_ source: Dangling, to key: [FieldValue], _ refusal: SQLRefusal) throws {
        let reference = source.reference
        let isMeant = zip(source.targetValues, key.indices).map { "\($0) = ?\($1 + 1)" }.joined(separator: " AND ")
        let rows = try database.rows(
            "SELECT \(source.names.joined(separator: ", ")) FROM \(source.rows) AND \(isMeant)", key)
        let words = try ReferenceRemedy(reference, database).words(ofStub: refusal)
        try keep(rows.map { ($0, words) }, of: reference)
    }

    /// Writes down that a row was made, also as a record of a source of its table where there is one.
    private func record(_ key: RecordKey, _ reference: EntityRegistry.Reference, _ known: RecordMapping?) throws {
        guard recorder.isRecording else { return }
        try StubHistory(database: database).record(key, reference, recorder)
        guard let known, let (schema, own) = try record(key, reference, of: known) else { return }
        let keyColumns = columns(of: key.values, reference)
        // What the table puts in by itself is no edit.
        let made = try StubHistory(database: database).row(of: reference.target, keyColumns)?.columns ?? []
        let columns =
            keyColumns
            + made.filter { column in
                !column.value.isNull && !keyColumns.contains { ColumnName.areSame($0.name, column.name) }
            }
        let note = RecordNote(
            key: own, action: .insert, kind: nil, before: nil, after: nil, row: RowImage(columns), columns: [])
        try recorder.record([note], schema)
    }

    private func columns(of key: [FieldValue], _ reference: EntityRegistry.Reference) -> [RowImage.Column] {
        zip(reference.targetColumns, key).map { RowImage.Column(name: $0, value: $1) }
    }

    /// A record as a source of its table has it; nil where the source identifies it by other columns.
    private func record(
        _ key: RecordKey, _ reference: EntityRegistry.Reference, of source: RecordMapping
    ) throws -> (schema: RecordSchema, key: RecordKey)? {
        try StubHistory(database: database).record(columns(of: key.values, reference), in: reference.target, of: source)
    }

    /// Has the base of a record that is gone forget what its source said of it, but for its key: of a row that stands for the
    /// record nobody took that out.
    private func forgetSaid(_ key: RecordKey, _ reference: EntityRegistry.Reference, by source: RecordMapping) throws {
        let (registry, name) = (EntityRegistry(database: database), EntityRegistry.name(source))
        guard let base = try registry.tables(of: name)?.base, let (schema, own) = try record(key, reference, of: source)
        else { return }
        let columns = schema.fields.map { TableLayout.baseColumn(for: $0.column) }
        let gone = [BaseState.remoteTombstone, .statedTombstone].map { String($0.rawValue) }.joined(separator: ", ")
        let rows = try database.rows(
            """
            SELECT fields, state, row_hash, open, first_run, last_run FROM \(database.table(base))
            WHERE \(SQLText.match(columns)) AND state IN (\(gone))
            """, own.values)
        guard let row = rows.first, let blob = row[0].bytes, let entries = BaseCoding.decode(blob, slotCount: 0),
            let state = row[1].number.flatMap({ BaseState(rawValue: Int($0)) })
        else { return }
        let keyParts = Set(try registry.slots(of: name).filter { $0.keyPosition != nil || $0.wasKey }.map(\.number))
        let flags = BaseFlags(row[3].number ?? 0)
        let before = BaseImage(
            rowHash: UInt64(bitPattern: row[2].number ?? 0), state: state, isOpen: flags.isOpen,
            firstRun: row[4].number, lastRun: row[5].number, slots: entries, missedScans: flags.missedScans)
        var after = before
        after.rowHash = BaseImage.voidHash
        after.slots = entries.indices.map { keyParts.contains($0) ? entries[$0] : .none }
        if after.slots == before.slots { return }
        _ = try database.run(
            """
            UPDATE \(database.table(base)) SET fields = ?\(columns.count + 1), row_hash = ?\(columns.count + 2)
            WHERE \(SQLText.match(columns))
            """, own.values + [.blob(BaseCoding.encode(after.slots)), .integer(0)])
        if recorder.isRecording {
            try recorder.record(
                [
                    RecordNote(
                        key: own, action: .base, kind: nil, before: before, after: after, row: nil, columns: [])
                ], schema)
        }
    }
}

internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// Rows that runs made for records that are referred to: they have no base that tells of them.
struct StubHistory {
    let connection: Connection

    /// Writes down that a row was made, as the table has it.
    func note(
        _ key: RecordKey, _ reference: EntityRegistry.Reference, _ recorder: ChangeRecorder
    ) throws(SQLiteError) {
        let columns = zip(reference.targetColumns, key.values).map { RowImage.Column(name: $0, value: $1) }
        guard let row = try row(of: reference.target, columns) else { return }
        try recorder.note(stub: row, of: reference)
    }

    /// Deletes the rows that a run made, as far as they are as it made them and nothing leads to them.
    ///
    /// - Returns: How many there were.
    func takeBack(run: Int64) throws(SQLiteError) -> Int {
        guard try StoreFormat.hasHistory(connection) else { return 0 }
        let notes = try connection.rows(
            "SELECT field, new, row FROM _sluice_changes WHERE run = ?1 AND kind = 'stub' ORDER BY id",
            [.integer(run)])
        let references = try EntityRegistry(connection: connection).references()
        var count = 0
        for note in notes {
            guard case .blob(let bytes) = note[2], let made = RowImage(encoded: bytes) else { continue }
            let table = EntityRegistry.text(note[0])
            let names = EntityRegistry.text(note[1]).split(separator: "\n").map(String.init)
            let key = names.compactMap { name in made[name].map { RowImage.Column(name: name, value: $0) } }
            guard key.count == names.count, try row(of: table, key) == made else { continue }
            if try isListed(key, in: table) { continue }
            if try isLed(to: key, by: references.filter { $0.target.lowercased() == table.lowercased() }) { continue }
            try connection.run(
                "DELETE FROM \(SQLName.quoted(table)) WHERE \(Self.condition(key.map(\.name)))",
                key.map(\.value.sqliteValue))
            count += connection.changes
        }
        return count
    }

    /// Whether a source has a record with a key.
    private func isListed(_ key: [RowImage.Column], in table: String) throws(SQLiteError) -> Bool {
        for base in try Dangling.Base.all(of: table, key: key.map(\.name), connection) {
            let rows = try connection.rows(
                "SELECT 1 FROM \(SQLName.quoted(base.table)) WHERE \(Self.condition(base.columns)) AND state IN (\(Dangling.Base.live))",
                key.map(\.value.sqliteValue))
            if !rows.isEmpty { return true }
        }
        return false
    }

    /// Whether any reference leads to a row.
    private func isLed(
        to key: [RowImage.Column], by references: [EntityRegistry.Reference]
    ) throws(SQLiteError) -> Bool {
        for reference in references {
            let columns = reference.link?.targetColumns ?? reference.columns
            let values = reference.targetColumns.compactMap { name in
                key.first { $0.name.lowercased() == name.lowercased() }?.value.sqliteValue
            }
            if values.count != columns.count { continue }
            let table = SQLName.quoted(reference.link?.table ?? reference.table)
            let rows = try connection.rows("SELECT 1 FROM \(table) WHERE \(Self.condition(columns)) LIMIT 1", values)
            if !rows.isEmpty { return true }
        }
        return false
    }

    /// The whole row with a key; nil where there is none.
    private func row(of table: String, _ key: [RowImage.Column]) throws(SQLiteError) -> RowImage? {
        let columns = try EntityRegistry(connection: connection).columns(of: table)
        guard key.allSatisfy({ columns.contains($0.name.lowercased()) }) else { return nil }
        let rows = try connection.rows(
            "SELECT \(SQLName.list(columns)) FROM \(SQLName.quoted(table)) WHERE \(Self.condition(key.map(\.name)))",
            key.map(\.value.sqliteValue))
        return rows.first.map { row in
            RowImage(zip(columns, row).map { RowImage.Column(name: $0, value: FieldValue($1)) })
        }
    }

    private static func condition(_ columns: [String]) -> String {
        columns.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + 1)" }.joined(separator: " AND ")
    }
}

internal import SluiceModel

/// Rows that runs made for records that are referred to: they have no base that tells of them.
package struct StubHistory {
    private let database: any SQLDatabase

    /// Looks into a store.
    package init(database: any SQLDatabase) { self.database = database }

    /// Writes down that a row was made, as the table has it.
    func note(
        _ key: RecordKey, _ reference: EntityRegistry.Reference, _ recorder: any ChangeNoting
    ) throws {
        let columns = zip(reference.targetColumns, key.values).map { RowImage.Column(name: $0, value: $1) }
        guard let row = try row(of: reference.target, columns) else { return }
        try recorder.note(stub: row, of: reference)
    }

    /// The rows of a table that runs made and that have nothing but their key still.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - key: The columns of its key.
    /// - Returns: Each row as it was made.
    /// - Throws: What the database throws.
    func rows(of table: String, bareBesides key: [String]) throws -> [RowImage] {
        guard try database.hasHistory() else { return [] }
        let notes = try database.rows(
            "SELECT field, row FROM \(database.ledger("changes")) WHERE kind = 'stub' ORDER BY id")
        return try notes.compactMap { note in
            guard let name = note[0].string, ColumnName.areSame(name, table),
                let made = note[1].bytes.flatMap({ RowImage(encoded: $0) })
            else { return nil }
            let known = key.compactMap { name in made[name].map { RowImage.Column(name: name, value: $0) } }
            guard known.count == key.count, let row = try row(of: table, known) else { return nil }
            let isBare = row.columns.allSatisfy { column in
                column.value.isNull || key.contains { ColumnName.areSame($0, column.name) }
            }
            return isBare ? row : nil
        }
    }

    /// Deletes the rows that a run made, as far as they are as it made them and nothing leads to them.
    ///
    /// - Returns: How many there were.
    package func takeBack(run: Int64) throws -> Int {
        guard try database.hasHistory() else { return 0 }
        let notes = try database.rows(
            "SELECT field, new, row FROM \(database.ledger("changes")) WHERE run = ?1 AND kind = 'stub' ORDER BY id",
            [.integer(run)])
        let references = try EntityRegistry(database: database).references()
        var count = 0
        for note in notes {
            guard let bytes = note[2].bytes, let made = RowImage(encoded: bytes) else { continue }
            let table = note[0].string ?? ""
            let names = (database.unpacked(note[1]).string ?? "").split(separator: "\n").map(String.init)
            let key = names.compactMap { name in made[name].map { RowImage.Column(name: name, value: $0) } }
            guard key.count == names.count, try row(of: table, key) == made else { continue }
            if try isListed(key, in: table) { continue }
            if try isLed(to: key, by: references.filter { $0.target.lowercased() == table.lowercased() }) { continue }
            count += try database.run(
                "DELETE FROM \(database.table(table)) WHERE \(SQLText.match(key.map(\.name)))", key.map(\.value))
        }
        return count
    }

    /// Whether a source has a record with a key.
    private func isListed(_ key: [RowImage.Column], in table: String) throws -> Bool {
        for base in try Dangling.Base.all(of: table, key: key.map(\.name), database) {
            // The row may have been made by more than identifies it now.
            let values = base.parts.map { key[$0].value }
            let isListed = try database.hasRow(
                "SELECT 1 FROM \(database.table(base.table)) WHERE \(SQLText.match(base.columns)) AND state IN (\(Dangling.Base.live))",
                values)
            if isListed { return true }
        }
        return false
    }

    /// Whether any reference leads to a row.
    private func isLed(
        to key: [RowImage.Column], by references: [EntityRegistry.Reference]
    ) throws -> Bool {
        for reference in references {
            let columns = reference.link?.targetColumns ?? reference.columns
            let values = reference.targetColumns.compactMap { name in
                key.first { $0.name.lowercased() == name.lowercased() }?.value
            }
            if values.count != columns.count { continue }
            let table = database.table(reference.link?.table ?? reference.table)
            if try database.hasRow("SELECT 1 FROM \(table) WHERE \(SQLText.match(columns)) LIMIT 1", values) {
                return true
            }
        }
        return false
    }

    /// The whole row with a key; nil where there is none.
    func row(of table: String, _ key: [RowImage.Column]) throws -> RowImage? {
        let columns = try database.columns(of: table).filter { !$0.isGenerated }.map(\.name)
        guard key.allSatisfy({ part in columns.contains { ColumnName.areSame($0, part.name) } }) else { return nil }
        let rows = try database.rows(
            "SELECT \(SQLText.list(columns)) FROM \(database.table(table)) WHERE \(SQLText.match(key.map(\.name)))",
            key.map(\.value))
        return rows.first.map { row in
            RowImage(zip(columns, row).map { RowImage.Column(name: $0, value: $1) })
        }
    }
}

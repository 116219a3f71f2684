internal import SluiceModel
internal import SluiceStore

/// Rows that runs made for records that are referred to: they have no base that tells of them.
package struct StubHistory {
    private let database: any SQLDatabase

    /// Looks into a store.
    package init(database: any SQLDatabase) { self.database = database }

    /// Writes down that a row was made, as the table has it.
    func record(
        _ key: RecordKey, _ reference: EntityRegistry.Reference, _ recorder: any ChangeNoting
    ) throws {
        let columns = zip(reference.targetColumns, key.values).map { RowImage.Column(name: $0, value: $1) }
        guard let row = try row(of: reference.target, columns) else { return }
        try recorder.record(stub: row, of: reference)
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

    /// A record as a source of its table has it: a schema of its key alone, and the key; nil where the source identifies it by other
    /// columns.
    func record(
        _ key: [RowImage.Column], in table: String, of source: RecordMapping
    ) throws -> (schema: RecordSchema, key: RecordKey)? {
        let slots = try EntityRegistry(database: database).keySlots(of: EntityRegistry.name(source))
        // The key may be in another order in the target's own eyes.
        let values = slots.map { slot in key.first { ColumnName.areSame($0.name, slot.column) }?.value }
        guard !slots.isEmpty, !values.contains(nil) else { return nil }
        let schema = RecordSchema(
            pipeline: source.pipeline, stream: source.stream, entity: source.entity, table: table,
            fields: slots.map(\.schemaField), keyFields: Array(slots.indices))
        return (schema, RecordKey(values.compactMap { $0 }))
    }

    /// Whether people deleted the row that a run made for a record: it is not there, and what is known last of the record is that
    /// it was made.
    ///
    /// - Parameters:
    ///   - key: The columns of its key.
    ///   - table: Its table, which has no such row.
    ///   - sources: What fills the table.
    ///   - run: The run that writes; nil in a plan, whose bases name none and whose history tells nothing.
    /// - Returns: Whether they did.
    /// - Throws: What the database throws.
    func wasDeletedByHand(
        _ key: [RowImage.Column], in table: String, _ sources: [RecordMapping], until run: Int64?
    ) throws -> Bool {
        guard try database.hasHistory() else { return false }
        // Its source took it away just now.
        let isNow = run.map { "last_run = \($0)" } ?? "last_run IS NULL"
        if try hasBase(key, in: table, where: "state NOT IN (\(Dangling.Base.live)) AND \(isNow)") { return false }
        var last: (id: Int64, isStub: Bool) = (0, false)
        for source in sources {
            guard let name = try name(of: key, in: table, source) else { continue }
            let rows = try database.rows(
                """
                SELECT c.id, CASE WHEN \(Self.isStub) THEN 1 ELSE 0 END \(Self.changes(database))
                AND c.key = ?4 AND \(Self.tellsOfRow("c")) ORDER BY c.id DESC LIMIT 1
                """,
                [FieldValue(source.entity), FieldValue(source.stream), FieldValue(source.pipeline), FieldValue(name)])
            if let row = rows.first, let id = row[0].number, id > last.id { last = (id, row[1].number == 1) }
        }
        return last.isStub
    }

    /// The changes `c` of records, with their runs `r`, of which the present one has no row yet: of the entity ?1, the stream ?2 and the
    /// pipeline ?3.
    private static func changes(_ database: any SQLDatabase) -> String {
        """
        FROM \(database.ledger("changes")) AS c LEFT JOIN \(database.ledger("runs")) AS r ON r.id = c.run
        WHERE c.kind = 'record' AND c.entity = ?1 AND c.stream = ?2 AND c.pipeline = ?3
        """
    }

    /// Whether a run made a row for a record that others refer to, and was not undone.
    private static let isStub =
        "c.action = \(SQLText.literal(RecordedChange.Action.insert.rawValue)) AND c.class IS NULL AND c.new IS NULL AND r.undone_by IS NULL"

    /// Whether a change tells whose row it is. One that was filled is the same row.
    private static func tellsOfRow(_ change: String) -> String {
        let links = [RecordedChange.linkKind, RecordedChange.unlinkKind].map { SQLText.literal($0) }
        return """
            \(change).action <> \(SQLText.literal(RecordedChange.Action.update.rawValue))
            AND coalesce(\(change).class, '') NOT IN (\(links.joined(separator: ", ")))
            """
    }

    /// The records of which what runs did last is to make their rows for others, each with its run; of the entity ?1, the stream ?2
    /// and the pipeline ?3.
    static func made(_ database: any SQLDatabase) -> String {
        """
        SELECT c.key, c.run \(changes(database)) AND \(isStub)
        AND NOT EXISTS (SELECT 1 FROM \(database.ledger("changes")) AS n WHERE n.kind = 'record' AND n.key = c.key
        AND n.entity = c.entity AND n.stream = c.stream AND n.pipeline = c.pipeline AND n.id > c.id AND \(tellsOfRow("n")))
        ORDER BY c.id
        """
    }

    private func name(of key: [RowImage.Column], in table: String, _ source: RecordMapping) throws -> String? {
        try record(key, in: table, of: source).map { FieldJSON.object(key: $0.key, schema: $0.schema) }
    }

    /// Deletes the rows that a run made, as far as they are as it made them and nothing leads to them.
    ///
    /// - Returns: How many there were.
    package func revert(run: Int64) throws -> Int {
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
            try forget(key, in: table, madeBy: run)
        }
        return count
    }

    /// Forgets that a run made a row which it took back: nobody deleted it.
    private func forget(_ key: [RowImage.Column], in table: String, madeBy run: Int64) throws {
        for source in try EntityRegistry(database: database).sources(of: table) {
            guard let name = try name(of: key, in: table, source) else { continue }
            _ = try database.run(
                """
                DELETE FROM \(database.ledger("changes")) WHERE kind = 'record' AND key = ?1 AND entity = ?2 AND stream = ?3
                AND pipeline = ?4 AND run = ?5 AND action = ?6 AND new IS NULL
                """,
                [
                    FieldValue(name), FieldValue(source.entity), FieldValue(source.stream), FieldValue(source.pipeline),
                    .integer(run), FieldValue(RecordedChange.Action.insert.rawValue),
                ])
        }
    }

    /// Whether a source has a record with a key.
    private func isListed(_ key: [RowImage.Column], in table: String) throws -> Bool {
        try hasBase(key, in: table, where: "state IN (\(Dangling.Base.live))")
    }

    /// Whether a base of a table has a record with a key of which a condition holds.
    private func hasBase(_ key: [RowImage.Column], in table: String, where condition: String) throws -> Bool {
        for base in try Dangling.Base.all(of: table, key: key.map(\.name), database) {
            // The row may have been made by more than identifies it now.
            let values = base.parts.map { key[$0].value }
            let isMet = try database.hasRow(
                "SELECT 1 FROM \(database.table(base.table)) WHERE \(SQLText.match(base.columns)) AND \(condition)",
                values)
            if isMet { return true }
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

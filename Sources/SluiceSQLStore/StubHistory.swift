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
        try recorder.record(stubs: [row], of: reference, .insert)
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
            "SELECT field, row FROM \(database.ledger("changes")) WHERE kind = 'stub' AND action = 'insert' ORDER BY id"
        )
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

    /// How many records one statement asks for.
    static let pace = 100

    /// What the history tells last of the row of a record.
    private struct Told {
        let id: Int64
        let run: Int64
        /// Whether that is that the run made it for others.
        let isStub: Bool
    }

    /// The records whose rows runs made and people deleted: they are not there, and what is known last of each is that it was made.
    ///
    /// - Parameters:
    ///   - keys: The keys of records, of which the table has no row.
    ///   - columns: Their columns.
    ///   - table: The table.
    ///   - sources: What fills the table.
    ///   - run: The run that writes; nil in a plan, whose bases name none and whose history tells nothing.
    /// - Returns: Their positions.
    /// - Throws: What the database throws.
    func deletedByHand(
        _ keys: [[FieldValue]], of columns: [String], in table: String, _ sources: [RecordMapping], until run: Int64?
    ) throws -> Set<Int> {
        guard !keys.isEmpty, try database.hasHistory() else { return [] }
        let keys = keys.map { key in zip(columns, key).map { RowImage.Column(name: $0, value: $1) } }
        var last: [Int: Told] = [:]
        for source in sources {
            for (place, told) in try toldLast(of: keys, in: table, source) where told.id > last[place]?.id ?? 0 {
                last[place] = told
            }
        }
        let stubs = last.filter(\.value.isStub)
        return Set(stubs.keys).subtracting(try takenAway(stubs, keys, columns, in: table, until: run))
    }

    /// What the history tells last of the rows of records of one source, by their positions.
    private func toldLast(
        of keys: [[RowImage.Column]], in table: String, _ source: RecordMapping
    ) throws -> [Int: Told] {
        var places: [ExactText: Int] = [:]
        for (place, key) in keys.enumerated() {
            if let name = try name(of: key, in: table, source) { places[ExactText(name)] = place }
        }
        let first = [source.entity, source.stream, source.pipeline].map { FieldValue($0) }
        let rows = try database.rows(ofAny: places.keys.map { FieldValue($0.text) }, after: first) { names in
            """
            SELECT c.key, c.id, c.run, CASE WHEN \(Self.isStub) THEN 1 ELSE 0 END \(Self.changes(database))
            AND c.key IN (\(names)) AND \(Self.tellsOfRow("c", database)) AND \(Self.isLast(database))
            """
        }
        var told: [Int: Told] = [:]
        for row in rows {
            guard let place = row[0].string.flatMap({ places[ExactText($0)] }), let id = row[1].number,
                let run = row[2].number
            else { continue }
            told[place] = Told(id: id, run: run, isStub: row[3].number == 1)
        }
        return told
    }

    /// The records that a source took away since a run made their rows, or takes away now: their bases tell that.
    private func takenAway(
        _ stubs: [Int: Told], _ keys: [[RowImage.Column]], _ columns: [String], in table: String, until run: Int64?
    ) throws -> Set<Int> {
        if stubs.isEmpty { return [] }
        var taken: Set<Int> = []
        let places = stubs.keys.sorted()
        for base in try Dangling.Base.all(of: table, key: columns, database) {
            for start in stride(from: 0, to: places.count, by: Self.pace) {
                var values: [FieldValue] = []
                // The row may have been made by more than identifies it now.
                let queries = places[start...].prefix(Self.pace).map { place in
                    let first = values.count + 1
                    values += base.parts.map { keys[place][$0].value }
                    return """
                        SELECT \(place) AS place, last_run FROM \(database.table(base.table))
                        WHERE \(SQLText.match(base.columns, from: first)) AND state NOT IN (\(Dangling.Base.live))
                        """
                }
                for row in try database.rows(queries.joined(separator: " UNION ALL "), values) {
                    guard let place = row[0].number.map({ Int($0) }), let stub = stubs[place] else { continue }
                    let last = row[1].number
                    if last == run || last ?? 0 > stub.run { taken.insert(place) }
                }
            }
        }
        return taken
    }

    /// The changes `c` of records, with their runs `r`, of which the present one has no row yet: of the entity ?1, the stream ?2 and the
    /// pipeline ?3.
    private static func changes(_ database: any SQLDatabase) -> String {
        """
        FROM \(database.ledger("changes")) AS c LEFT JOIN \(database.ledger("runs")) AS r ON r.id = c.run
        WHERE c.kind = 'record' AND c.entity = ?1 AND c.stream = ?2 AND c.pipeline = ?3
        """
    }

    /// Whether a run made a row for a record that others refer to.
    private static let isMade =
        "c.action = \(SQLText.literal(RecordedChange.Action.insert.rawValue)) AND c.class IS NULL AND c.new IS NULL"
    /// Whether a run made such a row, and was not undone.
    private static let isStub = "\(isMade) AND r.undone_by IS NULL"

    /// Whether nothing later tells of the row of a record.
    private static func isLast(_ database: any SQLDatabase) -> String {
        """
        NOT EXISTS (SELECT 1 FROM \(database.ledger("changes")) AS n WHERE n.kind = 'record' AND n.key = c.key
        AND n.entity = c.entity AND n.stream = c.stream AND n.pipeline = c.pipeline AND n.id > c.id AND \(tellsOfRow("n", database)))
        """
    }

    /// Whether a change `c` is kept however old it is: nothing else tells that a run made the row of a record, so that people deleted
    /// it where it is not there.
    static func outlivesHistory(_ database: any SQLDatabase) -> String {
        "(c.kind = 'record' AND \(isMade) AND \(isLast(database)))"
    }

    /// Whether a change tells whose row it is, as ``RecordStore/changesOfRow(_:key:)`` has it.
    private static func tellsOfRow(_ change: String, _ database: any SQLDatabase) -> String {
        let runs = database.ledger("runs")
        let links = [RecordedChange.linkKind, RecordedChange.unlinkKind].map { SQLText.literal($0) }
        return """
            \(change).action <> \(SQLText.literal(RecordedChange.Action.update.rawValue))
            AND coalesce(\(change).class, '') NOT IN (\(links.joined(separator: ", ")))
            AND NOT EXISTS (SELECT 1 FROM \(runs) AS o LEFT JOIN \(runs) AS u ON u.id = o.undoes
            WHERE o.id = \(change).run AND o.undoes IS NOT NULL AND (o.undone_by IS NOT NULL OR u.undoes IS NOT NULL))
            """
    }

    /// The records of which what runs did last is to make their rows for others, each with its run; of the entity ?1, the stream ?2
    /// and the pipeline ?3.
    static func made(_ database: any SQLDatabase) -> String {
        """
        SELECT c.key, c.run \(changes(database)) AND \(isStub) AND \(isLast(database)) ORDER BY c.id
        """
    }

    /// The name of a record as a source of its table has it; nil where the source identifies it by other columns.
    func name(of key: [RowImage.Column], in table: String, _ source: RecordMapping) throws -> String? {
        try record(key, in: table, of: source).map { FieldJSON.object(key: $0.key, schema: $0.schema) }
    }

    /// Deletes the rows that a run made, as far as they are as it made them and nothing leads to them, and has those stand for records
    /// again of which it forgot that they do.
    ///
    /// - Returns: How many there were.
    package func revert(run: Int64) throws -> Int {
        guard try database.hasHistory() else { return 0 }
        let notes = try database.rows(
            """
            SELECT field, new, row, action FROM \(database.ledger("changes")) WHERE run = ?1 AND kind = 'stub' ORDER BY id
            """, [.integer(run)])
        if notes.isEmpty { return 0 }
        let references = try EntityRegistry(database: database).references()
        var count = 0
        for note in notes {
            guard let bytes = note[2].bytes, let made = RowImage(encoded: bytes) else { continue }
            let table = note[0].string ?? ""
            let names = (database.unpacked(note[1]).string ?? "").split(separator: "\n").map(String.init)
            let key = names.compactMap { name in made[name].map { RowImage.Column(name: name, value: $0) } }
            guard key.count == names.count else { continue }
            if let action = note[3].string, action != RecordedChange.Action.insert.rawValue {
                if try stand(key, in: table, made, references, wasDeleted: action == "delete") { count += 1 }
                continue
            }
            if try row(of: table, key) != made { continue }
            if try isListed(key, in: table) { continue }
            if try isLed(to: key, by: references.filter { $0.target.lowercased() == table.lowercased() }) { continue }
            count += try database.run(
                "DELETE FROM \(database.table(table)) WHERE \(SQLText.match(key.map(\.name)))", key.map(\.value))
            try forget(key, in: table, madeBy: run)
        }
        return count
    }

    /// Has a row stand for a record again. One of a table that no source fills is made again where it was deleted.
    ///
    /// - Returns: Whether it was made.
    private func stand(
        _ key: [RowImage.Column], in table: String, _ made: RowImage, _ references: [EntityRegistry.Reference],
        wasDeleted: Bool
    ) throws -> Bool {
        let isLost = try wasDeleted && row(of: table, key) == nil
        let isMade = try isLost && EntityRegistry(database: database).sources(of: table).isEmpty
        if isMade {
            let columns = made.columns.filter { !$0.value.isNull }
            try database.run(
                """
                INSERT INTO \(database.table(table)) (\(SQLText.list(columns.map(\.name))))
                VALUES (\(SQLText.parameters(columns.count)))
                """, columns.map(\.value))
        }
        let names = key.map(\.name)
        let reference = references.first { reference in
            ColumnName.areSame(reference.target, table)
                && reference.targetColumns.elementsEqual(names, by: ColumnName.areSame)
        }
        if let reference { try StandingStubs(database: database).note([key.map(\.value)], of: reference) }
        return isMade
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
        for base in try Dangling.Base.all(of: table, key: key.map(\.name), database) {
            // The row may have been made by more than identifies it now.
            let values = base.parts.map { key[$0].value }
            let isMet = try database.hasRow(
                """
                SELECT 1 FROM \(database.table(base.table))
                WHERE \(SQLText.match(base.columns)) AND state IN (\(Dangling.Base.live))
                """, values)
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

internal import SluiceModel
internal import SluiceStore

/// Entries of the quarantine that are over, before anything of them comes back: an entry belongs to its row.
extension TypeConversion {
    /// An open entry that keeps a value of a row.
    private struct Waiting {
        let id: Int64
        let key: [FieldValue]
    }

    /// How many rows are looked up at once.
    private static let rowsAtOnce = 100

    /// Closes the entries whose row is gone, so that a row made anew has nothing of it, and those whose column holds a value
    /// since.
    ///
    /// - Parameter schemas: What the pipeline fills.
    /// - Throws: What the database throws.
    func closeEntriesWithoutRows(of schemas: [RecordSchema]) throws {
        for schema in schemas { try closeEntries(of: schema.source) }
    }

    private func closeEntries(of mapping: RecordMapping) throws {
        let open = try openEntries(of: mapping)
        if open.isEmpty { return }
        let name = EntityRegistry.name(mapping)
        guard let tables = try registry.tables(of: name) else { return }
        let columns = try database.columnNames(of: tables.table)
        let slots = try registry.slots(of: name)
        for (field, entries) in open.sorted(by: { $0.key < $1.key }) {
            let slot = slots.first { $0.field == field && !$0.isRetired && columns.contains($0.column.lowercased()) }
            for start in stride(from: 0, to: entries.count, by: Self.rowsAtOnce) {
                let some = Array(entries[start..<min(start + Self.rowsAtOnce, entries.count)])
                let held = try rows(of: some, slot?.column, tables.table, mapping, columns)
                let over = zip(some, held).filter { _, value in value.map { !$0.isNull } ?? true }
                try quarantine.close(over.map(\.0.id), run: recorder.run)
            }
        }
    }

    /// The open entries that keep values of rows, by their fields.
    private func openEntries(of mapping: RecordMapping) throws -> [String: [Waiting]] {
        let names = [mapping.pipeline, mapping.stream, mapping.entity].map { FieldValue($0) }
        let prefix = QuarantineEntry.typeChange
        let rows = try database.rows(
            """
            SELECT id, key, reason FROM \(database.ledger("quarantine"))
            WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND status = 'open' AND key IS NOT NULL
            AND substr(reason, 1, \(prefix.unicodeScalars.count)) = ?4 ORDER BY id
            """, names + [FieldValue(prefix)])
        var open: [String: [Waiting]] = [:]
        for row in rows {
            guard let id = row[0].number, let object = row[1].string,
                let field = row[2].string.flatMap(QuarantineEntry.changedField), let key = try key(object, mapping)
            else { continue }
            open[field, default: []].append(Waiting(id: id, key: key))
        }
        return open
    }

    /// What a column holds in the rows of entries; null where there is no such column, and nil where there is no row.
    private func rows(
        of entries: [Waiting], _ column: String?, _ table: String, _ mapping: RecordMapping, _ columns: [String]
    ) throws -> [FieldValue?] {
        let keys = try registry.keySlots(of: EntityRegistry.name(mapping)).map(\.column)
        let matches = entries.indices.map { "(\(SQLText.match(keys, from: $0 * keys.count + 1)))" }
        let places = matches.enumerated().map { "WHEN \($1) THEN \($0)" }.joined(separator: " ")
        let isThere = DeletionMark(columns: columns) == nil ? "" : " AND \(DeletionMark.isNotSet)"
        let found = try database.rows(
            """
            SELECT CASE \(places) END, \(column.map(SQLText.quoted) ?? "NULL") FROM \(database.table(table))
            WHERE (\(matches.joined(separator: " OR ")))\(isThere)
            """, entries.flatMap(\.key))
        var held = [FieldValue?](repeating: nil, count: entries.count)
        for row in found {
            guard let place = row[0].number, held.indices.contains(Int(place)) else { continue }
            // Several entries may be of one row.
            for other in entries.indices where entries[other].key == entries[Int(place)].key { held[other] = row[1] }
        }
        return held
    }
}

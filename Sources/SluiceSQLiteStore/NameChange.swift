internal import SluiceModel
internal import SluiceSQLite

/// Writes new names into all that the store keeps under old ones.
struct NameChange {
    let connection: Connection

    private var registry: EntityRegistry { EntityRegistry(connection: connection) }

    // MARK: Sources

    /// Has a source go on under another name.
    func rename(_ old: RecordMapping, to new: RecordMapping) throws {
        let (from, to) = (SQLiteValue(EntityRegistry.name(old)), SQLiteValue(EntityRegistry.name(new)))
        try connection.run(
            """
            UPDATE _sluice_schema SET name = ?2 || substr(name, length(?1) + 1)
            WHERE (kind IN ('mapping', 'deletes') AND name = ?1)
            OR (kind IN ('slot', 'reference') AND substr(name, 1, length(?1) + 1) = ?1 || '/')
            """, [from, to])
        let names = [old.pipeline, old.stream, old.entity, new.pipeline, new.stream, new.entity].map { SQLiteValue($0) }
        for ledger in ["_sluice_conflicts", "_sluice_quarantine", "_sluice_changes"] {
            try connection.run(
                """
                UPDATE \(ledger) SET pipeline = ?4, stream = ?5, entity = ?6
                WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3
                """, names)
        }
        if old.path != new.path { try renameStream(old, to: new) }
    }

    private func renameStream(_ old: RecordMapping, to new: RecordMapping) throws {
        let names = [old.pipeline, old.stream, new.pipeline, new.stream].map { SQLiteValue($0) }
        try connection.run(
            "UPDATE _sluice_conflicts SET other_source = ?2 WHERE other_source = ?1",
            [SQLiteValue(old.path), SQLiteValue(new.path)])
        try connection.run(
            "UPDATE OR REPLACE _sluice_state SET pipeline = ?3, stream = ?4 WHERE pipeline = ?1 AND stream = ?2", names)
        try connection.run(
            """
            UPDATE _sluice_changes SET pipeline = ?3, stream = ?4
            WHERE kind = 'state' AND pipeline = ?1 AND stream = ?2
            """, names)
        // A scan that was broken off under the old name begins anew.
        for table in ["_sluice_scans", "_sluice_scan_pages"] {
            try connection.run("DELETE FROM \(table) WHERE pipeline = ?1 AND stream = ?2", Array(names.prefix(2)))
        }
        if old.pipeline == new.pipeline { return }
        let pipelines = [names[0], names[2]]
        try connection.run("UPDATE _sluice_runs SET pipeline = ?2 WHERE pipeline = ?1", pipelines)
        try connection.run(
            "UPDATE OR REPLACE _sluice_state SET pipeline = ?2 WHERE pipeline = ?1 AND stream = ''", pipelines)
    }

    // MARK: Fields

    /// Has a field of a source go on under another name.
    func rename(field old: EntityRegistry.Slot, to new: String, of source: RecordMapping, base: String) throws {
        let mapping = EntityRegistry.name(source)
        for kind in ["slot", "reference"] {
            try connection.run(
                "UPDATE OR REPLACE _sluice_schema SET name = ?3 WHERE kind = ?1 AND name = ?2",
                [SQLiteValue(kind), SQLiteValue("\(mapping)/\(old.field)"), SQLiteValue("\(mapping)/\(new)")])
        }
        let values = [source.pipeline, source.stream, source.entity, old.field, new].map { SQLiteValue($0) }
        let isMeant = "pipeline = ?1 AND stream = ?2 AND entity = ?3"
        try connection.run(
            "UPDATE _sluice_conflicts SET field = ?5 WHERE \(isMeant) AND field = ?4", values)
        try connection.run(
            "UPDATE _sluice_changes SET field = ?5 WHERE \(isMeant) AND kind IN ('field', 'conflict') AND field = ?4",
            values)
        if let table = try registry.tables(of: mapping)?.table {
            try connection.run(
                "UPDATE OR REPLACE _sluice_pending SET field = ?3 WHERE \"table\" = ?1 AND field = ?2",
                [SQLiteValue(table), values[3], values[4]])
        }
        for side in ["base", "local", "remote"] {
            try connection.run(
                "UPDATE _sluice_conflicts SET \(side) = \(Self.renamed(side)) WHERE \(isMeant) AND field IS NULL AND \(Self.has(side))",
                values)
            try connection.run(
                """
                UPDATE _sluice_conflicts SET \(side) = \(Self.renamedElements(side))
                WHERE \(isMeant) AND field IS NULL AND json_valid(\(side)) AND json_type(\(side)) = 'array'
                """, values)
        }
        if old.keyPosition != nil {
            for ledger in ["_sluice_conflicts", "_sluice_quarantine", "_sluice_changes"] {
                try connection.run(
                    "UPDATE \(ledger) SET key = \(Self.renamed("key")) WHERE \(isMeant) AND \(Self.has("key"))", values)
            }
        }
        // The hash of a record is made with the names of its fields.
        try connection.execute("UPDATE \(SQLName.quoted(base)) SET row_hash = ~row_hash, text_hash = NULL")
    }

    /// Whether a JSON object has the old name, ?4.
    private static func has(_ column: String) -> String {
        "json_valid(\(column)) AND json_type(\(column)) = 'object' AND ?4 IN (SELECT key FROM json_each(\(column)))"
    }

    /// A JSON object whose member ?4 is called ?5, in the order as it was; no number is read on the way.
    private static func renamed(_ column: String) -> String {
        """
        (SELECT json_group_object(CASE e.key WHEN ?4 THEN ?5 ELSE e.key END, json(\(column) -> e.fullkey)) \
        FROM json_each(\(column)) AS e)
        """
    }

    /// A JSON array of such objects.
    private static func renamedElements(_ column: String) -> String {
        "(SELECT json_group_array(json(\(renamed("l.value")))) FROM json_each(\(column)) AS l)"
    }

    // MARK: Tables and columns

    /// Notes that a table was renamed.
    func noteTable(_ old: String, is new: String) throws {
        let names = [SQLiteValue(old), SQLiteValue(new)]
        try connection.run(
            """
            UPDATE _sluice_schema SET value = substr(value, 1, instr(value, char(9))) || ?2
            WHERE kind = 'mapping' AND substr(value, instr(value, char(9)) + 1) = ?1 COLLATE NOCASE
            """, names)
        try connection.run(
            """
            UPDATE OR REPLACE _sluice_schema SET name = lower(?2) || substr(name, length(?1) + 1)
            WHERE kind = 'form' AND substr(name, 1, length(?1) + 1) = lower(?1) || '/'
            """, names)
        try connection.run("UPDATE _sluice_pending SET \"table\" = ?2 WHERE \"table\" = ?1", names)
        try registry.rewriteReferences { parts in
            if parts[1].first?.lowercased() == old.lowercased() { parts[1] = [new] }
        }
    }

    /// Notes that a column of a table was renamed, whoever fills it.
    func noteColumn(_ old: String, of table: String, is new: String) throws {
        let folded = old.lowercased()
        func renamed(_ name: String) -> String { name.lowercased() == folded ? new : name }
        try connection.run(
            """
            UPDATE OR REPLACE _sluice_schema SET name = lower(?1) || '/' || lower(?3)
            WHERE kind = 'form' AND name = lower(?1) || '/' || lower(?2)
            """, [SQLiteValue(table), SQLiteValue(old), SQLiteValue(new)])
        let mappings = try registry.mappings(of: table)
        for mapping in mappings {
            for var slot in try registry.slots(of: mapping) where slot.column.lowercased() == folded {
                slot.column = new
                try registry.note(slot, of: mapping)
                guard slot.keyPosition != nil, let base = try registry.tables(of: mapping)?.base else { continue }
                let (from, to) = (TableLayout.baseColumn(for: old), TableLayout.baseColumn(for: new))
                try connection.execute(
                    "ALTER TABLE \(SQLName.quoted(base)) RENAME COLUMN \(SQLName.quoted(from)) TO \(SQLName.quoted(to))"
                )
            }
            try renameInHistory(mapping, renamed)
        }
        try registry.rewriteReferences { parts in
            if parts[1].first?.lowercased() == table.lowercased() { parts[2] = parts[2].map(renamed) }
        }
        for mapping in mappings { try registry.rewriteReferences(of: mapping) { $0[3] = $0[3].map(renamed) } }
    }

    /// Rows that undo puts back know their columns by name.
    private func renameInHistory(_ mapping: String, _ renamed: (String) -> String) throws {
        guard let source = EntityRegistry.mapping(mapping) else { return }
        let rows = try connection.prepare(
            """
            SELECT id, row FROM _sluice_changes
            WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND row IS NOT NULL AND id > ?4 ORDER BY id LIMIT 500
            """)
        var last: Int64 = 0
        while true {
            for (index, name) in [source.pipeline, source.stream, source.entity].enumerated() {
                rows.bind(name, at: index + 1)
            }
            rows.bind(last, at: 4)
            var found: [(id: Int64, row: SQLiteValue)] = []
            while try rows.step() { found.append((rows.integer(0), rows.value(1))) }
            rows.reset()
            for case (let id, .blob(let bytes)) in found {
                guard var image = RowImage(encoded: bytes) else { continue }
                for index in image.columns.indices { image.columns[index].name = renamed(image.columns[index].name) }
                try connection.run(
                    "UPDATE _sluice_changes SET row = ?2 WHERE id = ?1", [.integer(id), .blob(image.encoded)])
            }
            guard let next = found.last?.id else { return }
            last = next
        }
    }
}

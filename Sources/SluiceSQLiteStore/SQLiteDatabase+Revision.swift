internal import SluiceModel
package import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// Tables that are made anew, since SQLite changes no key in place. See: sqlite.org/lang_altertable.html#otheralter
extension SQLiteDatabase {
    package func referrers(to table: String) throws -> [(table: String, key: SQLForeignKey)] {
        let tables = try rows(
            """
            SELECT DISTINCT t.name FROM pragma_table_list AS t, pragma_foreign_key_list(t.name) AS k
            WHERE t.schema = 'main' AND t.type = 'table' AND k."table" = ?1 COLLATE NOCASE ORDER BY t.name
            """, [FieldValue(table)]
        ).compactMap { $0[0].string }
        return try tables.flatMap { name in
            try foreignKeys(of: name).filter { ColumnName.areSame($0.target, table) }.map { (table: name, key: $0) }
        }
    }

    // What a trigger says is not read: one that deletes on another occasion counts as well.
    package func hasDeleteTriggers(_ table: String) throws -> Bool {
        try hasRow(
            """
            SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = \(SQLText.literal(table)) COLLATE NOCASE
            AND sql LIKE '%delete%' LIMIT 1
            """)
    }

    package func pauseTriggers(of table: String) throws -> [String] {
        let triggers = try rows(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE ORDER BY rowid",
            [FieldValue(table)])
        for trigger in triggers { try execute("DROP TRIGGER \(SQLText.quoted(trigger[0].string ?? ""))") }
        return triggers.map { $0[1].string ?? "" }
    }

    package func settleReferences() throws {}

    package func dropIndex(_ name: String, of table: String) throws {
        try execute("DROP INDEX \(SQLText.quoted(name))")
    }

    package func revise(_ revisions: [(table: String, revision: TableRevision)]) throws -> [String] {
        let definitions = try revisions.map { table, _ in try definition(of: table) }
        var looked = Set(revisions.map { $0.table.lowercased() })
        for (table, _) in revisions { looked.formUnion(try referrers(to: table).map { $0.table.lowercased() }) }
        let broken = try brokenReferences(of: looked)
        var left: [String] = []
        // Views and triggers of other tables may name these.
        var objects: [String] = []
        for (table, revision) in revisions {
            for name in revision.obsolete { try execute("DROP INDEX \(SQLText.quoted(name))") }
            // SQLite would take the name of a column that is gone for a text.
            for index in try indexes(of: table)
            where !index.isOfConstraint && index.columns.contains(where: { !$0.isEmpty && !revision.has($0) }) {
                left.append(try statement(ofIndex: index.name))
                try execute("DROP INDEX \(SQLText.quoted(index.name))")
            }
            objects += try detach("", of: table).map(\.statement)
        }
        let reason = try failure {
            try connection.withoutForeignKeys {
                for ((table, revision), definition) in zip(revisions, definitions) {
                    try revise(table, revision, definition)
                }
            }
            for object in objects where try !restore(object) { left.append(object) }
        }
        let names = revisions.map { "`\($0.table)`" }.joined(separator: ", ")
        if let reason {
            throw StoreError(
                .mismatch,
                "\(names) cannot be made anew: \(reason). Remove what stands against it, or put the pipeline back."
            )
        }
        if try brokenReferences(of: looked) > broken {
            throw StoreError(
                .mismatch,
                "If \(names) were made anew, rows would refer to rows that are not there.")
        }
        return left
    }

    private func statement(ofIndex name: String) throws -> String {
        try rows("SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?1", [FieldValue(name)])
            .first?.first?.string ?? name
    }

    private func definition(of table: String) throws -> TableDefinition {
        let sql = try rows(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE", [FieldValue(table)]
        ).first?.first?.string
        if let definition = sql.flatMap({ TableDefinition($0) }) { return definition }
        throw StoreError(
            .mismatch,
            "The table `\(table)` cannot be made anew: the statement that made it cannot be read.")
    }

    private func revise(_ table: String, _ revision: TableRevision, _ definition: TableDefinition) throws {
        try monitor.begin(.rebuild, of: table)
        let interim = "_sluice_new_\(table)"
        let stored = try columns(of: table).filter { !$0.isGenerated }.map(\.name)
        let kept = stored.compactMap { old in revision.name(of: old).map { (old: old, new: $0) } }
        try execute(definition.statement(revision, as: interim))
        try execute(
            "INSERT INTO \(SQLText.quoted(interim)) (\(SQLText.list(kept.map(\.new)))) SELECT \(SQLText.list(kept.map(\.old))) FROM \(SQLText.quoted(table))"
        )
        try execute("DROP TABLE \(SQLText.quoted(table))")
        try execute("ALTER TABLE \(SQLText.quoted(interim)) RENAME TO \(SQLText.quoted(table))")
        for (name, columns) in revision.unique {
            try execute(
                "CREATE UNIQUE INDEX \(SQLText.quoted(name)) ON \(SQLText.quoted(table)) (\(SQLText.list(columns)))")
        }
    }

    package func restore(_ sql: String) throws -> Bool {
        let before = try lastObject()
        if try failure({ try execute(sql) }) != nil { return false }
        guard let made = try lastObject(), made != before else { return true }
        // A view and a trigger say only when they are used that something is missing.
        let probes: [String]
        switch made[0].string {
        case "view": probes = ["SELECT * FROM \(SQLText.quoted(made[1].string ?? "")) LIMIT 0"]
        case "trigger":
            let name = SQLText.quoted(made[2].string ?? "")
            let column = try columns(of: made[2].string ?? "").first { !$0.isGenerated }.map { SQLText.quoted($0.name) }
            probes =
                ["EXPLAIN DELETE FROM \(name)", "EXPLAIN INSERT INTO \(name) DEFAULT VALUES"]
                + (column.map { ["EXPLAIN UPDATE \(name) SET \($0) = \($0)"] } ?? [])
        default: probes = []
        }
        for probe in probes {
            guard let reason = try failure({ _ = try connection.rows(probe) }) else { continue }
            guard reason.contains("no such column") || reason.contains("has no column") else { continue }
            try execute("DROP \(made[0].string ?? "") \(SQLText.quoted(made[1].string ?? ""))")
            return false
        }
        return true
    }

    private func lastObject() throws -> [FieldValue]? {
        try rows("SELECT type, name, tbl_name FROM sqlite_schema ORDER BY rowid DESC LIMIT 1").first
    }

    /// How many rows of some tables refer to rows that are not there.
    private func brokenReferences(of tables: Set<String>) throws -> Int64 {
        var count: Int64 = 0
        for table in tables {
            // A table may refer to what cannot be referred to.
            _ = try failure {
                count += try integer("SELECT count(*) FROM pragma_foreign_key_check(?1)", [FieldValue(table)]) ?? 0
            }
        }
        return count
    }
}

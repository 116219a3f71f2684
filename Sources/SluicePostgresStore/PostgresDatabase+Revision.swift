internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// Tables that get other keys: constraints go, and come again.
extension PostgresDatabase {
    func referrers(to table: String) throws -> [(table: String, key: SQLForeignKey)] {
        let tables = try catalogRows(
            """
            SELECT DISTINCT c.relname::text FROM pg_catalog.pg_constraint AS k
            JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_class AS f ON f.oid = k.confrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = f.relnamespace AND n.oid = c.relnamespace
            WHERE k.contype = 'f' AND n.nspname = $1 AND f.relname = $2 ORDER BY 1
            """, [PostgresValue(session.schema), PostgresValue(table)]
        ).compactMap { $0[0].string }
        return try tables.flatMap { name in
            try foreignKeys(of: name).filter { $0.target == table }.map { (table: name, key: $0) }
        }
    }

    // See: pg_trigger.h, TRIGGER_TYPE_DELETE
    func hasDeleteTriggers(_ table: String) throws -> Bool {
        try !catalogRows(
            """
            SELECT 1 FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND NOT t.tgisinternal AND t.tgenabled <> 'D' AND t.tgtype & 8 <> 0
            LIMIT 1
            """, [PostgresValue(session.schema), PostgresValue(table)]
        ).isEmpty
    }

    func pauseTriggers(of table: String) throws -> [String] {
        let triggers = try catalogRows(
            """
            SELECT t.tgname::text, CASE t.tgenabled WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA'
                ELSE 'ENABLE' END
            FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND NOT t.tgisinternal AND t.tgenabled <> 'D' ORDER BY 1
            """, [PostgresValue(session.schema), PostgresValue(table)]
        ).map { (name: SQLText.quoted($0[0].string ?? ""), enable: $0[1].string ?? "") }
        let owner = self.table(table)
        if !triggers.isEmpty { try settleReferences() }
        for trigger in triggers { try execute("ALTER TABLE \(owner) DISABLE TRIGGER \(trigger.name)") }
        return triggers.map { "ALTER TABLE \(owner) \($0.enable) TRIGGER \($0.name)" }
    }

    /// A foreign key rests on the first index that fits when it is made, be it that of the primary key or not.
    // The server compares the values of all types.
    func spellKeys(of schema: RecordSchema) -> SchemaChange? { nil }

    func dropIndex(_ name: String, of table: String) throws {
        let drop = "DROP INDEX \(self.table(name))"
        let keys = try catalogRows(
            """
            SELECT m.nspname::text, c.relname::text, k.conname::text, pg_catalog.pg_get_constraintdef(k.oid)
            FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_namespace AS m ON m.oid = c.relnamespace
            JOIN pg_catalog.pg_class AS x ON x.oid = k.conindid JOIN pg_catalog.pg_namespace AS n ON n.oid = x.relnamespace
            WHERE k.contype = 'f' AND k.conparentid = 0 AND n.nspname = $1 AND x.relname = $2 ORDER BY 1, 2, 3
            """, [PostgresValue(session.schema), PostgresValue(name)]
        ).map { row in row.map { $0.string ?? "" } }
        if keys.isEmpty { return try execute(drop) }
        let reason = try failure {
            try settleReferences()
            let owners = keys.map { PostgresName.quoted($0[1], in: $0[0]) }
            for (owner, key) in zip(owners, keys) {
                try execute("ALTER TABLE \(owner) DROP CONSTRAINT \(SQLText.quoted(key[2]))")
            }
            try execute(drop)
            for (owner, key) in zip(owners, keys) {
                try execute("ALTER TABLE \(owner) ADD CONSTRAINT \(SQLText.quoted(key[2])) \(key[3])")
            }
        }
        guard let reason else { return }
        let holders = keys.map { "`\($0[2])` of `\($0[1])`" }.joined(separator: ", ")
        throw StoreError(
            .mismatch,
            "The unique index `\(name)` of `\(table)` cannot go, since foreign keys rest on it (\(holders)): \(reason). Keep its group in `unique`, or remove these foreign keys."
        )
    }

    func restore(_ object: String) throws -> Bool { try failure { try execute(object) } == nil }

    func revise(_ revisions: [(table: String, revision: TableRevision)]) throws -> [String] {
        let names = revisions.map { "`\($0.table)`" }.joined(separator: ", ")
        var left: [String] = []
        let reason = try failure {
            // What was written in this transaction is checked now: a table with checks to come cannot change.
            try settleReferences()
            var later: [String] = []
            for (table, _) in revisions { later += try dropReferences(of: table, revisions) }
            for (table, revision) in revisions { left += try revise(table, revision) }
            for statement in later { try execute(statement) }
            for (table, revision) in revisions {
                for definition in revision.foreignKeys {
                    try execute("ALTER TABLE \(self.table(table)) ADD \(definition)")
                }
            }
        }
        guard let reason else { return left }
        throw StoreError(
            .mismatch,
            "\(names) cannot follow the change of an identifier: \(reason). Remove what stands against it, or put the pipeline back."
        )
    }

    /// Drops the foreign keys that lead to a table whose key changes, or from columns that go.
    ///
    /// - Returns: The statements that make those again that stay.
    private func dropReferences(
        of table: String, _ revisions: [(table: String, revision: TableRevision)]
    ) throws -> [String] {
        let rows = try catalogRows(
            """
            SELECT c.relname::text, k.conname::text, pg_catalog.pg_get_constraintdef(k.oid), f.relname::text,
                (SELECT string_agg(a.attname::text, E'\\n') FROM pg_catalog.pg_attribute AS a
                    WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey))
            FROM pg_catalog.pg_constraint AS k
            JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid JOIN pg_catalog.pg_class AS f ON f.oid = k.confrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE k.contype = 'f' AND n.nspname = $1 AND (f.relname = $2 OR c.relname = $2) ORDER BY 1, 2
            """, [PostgresValue(session.schema), PostgresValue(table)])
        var statements: [String] = []
        for row in rows {
            let (owner, name) = (row[0].string ?? "", SQLText.quoted(row[1].string ?? ""))
            let columns = (row[4].string ?? "").split(separator: "\n").map(String.init)
            let goes = revisions.first { $0.table == owner }?.revision.releases(columns) ?? false
            if !goes && row[3].string != table { continue }
            try execute("ALTER TABLE \(self.table(owner)) DROP CONSTRAINT \(name)")
            if goes { continue }
            statements.append("ALTER TABLE \(self.table(owner)) ADD CONSTRAINT \(name) \(row[2].string ?? "")")
        }
        return statements
    }

    private func revise(_ table: String, _ revision: TableRevision) throws -> [String] {
        try monitor.begin(.rebuild, of: table)
        let owner = self.table(table)
        var left: [String] = []
        if revision.key != nil {
            let key = try catalogRows(
                """
                SELECT k.conname::text FROM pg_catalog.pg_constraint AS k
                JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE k.contype = 'p' AND n.nspname = $1 AND c.relname = $2
                """, [PostgresValue(session.schema), PostgresValue(table)]
            ).first?.first?.string
            let before = try tableColumns(table).filter { $0.column.keyPosition > 0 }.map(\.column.name)
            if let key { try execute("ALTER TABLE \(owner) DROP CONSTRAINT \(SQLText.quoted(key))") }
            for column in before {
                try execute("ALTER TABLE \(owner) ALTER COLUMN \(SQLText.quoted(column)) DROP NOT NULL")
            }
        }
        for name in revision.obsolete {
            try execute("ALTER TABLE \(owner) DROP CONSTRAINT IF EXISTS \(SQLText.quoted(name))")
            try execute("DROP INDEX IF EXISTS \(self.table(name))")
        }
        // What belongs to a column that goes would go with it without a word.
        let belongings = ColumnBelongings(self, of: table)
        let words = PartWords(self, of: table)
        let gone = try belongings.objects(of: revision.dropped).map(words.original)
        let traits = try belongings.traits(of: revision.dropped).map(words.original)
        for column in revision.dropped.sorted() {
            try execute("ALTER TABLE \(owner) DROP COLUMN \(SQLText.quoted(column))")
        }
        for (old, new) in revision.renamed.sorted(by: { $0.key < $1.key }) {
            try execute("ALTER TABLE \(owner) RENAME COLUMN \(SQLText.quoted(old)) TO \(SQLText.quoted(new))")
        }
        if !gone.isEmpty || !traits.isEmpty {
            // Another column may have taken the place of one that went.
            let names = Set(try tableColumns(table).map(\.column.name))
            for part in traits where names.isSuperset(of: part.columns) { try execute(part.statement) }
            for part in gone {
                if names.isSuperset(of: part.columns) {
                    try execute(part.statement)
                } else {
                    left.append(part.statement)
                }
            }
            try remember((traits + gone).filter { names.isSuperset(of: $0.columns) }, of: table)
        }
        if let key = revision.key { try execute("ALTER TABLE \(owner) ADD PRIMARY KEY (\(SQLText.list(key)))") }
        for (name, columns) in revision.unique {
            try execute("ALTER TABLE \(owner) ADD CONSTRAINT \(SQLText.quoted(name)) UNIQUE (\(SQLText.list(columns)))")
        }
        return left
    }
}

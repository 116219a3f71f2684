internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// What the server says of the tables that are there.
extension PostgresDatabase {
    func hasTables() throws -> Bool { try told { try session.isUsed() } }

    func hasHistory() throws -> Bool { try hasTables() }

    func isCurrent() throws -> Bool { try hasTables() }

    var ownUniqueIndexes: [(ledger: String, sql: String)] {
        [("conflicts", PostgresStoreFormat.conflictsOpen(session))]
    }

    func object(_ name: String) throws -> SQLObject? {
        let kind = try catalogRows(
            """
            SELECT c.relkind::text FROM pg_catalog.pg_class AS c WHERE c.oid = \(Self.relation())
            """, [PostgresValue(session.schema), PostgresValue(name)]
        ).first?.first?.string
        switch kind {
        case nil: return nil
        case "r", "p": return .table
        case "v", "m": return .view
        default: return .other
        }
    }

    /// The number of the relation in the schema `$1` with the name `$2`, as a part of a query.
    ///
    /// The server plans what is asked for one number in a fraction of the time that joins with names take, and a run asks
    /// dozens of such questions.
    ///
    /// - Parameter kinds: The kinds that count, as `pg_class.relkind` has them; nil for any.
    /// - Returns: An expression, null where there is none.
    static func relation(kinds: String? = nil) -> String {
        """
        (SELECT r.oid FROM pg_catalog.pg_class AS r WHERE r.relname = $2
            AND r.relnamespace = (SELECT s.oid FROM pg_catalog.pg_namespace AS s WHERE s.nspname = $1)\(
                kinds.map { " AND r.relkind IN (\($0))" } ?? ""))
        """
    }

    func columns(of table: String) throws -> [SQLColumn] { try tableColumns(table).map(\.column) }

    func foreignKeys(of table: String) throws -> [SQLForeignKey] {
        try known(\.foreignKeys, of: table) { try readForeignKeys(of: table) }
    }

    private func readForeignKeys(of table: String) throws -> [SQLForeignKey] {
        let rows = try catalogRows(
            """
            SELECT k.oid::bigint, (SELECT f.relname::text FROM pg_catalog.pg_class AS f WHERE f.oid = k.confrelid),
                (SELECT a.attname::text FROM pg_catalog.pg_attribute AS a
                    WHERE a.attrelid = k.conrelid AND a.attnum = p.own),
                (SELECT a.attname::text FROM pg_catalog.pg_attribute AS a
                    WHERE a.attrelid = k.confrelid AND a.attnum = p.other),
                p.n, \(Self.action("k.confdeltype")), \(Self.action("k.confupdtype"))
            FROM pg_catalog.pg_constraint AS k
            CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS p(own, other, n)
            WHERE k.contype = 'f' AND k.conrelid = \(Self.relation()) ORDER BY k.oid, p.n
            """, [PostgresValue(session.schema), PostgresValue(table)])
        var numbers: [Int64] = []
        for row in rows where numbers.last != row[0].number { numbers.append(row[0].number ?? 0) }
        return numbers.map { number in
            let parts = rows.filter { $0[0].number == number }
            return SQLForeignKey(
                columns: parts.map { $0[2].string ?? "" }, target: parts[0][1].string ?? "",
                targetColumns: parts.map { $0[3].string ?? "" },
                onDelete: parts[0][5].string ?? "NO ACTION",
                onUpdate: parts[0][6].string ?? "NO ACTION")
        }
    }

    /// What a foreign key does, in the words of its definition.
    private static func action(_ column: String) -> String {
        "CASE \(column) WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' WHEN 'r' THEN 'RESTRICT' ELSE 'NO ACTION' END"
    }

    func indexes(of table: String) throws -> [SQLIndex] {
        try known(\.indexes, of: table) { try readIndexes(of: table) }
    }

    private func readIndexes(of table: String) throws -> [SQLIndex] {
        let rows = try catalogRows(
            """
            SELECT i.indexrelid::bigint, i.indisunique AND i.indisvalid, i.indisprimary, i.indpred IS NULL,
                coalesce(pg_catalog.pg_get_expr(i.indpred, i.indrelid), ''),
                (SELECT a.attname::text FROM pg_catalog.pg_attribute AS a
                    WHERE a.attrelid = i.indrelid AND a.attnum = p.attnum AND p.attnum > 0),
                (SELECT l.collname::text FROM pg_catalog.pg_collation AS l
                    WHERE l.oid = p.coll AND NOT l.collisdeterministic),
                (SELECT x.relname::text FROM pg_catalog.pg_class AS x WHERE x.oid = i.indexrelid),
                EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k WHERE k.conindid = i.indexrelid)
            FROM pg_catalog.pg_index AS i
            JOIN LATERAL unnest(i.indkey::smallint[], i.indcollation::oid[]) WITH ORDINALITY AS p(attnum, coll, n)
                ON p.n <= i.indnkeyatts
            WHERE i.indrelid = \(Self.relation()) ORDER BY i.indexrelid, p.n
            """, [PostgresValue(session.schema), PostgresValue(table)])
        var numbers: [Int64] = []
        for row in rows where numbers.last != row[0].number { numbers.append(row[0].number ?? 0) }
        return numbers.map { number in
            let parts = rows.filter { $0[0].number == number }
            let condition = (parts[0][4].string ?? "").filter { $0 != "(" && $0 != ")" && $0 != "\"" }
            return SQLIndex(
                name: parts[0][7].string ?? "", columns: parts.map { $0[5].string?.lowercased() ?? "" },
                isUnique: parts[0][1] == .bool(true),
                isPrimary: parts[0][2] == .bool(true), isOfConstraint: parts[0][8] == .bool(true),
                isWhole: parts[0][3] == .bool(true),
                leavesOutMarked: condition == "\(DeletionMark.time) IS NULL",
                looseCollations: parts.compactMap { $0[6].string })
        }
    }

    func looseness(of column: String, in table: String) throws -> String? {
        try tableColumns(table).first { ColumnName.areSame($0.column.name, column) }?.looseCollation
    }

    func viewText(_ name: String) throws -> String? {
        try catalogRows(
            """
            SELECT pg_catalog.obj_description(c.oid, 'pg_class') FROM pg_catalog.pg_class AS c
            WHERE c.oid = \(Self.relation(kinds: "'v'"))
            """, [PostgresValue(session.schema), PostgresValue(name)]
        ).first?.first?.string
    }

    /// The rows of a query over what the database itself knows: it is there although no run has used the store.
    func catalogRows(_ sql: String, _ values: [PostgresValue]) throws -> [[PostgresValue]] {
        try told { try connection.run(sql, values).values }
    }

    func tableNames() throws -> [String] { try PostgresAdoptableTables(self).names() }
}

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
            SELECT c.relkind::text FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2
            """, [PostgresValue(session.schema), PostgresValue(name)]
        ).first?.first?.string
        switch kind {
        case nil: return nil
        case "r", "p": return .table
        case "v", "m": return .view
        default: return .other
        }
    }

    func columns(of table: String) throws -> [SQLColumn] { try tableColumns(table).map(\.column) }

    func foreignKeys(of table: String) throws -> [SQLForeignKey] {
        let rows = try catalogRows(
            """
            SELECT k.oid::bigint, f.relname::text, own.attname::text, other.attname::text, p.n,
                \(Self.action("k.confdeltype")), \(Self.action("k.confupdtype"))
            FROM pg_catalog.pg_constraint AS k
            JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_class AS f ON f.oid = k.confrelid
            JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS p(own, other, n) ON true
            JOIN pg_catalog.pg_attribute AS own ON own.attrelid = k.conrelid AND own.attnum = p.own
            JOIN pg_catalog.pg_attribute AS other ON other.attrelid = k.confrelid AND other.attnum = p.other
            WHERE k.contype = 'f' AND n.nspname = $1 AND c.relname = $2 ORDER BY k.oid, p.n
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
        let rows = try catalogRows(
            """
            SELECT i.indexrelid::bigint, i.indisunique AND i.indisvalid, i.indisprimary, i.indpred IS NULL,
                coalesce(pg_catalog.pg_get_expr(i.indpred, i.indrelid), ''), a.attname::text,
                CASE WHEN NOT coalesce(l.collisdeterministic, true) THEN l.collname::text END, x.relname::text,
                EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k WHERE k.conindid = i.indexrelid)
            FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
            JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            JOIN LATERAL unnest(i.indkey::smallint[], i.indcollation::oid[]) WITH ORDINALITY AS p(attnum, coll, n)
                ON p.n <= i.indnkeyatts
            LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = p.attnum AND p.attnum > 0
            LEFT JOIN pg_catalog.pg_collation AS l ON l.oid = p.coll
            WHERE n.nspname = $1 AND c.relname = $2 ORDER BY i.indexrelid, p.n
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
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'v'
            """, [PostgresValue(session.schema), PostgresValue(name)]
        ).first?.first?.string
    }

    /// The rows of a query over what the database itself knows: it is there although no run has used the store.
    func catalogRows(_ sql: String, _ values: [PostgresValue]) throws -> [[PostgresValue]] {
        try told { try connection.run(sql, values).values }
    }
}

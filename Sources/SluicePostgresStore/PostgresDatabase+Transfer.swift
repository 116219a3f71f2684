internal import SluiceJSON
internal import SluiceModel
internal import SluicePostgres
package import SluiceSQLStore
internal import SluiceStore

/// A store in a schema as one that is copied, and as one that is filled.
extension PostgresDatabase: TransferDatabase {
    var kind: String { "PostgreSQL" }

    var limits: String {
        "texts hold no NUL, times and dates are real ones with at most six digits of a fraction, and numbers, UUIDs and JSON are written as such."
    }

    // MARK: To copy from

    func reading(_ column: SQLColumn, of table: String) throws -> String {
        PostgresColumnType(column.declared).read(SQLText.quoted(column.name))
    }

    func counterpart(of column: SQLColumn, in table: String) throws -> FieldType {
        switch PostgresColumnType(column.declared).form {
        case .int: .int
        case .double, .real: .double
        case .numeric: .decimal
        case .bool: .bool
        case .uuid: .uuid
        case .timestamp: .datetime
        case .date: .date
        case .bytes: .bytes
        case .jsonb, .json: .json
        case .text, .other: .string
        }
    }

    func givesNumbers(_ column: SQLColumn, of table: String) throws -> Bool {
        guard let sql = column.defaultSQL, case .int = PostgresColumnType(column.declared).form else { return false }
        return sql == "identity" || sql.hasPrefix("nextval(")
    }

    func lastNumber(of column: String, in table: String) throws -> Int64? {
        let found = try session.connection.run(
            """
            SELECT CASE WHEN a.may_read THEN pg_catalog.pg_sequence_last_value(c.oid) END, NOT a.may_read,
                n.nspname::text, c.relname::text, current_user::text
            FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            CROSS JOIN LATERAL (SELECT pg_catalog.has_sequence_privilege(c.oid, 'SELECT, USAGE') AS may_read) AS a
            WHERE c.oid = pg_catalog.pg_get_serial_sequence($1, $2)::pg_catalog.regclass
            """, [PostgresValue(self.table(table)), PostgresValue(column)]
        ).values.first
        guard let found else { return 0 }
        if found[1] == .bool(true) {
            let names = found.dropFirst(2).map { $0.string ?? "" }
            throw StoreError(
                .unavailable,
                "The role `\(names[2])` may not read which number `\(table).\(column)` gave last, and the copy is to give none again. Have the owner of the table run `GRANT SELECT ON SEQUENCE \(PostgresName.quoted(names[1], in: names[0])) TO \(PostgresName.quoted(names[2]))`."
            )
        }
        return found[0].number ?? 0
    }

    func collation(of column: String, in table: String) throws -> SQLCollation? {
        let found = try session.connection.run(
            """
            SELECT l.collname::text, m.nspname::text FROM pg_catalog.pg_attribute AS a
            JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid JOIN pg_catalog.pg_collation AS l ON l.oid = a.attcollation
            JOIN pg_catalog.pg_namespace AS m ON m.oid = l.collnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND a.attname = $3 AND a.attcollation <> t.typcollation
            """, [session.schema, table, column].map { PostgresValue($0) }
        ).values.first
        guard let name = found?[0].string, let schema = found?[1].string else { return nil }
        // One that people made may be missing elsewhere.
        let isOfAll = schema == "pg_catalog"
        return SQLCollation(
            name: name, sql: isOfAll ? PostgresName.quoted(name, in: schema) : nil,
            isByBytes: isOfAll && ["C", "POSIX", "ucs_basic"].contains(name))
    }

    func checks(of table: String) throws -> [SQLCheck] {
        try session.connection.run(
            """
            SELECT k.conname::text, pg_catalog.pg_get_expr(k.conbin, k.conrelid),
                NOT \(Self.namesOthers("k.oid", "pg_constraint", table: "k.conrelid"))
            FROM pg_catalog.pg_constraint AS k
            JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND k.contype = 'c' ORDER BY 1
            """, [PostgresValue(session.schema), PostgresValue(table)]
        ).values.map { SQLCheck(name: $0[0].string, text: $0[1].string ?? "", isPortable: $0[2] == .bool(true)) }
    }

    func indexText(_ name: String) throws -> String? {
        try session.connection.run(
            """
            SELECT pg_catalog.pg_get_indexdef(c.oid) FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('i', 'I')
            """, [PostgresValue(session.schema), PostgresValue(name)]
        ).values.first?.first?.string
    }

    func isPortable(_ column: SQLColumn) -> Bool {
        !PostgresColumnType(column.declared).isNamedByPeople
    }

    func isBounded(_ column: SQLColumn) -> Bool { isPortable(column) && column.declared.contains("(") }

    func hasPortableDefault(_ column: SQLColumn, of table: String) throws -> Bool {
        try session.connection.integer(
            """
            SELECT count(*) FROM pg_catalog.pg_attrdef AS d
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
            WHERE d.adrelid = \(Self.relation()) AND a.attname = $3
            AND \(Self.namesOthers("d.oid", "pg_attrdef", table: "d.adrelid"))
            """, [session.schema, table, column.name].map { PostgresValue($0) }) == 0
    }

    /// A condition: that an expression of a table names what people made, such as a type or a function. The server does not
    /// write down that something depends on its own objects.
    private static func namesOthers(_ number: String, _ catalog: String, table: String) -> String {
        """
        EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS p WHERE p.classid = 'pg_catalog.\(catalog)'::pg_catalog.regclass
            AND p.objid = \(number) AND p.refobjid <> \(table))
        """
    }

    var stateOfRuns: String { "stream = '' AND part LIKE 'run %'" }

    func others(besides tables: Set<String>) throws -> [String] {
        let ours = try EntityRegistry(database: self).entries("view").filter { $0.value == "made" }.map(\.name)
        let rows = try session.connection.run(
            """
            SELECT 'trigger', t.tgname::text, c.relname::text, pg_catalog.pg_get_triggerdef(t.oid) FROM pg_catalog.pg_trigger AS t
            JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND NOT t.tgisinternal
            UNION ALL
            SELECT 'rule', k.conname::text, c.relname::text, pg_catalog.pg_get_constraintdef(k.oid) FROM pg_catalog.pg_constraint AS k
            JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND k.contype = 'x'
            UNION ALL
            SELECT 'rule', r.rulename::text, c.relname::text, pg_catalog.pg_get_ruledef(r.oid)
            FROM pg_catalog.pg_rewrite AS r JOIN pg_catalog.pg_class AS c ON c.oid = r.ev_class
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
            UNION ALL
            SELECT 'policy', p.policyname::text, p.tablename::text, 'FOR ' || p.cmd || ' TO ' ||
                CASE WHEN p.roles = '{public}' THEN 'PUBLIC' ELSE
                    (SELECT string_agg(pg_catalog.quote_ident(r), ', ') FROM unnest(p.roles) AS r) END
                || coalesce(' USING (' || p.qual || ')', '') || coalesce(' WITH CHECK (' || p.with_check || ')', '')
            FROM pg_catalog.pg_policies AS p WHERE p.schemaname = $1
            UNION ALL
            SELECT 'statistics', s.stxname::text, c.relname::text, pg_catalog.pg_get_statisticsobjdef(s.oid)
            FROM pg_catalog.pg_statistic_ext AS s JOIN pg_catalog.pg_class AS c ON c.oid = s.stxrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1
            UNION ALL
            SELECT 'function', p.proname::text, pg_catalog.pg_get_function_identity_arguments(p.oid),
                CASE WHEN p.prokind = 'a' THEN '' ELSE pg_catalog.pg_get_functiondef(p.oid) END
            FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
            WHERE n.nspname = $1 AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = p.oid
                AND d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.deptype = 'e')
            UNION ALL
            SELECT 'type', t.typname::text, '', '' FROM pg_catalog.pg_type AS t
            JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
            LEFT JOIN pg_catalog.pg_class AS c ON c.oid = t.typrelid
            WHERE n.nspname = $1 AND (t.typtype IN ('e', 'd', 'r') OR c.relkind = 'c')
            AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = t.oid
                AND d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND d.deptype = 'e')
            UNION ALL
            SELECT 'sequence', c.relname::text, '', '' FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind = 'S' AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d
                WHERE d.objid = c.oid AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                AND d.deptype IN ('a', 'i', 'e'))
            UNION ALL
            SELECT 'schema', n.nspname::text, \(Grantee.name("e")),
                string_agg(e.privilege_type, ', ' ORDER BY e.privilege_type)
            FROM pg_catalog.pg_namespace AS n CROSS JOIN LATERAL pg_catalog.aclexplode(n.nspacl) AS e
            WHERE n.nspname = $1 AND e.grantee <> n.nspowner
            AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_init_privs AS i
                CROSS JOIN LATERAL pg_catalog.aclexplode(i.initprivs) AS f
                WHERE i.objoid = n.oid AND i.classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
                AND f.grantee = e.grantee AND f.privilege_type = e.privilege_type)
            GROUP BY n.nspname, e.grantee
            UNION ALL
            SELECT 'default', CASE d.defaclobjtype WHEN 'r' THEN 'tables' WHEN 'S' THEN 'sequences'
                WHEN 'f' THEN 'functions' ELSE 'types' END, \(Grantee.name("e")),
                string_agg(e.privilege_type, ', ' ORDER BY e.privilege_type)
            FROM pg_catalog.pg_default_acl AS d CROSS JOIN LATERAL pg_catalog.aclexplode(d.defaclacl) AS e
            JOIN pg_catalog.pg_namespace AS n ON n.oid = d.defaclnamespace WHERE n.nspname = $1
            GROUP BY d.oid, d.defaclobjtype, e.grantee
            UNION ALL
            SELECT CASE WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END, c.relname::text, '',
                CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid) ELSE '' END
            FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
            AND NOT starts_with(c.relname, '_sluice_')
            UNION ALL
            SELECT 'grant', g.name, g.grantee, string_agg(g.privilege, ', ' ORDER BY g.privilege) FROM (
                SELECT c.relname::text AS name, \(Grantee.name("e")) AS grantee, e.privilege_type AS privilege
                FROM pg_catalog.pg_class AS c CROSS JOIN LATERAL pg_catalog.aclexplode(c.relacl) AS e
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'S') AND e.grantee <> c.relowner
                UNION ALL
                SELECT c.relname::text, \(Grantee.name("e")),
                    e.privilege_type || ' (' || pg_catalog.quote_ident(a.attname) || ')'
                FROM pg_catalog.pg_attribute AS a CROSS JOIN LATERAL pg_catalog.aclexplode(a.attacl) AS e
                JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v') AND NOT a.attisdropped) AS g
            WHERE NOT starts_with(g.name, '_sluice_') GROUP BY g.name, g.grantee
            UNION ALL
            SELECT 'comment', c.relname::text, coalesce(a.attname::text, ''), d.description
            FROM pg_catalog.pg_description AS d JOIN pg_catalog.pg_class AS c ON c.oid = d.objoid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND d.objsubid > 0
            WHERE d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND n.nspname = $1
            AND c.relkind IN ('r', 'p') AND NOT starts_with(c.relname, '_sluice_')
            ORDER BY 1, 2, 3
            """, [PostgresValue(session.schema)]
        ).values.map { $0.map { $0.string ?? "" } }
        return rows.compactMap { row in
            switch row[0] {
            case "trigger": DefinitionText.of("the trigger `\(row[1])` of `\(row[2])`", row[3])
            case "rule": DefinitionText.of("the rule `\(row[1])` of `\(row[2])`", row[3])
            case "policy": DefinitionText.of("the policy `\(row[1])` of `\(row[2])`", row[3])
            case "statistics": DefinitionText.of("the statistics `\(row[1])` of `\(row[2])`", row[3])
            case "function": DefinitionText.of("the function `\(row[1])(\(row[2]))`", row[3])
            case "type", "sequence": "the \(row[0]) `\(row[1])`"
            case "schema": DefinitionText.of("the grants on the schema `\(row[1])` to `\(row[2])`", row[3])
            case "default": DefinitionText.of("the grants on new \(row[1]) to `\(row[2])`", row[3])
            case "grant": DefinitionText.of("the grants on `\(row[1])` to `\(row[2])`", row[3])
            case "comment":
                DefinitionText.of(
                    "the comment on `\(row[1])\(row[2].isEmpty ? "" : ".")\(row[2])`", row[3])
            case "view": ours.contains(row[1]) ? nil : DefinitionText.of("the view `\(row[1])`", row[3])
            default: tables.contains(row[1].lowercased()) ? nil : "the table `\(row[1])`"
            }
        }
    }

    // MARK: To copy to

    func beginFilling() throws {
        try session.translated {
            try session.connection.begin()
            do {
                guard try PostgresStoreFormat.prepare(session) else {
                    throw StoreError(
                        .mismatch,
                        "There is a store in `\(place)` already, and a copy is made where there is none. Name another schema with `?schema=`, or drop that one."
                    )
                }
            } catch {
                giveUpFilling()
                guard let error = error as? PostgresError, PostgresStoreFormat.wasMadeMeanwhile(error) else {
                    throw error
                }
                throw StoreError(
                    .locked, "Another program is making a store in `\(place)` at this moment. Look what it made there.")
            }
        }
        forgetCatalog()
    }

    func endFilling() throws {
        try session.translated { try PostgresCommit(session: session, runs: nil).perform() }
    }

    func giveUpFilling() {
        switch session.connection.transactionState {
        case .open, .failed: try? session.connection.rollback()
        case .none, .lost: break
        }
    }

    func numberedType(_ type: String, isKey: Bool, isAlways: Bool) -> String? {
        "\(type) GENERATED \(isAlways ? "ALWAYS" : "BY DEFAULT") AS IDENTITY"
    }

    // An identity gives no number again.
    var neverAgain: String { "" }

    func continueNumbers(of column: String, in table: String, after last: Int64?) throws {
        let greatest = "greatest(max(\(SQLText.quoted(column))), \(last ?? 0))"
        _ = try rows(
            """
            SELECT pg_catalog.setval(pg_catalog.pg_get_serial_sequence(\(SQLText.literal(self.table(table))), \(SQLText.literal(column))), \
            \(greatest)) FROM \(self.table(table)) HAVING \(greatest) > 0
            """, [])
    }

    func load(
        _ table: String, _ columns: [String], _ body: (_ add: ([FieldValue]) throws -> Int?) throws -> Void
    ) throws {
        let known = try tableColumns(table)
        let types = columns.map { name in
            known.first { $0.column.name == name }?.type ?? PostgresColumnType("text")
        }
        if types.allSatisfy(\.isNative) {
            try session.translated {
                _ = try session.connection.copy(into: self.table(table), columns: columns) { rows in
                    try body { row in
                        let (values, unheld) = Self.values(row, types)
                        if let unheld { return unheld }
                        rows.row(values)
                        return nil
                    }
                }
            }
            return
        }
        let places = types.enumerated().map { $1.assigned("$\($0 + 1)") }.joined(separator: ", ")
        // A column that always gives numbers takes those of the rows, as `COPY` has it.
        let sql =
            "INSERT INTO \(self.table(table)) (\(SQLText.list(columns))) OVERRIDING SYSTEM VALUE VALUES (\(places))"
        var waiting: [PostgresStatement] = []
        func send() throws {
            let statements = waiting
            waiting = []
            if !statements.isEmpty { _ = try session.translated { try session.connection.run(together: statements) } }
        }
        try body { row in
            let (values, unheld) = Self.values(row, types)
            if let unheld { return unheld }
            waiting.append(PostgresStatement(sql, PostgresParameters(values)))
            if waiting.count >= 200 { try send() }
            return nil
        }
        try send()
    }

    /// Whether a text is one, and JSON is JSON: other programs may have written what they liked into a file.
    private static func isSound(_ value: FieldValue, _ type: PostgresColumnType) -> Bool {
        guard case .text(let text) = value else { return true }
        switch type.form {
        case .json, .jsonb: return (try? JSONDocument(text)) != nil
        case .text, .other: return String(validating: text, as: UTF8.self) != nil
        default: return true
        }
    }

    /// The values of a row as columns take them, or the position of the first that its column cannot hold.
    private static func values(_ row: [FieldValue], _ types: [PostgresColumnType]) -> ([PostgresValue], Int?) {
        var values: [PostgresValue] = []
        values.reserveCapacity(row.count)
        for (index, value) in row.enumerated() {
            guard isSound(value, types[index]), let held = types[index].value(value) else { return ([], index) }
            values.append(held)
        }
        return (values, nil)
    }
}

extension PostgresStore: TransferableStore {
    /// What it is copied from and to.
    package var transferDatabase: any TransferDatabase { database }
}

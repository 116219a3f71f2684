internal import SluiceModel
internal import SluicePostgres
package import SluiceStore

/// What the server and the role let a run do.
extension PostgresStore {
    /// Whether the schema is there, with tables of a store or without.
    func hasSchema() throws -> Bool {
        try database.catalogRows(
            "SELECT 1::bigint FROM pg_catalog.pg_namespace WHERE nspname = $1", [PostgresValue(session.schema)]
        ).isEmpty == false
    }

    /// Whether the schema has tables or views, whoever made them.
    func hasTables() throws -> Bool {
        try database.catalogRows(
            """
            SELECT 1::bigint FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') LIMIT 1
            """, [PostgresValue(session.schema)]
        ).isEmpty == false
    }

    /// Why a run could not write to the store; nil where nothing is known that stands in the way.
    ///
    /// - Throws: ``StoreError``.
    package func obstacle() throws -> StoreError? {
        let state = try database.catalogRows(
            """
            SELECT pg_catalog.pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean,
                current_user::text,
                (SELECT pg_catalog.has_schema_privilege(n.oid, 'CREATE') FROM pg_catalog.pg_namespace AS n
                 WHERE n.nspname = $1),
                pg_catalog.has_database_privilege(current_database(), 'CREATE')
            """, [PostgresValue(session.schema)])[0]
        if state[0] == .bool(true) {
            return StoreError(
                .unavailable,
                "The server of the store `\(session.place)` takes no writes: it is a standby, or read-only by its settings. Name the primary."
            )
        }
        if try isUsed() {
            return PostgresAccess(session.connection, schema: session.schema)?.problem(of: session.place)
                .map { StoreError(.unavailable, $0) }
        }
        if let unfitness = PostgresStoreFormat.unfitness(session) { return unfitness }
        let (role, schema) = (state[1].string ?? "", PostgresName.quoted(session.schema))
        if state[2] == .bool(true) || state[2] == .null && state[3] == .bool(true) { return nil }
        return StoreError(
            .unavailable,
            state[2] == .null
                ? "The store `\(session.place)` cannot be made: there is no such schema, and the role `\(role)` may not make one. Have its owner run `CREATE SCHEMA \(schema) AUTHORIZATION \(PostgresName.quoted(role))`, or name another with `schema=`."
                : "The store `\(session.place)` cannot be made: the role `\(role)` may not make tables there. Have its owner run `GRANT USAGE, CREATE ON SCHEMA \(schema) TO \(PostgresName.quoted(role))`, or name another schema with `schema=`."
        )
    }

    /// What the owner of tables that are there must let the role do, as statements.
    ///
    /// - Parameters:
    ///   - filled: The tables that pipelines fill.
    ///   - targets: The tables that these refer to.
    /// - Returns: The statements.
    /// - Throws: ``StoreError``.
    package func missingGrants(filled: Set<String>, targets: Set<String>) throws -> [String] {
        let found = try database.catalogRows(
            """
            SELECT c.relname::text, current_user::text, pg_catalog.has_schema_privilege(n.oid, 'USAGE'),
                pg_catalog.has_table_privilege(c.oid, 'SELECT'), pg_catalog.has_table_privilege(c.oid, 'INSERT'),
                pg_catalog.has_table_privilege(c.oid, 'UPDATE'), pg_catalog.has_table_privilege(c.oid, 'DELETE'),
                pg_catalog.has_table_privilege(c.oid, 'REFERENCES'), pg_catalog.has_schema_privilege(n.oid, 'CREATE'),
                pg_catalog.row_security_active(c.oid)
            FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') ORDER BY 1
            """, [PostgresValue(session.schema)])
        func isAmong(_ names: Set<String>, _ name: String) -> Bool { names.contains { ColumnName.areSame($0, name) } }
        // Who has made the tables of the store may make others.
        let isMade = found.contains { $0[0].string?.hasPrefix("_sluice_") == true }
        let sequences = try missingSequences()
        var grants: [String] = []
        let rights = ["SELECT", "INSERT", "UPDATE", "DELETE", "REFERENCES"]
        for row in found {
            let (name, role) = (row[0].string ?? "", PostgresName.quoted(row[1].string ?? ""))
            let (isFilled, isTarget) = (isAmong(filled, name), isAmong(targets, name))
            if !isFilled && !isTarget { continue }
            let isCreateMissing = !isMade && row[8] != .bool(true)
            let usage =
                "GRANT USAGE\(isCreateMissing ? ", CREATE" : "") ON SCHEMA \(PostgresName.quoted(session.schema)) TO \(role)"
            if row[2] != .bool(true) || isCreateMissing, !grants.contains(usage) { grants.append(usage) }
            let needed = (isFilled ? Set(rights.prefix(4)) : ["SELECT"]).union(isTarget ? ["REFERENCES"] : [])
            let missing = rights.indices.filter { needed.contains(rights[$0]) && row[$0 + 3] != .bool(true) }
            if !missing.isEmpty {
                let list = missing.map { rights[$0] }.joined(separator: ", ")
                grants.append("GRANT \(list) ON \(database.table(name)) TO \(role)")
            }
            for sequence in sequences[name] ?? [] where isFilled {
                grants.append("GRANT USAGE ON SEQUENCE \(sequence) TO \(role)")
            }
            let exemption = "ALTER ROLE \(role) BYPASSRLS"
            if row[9] == .bool(true), !grants.contains(exemption) { grants.append(exemption) }
        }
        return grants
    }

    /// The sequences, by table, that give new rows numbers and that the role may not use; an identity column needs no right
    /// of its own.
    private func missingSequences() throws -> [String: [String]] {
        let rows = try database.catalogRows(
            """
            SELECT DISTINCT c.relname::text, m.nspname::text, s.relname::text FROM pg_catalog.pg_attrdef AS a
            JOIN pg_catalog.pg_class AS c ON c.oid = a.adrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND d.objid = a.oid
                AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
            JOIN pg_catalog.pg_class AS s ON s.oid = d.refobjid
            JOIN pg_catalog.pg_namespace AS m ON m.oid = s.relnamespace
            WHERE n.nspname = $1
                AND CASE WHEN s.relkind = 'S' THEN NOT pg_catalog.has_sequence_privilege(s.oid, 'USAGE') ELSE false END
            ORDER BY 1, 2, 3
            """, [PostgresValue(session.schema)])
        return Dictionary(grouping: rows) { $0[0].string ?? "" }.mapValues { found in
            found.map { PostgresName.quoted($0[2].string ?? "", in: $0[1].string ?? "") }
        }
    }
}

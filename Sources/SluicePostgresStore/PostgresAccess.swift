internal import SluicePostgres
internal import SluiceStore

/// What a role may do with the tables that a store keeps for itself.
struct PostgresAccess {
    private let role: String
    private let schema: String
    /// The role that the tables belong to.
    private let owner: String
    /// Whether the role may use the schema.
    private let mayEnter: Bool
    private let mayRead: Bool
    private let mayWrite: Bool

    /// Asks what a connection's role may do.
    ///
    /// - Returns: Nil where the schema has no tables of a store, or it cannot be asked.
    init?(_ connection: PostgresConnection, schema: String) {
        let found = try? connection.run(
            """
            SELECT current_user::text, coalesce(min(pg_catalog.pg_get_userbyid(c.relowner)::text), ''),
                pg_catalog.has_schema_privilege(n.oid, 'USAGE'),
                bool_and(pg_catalog.has_table_privilege(c.oid, 'SELECT')),
                bool_and(pg_catalog.has_table_privilege(c.oid, 'INSERT')
                    AND pg_catalog.has_table_privilege(c.oid, 'UPDATE')
                    AND pg_catalog.has_table_privilege(c.oid, 'DELETE'))
            FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND starts_with(c.relname::text, '_sluice_')
            GROUP BY n.oid
            """, [PostgresValue(schema)])
        guard let row = found?.values.first else { return nil }
        (role, owner, self.schema) = (row[0].string ?? "", row[1].string ?? "", schema)
        (mayEnter, mayRead, mayWrite) = (row[2] == .bool(true), row[3] == .bool(true), row[4] == .bool(true))
    }

    /// What the role lacks for runs and how it gets that.
    ///
    /// - Parameter place: How the store is called.
    /// - Returns: Sentences; nil where it lacks nothing.
    func problem(of place: String) -> String? {
        let (name, area) = (PostgresName.quoted(role), PostgresName.quoted(schema))
        let belongs = "they belong to the role `\(owner)`"
        let membership =
            "Run as that role, or as a member of it, which `GRANT \(PostgresName.quoted(owner)) TO \(name)` makes of this one"
        if mayEnter && mayRead {
            if mayWrite { return nil }
            return
                "The role `\(role)` may read the tables of the store `\(place)` and not write to them: \(belongs). \(membership)."
        }
        let grants = [
            mayEnter ? nil : "`GRANT USAGE ON SCHEMA \(area) TO \(name)`",
            mayRead ? nil : "`GRANT SELECT ON ALL TABLES IN SCHEMA \(area) TO \(name)`",
        ]
        return
            "The role `\(role)` may not read the tables of the store `\(place)`: \(belongs). \(membership). To look alone it needs \(grants.compactMap(\.self).joined(separator: "; "))."
    }
}

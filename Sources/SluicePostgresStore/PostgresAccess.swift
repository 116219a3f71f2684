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
    /// The roles that some of the tables belong to beside it.
    private let others: [String]

    /// Has a member of the store's owner work as that owner: what it makes belongs to the owner as all else does, who could not
    /// use it otherwise.
    ///
    /// - Throws: ``PostgresError``.
    static func takeOwnersRole(_ connection: PostgresConnection, schema: String) throws(PostgresError) {
        // See: postgresql.org/docs/16/release-16.html, "whether the member can change to the granted role"
        try connection.run(
            """
            SELECT pg_catalog.set_config('role', o.name, false) FROM (
                SELECT pg_catalog.pg_get_userbyid(c.relowner)::text AS name, c.relowner AS number
                FROM pg_catalog.pg_class AS c WHERE c.oid = \(PostgresDatabase.relation(kinds: "'r', 'p'"))) AS o
            WHERE o.name <> current_user AND pg_catalog.pg_has_role(o.number,
                CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END)
            """, [PostgresValue(schema), PostgresValue("_sluice_schema")])
    }

    /// Asks what a connection's role may do.
    ///
    /// - Returns: Nil where the schema has no tables of a store, or it cannot be asked.
    init?(_ connection: PostgresConnection, schema: String) {
        let found = try? connection.run(
            """
            SELECT current_user::text, coalesce(
                    min(pg_catalog.pg_get_userbyid(c.relowner)::text) FILTER (WHERE c.relname = '_sluice_schema'),
                    min(pg_catalog.pg_get_userbyid(c.relowner)::text), ''),
                pg_catalog.has_schema_privilege(n.oid, 'USAGE'),
                bool_and(pg_catalog.has_table_privilege(c.oid, 'SELECT')),
                bool_and(pg_catalog.has_table_privilege(c.oid, 'INSERT')
                    AND pg_catalog.has_table_privilege(c.oid, 'UPDATE')
                    AND pg_catalog.has_table_privilege(c.oid, 'DELETE')),
                pg_catalog.array_to_string(array_agg(DISTINCT pg_catalog.pg_get_userbyid(c.relowner)::text), E'\\n')
            FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND starts_with(c.relname::text, '_sluice_')
            GROUP BY n.oid
            """, [PostgresValue(schema)])
        guard let row = found?.values.first else { return nil }
        let owner = row[1].string ?? ""
        (role, self.owner, self.schema) = (row[0].string ?? "", owner, schema)
        (mayEnter, mayRead, mayWrite) = (row[2] == .bool(true), row[3] == .bool(true), row[4] == .bool(true))
        others = (row[5].string ?? "").split(separator: "\n").map(String.init).filter { $0 != owner }
    }

    /// What the role lacks for runs and how it gets that.
    ///
    /// - Parameter place: How the store is called.
    /// - Returns: Sentences; nil where it lacks nothing.
    func problem(of place: String) -> String? {
        let (name, area) = (PostgresName.quoted(role), PostgresName.quoted(schema))
        if role == owner, !(mayRead && mayWrite), let other = others.first {
            let move = "`REASSIGN OWNED BY \(PostgresName.quoted(other)) TO \(name)`"
            return
                "The role `\(role)` may not use all tables of its store `\(place)`: some belong to the role `\(other)`, which worked on it. Have a superuser run \(move) in this database, which moves all that `\(other)` owns there, or name the tables to `ALTER TABLE … OWNER TO \(name)`."
        }
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

internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore

/// What goes with a column of a table when the column is dropped, as the statements that make it again for one of the same
/// name: indexes and rules over it, its default, `NOT NULL`, grants and comment.
struct ColumnBelongings {
    /// One statement, and the columns without which it means nothing.
    typealias Part = (statement: String, columns: [String])

    private let database: PostgresDatabase
    private let table: String
    private var owner: String { database.table(table) }

    init(_ database: PostgresDatabase, of table: String) { (self.database, self.table) = (database, table) }

    /// Indexes and rules that go with some columns, also where others have a part in them.
    ///
    /// - Parameter columns: The columns.
    /// - Returns: The statements.
    /// - Throws: What the database throws.
    func objects(of columns: Set<String>) throws -> [Part] { try parts(of: columns) { try indexes() + rules() } }

    /// What each of some columns has by itself.
    ///
    /// - Parameter columns: The columns.
    /// - Returns: The statements, in an order in which they can be run.
    /// - Throws: What the database throws.
    func traits(of columns: Set<String>) throws -> [Part] {
        try parts(of: columns) { try defaults() + grants() + comments() }
    }

    private func parts(of columns: Set<String>, _ all: () throws -> [Part]) throws -> [Part] {
        if columns.isEmpty { return [] }
        return try all().filter { part in
            part.columns.contains { name in columns.contains { ColumnName.areSame($0, name) } }
        }
    }

    /// Indexes that no rule has made, also those over expressions and of some rows.
    private func indexes() throws -> [Part] {
        try rows(
            """
            SELECT pg_catalog.pg_get_indexdef(i.indexrelid),
                (SELECT string_agg(DISTINCT a.attname::text, E'\\n') FROM pg_catalog.pg_depend AS d
                    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
                    WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = i.indexrelid
                    AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid = c.oid
                    AND d.refobjsubid > 0)
            FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2
            AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k WHERE k.conindid = i.indexrelid)
            """
        ) { $0[0] }
    }

    /// What values have to be: foreign keys and the primary key are not among these rules.
    private func rules() throws -> [Part] {
        try rows(
            """
            SELECT k.conname::text, (SELECT string_agg(a.attname::text, E'\\n') FROM pg_catalog.pg_attribute AS a
                    WHERE a.attrelid = c.oid AND a.attnum = ANY (k.conkey)),
                pg_catalog.pg_get_constraintdef(k.oid)
            FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND k.contype IN ('c', 'u', 'x') ORDER BY k.conname
            """
        ) { "ALTER TABLE \(owner) ADD CONSTRAINT \(SQLText.quoted($0[0])) \($0[2])" }
    }

    private func defaults() throws -> [Part] {
        try rows(
            """
            SELECT a.attname::text, a.attname::text, pg_catalog.pg_get_expr(d.adbin, d.adrelid)
            FROM pg_catalog.pg_attrdef AS d
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
            JOIN pg_catalog.pg_class AS c ON c.oid = d.adrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND a.attgenerated = ''
            """
        ) { "ALTER TABLE \(owner) ALTER COLUMN \(SQLText.quoted($0[0])) SET DEFAULT \($0[2])" }
            + rows(
                """
                SELECT a.attname::text, a.attname::text FROM pg_catalog.pg_attribute AS a
                JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull
                AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k
                    WHERE k.conrelid = c.oid AND k.contype = 'p' AND a.attnum = ANY (k.conkey))
                """
            ) { "ALTER TABLE \(owner) ALTER COLUMN \(SQLText.quoted($0[0])) SET NOT NULL" }
    }

    private func grants() throws -> [Part] {
        try rows(
            """
            SELECT a.attname::text, a.attname::text, e.privilege_type, \(Grantee.name("e")), \(Grantee.option("e"))
            FROM pg_catalog.pg_attribute AS a CROSS JOIN LATERAL pg_catalog.aclexplode(a.attacl) AS e
            JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum, e.privilege_type, e.grantee
            """
        ) { "GRANT \($0[2]) (\(SQLText.quoted($0[0]))) ON \(owner) TO \($0[3])\($0[4])" }
    }

    private func comments() throws -> [Part] {
        try rows(
            """
            SELECT a.attname::text, a.attname::text, pg_catalog.col_description(c.oid, a.attnum::integer)
            FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped
            AND pg_catalog.col_description(c.oid, a.attnum::integer) IS NOT NULL
            """
        ) { "COMMENT ON COLUMN \(owner).\(SQLText.quoted($0[0])) IS \(SQLText.literal($0[2]))" }
    }

    /// The rows of a query, whose second column has the columns that a statement is about.
    private func rows(_ sql: String, _ statement: ([String]) -> String) throws -> [Part] {
        try database.catalogRows(sql, [PostgresValue(database.session.schema), PostgresValue(table)]).map { row in
            let texts = row.map { $0.string ?? "" }
            return (statement(texts), texts[1].split(separator: "\n").map(String.init))
        }
    }
}

/// To whom something is granted, as SQL over a row of `aclexplode`.
enum Grantee {
    /// The role as statements name it.
    static func name(_ row: String) -> String {
        "CASE WHEN \(row).grantee = 0 THEN 'PUBLIC' ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(\(row).grantee)) END"
    }

    /// What stands behind it where the role may grant it to others.
    static func option(_ row: String) -> String {
        "CASE WHEN \(row).is_grantable THEN ' WITH GRANT OPTION' ELSE '' END"
    }
}

internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore

/// What goes with a column of a table when the column is dropped, as the statements that make it again for one of the same
/// name: indexes, rules and statistics over it, its default, `NOT NULL`, grants, comments and settings.
struct ColumnBelongings {
    /// A catalog's words for a table `c` of the schema `$1` and the name `$2`, behind others.
    private static let isTable = "n.nspname = $1 AND c.relname = $2"

    private let database: PostgresDatabase
    private let table: String
    private var owner: String { database.table(table) }

    init(_ database: PostgresDatabase, of table: String) { (self.database, self.table) = (database, table) }

    /// Indexes, rules and statistics that go with some columns, also where others have a part in them.
    ///
    /// - Parameter columns: The columns.
    /// - Returns: The statements.
    /// - Throws: What the database throws.
    func objects(of columns: Set<String>) throws -> [ColumnPart] {
        try parts(of: columns) { try indexes() + rules() + statistics() }
    }

    /// What each of some columns has by itself.
    ///
    /// - Parameter columns: The columns.
    /// - Returns: The statements, in an order in which they can be run.
    /// - Throws: What the database throws.
    func traits(of columns: Set<String>) throws -> [ColumnPart] {
        try parts(of: columns) { try defaults() + settings() + grants() + comments() }
    }

    private func parts(of columns: Set<String>, _ all: () throws -> [ColumnPart]) throws -> [ColumnPart] {
        if columns.isEmpty { return [] }
        return try all().filter { part in
            part.columns.contains { name in columns.contains { ColumnName.areSame($0, name) } }
        }
    }

    /// Indexes that no rule has made, also those over expressions and of some rows.
    private func indexes() throws -> [ColumnPart] {
        try rows(
            """
            SELECT x.relname::text, \(Self.columns(of: "i.indexrelid", in: "pg_class")),
                pg_catalog.pg_get_indexdef(i.indexrelid)
            FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid
            JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE \(Self.isTable)
            AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k WHERE k.conindid = i.indexrelid)
            """
        ) { ("index \($0[0])", $0[2]) }
    }

    /// The columns of the table that an object of a catalog depends on, as SQL.
    private static func columns(of object: String, in catalog: String) -> String {
        """
        (SELECT string_agg(DISTINCT a.attname::text, E'\\n') FROM pg_catalog.pg_depend AS d
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
            WHERE d.classid = 'pg_catalog.\(catalog)'::pg_catalog.regclass AND d.objid = \(object)
            AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid = c.oid AND d.refobjsubid > 0)
        """
    }

    /// What the server counts of several columns together, or of an expression.
    private func statistics() throws -> [ColumnPart] {
        let source = """
            FROM pg_catalog.pg_statistic_ext AS s JOIN pg_catalog.pg_class AS c ON c.oid = s.stxrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_namespace AS m ON m.oid = s.stxnamespace WHERE \(Self.isTable)
            """
        let columns = Self.columns(of: "s.oid", in: "pg_statistic_ext")
        let name = "pg_catalog.quote_ident(m.nspname) || '.' || pg_catalog.quote_ident(s.stxname)"
        return try rows(
            "SELECT \(name), \(columns), pg_catalog.pg_get_statisticsobjdef(s.oid) \(source) ORDER BY 1"
        ) { ("statistics \($0[0])", $0[2]) }
            + rows("SELECT \(name), \(columns), s.stxstattarget::text \(source) AND s.stxstattarget >= 0 ORDER BY 1") {
                (nil, "ALTER STATISTICS \($0[0]) SET STATISTICS \($0[2])")
            }
            + rows(
                """
                SELECT \(name), \(columns), pg_catalog.obj_description(s.oid, 'pg_statistic_ext') \(source)
                AND pg_catalog.obj_description(s.oid, 'pg_statistic_ext') IS NOT NULL ORDER BY 1
                """
            ) { (nil, "COMMENT ON STATISTICS \($0[0]) IS \(SQLText.literal($0[2]))") }
    }

    /// What values have to be: foreign keys and the primary key are not among these rules.
    private func rules() throws -> [ColumnPart] {
        try rows(
            """
            SELECT k.conname::text, (SELECT string_agg(a.attname::text, E'\\n') FROM pg_catalog.pg_attribute AS a
                    WHERE a.attrelid = c.oid AND a.attnum = ANY (k.conkey)),
                pg_catalog.pg_get_constraintdef(k.oid)
            FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE \(Self.isTable) AND k.contype IN ('c', 'u', 'x') ORDER BY k.conname
            """
        ) { ("rule \($0[0])", "ALTER TABLE \(owner) ADD CONSTRAINT \(SQLText.quoted($0[0])) \($0[2])") }
    }

    private func defaults() throws -> [ColumnPart] {
        try rows(
            """
            SELECT a.attname::text, a.attname::text, pg_catalog.pg_get_expr(d.adbin, d.adrelid)
            FROM pg_catalog.pg_attrdef AS d
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
            JOIN pg_catalog.pg_class AS c ON c.oid = d.adrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE \(Self.isTable) AND a.attgenerated = ''
            """
        ) { ("default \($0[0])", "ALTER TABLE \(owner) ALTER COLUMN \(SQLText.quoted($0[0])) SET DEFAULT \($0[2])") }
            + rows(
                """
                SELECT a.attname::text, a.attname::text FROM pg_catalog.pg_attribute AS a
                JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE \(Self.isTable) AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull
                AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k
                    WHERE k.conrelid = c.oid AND k.contype = 'p' AND a.attnum = ANY (k.conkey))
                """
            ) { (nil, "ALTER TABLE \(owner) ALTER COLUMN \(SQLText.quoted($0[0])) SET NOT NULL") }
    }

    /// How much is counted of the values of a column, and what is said of them.
    private func settings() throws -> [ColumnPart] {
        let source = """
            FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE \(Self.isTable) AND a.attnum > 0 AND NOT a.attisdropped
            """
        func altered(_ column: String) -> String { "ALTER TABLE \(owner) ALTER COLUMN \(SQLText.quoted(column))" }
        return try rows(
            "SELECT a.attname::text, a.attname::text, a.attstattarget::text \(source) AND a.attstattarget >= 0"
        ) { (nil, "\(altered($0[0])) SET STATISTICS \($0[2])") }
            + rows(
                """
                SELECT a.attname::text, a.attname::text, array_to_string(a.attoptions, ', ') \(source)
                AND a.attoptions IS NOT NULL
                """
            ) { (nil, "\(altered($0[0])) SET (\($0[2]))") }
    }

    private func grants() throws -> [ColumnPart] {
        try rows(
            """
            SELECT a.attname::text, a.attname::text, e.privilege_type, \(Grantee.name("e")), \(Grantee.option("e"))
            FROM pg_catalog.pg_attribute AS a CROSS JOIN LATERAL pg_catalog.aclexplode(a.attacl) AS e
            JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE \(Self.isTable) AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum, e.privilege_type, e.grantee
            """
        ) { (nil, "GRANT \($0[2]) (\(SQLText.quoted($0[0]))) ON \(owner) TO \($0[3])\($0[4])") }
    }

    private func comments() throws -> [ColumnPart] {
        try rows(
            """
            SELECT a.attname::text, a.attname::text, pg_catalog.col_description(c.oid, a.attnum::integer)
            FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE \(Self.isTable) AND a.attnum > 0 AND NOT a.attisdropped
            AND pg_catalog.col_description(c.oid, a.attnum::integer) IS NOT NULL
            """
        ) { (nil, "COMMENT ON COLUMN \(owner).\(SQLText.quoted($0[0])) IS \(SQLText.literal($0[2]))") }
            + rows(
                """
                SELECT k.conname::text, \(Self.columns(of: "k.oid", in: "pg_constraint")), d.description
                FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                JOIN pg_catalog.pg_description AS d ON d.objoid = k.oid
                    AND d.classoid = 'pg_catalog.pg_constraint'::pg_catalog.regclass
                WHERE \(Self.isTable) AND k.contype IN ('c', 'u', 'x')
                """
            ) { (nil, "COMMENT ON CONSTRAINT \(SQLText.quoted($0[0])) ON \(owner) IS \(SQLText.literal($0[2]))") }
            + rows(
                """
                SELECT x.relname::text, \(Self.columns(of: "i.indexrelid", in: "pg_class")), d.description
                FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid
                JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
                JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                JOIN pg_catalog.pg_description AS d ON d.objoid = x.oid AND d.objsubid = 0
                    AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
                WHERE \(Self.isTable)
                AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k WHERE k.conindid = i.indexrelid)
                """
            ) { (nil, "COMMENT ON INDEX \(database.table($0[0])) IS \(SQLText.literal($0[2]))") }
    }

    /// The rows of a query, whose second column has the columns that a part is about.
    private func rows(
        _ sql: String, _ part: ([String]) -> (name: String?, statement: String)
    ) throws -> [ColumnPart] {
        try database.catalogRows(sql, [PostgresValue(database.session.schema), PostgresValue(table)]).map { row in
            let texts = row.map { $0.string ?? "" }
            let part = part(texts)
            return ColumnPart(
                part.name, part.statement, columns: texts[1].split(separator: "\n").map(String.init))
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

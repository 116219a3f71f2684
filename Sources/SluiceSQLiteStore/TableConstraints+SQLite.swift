internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

extension TableConstraints {
    /// What a table of SQLite demands of its rows.
    init(connection: Connection, schema: RecordSchema) throws(SQLiteError) {
        let table = [SQLiteValue(schema.table)]
        let required = try connection.rows(
            "SELECT lower(name) FROM pragma_table_info(?1) WHERE \"notnull\" AND NOT pk", table)
        let changesOtherRows =
            try connection.integer(
                """
                SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND instr(lower(sql), lower(?1)))
                    OR EXISTS (SELECT 1 FROM pragma_foreign_key_list(?1)
                        WHERE on_delete NOT IN ('NO ACTION', 'RESTRICT')
                            OR on_update NOT IN ('NO ACTION', 'RESTRICT'))
                """, table) != 0
        self.init(
            schema, unique: try UniqueIndexes.columns(of: schema.table, connection),
            required: required.map { FieldValue($0[0]).string ?? "" },
            mayRefuse: try Self.mayRefuse(connection, schema.table),
            changesOtherRows: changesOtherRows, isBound: try Self.isBound(connection, schema.table))
    }

    /// Whether the rows of a table are bound to those of others.
    private static func isBound(_ connection: Connection, _ table: String) throws(SQLiteError) -> Bool {
        // Words may also stand in names: then what is written is only counted more closely than need be.
        try connection.integer(
            """
            SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE (type = 'trigger'
                OR \(count("REFERENCES")) > \(count("DEFERRABLE INITIALLY DEFERRED")))
                AND instr(lower(sql), lower(?1)))
            """, [SQLiteValue(table)]) != 0
    }

    /// Whether a table may refuse a row for more than nulls and its key.
    static func mayRefuse(_ connection: Connection, _ table: String) throws(SQLiteError) -> Bool {
        // Words may also stand in names: then the rows are only looked at more closely than they need be.
        try connection.integer(
            """
            SELECT (SELECT count(*) FROM sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE AND (type = 'trigger'
                OR sql LIKE '%CHECK%' OR sql LIKE '%COLLATE%' OR sql LIKE '%GENERATED%'
                OR \(count("REFERENCES")) > \(count("DEFERRABLE INITIALLY DEFERRED"))))
                + (SELECT count(*) FROM pragma_index_list(?1) WHERE "unique" AND origin <> 'pk')
            """, [SQLiteValue(table)]) != 0
    }

    /// How often a word stands in a statement: a foreign key that is checked at the end refuses no row.
    private static func count(_ word: String) -> String {
        "(length(sql) - length(replace(upper(sql), '\(word)', ''))) / \(word.utf8.count)"
    }
}

internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

/// What a table demands of its rows, as the database's schema says it, whoever fills it.
struct TableDemands {
    /// The columns, in lower case, of each unique index but that of the primary key.
    let unique: [[String]]
    /// The columns, in lower case, that take no null besides those of the key.
    let required: [String]
    /// Whether the table may refuse a row for more than nulls and its key.
    let mayRefuse: Bool
    /// Whether writing a row may change others.
    let changesOtherRows: Bool
    /// Whether its rows are bound to those of other tables.
    let isBound: Bool

    init(of table: String, _ connection: Connection) throws(SQLiteError) {
        let name = [SQLiteValue(table)]
        unique = try UniqueIndexes.columns(of: table, connection)
        required = try connection.rows(
            "SELECT lower(name) FROM pragma_table_info(?1) WHERE \"notnull\" AND NOT pk", name
        ).map { FieldValue($0[0]).string ?? "" }
        // Words may also stand in names: then rows are looked at, and counted, more closely than they need be.
        mayRefuse =
            try connection.integer(
                """
                SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE AND (type = 'trigger'
                    OR sql LIKE '%CHECK%' OR sql LIKE '%COLLATE%' OR sql LIKE '%GENERATED%' OR \(Self.refersAtOnce)))
                    OR EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE "unique" AND origin <> 'pk')
                """, name) != 0
        changesOtherRows =
            try connection.integer(
                """
                SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND instr(lower(sql), lower(?1)))
                    OR EXISTS (SELECT 1 FROM pragma_foreign_key_list(?1)
                        WHERE on_delete NOT IN ('NO ACTION', 'RESTRICT')
                            OR on_update NOT IN ('NO ACTION', 'RESTRICT'))
                """, name) != 0
        // What costs most is asked last.
        isBound =
            try connection.integer(
                """
                SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'trigger')
                    AND instr(lower(sql), lower(?1)) AND (type = 'trigger' OR \(Self.refersAtOnce)))
                """, name) != 0
    }

    /// Whether a statement makes a foreign key that is checked at once: one that is checked at the end refuses no row.
    private static let refersAtOnce =
        "(sql LIKE '%REFERENCES%' AND \(count("REFERENCES")) > \(count("DEFERRABLE INITIALLY DEFERRED")))"

    /// How often a word stands in a statement.
    private static func count(_ word: String) -> String {
        "(length(sql) - length(replace(upper(sql), '\(word)', ''))) / \(word.utf8.count)"
    }
}

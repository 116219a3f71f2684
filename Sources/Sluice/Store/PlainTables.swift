internal import SluiceSQLite

/// The tables of models to which an insert adds a row, or which refuse it: nothing else comes of it. There a value can be inserted
/// without a look whether its record is there.
///
/// Another program's table may have `ON CONFLICT IGNORE`, a trigger that puts the new row in the place of the old one, or no key at
/// all. See: sqlite.org/lang_conflict.html, sqlite.org/lang_createtrigger.html
final class PlainTables {
    /// What was found, and of which versions of the two schemas that is true.
    private var known: (versions: [Int64?], models: [ObjectIdentifier: Bool]) = ([], [:])

    /// Whether the table of a model is one, of which the model's identifier is the primary key.
    ///
    /// - Throws: ``SluiceError``.
    func contain<M: PersistentModel>(_ type: M.Type, _ connection: Connection) throws -> Bool {
        try SluiceError.translating {
            let versions = try [
                connection.integer("PRAGMA main.schema_version"), connection.integer("PRAGMA temp.schema_version"),
            ]
            if known.versions != versions { known = (versions, [:]) }
            let model = ObjectIdentifier(type)
            if let isPlain = known.models[model] { return isPlain }
            let isPlain = try Self.isPlain(M.model.description, connection)
            known.models[model] = isPlain
            return isPlain
        }
    }

    /// Has the tables looked at anew: a version of a schema that is taken back is given again.
    func forget() { known = ([], [:]) }

    private static func isPlain(_ model: ModelDescription, _ connection: Connection) throws(SQLiteError) -> Bool {
        let key = try connection.rows(
            """
            SELECT lower(c.name) FROM pragma_table_info(?1) AS c JOIN main.sqlite_schema AS t
            ON t.type = 'table' AND t.name = ?1 COLLATE NOCASE AND instr(upper(t.sql), 'CONFLICT') = 0
            WHERE c.pk AND NOT EXISTS (
                SELECT 1 FROM main.sqlite_schema AS s WHERE s.type = 'trigger' AND s.tbl_name = ?1 COLLATE NOCASE)
            AND NOT EXISTS (
                SELECT 1 FROM temp.sqlite_schema AS s
                WHERE s.tbl_name = ?1 COLLATE NOCASE AND substr(s.name, 1, 8) <> '_sluice_')
            """, [SQLiteValue(model.table)])
        return Set(key.map { $0[0] }) == Set(model.keyColumns.map { SQLiteValue($0.lowercased()) }) && !key.isEmpty
    }
}

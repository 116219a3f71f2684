internal import SluiceModel
internal import SluiceSQLite

/// What an entity's table demands of its rows besides their key.
///
/// A table that was adopted, or that somebody added to, may demand more than the pipeline knows of.
struct TableConstraints {
    /// Groups of fields whose values together are unique, in the order of the database's list.
    ///
    /// An index on expressions, on a part of the rows or on columns that no field fills is not among them.
    let groups: [[Int]]
    /// The fields of ``groups`` that a write may leave as they are, which those of the key are not.
    let uniqueFields: Set<Int>
    /// The fields whose columns take no null.
    let requiredFields: Set<Int>
    /// Whether the table may refuse a row at all.
    let mayRefuse: Bool
    /// Whether writing a row may change others: by a trigger that names the table, or by what its foreign keys do then.
    let changesOtherRows: Bool

    init(connection: Connection, schema: RecordSchema) throws(SQLiteError) {
        let table = [SQLiteValue(schema.table)]
        func field(_ column: String) -> Int? { schema.fields.firstIndex { $0.column.lowercased() == column } }
        let indexes = try UniqueIndexes.columns(of: schema.table, connection)
        groups = indexes.compactMap { columns in
            let fields = columns.compactMap(field)
            return fields.count == columns.count && Set(fields) != Set(schema.keyFields) ? fields : nil
        }
        uniqueFields = Set(groups.flatMap { $0 }).subtracting(schema.keyFields)
        let required = try connection.rows(
            "SELECT lower(name) FROM pragma_table_info(?1) WHERE \"notnull\" AND NOT pk", table)
        requiredFields = Set(
            required.compactMap { row in
                if case .text(let name) = row[0] { return field(String(decoding: name, as: UTF8.self)) }
                return nil
            })
        // Words may also stand in names: then the rows are only looked at more closely than they need be.
        let others = try connection.integer(
            """
            SELECT (SELECT count(*) FROM sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE AND (type = 'trigger'
                OR sql LIKE '%CHECK%' OR sql LIKE '%COLLATE%' OR sql LIKE '%GENERATED%'
                OR \(Self.count("REFERENCES")) > \(Self.count("DEFERRABLE INITIALLY DEFERRED"))))
                + (SELECT count(*) FROM pragma_index_list(?1) WHERE "unique" AND origin <> 'pk')
            """, table)
        mayRefuse = !required.isEmpty || others != 0
        changesOtherRows =
            try connection.integer(
                """
                SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND instr(lower(sql), lower(?1)))
                    OR EXISTS (SELECT 1 FROM pragma_foreign_key_list(?1)
                        WHERE on_delete NOT IN ('NO ACTION', 'RESTRICT')
                            OR on_update NOT IN ('NO ACTION', 'RESTRICT'))
                """, table) != 0
    }

    /// How often a word stands in a statement: a foreign key that is checked at the end refuses no row.
    private static func count(_ word: String) -> String {
        "(length(sql) - length(replace(upper(sql), '\(word)', ''))) / \(word.utf8.count)"
    }

    /// The values of a group in a row; nil where one is null, which makes all of them free.
    func values(_ row: [FieldValue], group: Int) -> [FieldValue]? {
        let fields = groups[group]
        guard fields.allSatisfy({ row.indices.contains($0) && !row[$0].isNull }) else { return nil }
        return fields.map { row[$0] }
    }

    /// A mark of a group's values in a row; nil where one is null.
    func mark(_ row: [FieldValue], group: Int) -> UInt64? {
        values(row, group: group).map { KeyHash.hash(RecordKey([.integer(Int64(group))] + $0)) }
    }
}

internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceStore

/// Tables to which programs write of their own, as the history knows them.
struct EditedTables {
    let database: SQLiteDatabase

    /// How such a table is stored; nil where the store does not know it.
    ///
    /// The base that it has is temporary and empty: it is no source's.
    func layout(of mapping: RecordMapping) throws -> TableLayout? {
        guard let schema = try EntityRegistry(database: database).edits(of: mapping) else { return nil }
        return try layout(of: schema)
    }

    /// How a table is stored.
    func layout(of schema: RecordSchema) throws -> TableLayout {
        let keys = schema.keyFields.map { TableLayout.baseColumn(for: schema.fields[$0].column) }
        let base = "_sluice_no_base_\(schema.table)_\(keys.joined(separator: "_"))"
        let columns = SQLText.list(keys + TableLayout.baseColumns)
        try database.execute("CREATE TEMP TABLE IF NOT EXISTS \(SQLText.quoted(base)) (\(columns))")
        return TableLayout(
            schema: schema, baseTable: base, baseKeyColumns: keys, fieldOfSlot: Array(schema.fields.indices),
            mark: DeletionMark(columns: try database.columnNames(of: schema.table)))
    }
}

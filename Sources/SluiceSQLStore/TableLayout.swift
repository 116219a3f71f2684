package import SluiceModel

/// Where a stream's records live: table, base table, columns and slots.
package struct TableLayout {
    package let schema: RecordSchema
    /// The base table's name.
    package let baseTable: String
    /// The base table's key columns, in the order of the primary key.
    package let baseKeyColumns: [String]
    /// For each slot of the base's `fields` the position of its field, -1 where the pipeline no longer has it.
    package let fieldOfSlot: [Int]
    /// The slots of fields that the pipeline no longer has, whose columns still hold what the source said last.
    package let keptSlots: Set<Int>
    /// How the table marks rows as deleted, nil where it cannot.
    package let mark: DeletionMark?

    /// Makes a layout of its parts.
    package init(
        schema: RecordSchema, baseTable: String, baseKeyColumns: [String], fieldOfSlot: [Int],
        keptSlots: Set<Int> = [], mark: DeletionMark?
    ) {
        (self.schema, self.baseTable, self.baseKeyColumns) = (schema, baseTable, baseKeyColumns)
        (self.fieldOfSlot, self.keptSlots, self.mark) = (fieldOfSlot, keptSlots, mark)
    }

    /// The same, knowing which columns of the table are the parts of one value.
    ///
    /// - Parameter columns: The columns.
    /// - Returns: The layout.
    package func composed(of columns: [ComposedColumns]) -> TableLayout {
        TableLayout(
            schema: schema.composed(of: columns), baseTable: baseTable, baseKeyColumns: baseKeyColumns,
            fieldOfSlot: fieldOfSlot, keptSlots: keptSlots, mark: mark)
    }

    /// The key columns of the entity's table, in the order of the primary key.
    package var keyColumns: [String] { schema.keyFields.map { schema.fields[$0].column } }

    /// The names of columns that a base table has besides the key.
    package static let baseColumns = [
        "row_hash", "fields", "state", "open", "first_run", "last_run", "text_hash", "text_within",
    ]

    /// The name of a key column in a base table, clear of the base's own columns.
    package static func baseColumn(for column: String) -> String {
        baseColumns.contains(column.lowercased()) ? "key_" + column : column
    }
}

extension TableLayout {
    /// The layout of a table that an earlier run prepared, as the store itself knows it.
    ///
    /// - Parameters:
    ///   - mapping: What fills it.
    ///   - database: The store's database.
    /// - Returns: Nil where the store does not know such a mapping.
    /// - Throws: What the database throws.
    package static func known(_ mapping: RecordMapping, _ database: any SQLDatabase) throws -> TableLayout? {
        let registry = EntityRegistry(database: database)
        let name = EntityRegistry.name(mapping)
        guard let tables = try registry.tables(of: name) else { return nil }
        let columns = try database.columnNames(of: tables.table)
        let all = try registry.slots(of: name)
        // A field that the pipeline gave up keeps its slot, and its column may be gone by now.
        // What people did to links is out of sight while their table is.
        let left = try registry.leftLinks(of: name)
        let links = try registry.links(of: name).union(left.map(\.name)).filter { field in
            try registry.link(field, of: name).map { try !database.columnNames(of: $0.table).isEmpty } ?? false
        }
        let slots = all.filter {
            !$0.isRetired && (columns.contains($0.column.lowercased()) || links.contains($0.field))
        }
        let keys = all.filter { $0.keyPosition != nil }.sorted { ($0.keyPosition ?? 0) < ($1.keyPosition ?? 0) }
        guard !keys.isEmpty, keys.allSatisfy(slots.contains) else { return nil }
        var schema = RecordSchema(
            pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity, table: tables.table,
            fields: slots.map(\.schemaField),
            keyFields: keys.compactMap { key in slots.firstIndex(of: key) },
            unique: try database.uniqueGroups(of: tables.table).compactMap { group in
                let fields = group.compactMap { name in slots.firstIndex { $0.column.lowercased() == name } }
                return fields.count == group.count ? fields : nil
            })
        let defaults = Set(try database.columns(of: tables.table).filter(\.hasDefault).map { $0.name.lowercased() })
        for index in schema.fields.indices {
            schema.fields[index].hasColumnDefault = defaults.contains(schema.fields[index].column.lowercased())
        }
        schema.deletesSoftly = try registry.deletesSoftly(name)
        schema.references = try registry.references(of: name, fields: schema.fields)
        for reference in schema.references where reference.link != nil {
            for field in reference.fields { schema.fields[field].isLink = true }
        }
        return TableLayout(
            schema: schema, baseTable: tables.base, baseKeyColumns: keys.map { baseColumn(for: $0.column) },
            fieldOfSlot: all.map { slots.firstIndex(of: $0) ?? -1 }, mark: DeletionMark(columns: columns))
    }
}

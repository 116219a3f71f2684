package import SluiceModel

/// The tables to which programs write of their own and have it kept in the history: what is needed to show it and to take it back.
///
///     kind   name              value
///     edits  local/books/Book  books ⇥ id ⇥ id · title ⇥ id · name ⇥ int · string
///
/// Behind the table stand the columns of its key, the names of its fields, their columns and their types; several of one kind have
/// a line feed between them. These tables have no base and no slots: nothing of them is what a source said.
extension EntityRegistry {
    static let editKind = "edits"

    /// Writes what a table holds whose changes are kept, where it is not known as it is.
    ///
    /// - Parameter schema: The table.
    /// - Throws: What the database throws.
    package func recordEdits(of schema: RecordSchema) throws {
        let parts = [
            [schema.table], schema.keyFields.map { schema.fields[$0].column }, schema.fields.map(\.name),
            schema.fields.map(\.column), schema.fields.map(\.type.rawValue),
        ]
        try put(Self.editKind, Self.name(schema.source), Self.value(parts))
    }

    /// What a table holds whose changes are kept.
    ///
    /// - Parameter mapping: The name under which they are kept.
    /// - Returns: The fields whose columns are there; nil where the table or a column of its key is gone, and for other names.
    /// - Throws: What the database throws.
    package func edits(of mapping: RecordMapping) throws -> RecordSchema? {
        guard let value = try entry(Self.editKind, Self.name(mapping)) else { return nil }
        let parts = Self.lists(value)
        guard parts.count == 5, let table = parts[0].first, parts[2].count == parts[3].count,
            parts[3].count == parts[4].count
        else { return nil }
        let columns = try database.columnNames(of: table)
        let fields = parts[2].indices.compactMap { index -> RecordSchema.Field? in
            guard let type = FieldType(rawValue: parts[4][index]), columns.contains(parts[3][index].lowercased()) else {
                return nil
            }
            return RecordSchema.Field(name: parts[2][index], column: parts[3][index], type: type)
        }
        let keys = parts[1].compactMap { name in fields.firstIndex { ColumnName.areSame($0.column, name) } }
        guard !keys.isEmpty, keys.count == parts[1].count else { return nil }
        return RecordSchema(
            pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity, table: table, fields: fields,
            keyFields: keys)
    }

    /// The names under which changes are kept: of a table, or all of them.
    package func edits(of table: String?) throws -> [RecordMapping] {
        try entries(Self.editKind).filter { entry in
            guard let table else { return true }
            return Self.lists(entry.value).first?.first.map { ColumnName.areSame($0, table) } ?? false
        }.compactMap { Self.mapping($0.name) }
    }
}

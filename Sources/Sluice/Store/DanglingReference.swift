internal import SluiceSQLite

/// Says for which record a transaction cannot be committed, as it leads to one that is not there.
struct DanglingReference {
    private let connection: Connection
    private let schema: Schema

    init(_ connection: Connection, _ schema: Schema) { (self.connection, self.schema) = (connection, schema) }

    /// The first reference of a model that is the reason.
    ///
    /// - Parameter row: A row that leads nowhere; nil where the first one of all tables is to be found.
    /// - Returns: Nil where it is no reference of a model.
    /// - Throws: `SQLiteError`.
    func error(of row: (table: String, key: [BoxedValue])?) throws -> SluiceError? {
        for model in schema.models {
            let description = model.modelDescription
            if let row, row.table.lowercased() != description.table.lowercased() { continue }
            for field in description.fields {
                guard let target = field.reference?.target?.modelDescription else { continue }
                if let error = try error(description, field, target, row?.key) { return error }
            }
        }
        return nil
    }

    private func error(
        _ description: ModelDescription, _ field: ModelDescription.Field, _ target: ModelDescription,
        _ key: [BoxedValue]?
    ) throws -> SluiceError? {
        guard let targetKey = target.keyColumns.first else { return nil }
        let column = SQLIdentifier.quoted(field.column)
        let isRow = key.map { _ in description.keyColumns.map { " AND o.\(SQLIdentifier.quoted($0)) = ?" }.joined() }
        let statement = try connection.prepare(
            """
            SELECT \(SQLIdentifier.list(description.keyColumns + [field.column])) FROM \(SQLIdentifier.quoted(description.table)) AS o
            WHERE o.\(column) IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM \(SQLIdentifier.quoted(target.table)) AS t WHERE t.\(SQLIdentifier.quoted(targetKey)) = o.\(column))\(isRow ?? "")
            ORDER BY 1 LIMIT 1
            """)
        for (place, value) in (key ?? []).enumerated() { statement.bind(value, at: place + 1) }
        guard try statement.step() else { return nil }
        let values = (0...description.keyColumns.count).map { StoredColumn(statement: statement, index: $0).value.text }
        let (owner, missing) = (values.dropLast().joined(separator: ", "), values.last ?? "")
        return SluiceError(
            .dangling,
            "\(description.entity) \(owner), property `\(field.property)` leads to \(target.entity) \(missing), which is not there. Save that record in the same transaction, or let the property lead elsewhere.",
            entity: description.entity, identifier: owner, field: field.property)
    }
}

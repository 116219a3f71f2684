internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// What is unique in an entity's table.
extension SQLiteSchemaPlanner {
    mutating func createIndexes() throws {
        try createReferenceIndexes()
        for group in schema.unique {
            let columns = group.map { schema.fields[$0].column }
            let wanted = Set(columns.map { $0.lowercased() })
            let known =
                try UniqueIndexes.columns(of: schema.table, connection)
                + UniqueIndexes.whole(of: schema.table, connection).map(\.columns)
            if known.contains(where: { Set($0) == wanted }) { continue }
            let name = try freeName(([schema.table] + columns + ["key"]).joined(separator: "_"))
            // A row that is marked as deleted gives up its values.
            let rows = schema.deletesSoftly ? UniqueIndexes.condition : ""
            do {
                try apply(
                    .createIndex, table: schema.table,
                    sql:
                        "CREATE UNIQUE INDEX \(SQLName.quoted(name)) ON \(SQLName.quoted(schema.table)) (\(SQLName.list(columns)))\(rows)"
                )
            } catch let error as SQLiteError where error.code == .uniqueConstraint {
                throw StoreError(
                    .mismatch,
                    "Rows of the table `\(schema.table)` have the same \(columns.joined(separator: ", ")), which `unique` forbids. Correct the rows, or remove that group from `unique`. To find them: SELECT \(SQLName.list(columns)), count(*) FROM \(SQLName.quoted(schema.table)) GROUP BY \(SQLName.list(columns)) HAVING count(*) > 1"
                )
            }
        }
    }

    /// What an adopted table says itself must be unique, besides what the pipeline says.
    func ownUniqueGroups() throws -> [[Int]] {
        var known = Set(schema.unique.map(Set.init)).union([Set(schema.keyFields)])
        return try UniqueIndexes.columns(of: schema.table, connection).compactMap { columns in
            let group = columns.compactMap { name in schema.fields.firstIndex { $0.column.lowercased() == name } }
            return group.count == columns.count && known.insert(Set(group)).inserted ? group : nil
        }
    }
}

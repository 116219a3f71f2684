internal import SluiceModel
internal import SluiceStore

/// What is unique in an entity's table.
extension SchemaPlanner {
    mutating func createIndexes() throws {
        try createReferenceIndexes()
        for group in schema.unique {
            let columns = group.map { schema.fields[$0].column }
            let wanted = Set(columns.map { $0.lowercased() })
            let known = try database.indexes(of: schema.table).filter {
                $0.isUnique && ($0.isWhole || $0.leavesOutMarked)
            }
            if known.contains(where: { Set($0.columns) == wanted }) { continue }
            let name = try freeName(([schema.table] + columns + ["key"]).joined(separator: "_"))
            // A row that is marked as deleted gives up its values.
            let rows = schema.deletesSoftly ? " WHERE \(DeletionMark.isNotSet)" : ""
            let sql =
                "CREATE UNIQUE INDEX \(SQLText.quoted(name)) ON \(database.table(schema.table)) (\(SQLText.list(columns)))\(rows)"
            if let refusal = try database.attempt({ try database.execute(sql) }) {
                throw StoreError(
                    .mismatch,
                    refusal.isUnique
                        ? "Rows of the table `\(schema.table)` have the same \(columns.joined(separator: ", ")), which `unique` forbids. Correct the rows, or remove that group from `unique`. To find them: SELECT \(SQLText.list(columns)), count(*) FROM \(SQLText.quoted(schema.table)) GROUP BY \(SQLText.list(columns)) HAVING count(*) > 1"
                        : "No index can be made for `unique` of \(columns.joined(separator: ", ")) in the table `\(schema.table)`: \(refusal.message). Remove that group from `unique`."
                )
            }
            note(SchemaChange(table: schema.table, kind: .createIndex, sql: sql))
        }
    }

    /// What an adopted table says itself must be unique, besides what the pipeline says.
    func ownUniqueGroups() throws -> [[Int]] {
        var known = Set(schema.unique.map(Set.init)).union([Set(schema.keyFields)])
        return try database.uniqueGroups(of: schema.table).compactMap { columns in
            let group = columns.compactMap { name in schema.fields.firstIndex { $0.column.lowercased() == name } }
            return group.count == columns.count && known.insert(Set(group)).inserted ? group : nil
        }
    }
}

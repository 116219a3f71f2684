package import SluiceModel
package import SluiceStore

/// Who waits for a record that is not there.
package struct ReferenceWaiters {
    private let database: any SQLDatabase

    /// Looks at the references of a store.
    package init(_ database: any SQLDatabase) { self.database = database }

    /// The references that wait for a record.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - schema: The fields of its table.
    /// - Returns: The references, in the order of tables, fields and keys of those that have them.
    /// - Throws: What the database throws.
    package func waiting(for key: RecordKey, of schema: RecordSchema) throws -> [AwaitingReference] {
        if try PendingReferences(database).isEmpty() { return [] }
        var found: [AwaitingReference] = []
        let columns = schema.keyFields.map { schema.fields[$0].column }
        for reference in try EntityRegistry(database: database).references()
        where ColumnName.areSame(reference.target, schema.table) {
            let places = reference.targetColumns.map { name in
                columns.firstIndex { ColumnName.areSame($0, name) }
            }
            // What leads to something else than the identifier names no record by it.
            guard !places.contains(nil), let mapping = EntityRegistry.mapping(reference.mapping) else { continue }
            let wanted = LinkHistory.words(places.compactMap { $0.map { key.values[$0] } })
            let rows = try database.rows(
                """
                SELECT p.key, p.target_key FROM \(database.ledger("pending")) AS p
                WHERE \(reference.waits) AND p.rule = 'defer' ORDER BY p.key, p.target_key
                """)
            for row in rows where LinkHistory.words(LinkHistory.key(row[1])) == wanted {
                found.append(
                    AwaitingReference(
                        mapping: mapping, key: reference.ownerName(LinkHistory.key(row[0])), field: reference.name))
            }
        }
        return found
    }
}

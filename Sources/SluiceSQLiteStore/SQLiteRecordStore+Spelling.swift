internal import SluiceModel
internal import SluiceSQLStore
package import SluiceStore

/// Identifiers that people wrote in another spelling.
extension SQLiteRecordStore {
    /// Has identifiers stand as they are compared, where people wrote them in another spelling.
    package func spellKeys() throws {
        try translated {
            if try !StoreFormat.hasTables(connection) { return }
            for mapping in try EntityRegistry(database: database).mappings() {
                guard let schema = try TableLayout.known(mapping, database)?.schema,
                    try !database.columns(of: schema.table).isEmpty
                else { continue }
                if isLookedAt {
                    try database.spellKeysAside(of: schema)
                } else {
                    _ = try database.spellKeys(of: schema)
                }
            }
        }
    }

    /// The identifiers that kept another spelling, each told once.
    package func takeUnspelledKeys(of tables: [String]) -> [UnspelledKey] {
        Set(tables.map { $0.lowercased() }).sorted().flatMap { table in
            (database.unspelled.removeValue(forKey: table) ?? []).sorted { $0.old < $1.old }
        }
    }
}

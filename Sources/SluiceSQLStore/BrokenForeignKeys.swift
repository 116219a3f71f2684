internal import SluiceModel
internal import SluiceStore

/// Foreign keys that are checked as the transaction ends and do not hold: between a table that sources fill and another one, in
/// either direction.
struct BrokenForeignKeys {
    private let database: any SQLDatabase
    private var registry: EntityRegistry { EntityRegistry(database: database) }

    init(_ database: any SQLDatabase) { self.database = database }

    /// The rows that lead nowhere.
    ///
    /// - Parameter known: Those of references, which are told as such.
    /// - Returns: One for each other, in the order of tables and keys.
    /// - Throws: What the database throws.
    func unmet(besides known: [UnmetReference]) throws -> [UnmetReference] {
        let references = try registry.references().filter { reference in
            known.contains { $0.table == reference.table && $0.name == reference.name }
        }
        return try keys(besides: references).flatMap { try unmet($0.key, of: $0.table) }
    }

    private func keys(besides references: [EntityRegistry.Reference]) throws -> [(table: String, key: SQLForeignKey)] {
        var known: [(table: String, key: SQLForeignKey)] = []
        for table in try Set(registry.mappings().compactMap { try registry.tables(of: EntityRegistry.name($0))?.table })
            .sorted()
        {
            let keys = try database.foreignKeys(of: table).map { (table: table, key: $0) }
            for (name, key) in try keys + database.referrers(to: table) {
                let isKnown = known.contains { $0.table == name && $0.key == key }
                if isKnown || references.contains(where: { $0.holds(key, of: name) }) { continue }
                known.append((name, key))
            }
        }
        return known
    }

    private func unmet(_ key: SQLForeignKey, of table: String) throws -> [UnmetReference] {
        let primary = try keyColumns(of: key.target)
        let targets = key.targetColumns.isEmpty ? primary : key.targetColumns
        // A table of another schema may have the same name.
        let columns = try database.columnNames(of: key.target)
        guard targets.count == key.columns.count, targets.allSatisfy({ columns.contains($0.lowercased()) }) else {
            return []
        }
        let owner = try keyColumns(of: table)
        let isThere = key.columns.map { "o.\(SQLText.quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        let same = zip(targets, key.columns).map { "t.\(SQLText.quoted($0)) = o.\(SQLText.quoted($1))" }
        // The key of the other record in its own order, where it is its key.
        let parts = primary.compactMap { name in targets.firstIndex { ColumnName.areSame($0, name) } }
        let leadsToKey = parts.count == primary.count && parts.count == targets.count && !parts.isEmpty
        let leading = leadsToKey ? parts.map { key.columns[$0] } : key.columns
        let values = (owner + leading).map { "o.\(SQLText.quoted($0))" }.joined(separator: ", ")
        let rows = try database.rows(
            """
            SELECT \(values) FROM \(database.table(table)) AS o WHERE \(isThere) AND NOT EXISTS (
            SELECT 1 FROM \(database.table(key.target)) AS t WHERE \(same.joined(separator: " AND ")))
            ORDER BY \(owner.isEmpty ? "1" : values)
            """)
        let required = RequiredReferences(database)
        let (ownForms, targetForms) = (
            try required.forms(table, owner), try required.forms(key.target, leadsToKey ? primary : targets)
        )
        return rows.map { row in
            UnmetReference(
                name: key.columns.joined(separator: ", "), table: table,
                owner: required.key(Array(row.prefix(owner.count)), ownForms), target: key.target,
                targetKey: required.key(Array(row.dropFirst(owner.count)), targetForms), leadsToKey: leadsToKey,
                refusal:
                    "The foreign key of `\(table)` is checked as the transaction ends, and does not hold then. Change or delete the row that leads there, fill `\(key.target)` first, or take the foreign key off."
            )
        }
    }

    /// The columns of a table's key in the order that its records have them; those of its primary key where no source fills it.
    private func keyColumns(of table: String) throws -> [String] {
        if let mapping = try registry.sources(of: table).first {
            let slots = try registry.keySlots(of: EntityRegistry.name(mapping))
            if !slots.isEmpty { return slots.map(\.column) }
        }
        return try database.columns(of: table).filter { $0.keyPosition > 0 }
            .sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    }
}

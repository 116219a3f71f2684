internal import SluiceModel
package import SluiceStore

/// Reads what tables a store has, and where each of their columns comes from.
package struct StoredTableReader {
    private let database: any SQLDatabase
    private let registry: EntityRegistry
    private let references: [EntityRegistry.Reference]

    /// Looks into a store.
    package init(_ database: any SQLDatabase) throws {
        self.database = database
        registry = EntityRegistry(database: database)
        // What programs' models say besides is not of the streams.
        references = try registry.references().filter { !$0.mapping.isEmpty }
    }

    /// The tables that streams fill, those of links, and those that they refer to, each group by name.
    package func tables() throws -> [StoredTable] {
        var filled: [String: (name: String, sources: [RecordMapping])] = [:]
        for mapping in try registry.mappings() {
            guard let table = try registry.tables(of: EntityRegistry.name(mapping))?.table else { continue }
            filled[table.lowercased(), default: (table, [])].sources.append(mapping)
        }
        let links = Self.byName(references.compactMap { $0.link?.table }.filter { filled[$0.lowercased()] == nil })
        let known = Set(filled.keys).union(links.map { $0.lowercased() })
        let targets = Self.byName(references.map(\.target).filter { !known.contains($0.lowercased()) })
        var found: [StoredTable] = []
        for (_, table) in filled.sorted(by: { $0.key < $1.key }) {
            found.append(try self.table(table.name, filledBy: table.sources))
        }
        for name in links { found.append(try linkTable(name)) }
        for name in targets { found.append(try targetTable(name)) }
        return found
    }

    /// Names without those that the database takes for the same, in order.
    private static func byName(_ names: [String]) -> [String] {
        Dictionary(names.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
            .sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: Kinds of tables

    private func table(_ name: String, filledBy mappings: [RecordMapping]) throws -> StoredTable {
        var fields: [String: [StoredTable.Field]] = [:]
        var given: [String: [StoredTable.Field]] = [:]
        var sources: [StoredTable.Source] = []
        var (filled, linked): ([String], [String]) = ([], [])
        for mapping in mappings {
            let key = EntityRegistry.name(mapping)
            let links = try registry.links(of: key)
            if try registry.deletesSoftly(key) { filled.append(DeletionMark.time) }
            sources.append(StoredTable.Source(mapping: mapping, deletesSoftly: try registry.deletesSoftly(key)))
            for slot in try registry.slots(of: key) where !slot.isRetired {
                let field = StoredTable.Field(
                    mapping: mapping, name: slot.field, type: slot.type, redaction: slot.redaction,
                    values: slot.allowed?.map { String(decoding: $0, as: UTF8.self) }.sorted())
                if !slot.isGivenUp && !links.contains(slot.field) { filled.append(slot.column) }
                if let link = try registry.link(slot.field, of: key), !slot.isGivenUp,
                    try database.columnNames(of: link.table).isEmpty
                {
                    linked.append(link.table)
                }
                if slot.isGivenUp {
                    given[slot.column.lowercased(), default: []].append(field)
                } else {
                    fields[slot.column.lowercased(), default: []].append(field)
                }
            }
        }
        let marks = Set(DeletionMark(columns: try database.columnNames(of: name)) == nil ? [] : Self.markColumns)
        let own = references.filter { $0.table.lowercased() == name.lowercased() }
        var found = try table(name, .records, sources: sources, try named(own, of: name)) { column in
            if let fields = fields[column] { return .fields(fields) }
            if marks.contains(column) { return .mark }
            return given[column].map { .given($0) } ?? .own
        }
        (found.missing, found.missingLinks) = (Self.missing(filled, in: found), Self.byName(linked))
        return found
    }

    /// The columns that a table which is there lacks.
    private static func missing(_ columns: [String], in table: StoredTable) -> [String] {
        if table.columns.isEmpty { return [] }
        return byName(columns).filter { column in
            !table.columns.contains { ColumnName.areSame($0.name, column) }
        }
    }

    private static let markColumns = DeletionMark.columns.map(\.name)

    private func linkTable(_ name: String) throws -> StoredTable {
        let holding = references.filter { $0.link?.table.lowercased() == name.lowercased() }
        var sources: [StoredTable.Source] = []
        var origins: [String: String] = [:]
        var wanted: [StoredTable.Reference] = []
        for reference in holding {
            guard let link = reference.link else { continue }
            for column in link.ownerColumns + link.targetColumns { origins[column.lowercased()] = reference.name }
            if let mapping = EntityRegistry.mapping(reference.mapping) {
                let softly = try registry.deletesSoftly(reference.mapping)
                sources.append(StoredTable.Source(mapping: mapping, deletesSoftly: softly))
            }
            wanted.append(
                StoredTable.Reference(
                    name: reference.name, columns: link.ownerColumns, target: reference.table,
                    targetColumns: reference.keyColumns, rule: .owner, isForeignKey: false))
            wanted.append(
                StoredTable.Reference(
                    name: reference.name, columns: link.targetColumns, target: reference.target,
                    targetColumns: reference.targetColumns, rule: reference.rule, isForeignKey: false))
        }
        var found = try table(name, .links, sources: sources, try matched(wanted, of: name)) { column in
            origins[column].map { .link($0) } ?? .own
        }
        found.missing = Self.missing(
            holding.compactMap(\.link).flatMap { $0.ownerColumns + $0.targetColumns }, in: found)
        return found
    }

    /// A table that nothing fills: it has the keys that references lead to.
    private func targetTable(_ name: String) throws -> StoredTable {
        var origins: [String: String] = [:]
        for reference in references where reference.target.lowercased() == name.lowercased() {
            for column in reference.targetColumns { origins[column.lowercased()] = reference.name }
        }
        return try table(name, .target, sources: [], foundReferences(of: name)) { column in
            origins[column].map { .link($0) } ?? .own
        }
    }

    private func table(
        _ name: String, _ role: StoredTable.Role, sources: [StoredTable.Source], _ references: [StoredTable.Reference],
        _ origin: (String) -> StoredTable.Origin
    ) throws -> StoredTable {
        let columns = try database.columns(of: name).map { column in
            StoredTable.Column(
                name: column.name, type: column.declared,
                keyPosition: column.keyPosition == 0 ? nil : column.keyPosition,
                isRequired: column.isNotNull, origin: origin(column.name.lowercased()))
        }
        let unique = try database.uniqueGroups(of: name).compactMap { group in
            let names = group.compactMap { part in columns.first { $0.name.lowercased() == part }?.name }
            return names.count == group.count ? names : nil
        }
        return StoredTable(
            name: name, role: role, sources: sources, columns: columns,
            unique: unique.sorted { $0.lexicographicallyPrecedes($1) }, references: references)
    }

    // MARK: References

    /// What pipelines say of a table's references, and its other foreign keys.
    private func named(
        _ references: [EntityRegistry.Reference], of table: String
    ) throws -> [StoredTable.Reference] {
        let wanted = references.map { reference in
            StoredTable.Reference(
                name: reference.name, columns: reference.link == nil ? reference.columns : [],
                target: reference.target, targetColumns: reference.targetColumns, link: reference.link?.table,
                rule: reference.rule, isForeignKey: false)
        }
        return try matched(wanted, of: table)
    }

    /// References, each with whether the database holds it, and the foreign keys that none of them stands for.
    private func matched(
        _ wanted: [StoredTable.Reference], of table: String
    ) throws -> [StoredTable.Reference] {
        func place(_ reference: StoredTable.Reference) -> [String] {
            ([reference.target] + reference.columns.sorted()).map { $0.lowercased() }
        }
        let found = try foundReferences(of: table)
        let held = Set(found.map(place))
        let known = Set(wanted.map(place))
        return wanted.map { reference in
            StoredTable.Reference(
                name: reference.name, columns: reference.columns, target: reference.target,
                targetColumns: reference.targetColumns, link: reference.link, rule: reference.rule,
                isForeignKey: held.contains(place(reference)))
        } + found.filter { !known.contains(place($0)) }
    }

    /// The foreign keys of a table, as the database has them.
    private func foundReferences(of table: String) throws -> [StoredTable.Reference] {
        try database.foreignKeys(of: table).map { key in
            StoredTable.Reference(
                name: nil, columns: key.columns, target: key.target, targetColumns: key.targetColumns,
                isForeignKey: true)
        }.sorted { $0.columns.lexicographicallyPrecedes($1.columns) }
    }

    /// The tables of some pipelines or of an entity, and those that one of them refers to although nothing fills them.
    ///
    /// - Parameters:
    ///   - pipelines: The pipelines whose tables are meant, nil for all.
    ///   - entity: The entity whose tables are meant, nil for all.
    /// - Returns: The tables.
    /// - Throws: What the database throws.
    package func tables(pipelines: [String]?, entity: String?) throws -> [StoredTable] {
        let all = try tables()
        let meant = all.filter { table in
            table.sources.contains { source in
                (pipelines?.contains(source.mapping.pipeline) ?? true)
                    && (entity.map { $0 == source.mapping.entity } ?? true)
            }
        }
        let targets = Set(meant.flatMap(\.references).map { $0.target.lowercased() })
        return try meant.map(withoutIdle) + all.filter { $0.role == .target && targets.contains($0.name.lowercased()) }
    }

    /// A table without the streams that never gave it a record, where others did: a stream whose records refer to those of the
    /// table may give some and need not. A column that theirs alone fill keeps them.
    private func withoutIdle(_ table: StoredTable) throws -> StoredTable {
        if table.role != .records || table.sources.count < 2 { return table }
        let giving = try Set(table.sources.map(\.mapping).filter(hasGiven))
        if giving.isEmpty { return table }
        func given(_ fields: [StoredTable.Field]) -> [StoredTable.Field] {
            let given = fields.filter { giving.contains($0.mapping) }
            return given.isEmpty ? fields : given
        }
        let columns = table.columns.map { column in
            let origin: StoredTable.Origin =
                switch column.origin {
                case .fields(let fields): .fields(given(fields))
                case .given(let fields): .given(given(fields))
                case .link, .mark, .own: column.origin
                }
            return StoredTable.Column(
                name: column.name, type: column.type, keyPosition: column.keyPosition, isRequired: column.isRequired,
                origin: origin)
        }
        var given = StoredTable(
            name: table.name, role: table.role, sources: table.sources.filter { giving.contains($0.mapping) },
            columns: columns, unique: table.unique, references: table.references)
        (given.missing, given.missingLinks) = (table.missing, table.missingLinks)
        return given
    }

    /// Whether the store remembers anything that a stream said of records of an entity.
    private func hasGiven(_ mapping: RecordMapping) throws -> Bool {
        guard let base = try registry.tables(of: EntityRegistry.name(mapping))?.base,
            try database.object(base) == .table
        else { return false }
        return try database.hasRow("SELECT 1 FROM \(database.table(base)) LIMIT 1")
    }
}

internal import SluiceModel
internal import SluiceStore

/// What is unique in an entity's table.
///
/// The store notes which groups each source wants and which indexes it made, so that an index goes when the last source
/// gives its group up. What people made stays.
///
///     kind     name                    value
///     unique   shop/books/Book         isbn ⇥ shelf ↵ place
///     index    books/books_isbn_key    isbn
extension SchemaPlanner {
    /// Where the groups of a table are noted that no source fills, or others besides.
    private static func place(ofTable table: String) -> String { "table/\(table)" }

    // `isSourced`: whether a source fills the table, so that its groups are all that the pipeline wants.
    mutating func createIndexes(isSourced: Bool = true) throws {
        try createReferenceIndexes()
        if isSourced {
            try dropUnwantedIndexes()
        } else {
            try recordGroups(of: Self.place(ofTable: schema.table))
        }
        for group in schema.unique {
            let columns = group.map { schema.fields[$0].column }
            let wanted = Self.folded(columns)
            let known = try database.indexes(of: schema.table).filter { index in
                // A row that is marked as deleted gives up its values.
                index.isUnique && (index.isWhole || index.leavesOutMarked) && Set(index.columns) == wanted
            }
            if !known.isEmpty { continue }
            let name = try freeName(([schema.table] + columns + ["key"]).joined(separator: "_"))
            let rows = schema.deletesSoftly ? " WHERE \(DeletionMark.isNotSet)" : ""
            let sql =
                "CREATE UNIQUE INDEX \(SQLText.quoted(name)) ON \(database.table(schema.table)) (\(SQLText.list(columns)))\(rows)"
            if let refusal = try database.attempt({ try database.execute(sql) }) {
                throw StoreError(
                    .mismatch,
                    refusal.isUnique
                        ? try duplicates(columns, rows)
                        : "No index can be made for `unique` of \(columns.joined(separator: ", ")) in the table `\(schema.table)`: \(refusal.message). Remove that group from `unique`.",
                    about: PipelineKey(.unique, of: schema.entity))
            }
            if isSourced {
                try EntityRegistry(database: database)
                    .put("index", "\(schema.table)/\(name)", columns.joined(separator: "\n"))
            }
            if isSourced { try record(.createIndex, index: name, sql, columns: columns) }
            var change = SchemaChange(table: schema.table, kind: .createIndex, sql: sql)
            change.statements = [sql]
            if !madeTable { change.rows = try database.count(of: schema.table) }
            record(change)
        }
    }

    private static func folded(_ columns: [String]) -> Set<String> { Set(columns.map { $0.lowercased() }) }

    /// Writes down which groups are wanted, where that is not known.
    private func recordGroups(of name: String) throws {
        let groups = schema.unique.map { group in group.map { schema.fields[$0].column }.joined(separator: "\n") }
        try EntityRegistry(database: database).put("unique", name, groups.joined(separator: "\t"))
    }

    /// Drops the indexes that this program made and no source wants any more, or not of these rows.
    private mutating func dropUnwantedIndexes() throws {
        let registry = EntityRegistry(database: database)
        let isNoted = try registry.entry("unique", mappingName) != nil
        try recordGroups(of: mappingName)
        if madeTable { return }
        var wanted: Set<Set<String>> = []
        let mappings = Set(try registry.mappings(of: schema.table)).union([mappingName])
        for name in mappings.union([Self.place(ofTable: schema.table)]) {
            guard let groups = try registry.entry("unique", name) else {
                // What another source wants is known once it ran; until then all stays.
                if mappings.contains(name) { return }
                continue
            }
            for group in EntityRegistry.lists(groups) { wanted.insert(Self.folded(group)) }
        }
        for name in try madeIndexes(isNoted: isNoted) {
            guard let index = try database.index(name, of: schema.table) else { continue }
            // Sources that delete in different ways share an index as it is. One that leaves out marked rows is enough for
            // a source that deletes: rows that were marked before may have the same values.
            let isOfTheseRows = mappings.count > 1 || !index.isWhole || !schema.deletesSoftly
            if wanted.contains(Set(index.columns)) && isOfTheseRows { continue }
            let rows = index.isWhole ? "" : " WHERE \(DeletionMark.isNotSet)"
            let columns = try index.columns.map { folded in
                try database.columns(of: schema.table).first { $0.name.lowercased() == folded }?.name ?? folded
            }
            try record(
                .dropIndex, index: name,
                "CREATE UNIQUE INDEX \(SQLText.quoted(name)) ON \(database.table(schema.table)) (\(SQLText.list(columns)))\(rows)",
                columns: columns)
            let (_, statements) = try database.monitor.statements { try database.dropIndex(name, of: schema.table) }
            var change = SchemaChange(
                table: schema.table, kind: .dropIndex, sql: "DROP INDEX \(database.table(name))")
            change.statements = statements.map(\.sql)
            change.rows = try database.count(of: schema.table)
            record(change)
            try registry.remove("index", "\(schema.table)/\(name)")
        }
    }

    /// The unique indexes of the table that this program made. What older versions made is known by its name alone, and
    /// looked for once.
    private func madeIndexes(isNoted: Bool) throws -> [String] {
        let registry = EntityRegistry(database: database)
        let prefix = "\(schema.table)/"
        var names = try registry.entries("index", prefix: prefix).map { entry in
            String(decoding: entry.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        }
        // Databases call the indexes of constraints in the same way.
        if try isNoted || !database.isOurs(schema.table) { return names }
        for index in try database.indexes(of: schema.table)
        where index.isUnique && !index.isOfConstraint && !names.contains(index.name) {
            let columns = index.columns.compactMap { folded in
                schema.fields.first { $0.column.lowercased() == folded }?.column
            }
            let made = database.derivedName(([schema.table] + columns + ["key"]).joined(separator: "_"))
            if columns.count == index.columns.count, index.name == made { names.append(index.name) }
        }
        return names
    }

    /// What is said where rows have values that must be unique: the first of them, with their keys.
    private func duplicates(_ columns: [String], _ condition: String) throws -> String {
        let (table, list) = (database.table(schema.table), SQLText.list(columns))
        let isSet = columns.map { "\(SQLText.quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        let rows = condition.isEmpty ? " WHERE \(isSet)" : "\(condition) AND \(isSet)"
        let groups = "SELECT \(list) FROM \(table)\(rows) GROUP BY \(list) HAVING count(*) > 1"
        let count = try database.integer("SELECT count(*) FROM (\(groups)) AS found") ?? 0
        let fields = columns.compactMap { name in schema.fields.first { $0.column == name } }
        let keys = schema.keyFields.map { schema.fields[$0] }
        let listed = try database.rows("\(groups) ORDER BY \(list) LIMIT 5").map { values in
            let places = zip(columns, fields).enumerated().map { "\(SQLText.quoted($1.0)) = ?\($0 + 1)" }
            let found = try database.rows(
                "SELECT \(SQLText.list(keyColumns)) FROM \(table)\(rows) AND \(places.joined(separator: " AND ")) ORDER BY \(SQLText.list(keyColumns)) LIMIT 4",
                values)
            let said = zip(fields, values).map { FieldJSON.text($1, type: $0.type) }.joined(separator: ", ")
            let names = found.prefix(3).map { RefusedRows.key(keys.map { ($0.name, $0.type) }, $0) }
            return "\(said) in \(names.joined(separator: ", "))\(found.count > 3 ? " and more" : "")"
        }
        let more = count > Int64(listed.count) ? "; and \(count - Int64(listed.count)) more" : ""
        return
            "Rows of the table `\(schema.table)` have the same \(columns.joined(separator: ", ")), which `unique` of `\(schema.entity)` forbids: \(listed.joined(separator: "; "))\(more). Correct the rows, or remove that group from `unique`."
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

/// Rows that stand against a change of a table, as messages list them.
enum RefusedRows {
    /// A record's key as a JSON object.
    static func key(_ fields: [(name: String, type: FieldType)], _ values: [FieldValue]) -> String {
        let members = zip(fields, values).map { "\(FieldJSON.quoted($0.name)):\(FieldJSON.text($1, type: $0.type))" }
        return "{\(members.joined(separator: ","))}"
    }

    /// The first of some rows, and how many more there are.
    static func list(_ rows: [String], of count: Int) -> String {
        rows.joined(separator: ", ") + (count > rows.count ? " and \(count - rows.count) more" : "")
    }
}

internal import SluiceModel
internal import SluiceStore

/// Foreign keys and tables of links. Foreign keys are checked at the end of the transaction, so that rows may come in
/// any order.
extension SchemaPlanner {
    static let isDeferred = "DEFERRABLE INITIALLY DEFERRED"

    private var singles: [RecordReference] { schema.references.filter { $0.link == nil } }

    /// The constraints of a new table. Those that lead to tables which are not there yet wait for them.
    func foreignKeys() throws -> [String] {
        try singles.filter { try isReady($0) }.map { foreignKey(of: $0) }
    }

    /// Whether the foreign key of a reference can be made now; else it waits.
    private func isReady(_ reference: RecordReference) throws -> Bool {
        try isReady(foreignKey(of: reference), of: schema.table, to: reference.target)
    }

    private func isReady(_ definition: String, of table: String, to target: String) throws -> Bool {
        if try target == schema.table || database.canRefer(to: target) { return true }
        database.await(AwaitedForeignKey(table: table, target: target, definition: definition))
        return false
    }

    /// Adds the foreign keys that waited for the table.
    mutating func addAwaitedKeys() throws {
        for key in database.takeAwaited(of: schema.table) {
            guard let sql = database.addedForeignKey(key.table, key.definition) else { continue }
            try apply(.addForeignKey, table: key.table, sql: sql)
        }
    }

    /// What follows the definition of a new column of a table that is there; several columns together can refer to
    /// nothing then.
    func foreignKey(of field: Int) throws -> String {
        guard let reference = singles.first(where: { $0.fields == [field] }), try isReady(reference) else { return "" }
        return
            " REFERENCES \(database.table(reference.target)) (\(SQLText.list(reference.targetColumns))) \(Self.isDeferred)"
    }

    /// Adds the foreign keys of several columns of which some are new in a table that is there; where the database cannot
    /// add any, says so: the end of each run looks after them.
    mutating func addForeignKeys() throws {
        for reference in singles where reference.fields.count > 1 {
            guard reference.fields.contains(where: { newColumns.contains(schema.fields[$0].name) }) else { continue }
            let columns = reference.fields.map { schema.fields[$0].column }
            let definition = foreignKey(columns, reference.target, reference.targetColumns, "")
            guard let sql = database.addedForeignKey(schema.table, definition) else {
                record(
                    leftOut: "FOREIGN KEY (\(SQLText.list(columns))) REFERENCES \(database.table(reference.target)) "
                        + "(\(SQLText.list(reference.targetColumns)))")
                continue
            }
            if try isReady(definition, of: schema.table, to: reference.target) {
                try apply(.addForeignKey, table: schema.table, sql: sql)
            }
        }
    }

    private func foreignKey(_ columns: [String], _ target: String, _ others: [String], _ action: String) -> String {
        "FOREIGN KEY (\(SQLText.list(columns))) REFERENCES \(database.table(target)) (\(SQLText.list(others)))\(action) \(Self.isDeferred)"
    }

    /// The constraint of a reference that columns of the owner's table hold.
    func foreignKey(of reference: RecordReference) -> String {
        let columns = reference.fields.map { schema.fields[$0].column }
        return foreignKey(columns, reference.target, reference.targetColumns, "")
    }

    /// The constraint by which pairs belong to their owners.
    func ownerKey(of link: RecordLink) -> String {
        foreignKey(link.ownerColumns, schema.table, keyColumns, " ON DELETE CASCADE")
    }

    /// The constraint by which pairs lead to their targets.
    func targetKey(of reference: RecordReference, _ link: RecordLink) -> String {
        foreignKey(link.targetColumns, reference.target, reference.targetColumns, "")
    }

    /// Why a table does not fit, with the ways out.
    struct Misfit {
        let words: String
        /// Whether the words name all ways out.
        var isWhole = false
    }

    /// Why a table that was there before does not refer to what the pipeline says.
    func referenceProblems(_ columns: [SQLColumn]) throws -> [Misfit] {
        let known = try database.completeForeignKeys(of: schema.table)
        var problems = try singles.compactMap { reference in
            let columns = reference.fields.map { schema.fields[$0].column }
            // What belongs to a record refers to it by all of its identifier, wherever it stands.
            let way = reference.onDangling == .owner ? nil : "give `\(reference.name)` another `column`"
            return try contradiction(
                of: columns, to: reference.target, reference.targetColumns, in: known, besides: way
            ) { old in
                let kept = columns.map { "`\($0)`" }.joined(separator: ", ")
                return try renaming(
                    of: reference, from: old, "give `\(reference.name)` another name", keeping: "\(kept) and `\(old)`")
            }
        }
        for reference in schema.references {
            guard let link = reference.link,
                columns.contains(where: { $0.name.lowercased() == reference.name.lowercased() })
            else { continue }
            problems.append(
                Misfit(
                    words:
                        "it has a column `\(reference.name)`, and the values of `refs` are in the table `\(link.table)`; give the field another name, or drop the column"
                ))
        }
        return problems
    }

    /// The ways out where what a reference led to may only have another name now: it goes on under that, or another one is meant.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - old: The table to which it led.
    ///   - way: How another one is meant.
    ///   - kept: What stays as it is then.
    /// - Returns: The words; nil where no run made the reference, and where it belongs to the record to which it leads.
    /// - Throws: What the database throws.
    private func renaming(
        of reference: RecordReference, from old: String, _ way: String, keeping kept: String
    ) throws -> String? {
        let registry = EntityRegistry(database: database)
        guard reference.onDangling != .owner, try registry.knows(table: schema.table) else { return nil }
        let own = try registry.sources(of: old).filter { ($0.pipeline, $0.stream) == (schema.pipeline, schema.stream) }
        let entities = own.map(\.entity)
        let keys = entities.map { "`renamed_from: \($0)`" } + ["`table_renamed_from: \(old)` where the table alone was"]
        let key = entities.isEmpty ? "`table_renamed_from: \(old)`" : keys.joined(separator: ", or ")
        return
            "if `\(old)` was renamed, give the entity of `\(reference.target)` \(key); if another one is meant, \(way) and run once with `--allow-schema drop`: that leaves \(kept) as they are"
    }

    /// How the database contradicts what columns are to refer to, so that a value means another row to it, and the ways out.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - target: The table to which they are to lead.
    ///   - others: The columns of the table, each beside the one that refers to it.
    ///   - known: The foreign keys that there are.
    ///   - way: A way out besides those that every reference has.
    ///   - renaming: The ways out where they lead to another table, which may be the same under its earlier name.
    /// - Returns: Nil where it does not.
    /// - Throws: What `renaming` throws.
    private func contradiction(
        of columns: [String], to target: String, _ others: [String], in known: [SQLForeignKey],
        besides way: String? = nil, renaming: (_ old: String) throws -> String? = { _ in nil }
    ) rethrows -> Misfit? {
        guard let key = known.contradiction(of: columns, to: target, others) else { return nil }
        func place(_ table: String, _ columns: [String]) -> String {
            (columns.isEmpty ? "" : columns.map { "`\($0)`" }.joined(separator: ", ") + " of ") + "`\(table)`"
        }
        let own = key.columns.map { "`\($0)`" }.joined(separator: ", ")
        let fact =
            "a foreign key has \(own) refer to \(place(key.target, key.targetColumns)), and the pipeline to \(place(target, others))"
        let isSame = ColumnName.areSame(key.target, target)
        if !isSame, let ways = try renaming(key.target) { return Misfit(words: "\(fact): \(ways)", isWhole: true) }
        var ways = way.map { [$0] } ?? []
        if isSame {
            let identifier = key.targetColumns.map { "`\($0)`" }.joined(separator: ", ")
            ways.append("identify the records of `\(target)` by \(identifier) where the source sends that")
        } else {
            ways.append(
                "add `table_renamed_from: \(key.target)` to the entity of `\(target)` if that is what the table is called now"
            )
        }
        ways.append("have the foreign key lead to \(place(target, others))")
        return Misfit(words: "\(fact): \(ways.joined(separator: ", or "))")
    }

    /// An index for each foreign key: without one, each row that comes or goes at the other end has all rows read.
    mutating func createReferenceIndexes() throws {
        for reference in singles {
            try createIndex(on: schema.table, reference.fields.map { schema.fields[$0].column })
        }
    }

    /// Makes an index of columns that refer to records, where none begins with them.
    mutating func createIndex(on table: String, _ columns: [String]) throws {
        let wanted = Set(columns.map { $0.lowercased() })
        let isThere = try database.indexes(of: table).contains { index in
            index.isWhole && Set(index.columns.prefix(columns.count)) == wanted
        }
        if isThere { return }
        let name = try freeName(([table] + columns).joined(separator: "_"))
        let sql = "CREATE INDEX \(SQLText.quoted(name)) ON \(database.table(table)) (\(SQLText.list(columns)))"
        // Without it all is slower, and nothing is wrong.
        if try !database.mayChange(table) {
            return record(SchemaChange(table: table, kind: .leaveOutIndex, sql: sql))
        }
        try apply(.createIndex, table: table, sql: sql)
    }

    // MARK: Tables of links

    /// Makes the tables of links that are missing, and looks at those that are there.
    mutating func prepareLinks() throws {
        for reference in schema.references {
            guard let link = reference.link, let field = reference.fields.first else { continue }
            let columns = try existingColumns(of: link.table, holding: "links", key: "via")
            if columns.isEmpty {
                // What the source said of it before was said of another table.
                newColumns.insert(schema.fields[field].name)
                try createLink(link, reference)
            } else {
                try checkLink(link, reference, columns)
                // Links of a table that is gone are no links of the new one.
                if try EntityRegistry(database: database).knows(link: link.table) {
                    if madeTable { try database.execute("DELETE FROM \(database.table(link.table))") }
                } else {
                    record(adopted: link.table)
                }
            }
            try createIndex(on: link.table, link.targetColumns)
        }
    }

    private mutating func createLink(_ link: RecordLink, _ reference: RecordReference) throws {
        let owners = schema.keyFields.map { schema.fields[$0] }
        let types = reference.targetTypes.map { database.columnType($0) }
        let definitions =
            zip(link.ownerColumns, owners).map { "\(SQLText.quoted($0)) \(database.columnType($1.type)) NOT NULL" }
            + zip(link.targetColumns, types).map { "\(SQLText.quoted($0)) \($1) NOT NULL" }
        let target = targetKey(of: reference, link)
        let all =
            try definitions + [
                "PRIMARY KEY (\(SQLText.list(link.ownerColumns + link.targetColumns)))", ownerKey(of: link),
            ]
            + (isReady(target, of: link.table, to: reference.target) ? [target] : [])
        try apply(
            .createTable, table: link.table,
            sql:
                "CREATE TABLE \(database.table(link.table)) (\(all.joined(separator: ", ")))\(database.keyedTableSuffix)"
        )
    }

    private mutating func checkLink(
        _ link: RecordLink, _ reference: RecordReference, _ columns: [SQLColumn]
    ) throws {
        let wanted = (link.ownerColumns + link.targetColumns).map { $0.lowercased() }
        var problems = wanted.filter { name in !columns.contains { $0.name.lowercased() == name } }
            .map { Misfit(words: "the column `\($0)` is missing") }
        for name in wanted {
            let found = columns.filter { $0.name.lowercased() == name }.map { "`\($0.name)`" }
            if found.count < 2 { continue }
            let words =
                "the columns \(found.joined(separator: " and ")) differ in capital and small letters alone, and links would fill one of them"
            problems.append(Misfit(words: words))
        }
        for column in columns
        where column.isRequired && column.keyPosition == 0 && !wanted.contains(column.name.lowercased()) {
            problems.append(
                Misfit(words: "column `\(column.name)` is NOT NULL without a default, and nothing fills it"))
        }
        problems += try (link.ownerColumns + link.targetColumns).compactMap { try looseness(of: $0, in: link.table) }
            .map { Misfit(words: $0) }
        let known = try database.completeForeignKeys(of: link.table)
        problems += try [
            contradiction(of: link.ownerColumns, to: schema.table, keyColumns, in: known),
            contradiction(of: link.targetColumns, to: reference.target, reference.targetColumns, in: known) { old in
                try renaming(
                    of: reference, from: old, "give `\(reference.name)` another name and another `via`",
                    keeping: "`\(link.table)` and `\(old)`")
            },
        ].compactMap { $0 }
        if problems.isEmpty { return }
        let remedy =
            problems.allSatisfy(\.isWhole)
            ? ""
            : " Change the table, name its columns with `owner_column` and `target_column`, or name another one with `via:`."
        throw StoreError(
            .mismatch,
            "The table `\(link.table)` does not fit the links of `\(schema.entity).\(reference.name)`: \(problems.map(\.words).joined(separator: "; ")).\(remedy)"
        )
    }
}

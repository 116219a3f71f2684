package import SluiceModel
package import SluiceStore

/// Gives tables the identifiers that their entities have now, with all that is kept by them: rows, bases, conflicts, the
/// quarantine, the history, references, pairs and what stands within records.
///
/// Each row must have exactly one new identifier. Parents come before what belongs to them, whose identifiers begin with
/// theirs. Columns are filled while old and new identifiers stand beside each other; then each table is revised once.
package struct KeyChange {
    /// A source of a table whose identifier changes.
    struct Source {
        let schema: RecordSchema
        let base: String
        var mapping: String { EntityRegistry.name(schema.source) }
    }

    /// A table whose identifier changes.
    struct Target {
        let table: String
        let old: [EntityRegistry.Slot]
        let new: [RecordSchema.Field]
        /// For each field of the new identifier what it was, where its type changes.
        let before: [EntityRegistry.Slot?]
        var sources: [Source]
        /// Where the new identifiers stand until the table is revised.
        var columns: [String]
        /// Whether each new identifier follows from the old one alone, since nothing but types changes.
        var isConversion: Bool
        var entity: String { sources[0].schema.entity }
        var newColumns: [String] { new.map(\.column) }
        /// Whether types of its fields change.
        var changesTypes: Bool { before.contains { $0 != nil } }

        init(
            table: String, old: [EntityRegistry.Slot], new: [RecordSchema.Field], before: [EntityRegistry.Slot?],
            source: Source
        ) {
            (self.table, self.old, self.new, self.before) = (table, old, new, before)
            (sources, columns) = ([source], new.map(\.column))
            isConversion = before.contains { $0 != nil }
        }
    }

    static let pace = 500
    private static let unique = "UNIQUE "
    let database: any SQLDatabase
    let conversion: FieldConversion
    let schemas: [RecordSchema]
    let recorder: any ChangeNoting
    var changes: [SchemaChange] = []
    /// What is left to be done to tables, by their names in lower case.
    var revisions: [String: (table: String, revision: TableRevision)] = [:]
    /// The references whose columns took new identifiers already, by table and columns.
    var passed: [String: PassedColumns] = [:]
    /// What is to have an index once tables are revised: columns that refer to other records.
    var referring: [(table: String, columns: [String])] = []
    /// The unique indexes of ours that are to be made again once tables are revised.
    var unique: [(table: String, columns: [String], isWhole: Bool)] = []
    /// The tables of which it is known that each row has a new identifier of its own, in lower case.
    var checked: Set<String> = []
    var registry: EntityRegistry { EntityRegistry(database: database) }

    /// Prepares it for a store.
    ///
    /// - Parameters:
    ///   - database: The store's database.
    ///   - conversion: How values pass.
    ///   - schemas: All that the pipeline fills.
    ///   - recorder: Writes down what was done.
    package init(
        database: any SQLDatabase, conversion: FieldConversion, schemas: [RecordSchema], recorder: any ChangeNoting
    ) {
        (self.database, self.conversion, self.schemas) = (database, conversion, schemas)
        self.recorder = recorder
    }

    /// Does it for all that the pipeline fills. Where names have to change first, nothing is done; after them, it is called
    /// again.
    ///
    /// - Returns: What was done.
    /// - Throws: `StoreError` where a row has no new identifier, or not one of its own, with the first of these rows.
    package mutating func perform() throws -> [SchemaChange] {
        guard try database.hasHistory() else { return [] }
        var refusals: [StoreError] = []
        if try refusals.gather({ try waitsForNames() }) ?? false { return [] }
        let targets = try ordered(targets())
        if !targets.isEmpty { try forgetSilentSources() }
        try requirePassage(of: targets, besides: refusals)
        if targets.isEmpty { return [] }
        let known = try schemas.map { try MappingSnapshot(of: $0.source, database) }
        let (_, statements) = try database.monitor.statements {
            for target in targets { try pass(target) }
            for schema in schemas where try registry.tables(of: EntityRegistry.name(schema.source)) != nil {
                try recordReferences(of: schema)
            }
            try revise()
            try makeIndexes()
            try renewViews(of: targets)
        }
        giveIndexes(statements)
        changes = statements.divided(among: changes)
        for (schema, before) in zip(schemas, known) { try record(schema.source, before) }
        return changes
    }

    /// Forgets the sources that the pipeline no longer has and that said nothing: nobody can say how their references go on.
    private func forgetSilentSources() throws {
        let current = Set(schemas.map(\.source))
        let pipelines = Set(current.map(\.pipeline))
        for source in try registry.mappings() where pipelines.contains(source.pipeline) && !current.contains(source) {
            let mapping = EntityRegistry.name(source)
            guard let base = try registry.tables(of: mapping)?.base,
                try !database.hasRow("SELECT 1 FROM \(database.table(base)) LIMIT 1")
            else { continue }
            try OrphanFinder(database: database).forget(source, mapping)
        }
    }

    /// Gives an index that sees to it that what others refer to stays unique the statement that made it.
    private mutating func giveIndexes(_ statements: [TakenStatement]) {
        for index in changes.indices
        where changes[index].kind == .createIndex && changes[index].statements == nil {
            let columns = changes[index].sql.dropFirst(Self.unique.count)
            let made = statements.first { statement in
                statement.table == changes[index].table && statement.sql.contains("UNIQUE")
                    && statement.sql.hasSuffix(columns)
            }
            changes[index].statements = made.map { [$0.sql] } ?? []
        }
    }

    /// Writes down what is known of a mapping, so that the change can be taken back.
    private func record(_ source: RecordMapping, _ before: MappingSnapshot?) throws {
        guard recorder.isRecording, let before, let after = try MappingSnapshot(of: source, database), after != before
        else { return }
        try recorder.record(
            RecordedEntry(
                subject: .schema, entry: 0, mapping: source, key: nil, field: nil,
                kind: SchemaChange.Kind.changeKey.rawValue, action: "changed", old: before.text, new: after.text))
    }

    // MARK: What changes

    private func targets() throws -> [Target] {
        var found: [Target] = []
        for schema in schemas {
            let mapping = EntityRegistry.name(schema.source)
            guard let tables = try registry.tables(of: mapping), ColumnName.areSame(tables.table, schema.table) else {
                continue
            }
            let slots = try registry.slots(of: mapping)
            let old = try registry.keySlots(of: mapping)
            let new = schema.keyFields.map { schema.fields[$0] }
            let succession = FieldSuccession(schema, slots)
            let former = new.map { field in
                slots.first { $0.field == field.name } ?? succession.predecessor(of: field)
            }
            let before = zip(former, new).map { Self.changesType($0, $1) ? $0 : nil }
            if old.isEmpty { continue }
            if former.map({ $0?.number }) == old.map(\.number) && before.allSatisfy({ $0 == nil }) { continue }
            let source = Source(schema: schema, base: tables.base)
            if let known = found.firstIndex(where: { ColumnName.areSame($0.table, schema.table) }) {
                found[known].sources.append(source)
            } else {
                found.append(Target(table: tables.table, old: old, new: new, before: before, source: source))
            }
        }
        return found
    }

    /// Whether a field gets another type; what is redacted keeps its own.
    static func changesType(_ slot: EntityRegistry.Slot?, _ field: RecordSchema.Field) -> Bool {
        guard let slot, slot.redaction == nil, field.redaction == nil else { return false }
        return slot.type != field.type
    }

    /// The tables in an order in which none comes before one that its identifier refers to.
    private func ordered(_ targets: [Target]) -> [Target] {
        var rest = targets
        var order: [Target] = []
        while let next = rest.firstIndex(where: { target in !rest.contains { refers(target, to: $0) } }) {
            order.append(rest.remove(at: next))
        }
        return order + rest
    }

    func refers(_ target: Target, to other: Target) -> Bool {
        if ColumnName.areSame(target.table, other.table) { return false }
        let schema = target.sources[0].schema
        return schema.references.contains { reference in
            ColumnName.areSame(reference.target, other.table)
                && !Set(reference.fields).isDisjoint(with: schema.keyFields)
        }
    }

    // MARK: One table

    private mutating func pass(_ wanted: Target) throws {
        var target = wanted
        if target.changesTypes { try fillTypes(of: &target) }
        if !checked.contains(target.table.lowercased()) { try check(target) }
        var passage = KeyPassage(
            database: database, table: target.table, old: target.old, new: filled(target),
            conversion: target.isConversion ? { [self] in converted($0, target) } : nil)
        for source in target.sources { try passBase(source, of: target, &passage) }
        if !target.isConversion {
            for source in target.sources { try recordGone(source.schema.source, &passage) }
        }
        let isRevised = try isRevised(target)
        let users = try referrers(to: target)
        for source in target.sources { try passNames(source.schema.source, passage) }
        if target.changesTypes { try passTypes(of: target) }
        try passPending(target)
        for schema in schemas {
            for reference in schema.references where ColumnName.areSame(reference.target, target.table) {
                try pass(reference, of: schema, passage)
            }
        }
        for source in target.sources {
            for reference in source.schema.references where reference.link != nil {
                try passOwner(of: reference, source.schema, passage)
            }
            try forgetScans(of: source.schema.source)
        }
        let rows = try database.count(of: target.table)
        if isRevised { try revise(target, users) }
        try recordSlots(of: target)
        let words =
            target.changesTypes
            ? typeWords(target)
            : "\(SQLText.list(target.old.map(\.column))) to \(SQLText.list(target.newColumns)) (DROP PRIMARY KEY, ADD PRIMARY KEY)"
        var change = SchemaChange(table: target.table, kind: .changeKey, sql: words)
        change.rows = rows
        changes.append(change)
        for group in users where isRevised {
            // What others refer to stays unique.
            var index = SchemaChange(
                table: target.table, kind: .createIndex, sql: Self.unique + "(\(SQLText.list(group)))")
            index.rows = rows
            changes.append(index)
        }
    }

    /// Gives a table its new key. What others refer to stays unique, and an index that saw to that goes where the key does.
    private mutating func revise(_ target: Target, _ users: [[String]]) throws {
        let planner = SchemaPlanner(database: database, schema: target.sources[0].schema)
        let unique = try users.map { group in
            (name: try planner.freeName(([target.table] + group + ["referred"]).joined(separator: "_")), columns: group)
        }
        let obsolete = try ReferredIndexes(database: database, table: target.table).made(of: target.newColumns)
        revise(target.table) { revision in
            revision.key = target.newColumns
            revision.unique += unique
            revision.obsolete += obsolete
        }
        for (name, columns) in unique {
            try ReferredIndexes(database: database, table: target.table).record(name, of: columns)
        }
        for name in obsolete {
            try ReferredIndexes(database: database, table: target.table).forget(name)
            changes.append(
                SchemaChange(
                    table: target.table, kind: .dropIndex, sql: "DROP INDEX \(database.table(name))"))
        }
    }

    mutating func revise(_ table: String, _ body: (inout TableRevision) -> Void) {
        var entry = revisions[table.lowercased()] ?? (table, TableRevision())
        body(&entry.revision)
        revisions[table.lowercased()] = entry
    }

    /// Whether the table's own key is to change: not where it is somebody else's, who made a unique index for it.
    func isRevised(_ target: Target) throws -> Bool {
        if target.changesTypes {
            if try database.isOurs(target.table) { return true }
            throw refusal(
                target,
                "`\(target.table)` was made by another program, so its columns keep their types. Change them there")
        }
        let wanted = Set(target.newColumns.map { $0.lowercased() })
        if try database.wholeUniqueIndexes(of: target.table).contains(where: { Set($0.columns) == wanted }),
            try !database.isOurs(target.table)
        {
            return false
        }
        // An order of columns is no other key.
        if wanted == Set(target.old.map { $0.column.lowercased() }) { return false }
        guard try database.isOurs(target.table) else {
            throw refusal(
                target,
                "`\(target.table)` was made by another program, so its key stays as it is. Make a unique index of \(target.newColumns.joined(separator: ", ")) there"
            )
        }
        return true
    }

    /// The columns by which foreign keys that no pipeline of ours has lead to the old identifier: they stay unique.
    func referrers(to target: Target) throws -> [[String]] {
        let wanted = Set(target.old.map { $0.column.lowercased() })
        let known = try registry.allReferences()
        var groups: [[String]] = []
        var tables: Set<String> = []
        for (table, key) in try database.referrers(to: target.table) {
            let holders = known.filter { $0.holds(key, of: table) }
            if holders.contains(where: goesOn) { continue }
            if let holder = holders.first { throw refusal(target, holder, of: table) }
            guard !key.targetColumns.isEmpty else {
                throw refusal(
                    target,
                    "The table `\(table)` refers to its key without saying which columns it means. Make `\(table)` anew with `REFERENCES \(SQLText.quoted(target.table)) (\(SQLText.list(target.old.map(\.column))))`"
                )
            }
            guard Set(key.targetColumns.map { $0.lowercased() }) == wanted else { continue }
            tables.insert(table)
            groups = [target.old.map(\.column)]
        }
        if target.changesTypes, !groups.isEmpty {
            throw refusal(
                target,
                "\(tables.sorted().map { "`\($0)`" }.joined(separator: ", ")) refers to it by a foreign key of its own, and keeps the type of before. Remove that foreign key, and add it again afterwards"
            )
        }
        // An identifier of before may have been unique by itself.
        let isUnique = try database.indexes(of: target.table).contains { index in
            index.isUnique && index.isWhole && !index.isPrimary && Set(index.columns) == wanted
        }
        return isUnique ? [] : groups
    }

    // MARK: What is noted

    /// The identifier as the registry knows it.
    private func recordSlots(of target: Target) throws {
        let revision = revisions[target.table.lowercased()]?.revision ?? TableRevision()
        for source in target.sources {
            for var slot in try registry.slots(of: source.mapping) where !slot.isRetired {
                let position = source.schema.keyFields.firstIndex { source.schema.fields[$0].name == slot.field }
                if slot.keyPosition != position {
                    slot.keyPosition = position
                    slot.wasKey = position == nil
                    try registry.record(slot, of: source.mapping)
                }
                // What took its place has a slot of its own, but where the column has its name again.
                if position == nil, !revision.has(slot.column) {
                    try registry.retire(slot, of: source.mapping)
                }
            }
        }
    }

    private func recordReferences(of schema: RecordSchema) throws {
        let mapping = EntityRegistry.name(schema.source)
        let known = Set(try registry.entries("reference", prefix: mapping + "/").map(\.name))
        // Those that are new are noted when their columns are made.
        let references = schema.references.filter { known.contains("\(mapping)/\($0.name)") }
        if references.count == known.count { try registry.record(references, schema: schema, of: mapping) }
    }

    /// A scan that was broken off knows records by their old identifiers: it begins anew. All records are looked at again.
    private func forgetScans(of source: RecordMapping) throws {
        for table in ["scans", "scan_pages"] {
            try database.run(
                "DELETE FROM \(database.ledger(table)) WHERE pipeline = ?1 AND stream = ?2",
                [FieldValue(source.pipeline), FieldValue(source.stream)])
        }
        try registry.forgetTexts(ofStreamOf: source)
    }

    // MARK: Tables

    /// Revises all tables at once: they refer to each other.
    private mutating func revise() throws {
        let entries = revisions.sorted { $0.key < $1.key }.map(\.value)
        for (table, revision) in entries { try checkReferrers(of: table, revision) }
        try database.monitor.begin(.rebuild, of: entries.first?.table)
        for statement in try database.revise(entries) {
            changes.append(SchemaChange(table: entries[0].table, kind: .leaveOutObject, sql: statement))
            guard recorder.isRecording, let source = schemas.first?.source else { continue }
            try recorder.record(
                RecordedEntry(
                    subject: .schema, entry: 0, mapping: source, key: entries[0].table, field: nil,
                    kind: SchemaChange.Kind.leaveOutObject.rawValue, action: "changed", old: statement, new: nil))
        }
    }

    /// Refuses to take columns away to which foreign keys lead that are not ours.
    private func checkReferrers(of table: String, _ revision: TableRevision) throws {
        for (other, key) in try database.referrers(to: table) {
            if revisions[other.lowercased()]?.revision.releases(key.columns) ?? false { continue }
            let gone = key.targetColumns.filter { !revision.has($0) }
            if gone.isEmpty && !(key.targetColumns.isEmpty && revision.key != nil) { continue }
            let by = gone.isEmpty ? "its key" : gone.map { "`\($0)`" }.joined(separator: ", ")
            let columns = key.columns.map { "`\($0)`" }.joined(separator: ", ")
            throw StoreError(
                .mismatch,
                "A foreign key of `\(other)` (\(columns)) leads to `\(table)` by \(by), which changes with the identifier of a record. Drop that foreign key and add it again after the run, by the new columns; or put `primary_key` back."
            )
        }
    }

    /// Makes the indexes of references whose columns changed.
    private mutating func makeIndexes() throws {
        guard let schema = schemas.first else { return }
        var planner = SchemaPlanner(database: database, schema: schema)
        for (table, columns) in referring { try planner.createIndex(on: table, columns) }
        for (table, columns, isWhole) in unique {
            let name = try planner.freeName(([table] + columns + ["key"]).joined(separator: "_"))
            let rows = isWhole ? "" : " WHERE \(DeletionMark.isNotSet)"
            try planner.apply(
                .createIndex, table: table,
                sql:
                    "CREATE UNIQUE INDEX \(SQLText.quoted(name)) ON \(database.table(table)) (\(SQLText.list(columns)))\(rows)"
            )
            try registry.put("index", "\(table)/\(name)", columns.joined(separator: "\n"))
        }
        changes += planner.changes
    }

    /// Has the views of conflicts know records by their new identifiers.
    private func renewViews(of targets: [Target]) throws {
        // The order of an identifier's fields changes no table, and yet its view.
        let tables = Dictionary(
            (revisions.values.map(\.table) + targets.map(\.table)).map { ($0.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first })
        for (_, table) in tables.sorted(by: { $0.key < $1.key }) {
            try ConflictView(database: database, table: table).renew()
        }
    }
}

extension EntityRegistry {
    /// Has all records of a stream read again.
    func forgetTexts(ofStreamOf source: RecordMapping) throws {
        for mapping in try mappings() where mapping.pipeline == source.pipeline && mapping.stream == source.stream {
            guard let base = try tables(of: Self.name(mapping))?.base else { continue }
            try database.execute("UPDATE \(database.table(base)) SET text_hash = NULL WHERE text_hash IS NOT NULL")
        }
    }
}

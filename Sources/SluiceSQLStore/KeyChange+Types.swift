internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// Identifiers whose fields get other types. Columns of the new types stand beside the old ones until tables are revised.
extension KeyChange {
    /// The fields of a new identifier as they stand in the table until it is revised.
    func filled(_ target: Target) -> [RecordSchema.Field] {
        zip(target.new, target.columns).map { field, column in
            var field = field
            field.column = column
            return field
        }
    }

    /// An identifier in the new types; nil where something of it would be lost.
    func converted(_ values: [FieldValue], _ target: Target) -> [FieldValue]? {
        var found: [FieldValue] = []
        for (index, value) in values.enumerated() {
            guard let before = target.before[index] else {
                found.append(value)
                continue
            }
            guard let value = converted(value, before, target.new[index]) else { return nil }
            found.append(value)
        }
        return found
    }

    private func converted(
        _ value: FieldValue, _ before: EntityRegistry.Slot, _ now: RecordSchema.Field
    ) -> FieldValue? {
        conversion.value(value, before.schemaField, now).flatMap { database.holds($0, now.type) ? $0 : nil }
    }

    // MARK: Columns

    /// Makes columns of the new types beside the old ones, and fills them. Where a part of the identifier is a reference,
    /// its column was filled with what it refers to.
    ///
    /// - Parameter target: The table; it gets the columns that were filled.
    /// - Throws: `StoreError` where an identifier cannot pass without loss, or more than types changes.
    mutating func fillTypes(of target: inout Target) throws {
        try checkTypes(of: target)
        for (index, field) in target.new.enumerated() {
            guard let before = target.before[index] else { continue }
            if let (column, isConversion) = passedColumn(field.column, of: target.table) {
                target.columns[index] = column
                if !isConversion { target.isConversion = false }
                continue
            }
            let interim = "_sluice_\(field.column)"
            try database.settleReferences()
            try database.execute(
                "ALTER TABLE \(database.table(target.table)) ADD COLUMN \(SQLText.quoted(interim)) \(database.columnType(field.type))"
            )
            try fill(interim, from: before, field, of: target)
            target.columns[index] = interim
            revise(target.table) { revision in
                revision.dropped.insert(before.column)
                revision.renamed[interim] = field.column
                revision.places.append(([before.column], [interim]))
            }
        }
    }

    /// Where a column of a reference was filled; nil where it is none whose target changed its identifier.
    private func passedColumn(_ column: String, of table: String) -> (column: String, isConversion: Bool)? {
        for (place, columns) in passed where place.hasPrefix(table.lowercased() + "/") {
            if let index = columns.new.firstIndex(where: { ColumnName.areSame($0, column) }) {
                return (columns.filled[index], columns.isConversion)
            }
        }
        return nil
    }

    private func fill(
        _ interim: String, from before: EntityRegistry.Slot, _ field: RecordSchema.Field, of target: Target
    ) throws {
        let (table, old) = (database.table(target.table), SQLText.quoted(before.column))
        let keys = SQLText.list(target.old.map(\.column))
        let update =
            "UPDATE \(table) SET \(SQLText.quoted(interim)) = ?1 WHERE \(SQLText.match(target.old.map(\.column), from: 2))"
        var refused = Refused()
        var last: [FieldValue] = []
        let paused = try database.pauseTriggers(of: target.table)
        try database.monitor.begin(.rows, of: target.table, total: database.count(of: target.table))
        while true {
            var updates: [[FieldValue]] = []
            let after = last.isEmpty ? "" : "WHERE (\(keys)) > (\(SQLText.parameters(target.old.count))) "
            let rows = try database.rows(
                "SELECT \(old), \(keys) FROM \(table) \(after)ORDER BY \(keys) LIMIT \(Self.pace)", last)
            for row in rows {
                let key = Array(row.dropFirst())
                if let value = converted(row[0], before, field) {
                    updates.append([value] + key)
                } else {
                    refused.add(RefusedRows.key(target.old.map { ($0.field, $0.type) }, key))
                }
            }
            try database.run(update, each: updates)
            try database.monitor.advance(by: rows.count)
            guard let next = rows.last, rows.count == Self.pace else { break }
            last = Array(next.dropFirst())
        }
        try database.resumeTriggers(paused)
        if refused.count > 0 {
            throw refusal(
                target,
                "\(Plural.of(refused.count, "row")) of \(try database.count(of: target.table)) \(Plural.word(refused.count, "has", "have")) an identifier that cannot become \(field.type.rawValue) without loss: \(RefusedRows.list(refused.first, of: refused.count)). Correct or delete these rows"
            )
        }
    }

    // MARK: What stands against it

    func checkTypes(of target: Target) throws {
        let isSame = zip(target.before, target.old).allSatisfy { before, old in before.map { $0 == old } ?? true }
        guard isSame, target.new.map(\.name) == target.old.map(\.field),
            zip(target.newColumns, target.old).allSatisfy({ ColumnName.areSame($0, $1.column) })
        else { throw togetherRefusal(target) }
        let ours = Set(target.sources.map(\.mapping))
        for other in try registry.sources(of: target.table) where !ours.contains(EntityRegistry.name(other)) {
            throw refusal(
                target, "`\(other.path)` fills it as well, by the type of before. Let one pipeline fill it")
        }
        for source in target.sources
        where source.schema.keyFields.map({ source.schema.fields[$0].type }) != target.new.map(\.type) {
            throw refusal(target, "`\(source.schema.stream)` wants another type than the other streams")
        }
    }

    /// Says that a table cannot follow a change of types.
    func typeRefusal(_ target: Target, _ reason: String) -> StoreError {
        refusal(
            ofTypes: target,
            "\(typeChanges(of: target)), and identifies `\(target.entity)`, whose table `\(target.table)` cannot follow. \(reason), or put `type` back."
        )
    }

    /// Says that a table cannot follow a change of types and another one of its identifier in one run.
    private func togetherRefusal(_ target: Target) -> StoreError {
        func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
        let (old, new) = (target.old.map(\.field), target.new.map(\.name))
        let other =
            old == new
            ? "the columns of \(list(new)) change"
            : "`\(target.entity)` is identified by \(list(new)) instead of \(list(old))"
        return refusal(
            ofTypes: target,
            "\(typeChanges(of: target)), and at the same time \(other). The table `\(target.table)` follows one of these changes in a run: take the other one back, run once, and make it then."
        )
    }

    private func typeChanges(of target: Target) -> String {
        zip(target.before, target.new).compactMap { before, now in
            before.map { "`\(now.name)` was \($0.type.rawValue) and is now \(now.type.rawValue)" }
        }.joined(separator: ", ")
    }

    private func refusal(ofTypes target: Target, _ sentences: String) -> StoreError {
        let field = zip(target.before, target.new).first { $0.0 != nil }?.1.name ?? ""
        return StoreError(
            .mismatch, sentences, about: PipelineKey(.type(field: field), of: target.entity))
    }

    // MARK: What is kept of records

    /// Has bases, conflicts and the history say the identifiers of records in the new types. What refers to other records
    /// said so already.
    func passTypes(of target: Target) throws {
        let types = TypeConversion(database: database, conversion: conversion, recorder: recorder)
        for (index, field) in target.new.enumerated() {
            guard let before = target.before[index], passedColumn(field.column, of: target.table) == nil else {
                continue
            }
            for source in target.sources {
                guard let base = try registry.tables(of: source.mapping)?.base else { continue }
                try types.convertRecords(
                    TypeConversion.Source(mapping: source.schema.source, base: base, slot: before, field: field),
                    isNews: false)
                try eachBase(base, source.mapping) { entries, _ in
                    guard entries.indices.contains(before.number), entries[before.number] != .none else { return }
                    let value = entries[before.number].value.flatMap { converted($0, before, field) }
                    entries[before.number] = value.map { conversion.entry($0, field) } ?? .none
                }
            }
        }
    }

    /// What is done to a table, with the clauses of the statements.
    func typeWords(_ target: Target) -> String {
        let types = zip(target.before, target.new).compactMap { before, now in
            before.map {
                "\(SQLText.quoted(now.column)) from \(database.columnType($0.type)) to \(database.columnType(now.type))"
            }
        }
        return
            "\(types.joined(separator: ", ")) (ADD COLUMN, UPDATE, DROP COLUMN, ADD PRIMARY KEY)"
    }
}

internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// What stands against new identifiers and is known before anything is changed: all of it is told at once.
extension KeyChange {
    /// Rows of a table that refer to records which have no row, so that nobody knows the new identifiers of these.
    struct LostReferences {
        let table: String
        let count: Int
        /// The first of the rows, each with what it refers to.
        let examples: [String]
        /// Whether the columns cannot be null: they are required, or a part of the row's own identifier.
        let isRequired: Bool
    }

    /// Refuses to begin where something stands against it.
    ///
    /// - Parameters:
    ///   - targets: The tables whose identifiers change.
    ///   - refusals: What stands against it already.
    /// - Throws: ``StoreError`` with all of it.
    mutating func requirePassage(of targets: [Target], besides refusals: [StoreError]) throws {
        // What has to be renamed first may be what a table lacks.
        let namesStand = refusals.isEmpty
        var found = refusals
        for target in targets {
            if namesStand, !target.changesTypes, !targets.contains(where: { refers(target, to: $0) }) {
                // What refers to another record gets its columns on the way.
                _ = try found.gather { try check(target) }
                checked.insert(target.table.lowercased())
            }
            if namesStand {
                _ = try found.gather {
                    if target.changesTypes { try checkTypes(of: target) }
                    _ = try isRevised(target)
                    _ = try referrers(to: target)
                }
            }
            if let refusal = refusal(of: try lostReferences(to: target), to: target.table) { found.append(refusal) }
            for reference in try references(to: target) where !target.isConversion {
                if let refusal = try waitingRefusal(reference) { found.append(refusal) }
            }
            if !target.isConversion { found += try leftLinksRefusals(target) }
        }
        if let error = StoreError.together(found) { throw error }
    }

    /// The references of the pipeline that the store knows and that lead to a table.
    private func references(to target: Target) throws -> [EntityRegistry.Reference] {
        try schemas.flatMap { schema in
            try schema.references.filter { ColumnName.areSame($0.target, target.table) }
                .compactMap { try known($0, of: schema) }
        }
    }

    /// What the store knows of a reference, as far as it stands where it stood.
    func known(_ reference: RecordReference, of schema: RecordSchema) throws -> EntityRegistry.Reference? {
        let mapping = EntityRegistry.name(schema.source)
        guard let table = try registry.tables(of: mapping)?.table, ColumnName.areSame(table, schema.table) else {
            return nil
        }
        return try registry.reference(reference.name, of: mapping)
    }

    // MARK: References

    private func lostReferences(to target: Target) throws -> [LostReferences] {
        var places: Set<String> = []
        var found: [LostReferences] = []
        func look(_ table: String, _ old: [String], _ new: [String]) throws {
            let place = "\(table.lowercased())/\(old.joined(separator: "/").lowercased())"
            guard places.insert(place).inserted, !target.keeps(old, as: new),
                try !database.columns(of: table).isEmpty
            else { return }
            let isTarget = zip(target.old, old).map { slot, column in
                "t.\(SQLText.quoted(slot.column)) = o.\(SQLText.quoted(column))"
            }.joined(separator: " AND ")
            let isLost = "NOT EXISTS (SELECT 1 FROM \(database.table(target.table)) AS t WHERE \(isTarget))"
            if let lost = try lost(in: table, old, of: target.old, where: isLost) { found.append(lost) }
        }
        for schema in schemas {
            for reference in schema.references {
                guard let before = try known(reference, of: schema) else { continue }
                let links = zip([before.link], [reference.link]).compactMap { old, new in
                    if let old, let new, ColumnName.areSame(old.table, new.table) { (old, new) } else { nil }
                }
                if ColumnName.areSame(reference.target, target.table) {
                    for (old, new) in links { try look(old.table, old.targetColumns, new.targetColumns) }
                    if reference.link == nil {
                        try look(schema.table, before.columns, reference.fields.map { schema.fields[$0].column })
                    }
                }
                if ColumnName.areSame(schema.table, target.table) {
                    for (old, new) in links { try look(old.table, old.ownerColumns, new.ownerColumns) }
                }
            }
        }
        return found
    }

    /// The rows `o` of a table whose reference is lost.
    ///
    /// - Parameters:
    ///   - table: The table that refers.
    ///   - columns: The columns that hold the old identifier.
    ///   - slots: The old identifier.
    ///   - condition: Whether the new one of a row is not known.
    /// - Returns: Nil where there are none.
    /// - Throws: What the database throws.
    func lost(
        in table: String, _ columns: [String], of slots: [EntityRegistry.Slot], where condition: String
    ) throws -> LostReferences? {
        func list(_ names: [String]) -> String { names.map { "o.\(SQLText.quoted($0))" }.joined(separator: ", ") }
        let isSet = columns.map { "o.\(SQLText.quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        let rows = "\(database.table(table)) AS o WHERE \(isSet) AND (\(condition))"
        let count = Int(clamping: try database.integer("SELECT count(*) FROM \(rows)") ?? 0)
        if count == 0 { return nil }
        let all = try database.columns(of: table)
        let key = all.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
        func isKey(_ column: String) -> Bool { key.contains { ColumnName.areSame($0, column) } }
        let names = list(key + columns)
        let examples = try database.rows("SELECT \(names) FROM \(rows) ORDER BY \(names) LIMIT 5").map { row in
            let own = RefusedRows.key(key.map { ($0, .string) }, Array(row.prefix(key.count)))
            let meant = RefusedRows.key(slots.map { ($0.field, $0.type) }, Array(row.dropFirst(key.count)))
            if key.isEmpty { return meant }
            // What stands within a record, or is linked to it, says in its own key which one that is.
            return columns.allSatisfy(isKey) ? own : "\(own) to \(meant)"
        }
        let isRequired = all.contains { column in
            (column.isNotNull || column.keyPosition > 0) && columns.contains { ColumnName.areSame($0, column.name) }
        }
        return LostReferences(table: table, count: count, examples: examples, isRequired: isRequired)
    }

    /// The refusal of all rows that refer to records of a table which have no row; nil where there are none.
    func refusal(of lost: [LostReferences], to table: String) -> StoreError? {
        if lost.isEmpty { return nil }
        let total = lost.reduce(0) { $0 + $1.count }
        let counts = lost.map { "\(Plural.of($0.count, "row")) of `\($0.table)`" }
        let subject =
            counts.count < 2
            ? counts[0] : counts.dropLast().joined(separator: ", ") + " and " + counts[counts.count - 1]
        let examples = lost.map { RefusedRows.list($0.examples, of: $0.count) }.joined(separator: "; ")
        let ways = lost.map { lost in
            lost.isRequired
                ? "delete \(Plural.word(lost.count, "this row", "these rows")) of `\(lost.table)`"
                : "set \(Plural.word(lost.count, "this reference", "these references")) of `\(lost.table)` to null"
        }.joined(separator: ", ")
        let entity = schemas.first { ColumnName.areSame($0.table, table) }?.entity
        return StoreError(
            .mismatch,
            "\(subject) \(Plural.word(total, "refers", "refer")) to rows of `\(table)` that are not there, so nobody knows their new identifiers: \(examples). \(ways.prefix(1).uppercased())\(ways.dropFirst()), or let the records come.",
            about: entity.map { PipelineKey(.identifier, of: $0) })
    }

    /// The refusals of links that pipelines left out and that are known by the identifier of before: which columns they get, nobody says.
    private func leftLinksRefusals(_ target: Target) throws -> [StoreError] {
        let known = try registry.allReferences()
        return try registry.mappings().flatMap { try registry.leftLinks(of: EntityRegistry.name($0)) }.compactMap {
            reference in
            guard let link = reference.link,
                [reference.table, reference.target].contains(where: { ColumnName.areSame($0, target.table) }),
                !known.contains(where: { ColumnName.areSame($0.link?.table ?? "", link.table) }),
                try database.hasRow("SELECT 1 FROM \(database.table(link.table)) LIMIT 1")
            else { return nil }
            let entity = schemas.first { ColumnName.areSame($0.table, target.table) }?.entity
            return StoreError(
                .mismatch,
                "The links in `\(link.table)` of the field `\(reference.name)`, which its pipeline no longer has, are known by the identifier of before. Do it in two runs: give the entity that field back, run, and change `primary_key` then. Or delete the rows of `\(link.table)`.",
                about: entity.map { PipelineKey(.identifier, of: $0) })
        }
    }

    /// The refusal of references that wait for records by an identifier that nobody can say any more; nil where none waits.
    func waitingRefusal(_ reference: EntityRegistry.Reference) throws -> StoreError? {
        let waiting = "\(database.ledger("pending")) WHERE \"table\" = ?1 AND field = ?2 AND rule = 'defer'"
        let values = [FieldValue(reference.table), FieldValue(reference.name)]
        let count = Int(clamping: try database.integer("SELECT count(*) FROM \(waiting)", values) ?? 0)
        if count == 0 { return nil }
        let first = try database.rows("SELECT target_key FROM \(waiting) ORDER BY target_key LIMIT 5", values)
        return StoreError(
            .mismatch,
            "\(Plural.of(count, "reference")) of `\(reference.table)` by `\(reference.name)` \(Plural.word(count, "waits", "wait")) for records of `\(reference.target)` that never came, and these are known by the identifier of before alone: \(RefusedRows.list(first.map { $0[0].string ?? "" }, of: count)). Let these records come, or remove the references, and change `primary_key` then."
        )
    }
}

extension KeyChange.Target {
    /// Whether columns that hold the old identifier hold the new one as well, since this has some of its parts alone.
    fileprivate func keeps(_ columns: [String], as names: [String]) -> Bool {
        zip(new, zip(before, names)).allSatisfy { field, place in
            let part = old.firstIndex { ColumnName.areSame($0.column, field.column) }
            return place.0 == nil && part.map { ColumnName.areSame(columns[$0], place.1) } ?? false
        }
    }
}

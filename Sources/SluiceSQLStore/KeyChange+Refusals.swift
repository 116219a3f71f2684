internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// What stands against another identifier, each with its ways out.
extension KeyChange {
    func refusal(_ target: Target, _ holder: EntityRegistry.Reference, of table: String) -> StoreError {
        if schemas.contains(where: holder.isOf) {
            return refusal(
                target,
                "The table `\(table)` refers to it by `\(holder.name)`, which is no field there now. Run once with the identifier of before, and change it then"
            )
        }
        let path = EntityRegistry.mapping(holder.mapping)?.path ?? holder.mapping
        return refusal(
            target,
            "The table `\(table)`, which `\(path)` fills, refers to it by the old identifier, and this pipeline does not say how. Let that pipeline refer to it no more first"
        )
    }

    /// Whether this pipeline has a reference that the store knows.
    func goesOn(_ reference: EntityRegistry.Reference) -> Bool {
        schemas.contains { schema in
            reference.isOf(schema) && schema.references.contains { $0.name == reference.name }
        }
    }

    func refusal(_ target: Target, _ reason: String) -> StoreError {
        if target.changesTypes { return typeRefusal(target, reason) }
        // A child record has no `primary_key`: its list says what tells it apart.
        let key = target.sources[0].schema.isOwned ? "`key` or `ordered` of its list" : "`primary_key`"
        return refusal(target, saying: "\(reason), or put \(key) back.\(renaming(target))")
    }

    /// Refuses where the identifier repeats that of another entity, so that no field of the entity's own can take its place: the
    /// name of that one goes on, or the table starts anew.
    private func startingAnew(_ target: Target, _ reason: String) -> StoreError {
        refusal(
            target,
            saying:
                "\(reason).\(renaming(target)) If `\(target.entity)` is meant to start anew, give it another `table:` and run once with `--allow-schema drop`: that leaves `\(target.table)` as it is."
        )
    }

    private func refusal(_ target: Target, saying remedy: String) -> StoreError {
        let subject = target.sources[0].schema.isOwned ? "The identifier" : "`primary_key`"
        let (old, new) = (target.old.map(\.field), target.new.map(\.name))
        return StoreError(
            .mismatch,
            "\(subject) of `\(target.entity)` was \(old.joined(separator: ", ")) and is now \(new.joined(separator: ", ")), and the table `\(target.table)` cannot follow. \(remedy)",
            about: PipelineKey(.identifier, of: target.entity))
    }

    /// The other way out where parts of the identifier may only have got other names.
    private func renaming(_ target: Target) -> String {
        let (old, new) = (target.old.map(\.field), target.new.map(\.name))
        let gone = old.filter { !new.contains($0) }
        if gone.isEmpty || old.count != new.count { return "" }
        let names = gone.map { "`\($0)`" }.joined(separator: " and ")
        let place =
            target.sources[0].schema.isOwned ? "the field, or the entity whose identifier it repeats," : "the field"
        return
            " If \(names) only has another name now, give \(place) `renamed_from`."
    }

    func check(_ target: Target) throws {
        let columns = try database.columnNames(of: target.table)
        if let (missing, _) = zip(target.new, target.columns).first(where: { !columns.contains($1.lowercased()) }) {
            if target.sources[0].schema.hasContentKey {
                throw refusal(
                    target,
                    "Its rows have no hash of what their source said. Give the entity another name and another `table:`, and run once with `--allow-schema drop`; `\(target.table)` then stays as it is"
                )
            }
            let reason = "It has no column `\(missing.column)` yet, so nobody knows the new identifiers of its rows"
            throw target.repeats(missing)
                ? startingAnew(target, reason)
                : refusal(
                    target, "\(reason). Run once with `\(missing.name)` as a field that is no part of `primary_key`")
        }
        try database.monitor.begin(.rebuild, of: target.table)
        let reasons = try [rowsWithout(target), rowsAlike(target)].compactMap { $0 }
        if !reasons.isEmpty { throw refusal(target, reasons.joined(separator: ". ")) }
    }

    /// Says which rows lack a part of the identifier; nil where none does.
    private func rowsWithout(_ target: Target) throws -> String? {
        let table = database.table(target.table)
        let missing = try zip(target.new, target.columns).filter { _, column in
            try database.hasRow("SELECT 1 FROM \(table) WHERE \(SQLText.quoted(column)) IS NULL LIMIT 1")
        }
        if missing.isEmpty { return nil }
        let isNull = missing.map { "\(SQLText.quoted($0.1)) IS NULL" }.joined(separator: " OR ")
        let count = Int(clamping: try database.integer("SELECT count(*) FROM \(table) WHERE \(isNull)") ?? 0)
        let (names, old) = (target.old.map { ($0.field, $0.type) }, SQLText.list(target.old.map(\.column)))
        let rows = try database.rows("SELECT \(old) FROM \(table) WHERE \(isNull) ORDER BY \(old) LIMIT 5")
        let lacking = missing.map(\.0.name).joined(separator: " or ")
        return
            "\(count) of its rows \(Plural.word(count, "has", "have")) no \(lacking): \(RefusedRows.list(rows.map { RefusedRows.key(names, $0) }, of: count)). Fill \(Plural.word(count, "it", "them")) in"
    }

    /// Says which rows would have one identifier; nil where each has its own.
    private func rowsAlike(_ target: Target) throws -> String? {
        let (table, list) = (database.table(target.table), SQLText.list(target.columns))
        let (names, old) = (target.old.map { ($0.field, $0.type) }, SQLText.list(target.old.map(\.column)))
        let isSet = target.columns.map { "\(SQLText.quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        let groups = "SELECT \(list) FROM \(table) WHERE \(isSet) GROUP BY \(list) HAVING count(*) > 1"
        let count = Int(clamping: try database.integer("SELECT count(*) FROM (\(groups)) AS found") ?? 0)
        if count == 0 { return nil }
        let shared = try database.rows("\(groups) ORDER BY \(list) LIMIT 5").map { values in
            let rows = try database.rows(
                "SELECT \(old) FROM \(table) WHERE \(SQLText.match(target.columns)) ORDER BY \(old) LIMIT 4", values)
            let keys = rows.prefix(3).map { RefusedRows.key(names, $0) }.joined(separator: ", ")
            let new = RefusedRows.key(target.new.map { ($0.name, $0.type) }, values)
            return "\(new) is that of \(keys)\(rows.count > 3 ? " and more" : "")"
        }
        let more = count > shared.count ? "; and \(count - shared.count) more" : ""
        return
            "Rows of it would have one identifier: \(shared.joined(separator: "; "))\(more). Correct or delete them"
    }
}

extension KeyChange.Target {
    /// Whether a part of the identifier is that of the record that each row belongs to.
    fileprivate func repeats(_ field: RecordSchema.Field) -> Bool {
        let schema = sources[0].schema
        return schema.references.contains { reference in
            reference.onDangling == .owner && reference.fields.contains { schema.fields[$0].name == field.name }
        }
    }
}

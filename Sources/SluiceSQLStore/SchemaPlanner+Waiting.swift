internal import SluiceModel
internal import SluiceStore

/// What waits by references whose rule is another one now, or that are none any more.
extension SchemaPlanner {
    private var pending: String { database.ledger("pending") }

    /// Has that wait as the rules say now, before these are noted.
    mutating func followRules() throws {
        if try database.object("_sluice_pending") == nil { return }
        let registry = EntityRegistry(database: database)
        for entry in try registry.entries("reference", prefix: mappingName + "/") {
            guard let old = try registry.reference(entry) else { continue }
            if let now = schema.references.first(where: { $0.name == old.name }) {
                if now.onDangling != old.rule { try follow(now.onDangling, by: old) }
            } else if old.link == nil, try !isReference(old) {
                try giveUp(old)
            }
        }
    }

    /// Gives what waits by a reference the rule that the reference has now.
    private mutating func follow(_ rule: RecordReference.DanglingRule, by reference: EntityRegistry.Reference) throws {
        let passing: String
        switch rule {
        case .defer, .setNull: passing = rule.rawValue
        case .stub, .fail: passing = PendingReferences.anew
        case .owner: return
        }
        let kept = PendingReferences.kept.map { SQLText.literal($0) }.joined(separator: ", ")
        let count = try database.run(
            """
            UPDATE \(pending) SET rule = ?3 WHERE "table" = ?1 AND field = ?2 AND rule IN (\(kept)) AND rule <> ?3
            """, [reference.table, reference.name, passing].map { FieldValue($0) })
        if count > 0 && passing == PendingReferences.anew { asksAnew = true }
    }

    /// Whether another pipeline has the columns of a reference hold one.
    private func isReference(_ reference: EntityRegistry.Reference) throws -> Bool {
        try EntityRegistry(database: database).allReferences().contains { other in
            other.place == reference.place && EntityRegistry.mapping(other.mapping)?.pipeline != schema.pipeline
        }
    }

    /// Gives up what waits by a reference that is a plain field now, as far as the source said it: the rows hold nothing, and what the
    /// source says of the field is written as it is, or told where the table refuses it. What people had the reference lead to goes on
    /// waiting.
    private mutating func giveUp(_ reference: EntityRegistry.Reference) throws {
        guard try database.hasRow("SELECT 1 FROM \(pending) AS p WHERE \(reference.waits) LIMIT 1") else { return }
        let sources = try EntityRegistry(database: database).sources(of: schema.table)
        let said = try sources.filter { $0.pipeline == schema.pipeline }
            .flatMap { try forgetSaid(of: reference, by: $0) }
        for waiting in said {
            try database.run(
                "DELETE FROM \(pending) WHERE \"table\" = ?1 AND field = ?2 AND key = ?3 AND target_key = ?4",
                [FieldValue(reference.table), FieldValue(reference.name)] + waiting)
        }
    }

    /// Has the bases of records that wait for what their source said of a reference say that its columns hold nothing, as their rows do.
    ///
    /// - Returns: What waits so: the record's key, and that of its target.
    private func forgetSaid(
        of reference: EntityRegistry.Reference, by source: RecordMapping
    ) throws -> [[FieldValue]] {
        let (registry, mapping) = (EntityRegistry(database: database), EntityRegistry.name(source))
        guard let base = try registry.tables(of: mapping)?.base else { return [] }
        let slots = try registry.slots(of: mapping).filter { !$0.isRetired }
        let places = reference.columns.compactMap { column in
            slots.first { ColumnName.areSame($0.column, column) }?.number
        }
        let keys = try registry.keySlots(of: mapping).map(\.column)
        guard places.count == reference.columns.count, keys == reference.keyColumns else { return [] }
        let names = keys.map { TableLayout.baseColumn(for: $0) }
        let isOf = try zip(keys, names).enumerated().map { index, key in
            let waiting = try database.element("p.key", index, for: key.0, of: reference.table)
            return
                "b.\(SQLText.quoted(key.1)) = \(waiting) AND o.\(SQLText.quoted(key.0)) = b.\(SQLText.quoted(key.1))"
        }
        let isNull = reference.columns.map { "o.\(SQLText.quoted($0)) IS NULL" }
        let targets = try reference.columns.enumerated().map { index, column in
            try database.element("p.target_key", index, for: column, of: reference.table)
        }
        let rows = try database.rows(
            """
            SELECT b.fields, p.key, p.target_key, \((targets + names.map { "b." + SQLText.quoted($0) }).joined(separator: ", "))
            FROM \(pending) AS p, \(database.table(base)) AS b, \(database.table(reference.table)) AS o
            WHERE \(reference.waits) AND \((isOf + isNull).joined(separator: " AND "))
            """)
        var said: [[FieldValue]] = []
        for row in rows {
            guard let blob = row[0].bytes, var entries = BaseCoding.decode(blob, slotCount: 0),
                places.allSatisfy(entries.indices.contains)
            else { continue }
            let target = row.dropFirst(3).prefix(places.count)
            if zip(places, target).contains(where: { entries[$0] != .value($1) }) { continue }
            for place in places { entries[place] = .null }
            try database.run(
                "UPDATE \(database.table(base)) SET fields = ?1 WHERE \(SQLText.match(names, from: 2))",
                [.blob(BaseCoding.encode(entries))] + row.dropFirst(3 + places.count))
            said.append([row[1], row[2]])
        }
        if !said.isEmpty { try revisit(base, source) }
        return said
    }
}

internal import SluiceModel
internal import SluiceStore

/// Takes references away whose records are not there, or go, and remembers what they lead to.
struct HeldReferences {
    let database: any SQLDatabase
    let recorder: any ChangeNoting
    /// Whether they wait for their records (`defer`) or are null for good (`set_null`).
    let rule: RecordReference.DanglingRule

    /// Writes down what is taken away, and has it wait.
    ///
    /// - Parameters:
    ///   - source: The rows that refer.
    ///   - condition: Limits them.
    /// - Returns: The rows, and those of them that held the reference until now; nothing is written where there are none.
    /// - Throws: What the database throws.
    func remember(_ source: Dangling, where condition: String) throws -> HeldRows {
        let reference = source.reference
        let rows = try rows(of: source, where: condition)
        if rows.all.count == 0 { return rows }
        try LinkHistory(database: database, recorder: recorder).record(
            reference, unlinkedBy: source, where: condition, isForGood: rule == .setNull)
        if let forgetting = source.forgetting(source.rows + condition) {
            try database.run(forgetting, source.values)
        }
        try database.run(
            """
            INSERT INTO \(database.ledger("pending")) ("table", key, field, target_key, rule)
            SELECT \(SQLText.literal(reference.table)), \(source.ownerKey), \(SQLText.literal(reference.name)),
            \(source.targetKey), \(SQLText.literal(rule.rawValue)) FROM \(source.rows)\(condition)
            ON CONFLICT ("table", key, field, target_key) DO UPDATE SET rule = excluded.rule
            """, source.values)
        return rows
    }

    /// The rows that held the reference in a column until now, before it is taken away.
    ///
    /// - Parameters:
    ///   - source: The rows that refer.
    ///   - condition: Limits them.
    /// - Returns: Each of them, in the order of their keys; none of links.
    /// - Throws: What the database throws.
    func lost(_ source: Dangling, where condition: String) throws -> [LostReference] {
        let reference = source.reference
        guard reference.link == nil, let mapping = EntityRegistry.mapping(reference.mapping) else { return [] }
        let lost = try "\(condition) AND \(source.wasHeld(until: recorder.run))"
        let count = reference.keyColumns.count
        return try database.rows(
            """
            SELECT \((source.ownerValues + source.targetValues).joined(separator: ", ")) FROM \(source.rows)\(lost)
            ORDER BY \(source.ownerKey)
            """, source.values
        ).map { row in
            LostReference(
                mapping: mapping, key: RecordKey(Array(row.prefix(count))),
                columns: zip(reference.columns, row.dropFirst(count)).map { (name: $0, value: $1) },
                isForGood: rule == .setNull)
        }
    }

    /// Takes them away.
    ///
    /// - Parameters:
    ///   - rows: How many rows there are.
    ///   - source: The rows that refer.
    ///   - condition: Limits them.
    /// - Throws: What the database throws, also where a table does not let go of them, and ``SQLRefusal``.
    func remove(_ rows: Int, of source: Dangling, where condition: String) throws {
        if try database.run(source.removal(condition), source.values) != rows { throw SQLRefusal.swallowed }
    }

    /// Reports of them.
    func report(_ rows: HeldRows, of reference: EntityRegistry.Reference, in outcome: inout ReferenceOutcome) {
        let name = reference.table + "." + reference.name
        let place = rule == .setNull ? \ReferenceOutcome.cleared : \.deferred
        outcome[keyPath: place][name, default: rows.all.none].add(rows.all)
        if rows.lost.count > 0 { outcome.lost[name, default: rows.lost.none].add(rows.lost) }
        outcome.hasWritten = true
    }

    /// How many rows there are, and the first of them: those that never held the reference before the others.
    private func rows(of source: Dangling, where condition: String) throws -> HeldRows {
        let none = ReferenceOutcome.Rows(
            count: 0, entity: EntityRegistry.mapping(source.reference.mapping)?.entity, keys: [],
            areLinks: source.reference.link != nil)
        var found = HeldRows(all: none, lost: none)
        let count = try database.integer("SELECT count(*) FROM \(source.rows)\(condition)", source.values) ?? 0
        if count == 0 { return found }
        found.all.count = Int(clamping: count)
        let isLost = try source.wasHeld(until: recorder.run)
        found.all.keys = try keys(source, condition, order: "CASE WHEN \(isLost) THEN 1 ELSE 0 END, ")
        found.all.targets = try targets(source, condition)
        let lost = "\(condition) AND \(isLost)"
        found.lost.count = Int(
            clamping: try database.integer("SELECT count(*) FROM \(source.rows)\(lost)", source.values) ?? 0)
        if found.lost.count == 0 { return found }
        found.lost.keys = try keys(source, lost)
        found.lost.targets = try targets(source, lost)
        return found
    }

    /// The keys of what the rows lead to, the first of them.
    private func targets(_ source: Dangling, _ condition: String) throws -> [String] {
        try database.rows(
            """
            SELECT DISTINCT \(source.targetKey) FROM \(source.rows)\(condition) ORDER BY 1 LIMIT \(ReferenceOutcome.Rows.listed)
            """, source.values
        ).compactMap { $0[0].string }
    }

    /// The keys of the first rows, each once.
    private func keys(_ source: Dangling, _ condition: String, order: String = "") throws -> [String] {
        let names = try database.rows(
            """
            SELECT \(source.ownerValues.joined(separator: ", ")) FROM \(source.rows)\(condition)
            ORDER BY \(order)\(source.ownerKey) LIMIT \(ReferenceOutcome.Rows.listed)
            """, source.values
        ).map(source.ownerName)
        return names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }.map { names[$0] }
    }
}

/// Rows whose reference is taken away.
struct HeldRows {
    /// All of them.
    var all: ReferenceOutcome.Rows
    /// Those that held it until now.
    var lost: ReferenceOutcome.Rows
}

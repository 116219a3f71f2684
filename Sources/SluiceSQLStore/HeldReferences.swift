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
    /// - Returns: The rows; nothing is written where there are none.
    /// - Throws: What the database throws.
    func remember(_ source: Dangling, where condition: String) throws -> ReferenceOutcome.Rows {
        let reference = source.reference
        let rows = try rows(of: source, where: condition)
        if rows.count == 0 { return rows }
        try LinkHistory(database: database, recorder: recorder).note(
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

    /// The first of the records that rows refer to, before these references are taken away.
    func targets(of source: Dangling, where condition: String) throws -> ReferenceOutcome.Targets {
        let keys = try database.rows(
            """
            SELECT DISTINCT \(source.targetKey) AS target FROM \(source.rows)\(condition)
            ORDER BY target LIMIT \(ReferenceOutcome.Targets.listed)
            """, source.values)
        return ReferenceOutcome.Targets(table: source.reference.target, keys: keys.compactMap { $0[0].string })
    }

    /// Takes them away.
    ///
    /// - Parameters:
    ///   - source: The rows that refer.
    ///   - condition: Limits them.
    /// - Throws: What the database throws, also where a table does not let go of them.
    func remove(_ source: Dangling, where condition: String) throws {
        try database.run(source.removal(condition), source.values)
    }

    /// Tells of them.
    func tell(
        _ rows: ReferenceOutcome.Rows, to targets: ReferenceOutcome.Targets, of reference: EntityRegistry.Reference,
        in outcome: inout ReferenceOutcome
    ) {
        let name = reference.table + "." + reference.name
        outcome.note(missing: targets, of: name)
        if rule == .setNull {
            outcome.cleared[name, default: rows.none].add(rows)
        } else {
            outcome.deferred[name, default: rows.none].add(rows)
        }
        outcome.hasWritten = true
    }

    /// How many rows there are, and the first of them.
    private func rows(of source: Dangling, where condition: String) throws -> ReferenceOutcome.Rows {
        let count =
            try database.integer("SELECT count(*) FROM \(source.rows)\(condition)", source.values) ?? 0
        if count == 0 { return ReferenceOutcome.Rows(count: 0, entity: nil, keys: []) }
        let owners = try database.rows(
            """
            SELECT \(source.ownerValues.joined(separator: ", ")) FROM \(source.rows)\(condition)
            ORDER BY \(source.ownerKey) LIMIT \(ReferenceOutcome.Rows.listed)
            """, source.values)
        return ReferenceOutcome.Rows(
            count: Int(clamping: count), entity: EntityRegistry.mapping(source.reference.mapping)?.entity,
            keys: owners.map(source.ownerName), areLinks: source.reference.link != nil)
    }
}

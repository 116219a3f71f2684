internal import SluiceModel
internal import SluiceStore

/// References that waited for rows that are there now.
extension ReferenceSettlement {
    /// Links them; those go on waiting that a table refuses to link. What is settled anew dangles at first, and is told as what becomes
    /// of it.
    mutating func link(_ reference: EntityRegistry.Reference) throws {
        try link(reference, Arrivals(reference, database), isTold: true)
        try link(reference, Arrivals(reference, database, areAnew: true), isTold: false)
    }

    private mutating func link(
        _ reference: EntityRegistry.Reference, _ arrivals: Arrivals, isTold: Bool
    ) throws {
        guard try database.hasRow("SELECT 1 FROM \(arrivals.rows) LIMIT 1") else { return }
        let name = reference.table + "." + reference.name
        var (linked, isTaken) = (arrivals.none, false)
        let refused = try RowHalving(
            database: database, names: Arrivals.names, rows: arrivals.rows, values: []
        ).perform { stretch in
            linked.add(try arrivals.link(stretch, recorder))
            isTaken = true
        }
        if isTold { outcome.linked[name, default: linked.none].add(linked) }
        if isTaken { outcome.hasWritten = true }
        if !isTold && refused.isEmpty { return }
        outcome.unlinked[name] = refused.first.map { first in
            var rows = arrivals.none
            (rows.count, rows.areLinks) = (refused.count, reference.link != nil)
            rows.keys = refused.prefix(ReferenceOutcome.Rows.listed).map { part in
                reference.ownerName(LinkHistory.key(part.row[0]))
            }
            let table = reference.link?.table ?? reference.table
            return ReferenceOutcome.Refused(rows: rows, reason: first.refusal.reason(table))
        }
    }
}

/// What waits by one reference for rows that are there, as parts of statements.
private struct Arrivals {
    /// What tells them apart.
    static let names = ["p.key", "p.target_key"]
    /// They, called `p`, as what stands behind `FROM`.
    let rows: String
    private let reference: EntityRegistry.Reference
    private let database: any SQLDatabase
    private let ownerKey: [String]
    private let target: [String]
    /// Fulfilled by those that are to be linked: the row is there, and leads nowhere else.
    private let isMissing: String
    private let isOwner: String

    init(_ reference: EntityRegistry.Reference, _ database: any SQLDatabase, areAnew: Bool = false) throws {
        (self.reference, self.database) = (reference, database)
        let rules = areAnew ? [PendingReferences.anew] : ["defer", PendingReferences.returning]
        let mayBeLinked = "p.rule IN (\(rules.map { SQLText.literal($0) }.joined(separator: ", ")))"
        let isTarget = try reference.targetColumns.enumerated().map { index, column in
            "t.\(SQLText.quoted(column)) = \(try database.element("p.target_key", index, for: column, of: reference.target))"
        }.joined(separator: " AND ")
        ownerKey = try reference.keyColumns.enumerated().map { index, column in
            try database.element("p.key", index, for: column, of: reference.table)
        }
        let targetTable = reference.link?.table ?? reference.table
        target = try (reference.link?.targetColumns ?? reference.columns).enumerated().map { index, column in
            try database.element("p.target_key", index, for: column, of: targetTable)
        }
        isOwner = zip(reference.keyColumns, ownerKey).map { "o.\(SQLText.quoted($0)) = \($1)" }
            .joined(separator: " AND ")
        let owner = "EXISTS (SELECT 1 FROM \(database.table(reference.table)) AS o WHERE \(isOwner)"
        // What waits in a record that was deleted here goes on waiting until its row is back.
        rows = """
            \(database.ledger("pending")) AS p WHERE \(reference.waits) AND \(mayBeLinked)
            \(areAnew ? "" : "AND EXISTS (SELECT 1 FROM \(database.table(reference.target)) AS t WHERE \(isTarget))")
            AND \(owner))
            """
        if let link = reference.link {
            let values = try Self.pair(link, target, database)
            let same = zip(link.ownerColumns + link.targetColumns, values)
                .map { "l.\(SQLText.quoted($0)) = \($1)" }.joined(separator: " AND ")
            isMissing = "NOT EXISTS (SELECT 1 FROM \(database.table(link.table)) AS l WHERE \(same))"
        } else {
            let isNull = reference.columns.map { "o.\(SQLText.quoted($0)) IS NULL" }.joined(separator: " AND ")
            isMissing = "\(owner) AND \(isNull))"
        }
    }

    private static func pair(
        _ link: RecordLink, _ target: [String], _ database: any SQLDatabase
    ) throws -> [String] {
        try link.ownerColumns.enumerated().map { index, column in
            try database.element("p.key", index, for: column, of: link.table)
        } + target
    }

    /// None of their rows.
    var none: ReferenceOutcome.Rows {
        ReferenceOutcome.Rows(
            count: 0, entity: EntityRegistry.mapping(reference.mapping)?.entity, keys: [])
    }

    /// Links those of a stretch, and forgets that they waited.
    ///
    /// - Returns: The rows that lead to their records now.
    /// - Throws: What the database throws, also where a table refuses it, and ``SQLRefusal``.
    func link(_ stretch: RowStretch?, _ recorder: any ChangeNoting) throws -> ReferenceOutcome.Rows {
        let arrived = rows + (stretch?.condition(from: 1) ?? "")
        let values = stretch?.values ?? []
        let missing = "(SELECT p.key, p.target_key FROM \(arrived)) AS p WHERE \(isMissing)"
        let count = try database.integer("SELECT count(*) FROM \(missing)", values) ?? 0
        var linked = none
        linked.count = Int(clamping: count)
        linked.keys = try database.rows(
            """
            SELECT \(ownerKey.joined(separator: ", ")) FROM \(missing) ORDER BY p.key LIMIT \(ReferenceOutcome.Rows.listed)
            """, values
        ).map { reference.ownerName($0) }
        let pairs = (ownerKey + target).joined(separator: ", ")
        try LinkHistory(database: database, recorder: recorder).record(
            reference, linkedBy: "SELECT \(pairs) FROM \(missing) ORDER BY p.key, p.target_key", values)
        if try database.run(statement(missing, arrived), values) != linked.count { throw SQLRefusal.swallowed }
        try database.run("DELETE FROM \(arrived)", values)
        return linked
    }

    private func statement(_ missing: String, _ arrived: String) throws -> String {
        if let link = reference.link {
            let values = try Self.pair(link, target, database)
            return """
                INSERT INTO \(database.table(link.table)) (\(SQLText.list(link.ownerColumns + link.targetColumns)))
                SELECT \(values.joined(separator: ", ")) FROM \(missing)
                """
        }
        let values = zip(reference.columns, target).map { "\(SQLText.quoted($0)) = \($1)" }
        let isNull = reference.columns.map { "o.\(SQLText.quoted($0)) IS NULL" }.joined(separator: " AND ")
        return """
            UPDATE \(database.table(reference.table)) AS o SET \(values.joined(separator: ", "))
            FROM (SELECT p.key, p.target_key FROM \(arrived)) AS p WHERE \(isOwner) AND \(isNull)
            """
    }
}

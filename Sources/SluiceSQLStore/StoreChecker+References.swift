internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// References, children and links against the rows that they lead to.
extension StoreChecker {
    func findings(of reference: EntityRegistry.Reference) throws -> [StoreFinding] {
        let targets = try Set(database.columnNames(of: reference.target))
        guard reference.targetColumns.allSatisfy({ targets.contains($0.lowercased()) }) else {
            return [
                StoreFinding(
                    check(reference), table: reference.link?.table ?? reference.table, count: 1,
                    message: "\(name(reference)) leads to `\(reference.target)`, which has no such table or columns.",
                    remedy: "Make the table again, or have the pipeline that fills it run.")
            ]
        }
        return try dangling(reference) + (try lostOwners(reference))
    }

    private func check(_ reference: EntityRegistry.Reference) -> StoreCheck {
        if reference.link != nil { return .links }
        return reference.rule == .owner ? .children : .references
    }

    private func name(_ reference: EntityRegistry.Reference) -> String {
        reference.link.map { "`\($0.table)`, the links of `\(reference.name)`," }
            ?? "`\(reference.table).\(reference.columns.joined(separator: ", "))`"
    }

    private func dangling(_ reference: EntityRegistry.Reference) throws -> [StoreFinding] {
        let dangling = Dangling(reference, database)
        let count = Int(clamping: try database.integer("SELECT count(*) FROM \(dangling.rows)") ?? 0)
        if count == 0 { return [] }
        let values = dangling.ownerValues.joined(separator: ", ")
        let examples = try database.rows(
            "SELECT DISTINCT \(values) FROM \(dangling.rows) ORDER BY \(values) LIMIT \(StoreFinding.listed)"
        ).map { dangling.ownerName($0) }
        let rows = "\(Plural.of(count, "row", "rows")) of `\(reference.link?.table ?? reference.table)`"
        let message =
            switch check(reference) {
            case .children:
                "\(rows) \(Plural.word(count, "belongs", "belong")) to rows of `\(reference.target)` that are not there."
            case .links:
                "\(rows) \(Plural.word(count, "leads", "lead")) to rows of `\(reference.target)` that are not there."
            default:
                "\(rows) \(Plural.word(count, "refers", "refer")) by `\(reference.name)` to rows of `\(reference.target)` that are not there."
            }
        let remedy =
            check(reference) == .children
            ? "Delete them, or put the rows back that they belong to."
            : reference.link != nil
                ? "Put the rows back, or delete these pairs."
                : "Put the rows back, have the columns refer to others, or make them null."
        return [
            StoreFinding(
                check(reference), table: reference.link?.table ?? reference.table, count: count, message: message,
                examples: examples, remedy: remedy)
        ]
    }

    /// Pairs without their owners.
    private func lostOwners(_ reference: EntityRegistry.Reference) throws -> [StoreFinding] {
        guard let link = reference.link, !reference.keyColumns.isEmpty else { return [] }
        let same = zip(reference.keyColumns, link.ownerColumns).map {
            "t.\(SQLText.quoted($0)) = o.\(SQLText.quoted($1))"
        }
        let rows = """
            \(database.table(link.table)) AS o WHERE NOT EXISTS (SELECT 1 FROM \(database.table(reference.table)) AS t
            WHERE \(same.joined(separator: " AND ")))
            """
        let count = Int(clamping: try database.integer("SELECT count(*) FROM \(rows)") ?? 0)
        if count == 0 { return [] }
        let owners = link.ownerColumns.map { "o.\(SQLText.quoted($0))" }.joined(separator: ", ")
        let examples = try database.rows(
            "SELECT DISTINCT \(owners) FROM \(rows) ORDER BY \(owners) LIMIT \(StoreFinding.listed)"
        ).map { reference.ownerName($0) }
        return [
            StoreFinding(
                .links, table: link.table, count: count,
                message:
                    "\(Plural.of(count, "pair", "pairs")) of `\(link.table)` \(Plural.word(count, "is", "are")) of rows of `\(reference.table)` that are not there.",
                examples: examples, remedy: "Delete these rows of `\(link.table)`.")
        ]
    }

    /// References that wait, of tables and fields that nobody knows.
    func waitingFindings() throws -> [StoreFinding] {
        guard try database.object("_sluice_pending") == .table else { return [] }
        var fields: [String: Set<String>] = [:]
        for reference in try registry.allReferences() {
            fields[reference.table.lowercased(), default: []].insert(reference.name)
        }
        let rows = try database.rows(
            "SELECT \"table\", field, count(*) FROM \(database.ledger("pending")) GROUP BY \"table\", field ORDER BY 1, 2"
        )
        return rows.compactMap { row in
            let (table, field, count) = (row[0].string ?? "", row[1].string ?? "", Int(clamping: row[2].number ?? 0))
            if fields[table.lowercased()]?.contains(field) ?? false { return nil }
            return StoreFinding(
                .waiting, table: table, count: count,
                message:
                    "\(Plural.of(count, "reference", "references")) `\(field)` of `\(table)` \(Plural.word(count, "waits", "wait")) for rows, and no pipeline has such a reference.",
                remedy: "Delete these rows of `_sluice_pending`.")
        }
    }
}

internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// References, children and links against the rows that they lead to.
extension StoreChecker {
    func findings(of reference: EntityRegistry.Reference) throws -> [StoreFinding] {
        guard try lacking(reference.targetColumns, in: reference.target).isEmpty else {
            return [
                StoreFinding(
                    check(reference), table: reference.link?.table ?? reference.table, count: 1,
                    message: "\(name(reference)) leads to `\(reference.target)`, which has no such table or columns.",
                    remedy:
                        "If the table has another name now, give it its own again. Else have the pipeline that fills it run."
                )
            ]
        }
        let owners = try lacking(reference.keyColumns, in: reference.table)
        // What an entity's table lacks is told with its columns.
        if reference.link == nil { return owners.isEmpty ? try dangling(reference) : [] }
        return try dangling(reference) + (owners.isEmpty ? lostOwners(reference) : [])
    }

    /// Tables of links that are missing or lack columns; such references are none of those that can be followed.
    func linkColumnFindings() throws -> [StoreFinding] {
        try registry.entries("reference").compactMap { entry in
            guard let reference = try registry.reference(entry), let link = reference.link else { return nil }
            guard try database.object(link.table) == .table else {
                let pipeline = EntityRegistry.mapping(reference.mapping)?.pipeline ?? ""
                return StoreFinding(
                    .columns, table: link.table, count: 1,
                    message:
                        "The table `\(link.table)`, the links of `\(reference.name)` of `\(reference.table)`, is missing.",
                    remedy:
                        "If it has another name now, give the field `via:` with that one, or give it its name again. Else run `\(pipeline)` once with `--allow-schema drop`: that makes it anew, and fills it from the source."
                )
            }
            let missing = try lacking(link.ownerColumns + link.targetColumns, in: link.table)
            if missing.isEmpty { return nil }
            let names = missing.map { "`\($0)`" }.joined(separator: ", ")
            return StoreFinding(
                .columns, table: link.table, count: missing.count,
                message: "`\(link.table)`, the links of `\(reference.name)`, lacks \(names).",
                remedy: "Give these columns their names again.")
        }
    }

    /// The columns that a table does not have.
    private func lacking(_ columns: [String], in table: String) throws -> [String] {
        let names = try Set(database.columnNames(of: table))
        return columns.filter { !names.contains($0.lowercased()) }
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
                ? "Put the rows back, or delete these pairs. \(outcome(of: reference))"
                : reference.isInKey
                    ? "Put the rows back, or have the columns refer to others."
                    : "Put the rows back, or have the columns refer to others. \(outcome(of: reference))"
        return [
            StoreFinding(
                check(reference), table: reference.link?.table ?? reference.table, count: count, message: message,
                examples: examples, remedy: remedy)
        ]
    }

    /// What a run that looks at all references makes of those that lead nowhere. A null by hand would be an edit, which stays
    /// when the row is back.
    private func outcome(of reference: EntityRegistry.Reference) -> String {
        let pipeline = EntityRegistry.mapping(reference.mapping)?.pipeline
        let run = "Else `sluice run --check-references`\(pipeline.map { " of `\($0)`" } ?? "")"
        return switch reference.rule {
        case .fail: "\(run) ends over them."
        case .setNull: "\(run) \(reference.link == nil ? "makes them null" : "takes them away")."
        case .stub: "\(run) makes rows with only the key, and has wait what leads to rows that people deleted."
        case .defer, .owner: "\(run) has them wait for the rows."
        }
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
                examples: examples,
                remedy: "Put the rows back that they belong to, or delete these rows of `\(link.table)`.")
        ]
    }

    /// References that wait, of tables and fields that nobody knows.
    func waitingFindings() throws -> [StoreFinding] {
        guard try database.object("_sluice_pending") == .table else { return [] }
        var fields: [String: Set<String>] = [:]
        // Also of those whose tables are missing.
        for entry in try registry.entries("reference") {
            guard let reference = try registry.reference(entry) else { continue }
            fields[reference.table.lowercased(), default: []].insert(reference.name)
        }
        for reference in try registry.modelReferences() {
            fields[reference.table.lowercased(), default: []].insert(reference.name)
        }
        // What a pipeline gave up waits until the field comes back.
        for mapping in try registry.mappings() {
            let name = EntityRegistry.name(mapping)
            guard let table = try registry.tables(of: name)?.table.lowercased() else { continue }
            for slot in try registry.slots(of: name) where slot.isGivenUp && !slot.isRetired {
                fields[table, default: []].insert(slot.field)
            }
        }
        let rows = try database.rows(
            "SELECT \"table\", field, count(*) FROM \(database.ledger("pending")) GROUP BY \"table\", field ORDER BY 1, 2"
        )
        let unknown: [StoreFinding] = rows.compactMap { row in
            let (table, field, count) = (row[0].string ?? "", row[1].string ?? "", Int(clamping: row[2].number ?? 0))
            if fields[table.lowercased()]?.contains(field) ?? false { return nil }
            return StoreFinding(
                .waiting, table: table, count: count,
                message:
                    "\(Plural.of(count, "reference", "references")) `\(field)` of `\(table)` \(Plural.word(count, "waits", "wait")) for rows, and no pipeline has such a reference.",
                remedy: "Delete these rows of `_sluice_pending`.")
        }
        var found = unknown
        let waiting = Set(rows.map { [$0[0].string?.lowercased(), $0[1].string] })
        for reference in try registry.references()
        where waiting.contains([reference.table.lowercased(), reference.name]) {
            // A database that compares values of one type alone fails where a key has values of another.
            let failure = try database.misfit { found += try lostWaits(reference) + fulfilledWaits(reference) }
            guard let failure else { continue }
            found.append(
                StoreFinding(
                    .waiting, table: reference.table, count: 1,
                    message:
                        "The references `\(reference.name)` of `\(reference.table)` that wait have keys which are none of these tables: \(failure).",
                    remedy: "Correct these rows of `_sluice_pending`, or delete them."))
        }
        return found
    }

    /// References of a field that wait, as rows `p`.
    private func waiting(_ reference: EntityRegistry.Reference) -> String {
        """
        \(database.ledger("pending")) AS p WHERE p."table" = \(SQLText.literal(reference.table))
        AND p.field = \(SQLText.literal(reference.name))
        """
    }

    /// References that wait of records that are not there, neither as rows nor in a base.
    private func lostWaits(_ reference: EntityRegistry.Reference) throws -> [StoreFinding] {
        func isKey(_ columns: [String], _ isSame: (_ column: String, _ value: String, _ own: String) throws -> String)
            throws -> String
        {
            try zip(reference.keyColumns, columns).enumerated().map { index, pair in
                try isSame(pair.1, try database.element("p.key", index, for: pair.0, of: reference.table), pair.0)
            }.joined(separator: " AND ")
        }
        let bases = try Dangling.Base.all(of: reference.table, key: reference.keyColumns, database)
        let isRow = try isKey(reference.keyColumns) { column, value, _ in "o.\(SQLText.quoted(column)) = \(value)" }
        let places =
            try ["\(database.table(reference.table)) AS o WHERE \(isRow)"]
            + bases.map { base in
                let isBase = try isKey(base.columns) { column, value, own in
                    let key = BaseKey(base: base.table, row: "b", column: column)
                    return try database.isSame(key, value, as: own, of: reference.table)
                }
                return "\(database.table(base.table)) AS b WHERE \(isBase)"
            }
        let rows = waiting(reference) + places.map { " AND NOT EXISTS (SELECT 1 FROM \($0))" }.joined()
        return try waits(
            reference, rows, .note, "Nothing is linked by them; delete these rows of `_sluice_pending`."
        ) { "\($0) \(Plural.word($1, "waits", "wait")), and the rows of `\(reference.table)` with it are not there." }
    }

    /// References that wait for rows that are there, as where people put them in.
    private func fulfilledWaits(_ reference: EntityRegistry.Reference) throws -> [StoreFinding] {
        let same = try reference.targetColumns.enumerated().map { index, column in
            "t.\(SQLText.quoted(column)) = \(try database.element("p.target_key", index, for: column, of: reference.target))"
        }.joined(separator: " AND ")
        let isOwner = try reference.keyColumns.enumerated().map { index, column in
            "o.\(SQLText.quoted(column)) = \(try database.element("p.key", index, for: column, of: reference.table))"
        }.joined(separator: " AND ")
        let rows = """
            \(waiting(reference)) AND p.rule = \(SQLText.literal(RecordReference.DanglingRule.defer.rawValue))
            AND EXISTS (SELECT 1 FROM \(database.table(reference.target)) AS t WHERE \(same))
            AND EXISTS (SELECT 1 FROM \(database.table(reference.table)) AS o WHERE \(isOwner))
            """
        let pipeline = EntityRegistry.mapping(reference.mapping)?.pipeline ?? ""
        return try waits(
            reference, rows, .note, "The next run of `\(pipeline)` links them."
        ) { "\($0) \(Plural.word($1, "waits", "wait")) for rows of `\(reference.target)` that are there." }
    }

    private func waits(
        _ reference: EntityRegistry.Reference, _ rows: String, _ verdict: StoreFinding.Verdict, _ remedy: String,
        _ message: (_ references: String, _ count: Int) -> String
    ) throws -> [StoreFinding] {
        let count = Int(clamping: try database.integer("SELECT count(*) FROM \(rows)") ?? 0)
        if count == 0 { return [] }
        let examples = try database.rows(
            "SELECT p.key FROM \(rows) ORDER BY p.key LIMIT \(StoreFinding.listed)"
        ).map { $0[0].string ?? "" }
        let references = "\(Plural.of(count, "reference", "references")) `\(reference.name)` of `\(reference.table)`"
        return [
            StoreFinding(
                .waiting, verdict, table: reference.table, count: count, message: message(references, count),
                examples: examples, remedy: remedy)
        ]
    }
}

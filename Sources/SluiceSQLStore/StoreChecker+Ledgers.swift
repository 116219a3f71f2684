internal import SluiceDiagnostics
internal import SluiceMerge
internal import SluiceModel
internal import SluiceStore

/// Ledgers against the runs and entities that they name.
extension StoreChecker {
    private var runs: String { database.ledger("runs") }

    /// Rows of a ledger that name a run that is not there.
    private func lostRuns(
        _ check: StoreCheck, _ ledger: String, _ columns: [String], of thing: (one: String, many: String)
    ) throws
        -> [StoreFinding]
    {
        let conditions = columns.map {
            "(l.\($0) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(runs) AS r WHERE r.id = l.\($0)))"
        }
        let rows = "\(database.ledger(ledger)) AS l WHERE \(conditions.joined(separator: " OR "))"
        let count = Int(clamping: try database.integer("SELECT count(*) FROM \(rows)") ?? 0)
        if count == 0 { return [] }
        let examples = try database.rows("SELECT l.id FROM \(rows) ORDER BY l.id LIMIT \(StoreFinding.listed)")
            .map { "\($0[0].number ?? 0)" }
        return [
            StoreFinding(
                check, table: "_sluice_" + ledger, count: count,
                message:
                    "\(Plural.of(count, thing.one, thing.many)) \(Plural.word(count, "names a run", "name runs")) that `_sluice_runs` does not have.",
                examples: examples, remedy: "Put the rows of `_sluice_runs` back from a backup; runs go on meanwhile.")
        ]
    }

    /// Open entries of a ledger whose entity the store does not know.
    private func lostEntities(_ check: StoreCheck, _ ledger: String, of thing: (one: String, many: String)) throws
        -> [StoreFinding]
    {
        let mapping = "l.pipeline || '/' || l.stream || '/' || l.entity"
        let rows = """
            \(database.ledger(ledger)) AS l WHERE l.status = 'open' AND NOT EXISTS (SELECT 1
            FROM \(database.ledger("schema")) AS s WHERE s.kind = 'mapping' AND s.name = \(mapping))
            """
        let found = try database.rows("SELECT \(mapping), count(*) FROM \(rows) GROUP BY 1 ORDER BY 1")
        return found.map { row in
            let count = Int(clamping: row[1].number ?? 0)
            return StoreFinding(
                check, table: "_sluice_" + ledger, count: count,
                message:
                    "\(Plural.of(count, "open " + thing.one, "open " + thing.many)) \(Plural.word(count, "is", "are")) of `\(row[0].string ?? "")`, which the store does not know.",
                remedy:
                    "Set `status = '\(ledger == "quarantine" ? "closed" : "obsolete")'` of these rows; a run that meets the same opens it anew."
            )
        }
    }

    /// Open conflicts over fields that their entities do not have.
    private func lostFields() throws -> [StoreFinding] {
        let mapping = "l.pipeline || '/' || l.stream || '/' || l.entity"
        let schema = database.ledger("schema")
        let rows = """
            \(database.ledger("conflicts")) AS l WHERE l.status = 'open' AND l.field IS NOT NULL
            AND l.kind <> \(SQLText.literal(FieldClass.uniqueCollision.rawValue))
            AND EXISTS (SELECT 1 FROM \(schema) AS s WHERE s.kind = 'mapping' AND s.name = \(mapping))
            AND NOT EXISTS (SELECT 1 FROM \(schema) AS s WHERE s.kind IN ('slot', 'reference')
            AND s.name = \(mapping) || '/' || l.field)
            """
        let found = try database.rows("SELECT \(mapping), l.field, count(*) FROM \(rows) GROUP BY 1, 2 ORDER BY 1, 2")
        return found.map { row in
            let count = Int(clamping: row[2].number ?? 0)
            return StoreFinding(
                .conflicts, table: "_sluice_conflicts", count: count,
                message:
                    "\(Plural.of(count, "open conflict", "open conflicts")) of `\(row[0].string ?? "")` \(Plural.word(count, "is", "are")) over a field `\(row[1].string ?? "")`, which it does not have.",
                remedy: "Set `status = 'obsolete'` of these rows.")
        }
    }

    func conflictFindings() throws -> [StoreFinding] {
        try lostRuns(.conflicts, "conflicts", ["first_run", "last_run"], of: ("conflict", "conflicts"))
            + lostEntities(.conflicts, "conflicts", of: ("conflict", "conflicts"))
            + lostFields()
    }

    func quarantineFindings() throws -> [StoreFinding] {
        try lostRuns(
            .quarantine, "quarantine", ["first_run", "last_run"], of: ("record in quarantine", "records in quarantine"))
            + lostEntities(.quarantine, "quarantine", of: ("record in quarantine", "records in quarantine"))
    }

    func historyFindings() throws -> [StoreFinding] {
        guard try database.hasHistory() else { return [] }
        return try lostRuns(.history, "changes", ["run"], of: ("change", "changes")) + unreadableChanges()
    }

    /// Changes of records that undo could not read.
    private func unreadableChanges() throws -> [StoreFinding] {
        var (count, examples): (Int, [String]) = (0, [])
        try database.each(
            "SELECT id, old, new, row FROM \(database.ledger("changes")) WHERE kind = 'record' ORDER BY id", []
        ) { row in
            let old = database.unpacked(row[1]).bytes
            let new = database.unpacked(row[2]).bytes
            // What is kept is never a null of its own.
            var isRead = (old != nil || row[1].isNull) && (new != nil || row[2].isNull)
            if isRead, let old { isRead = BaseImage(encoded: old) != nil }
            if isRead, let new {
                isRead =
                    old.flatMap { BaseImage(encoded: $0) }.map { $0.applying(new) != nil }
                    ?? (BaseImage(encoded: new) != nil)
            }
            if isRead, let image = row[3].bytes { isRead = RowImage(encoded: image) != nil }
            if isRead { return true }
            count += 1
            if examples.count < StoreFinding.listed { examples.append("\(row[0].number ?? 0)") }
            return true
        }
        if count == 0 { return [] }
        return [
            StoreFinding(
                .history, table: "_sluice_changes", count: count,
                message:
                    "\(Plural.of(count, "change", "changes")) of `_sluice_changes` cannot be read, so that their runs cannot be undone.",
                examples: examples,
                remedy: "Go back to a backup where one of these runs is to be undone; other runs are not concerned.")
        ]
    }

    /// Scans that were broken off against their pages, their runs and the streams that are noted.
    func scanFindings() throws -> [StoreFinding] {
        guard try database.object("_sluice_scans") == .table, try database.object("_sluice_scan_pages") == .table else {
            return []
        }
        let (scans, pages) = (database.ledger("scans"), database.ledger("scan_pages"))
        let streams = Set(
            try registry.entries("mapping").compactMap { EntityRegistry.mapping($0.name) }.map {
                [$0.pipeline, $0.stream]
            })
        var found: [StoreFinding] = []
        func add(_ table: String, _ row: [FieldValue], _ what: String) {
            let (pipeline, stream) = (row[0].string ?? "", row[1].string ?? "")
            found.append(
                StoreFinding(
                    .state, table: table, count: 1,
                    message: "The scan of `\(pipeline)/\(stream)` in `\(table)` \(what).",
                    remedy:
                        "Delete the rows of `\(pipeline)` and `\(stream)` in `_sluice_scans` and `_sluice_scan_pages`; the next run reads the stream from its beginning."
                ))
        }
        for row in try database.rows("SELECT pipeline, stream FROM \(scans) ORDER BY 1, 2")
        where !streams.contains([row[0].string ?? "", row[1].string ?? ""]) {
            add("_sluice_scans", row, "is of a stream that the store does not know")
        }
        let same = "s.pipeline = p.pipeline AND s.stream = p.stream"
        for row in try database.rows(
            "SELECT DISTINCT pipeline, stream FROM \(pages) AS p WHERE NOT EXISTS (SELECT 1 FROM \(scans) AS s WHERE \(same)) ORDER BY 1, 2"
        ) {
            add("_sluice_scan_pages", row, "has pages, and it is not noted how far it came")
        }
        for row in try database.rows(
            "SELECT pipeline, stream FROM \(scans) AS s WHERE pages <> coalesce((SELECT max(page) FROM \(pages) AS p WHERE \(same)), 0) ORDER BY 1, 2"
        ) {
            add("_sluice_scans", row, "names another last page than its pages have")
        }
        return found
    }

    /// Runs against the runs that they undo.
    func runFindings() throws -> [StoreFinding] {
        guard try database.hasHistory() else { return [] }
        var found: [StoreFinding] = []
        for column in ["undoes", "undone_by"] {
            let rows = try database.rows(
                """
                SELECT l.id FROM \(runs) AS l WHERE l.\(column) IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM \(runs) AS r WHERE r.id = l.\(column)) ORDER BY l.id LIMIT 100
                """)
            if rows.isEmpty { continue }
            found.append(
                StoreFinding(
                    .runs, table: "_sluice_runs", count: rows.count,
                    message: "The column `\(column)` of `_sluice_runs` names runs that are not there.",
                    examples: rows.map { "\($0[0].number ?? 0)" }, remedy: "Put the rows back from a backup."))
        }
        return found
    }
}

package import SluiceModel
package import SluiceStore

/// The changes in a store on SQL.
package final class SQLChangeLedger: ChangeLedger {
    private static let columns =
        "id, run, kind, pipeline, stream, entity, key, action, field, class, entry, old, new, row"
    let database: any SQLDatabase
    private var table: String { database.ledger("changes") }

    /// Makes a ledger.
    package init(_ database: any SQLDatabase) { self.database = database }

    package func records(run: Int64, order: ChangeOrder, beyond last: Int64?, limit: Int) throws -> [RecordedChange] {
        try records(ids(run, kinds: "'record'", order, beyond: last, limit: limit))
    }

    package func records(_ mapping: RecordMapping, key: String) throws -> [RecordedChange] {
        guard try database.hasHistory() else { return [] }
        let ids = try database.rows(
            """
            SELECT id FROM \(table)
            WHERE kind = 'record' AND key = ?1 AND entity = ?2 AND stream = ?3 AND pipeline = ?4 ORDER BY id
            """,
            [FieldValue(key), FieldValue(mapping.entity), FieldValue(mapping.stream), FieldValue(mapping.pipeline)])
        // What other runs did to other records lies between them.
        return try ids.compactMap { $0[0].number }.flatMap { try records([$0]) }
    }

    package func stubs(_ mapping: RecordMapping) throws -> [(key: String, run: Int64)] {
        guard try database.hasHistory() else { return [] }
        let registry = EntityRegistry(database: database)
        guard let own = try registry.tables(of: EntityRegistry.name(mapping))?.table,
            try registry.references().contains(where: { $0.rule == .stub && ColumnName.areSame($0.target, own) })
        else { return [] }
        return try database.rows(
            StubHistory.made(database),
            [FieldValue(mapping.entity), FieldValue(mapping.stream), FieldValue(mapping.pipeline)]
        ).compactMap { row in
            guard let key = row[0].string, let run = row[1].number else { return nil }
            return (key, run)
        }
    }

    package func entries(run: Int64, order: ChangeOrder, beyond last: Int64?, limit: Int) throws -> [RecordedEntry] {
        try entries(run, kinds: "'conflict', 'quarantine', 'state'", order, beyond: last, limit: limit)
    }

    package func stateChanges(since run: Int64, of pipeline: String) throws -> [RecordedEntry] {
        guard try database.hasHistory() else { return [] }
        let rows = try database.rows(
            """
            SELECT min(id) AS first FROM \(table) WHERE run > ?1 AND kind = 'state' AND pipeline = ?2
            GROUP BY stream, class ORDER BY first
            """, [.integer(run), FieldValue(pipeline)])
        return try entries(rows.compactMap { $0[0].number })
    }

    package func schema(run: Int64) throws -> [RecordedEntry] {
        try entries(run, kinds: "'schema'", .newestFirst, beyond: nil, limit: Int(Int32.max))
    }

    package func retypedFields(of mapping: RecordMapping, since run: Int64) throws -> Set<String> {
        guard try database.hasHistory() else { return [] }
        let (isOurs, prefix) = ("pipeline = ?2 AND stream = ?3 AND entity = ?4", QuarantineEntry.typeChange)
        let names = [FieldValue(mapping.pipeline), FieldValue(mapping.stream), FieldValue(mapping.entity)]
        let changed = try database.rows(
            """
            SELECT DISTINCT field FROM \(table) WHERE run >= ?1 AND kind = 'schema'
            AND class = \(SQLText.literal(SchemaChange.Kind.changeType.rawValue)) AND \(isOurs)
            """, [.integer(run)] + names)
        let kept = try database.rows(
            """
            SELECT DISTINCT reason FROM \(database.ledger("quarantine"))
            WHERE substr(reason, 1, \(prefix.utf8.count)) = ?1 AND \(isOurs)
            """, [FieldValue(prefix)] + names)
        return Set(
            changed.compactMap { $0[0].string }
                + kept.compactMap { $0[0].string.flatMap { QuarantineEntry.changedField(of: $0) } })
    }

    private func entries(
        _ run: Int64, kinds: String, _ order: ChangeOrder, beyond last: Int64?, limit: Int
    ) throws -> [RecordedEntry] {
        try entries(ids(run, kinds: kinds, order, beyond: last, limit: limit))
    }

    /// Changes of entries by their numbers, in this order.
    private func entries(_ ids: [Int64]) throws -> [RecordedEntry] {
        let rows = try database.rows(ofAny: ids.map { .integer($0) }) {
            "SELECT \(Self.columns) FROM \(table) WHERE id IN (\($0))"
        }
        let known = Dictionary(rows.map { ($0[0].number ?? 0, $0) }) { first, _ in first }
        return try ids.map { id in
            guard let entry = known[id].flatMap(entry) else { throw damaged }
            return entry
        }
    }

    private func entry(_ row: [FieldValue]) -> RecordedEntry? {
        guard let subject = RecordedEntry.Subject(rawValue: row[2].string ?? "") else { return nil }
        return RecordedEntry(
            id: row[0].number ?? 0, run: row[1].number ?? 0, subject: subject, entry: row[10].number ?? 0,
            mapping: Self.mapping(row),
            key: row[6].string, field: row[8].string, kind: row[9].string ?? "", action: row[7].string ?? "",
            old: database.unpacked(row[11]).string, new: database.unpacked(row[12]).string)
    }

    package func conflicts(_ mapping: RecordMapping, key: String, since run: Int64) throws -> [RecordedEntry] {
        guard try database.hasHistory() else { return [] }
        let ids = try database.rows(
            """
            SELECT id FROM \(table) WHERE run >= ?5 AND kind = 'conflict' AND key = ?1 AND entity = ?2
            AND stream = ?3 AND pipeline = ?4 ORDER BY id
            """,
            [
                FieldValue(key), FieldValue(mapping.entity), FieldValue(mapping.stream), FieldValue(mapping.pipeline),
                .integer(run),
            ])
        return try entries(ids.compactMap { $0[0].number })
    }

    package func keptInserts(run: Int64, of mapping: RecordMapping, keys: [String]) throws -> Set<ExactText> {
        let rows = try changes(run: run, of: mapping, keys: keys, select: "key, old")
        return Set(rows.filter { database.unpacked($0[1]) == .null }.map { ExactText($0[0].string ?? "") })
    }

    package func writes(run: Int64, of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [RowWrite]] {
        var found: [ExactText: [RowWrite]] = [:]
        let rows = try changes(run: run, of: mapping, keys: keys, select: "key, id, action", "ORDER BY id")
        for row in rows {
            guard let action = RecordedChange.Action(rawValue: row[2].string ?? "") else { throw damaged }
            if action == .base { continue }
            found[ExactText(row[0].string ?? ""), default: []].append(RowWrite(id: row[1].number ?? 0, action: action))
        }
        return found
    }

    /// What is kept of the changes of some records by a run, without links and unlinks.
    private func changes(
        run: Int64, of mapping: RecordMapping, keys: [String], select columns: String, _ order: String = ""
    ) throws -> [[FieldValue]] {
        if try keys.isEmpty || !database.hasHistory() { return [] }
        let places = (5..<(5 + keys.count)).map { "?\($0)" }.joined(separator: ", ")
        // The sign keeps the database from going through all that the run changed.
        return try database.rows(
            """
            SELECT \(columns) FROM \(table) WHERE kind = 'record' AND +run = ?1
            AND coalesce(class, '') NOT IN (\(SQLText.literal(RecordedChange.linkKind)), \(SQLText.literal(RecordedChange.unlinkKind)))
            AND entity = ?2 AND stream = ?3 AND pipeline = ?4 AND key IN (\(places)) \(order)
            """,
            [.integer(run), FieldValue(mapping.entity), FieldValue(mapping.stream), FieldValue(mapping.pipeline)]
                + keys.map { FieldValue($0) })
    }

    // MARK: Rows

    private func ids(
        _ run: Int64, kinds: String, _ order: ChangeOrder, beyond last: Int64?, limit: Int
    ) throws -> [Int64] {
        guard try database.hasHistory() else { return [] }
        let (comparison, direction, start) =
            order == .oldestFirst ? (">", "ASC", Int64.min) : ("<", "DESC", Int64.max)
        return try database.rows(
            """
            SELECT id FROM \(table) WHERE run = ?1 AND id \(comparison) ?2 AND kind IN (\(kinds))
            ORDER BY id \(direction) LIMIT ?3
            """, [.integer(run), .integer(last ?? start), FieldValue(limit)]
        ).compactMap { $0[0].number }
    }

    /// Some changes of records, read together with all that lies between them.
    private func records(_ ids: [Int64]) throws -> [RecordedChange] {
        guard let first = ids.min(), let last = ids.max() else { return [] }
        var found: [Int64: RecordedChange] = [:]
        var current: RecordedChange?
        func close() {
            if let change = current { found[change.id] = change }
            current = nil
        }
        // The rows of the last one end where another entry begins.
        try database.each(
            """
            SELECT \(Self.columns) FROM \(table) WHERE id >= ?1 AND id < coalesce((SELECT n.id
            FROM \(table) AS n WHERE n.id > ?2 AND n.kind NOT IN ('field', 'column') ORDER BY n.id LIMIT 1), ?3)
            ORDER BY id
            """, [.integer(first), .integer(last), .integer(.max)]
        ) { row in
            let kind = row[2].string
            if kind == "field" || kind == "column" {
                current?.add(
                    RecordedChange.Column(
                        name: row[8].string ?? "", isField: kind == "field", fieldClass: row[9].string,
                        old: database.unpacked(row[11]), new: database.unpacked(row[12])))
            } else {
                close()
                current = change(row)
            }
            return true
        }
        close()
        return try ids.map { id in
            guard let change = found[id] else { throw damaged }
            return change
        }
    }

    private static func mapping(_ row: [FieldValue]) -> RecordMapping {
        RecordMapping(pipeline: row[3].string ?? "", stream: row[4].string ?? "", entity: row[5].string ?? "")
    }

    /// A record's own row; nil where it cannot be read.
    private func change(_ row: [FieldValue]) -> RecordedChange? {
        guard row[2].string == "record", let action = RecordedChange.Action(rawValue: row[7].string ?? "") else {
            return nil
        }
        var change = RecordedChange(
            id: row[0].number ?? 0, run: row[1].number ?? 0, mapping: Self.mapping(row), key: row[6].string ?? "",
            action: action, kind: row[9].string)
        change.page = row[8].string
        let new = database.unpacked(row[12]).bytes
        if let old = database.unpacked(row[11]).bytes {
            guard let before = BaseImage(encoded: old) else { return nil }
            change.baseBefore = before
            if let new {
                guard let after = before.applying(new) else { return nil }
                change.baseAfter = after
            }
        } else if let new {
            guard let after = BaseImage(encoded: new) else { return nil }
            change.baseAfter = after
        }
        if let row = row[13].bytes {
            guard let image = RowImage(encoded: row) else { return nil }
            change.row = image
        }
        return change
    }

    private var damaged: StoreError {
        StoreError(
            .damaged,
            "A row of `_sluice_changes` in `\(database.place)` cannot be read: it was damaged or edited. Restore a copy of the store."
        )
    }

    // MARK: Pruning

    package func prune(pipeline: String, endedBefore moment: String, limit: Int) throws {
        let runs = database.ledger("runs")
        var rest = limit
        while rest > 0 {
            let oldest = try database.rows(
                """
                SELECT id, coalesce(finished_at, started_at) FROM \(runs)
                WHERE pipeline = ?1 AND changes IN ('kept', 'pruning') ORDER BY id LIMIT 1
                """, [FieldValue(pipeline)]
            ).first
            guard let oldest, let run = oldest[0].number, oldest[1].string ?? "" < moment else { return }
            let count = try database.run(
                """
                DELETE FROM \(table) WHERE id IN (SELECT c.id FROM \(table) AS c WHERE c.run = ?1
                AND NOT \(StubHistory.outlivesHistory(database)) LIMIT ?2)
                """, [.integer(run), FieldValue(rest)])
            // A run without changes counts as well, or there would be no end of them.
            rest -= max(1, count)
            let state = rest > 0 ? RunChanges.pruned : .pruning
            try database.run(
                "UPDATE \(runs) SET changes = ?2 WHERE id = ?1", [.integer(run), FieldValue(state.rawValue)])
        }
    }
}

extension RecordedChange {
    /// Adds a column that follows the record's own row.
    fileprivate mutating func add(_ column: Column) {
        // A change that takes references away is about nothing else.
        if column.fieldClass == Self.emptiedClass && !isUnlink {
            emptied.append(column)
        } else {
            columns.append(column)
        }
    }
}

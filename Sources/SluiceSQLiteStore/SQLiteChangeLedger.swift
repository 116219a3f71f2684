internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// The changes in an SQLite store.
final class SQLiteChangeLedger: ChangeLedger {
    private static let columns =
        "id, run, kind, pipeline, stream, entity, key, action, field, class, entry, old, new, row"
    private let connection: Connection
    private let path: String

    init(connection: Connection, path: String) {
        self.connection = connection
        self.path = path
    }

    func records(run: Int64, order: ChangeOrder, beyond last: Int64?, limit: Int) throws -> [RecordedChange] {
        try translated {
            try ids(run, kinds: "'record'", order, beyond: last, limit: limit).map { id in try record(id) }
        }
    }

    func records(_ mapping: RecordMapping, key: String) throws -> [RecordedChange] {
        try translated {
            guard try StoreFormat.hasHistory(connection) else { return [] }
            let ids = try connection.rows(
                """
                SELECT id FROM _sluice_changes
                WHERE kind = 'record' AND key = ?1 AND entity = ?2 AND stream = ?3 AND pipeline = ?4 ORDER BY id
                """,
                [
                    SQLiteValue(key), SQLiteValue(mapping.entity), SQLiteValue(mapping.stream),
                    SQLiteValue(mapping.pipeline),
                ])
            return try ids.map { row in
                guard case .integer(let id) = row[0] else { throw damaged }
                return try record(id)
            }
        }
    }

    func entries(run: Int64, order: ChangeOrder, beyond last: Int64?, limit: Int) throws -> [RecordedEntry] {
        try translated {
            let ids = try ids(run, kinds: "'conflict', 'quarantine', 'state'", order, beyond: last, limit: limit)
            if ids.isEmpty { return [] }
            let statement = try connection.prepare("SELECT \(Self.columns) FROM _sluice_changes WHERE id = ?1")
            return try ids.map { id in
                statement.bind(id, at: 1)
                defer { statement.reset() }
                guard try statement.step(), let subject = RecordedEntry.Subject(rawValue: statement.string(2) ?? "")
                else { throw damaged }
                return RecordedEntry(
                    id: id, run: run, subject: subject, entry: statement.integer(10), mapping: Self.mapping(statement),
                    key: statement.string(6), field: statement.string(8), kind: statement.string(9) ?? "",
                    action: statement.string(7) ?? "", old: statement.string(11), new: statement.string(12))
            }
        }
    }

    // MARK: Rows

    private func ids(
        _ run: Int64, kinds: String, _ order: ChangeOrder, beyond last: Int64?, limit: Int
    ) throws -> [Int64] {
        guard try StoreFormat.hasHistory(connection) else { return [] }
        let (comparison, direction, start) =
            order == .oldestFirst ? (">", "ASC", Int64.min) : ("<", "DESC", Int64.max)
        let statement = try connection.prepare(
            """
            SELECT id FROM _sluice_changes WHERE run = ?1 AND id \(comparison) ?2 AND kind IN (\(kinds))
            ORDER BY id \(direction) LIMIT ?3
            """)
        statement.bind(run, at: 1)
        statement.bind(last ?? start, at: 2)
        statement.bind(Int64(limit), at: 3)
        var ids: [Int64] = []
        while try statement.step() { ids.append(statement.integer(0)) }
        return ids
    }

    private func record(_ id: Int64) throws -> RecordedChange {
        // Its own row and what follows it.
        let statement = try connection.prepare("SELECT \(Self.columns) FROM _sluice_changes WHERE id >= ?1 ORDER BY id")
        statement.bind(id, at: 1)
        guard try statement.step(), var change = Self.change(statement) else { throw damaged }
        while try statement.step(), let kind = statement.string(2), kind == "field" || kind == "column" {
            change.columns.append(
                RecordedChange.Column(
                    name: statement.string(8) ?? "", isField: kind == "field", fieldClass: statement.string(9),
                    old: FieldValue(statement.value(11)), new: FieldValue(statement.value(12))))
        }
        return change
    }

    private static func mapping(_ statement: Statement) -> RecordMapping {
        RecordMapping(
            pipeline: statement.string(3) ?? "", stream: statement.string(4) ?? "", entity: statement.string(5) ?? "")
    }

    /// A record's own row; nil where it cannot be read.
    private static func change(_ statement: Statement) -> RecordedChange? {
        func blob(_ column: Int) -> [UInt8]? {
            if case .blob(let bytes) = statement.value(column) { return bytes }
            return nil
        }
        guard statement.string(2) == "record",
            let action = RecordedChange.Action(rawValue: statement.string(7) ?? "")
        else { return nil }
        var change = RecordedChange(
            id: statement.integer(0), run: statement.integer(1), mapping: mapping(statement),
            key: statement.string(6) ?? "", action: action, kind: statement.string(9))
        if let old = blob(11) {
            guard let before = BaseImage(encoded: old) else { return nil }
            change.baseBefore = before
            if let new = blob(12) {
                guard let after = before.applying(new) else { return nil }
                change.baseAfter = after
            }
        } else if let new = blob(12) {
            guard let after = BaseImage(encoded: new) else { return nil }
            change.baseAfter = after
        }
        if let row = blob(13) {
            guard let image = RowImage(encoded: row) else { return nil }
            change.row = image
        }
        return change
    }

    private var damaged: StoreError {
        StoreError(
            .damaged,
            "A row of `_sluice_changes` in `\(path)` cannot be read: it was damaged or edited. Restore a copy of the store."
        )
    }

    // MARK: Pruning

    func prune(pipeline: String, endedBefore moment: String, limit: Int) throws {
        try translated {
            let runs = try connection.prepare(
                """
                SELECT id, coalesce(finished_at, started_at) FROM _sluice_runs
                WHERE pipeline = ?1 AND changes IN ('kept', 'pruning') ORDER BY id LIMIT 1
                """)
            runs.bind(pipeline, at: 1)
            var rest = limit
            while rest > 0, try runs.step() {
                let run = runs.integer(0)
                let ended = runs.string(1) ?? ""
                runs.reset()
                if ended >= moment { return }
                try connection.run(
                    """
                    DELETE FROM _sluice_changes
                    WHERE id IN (SELECT id FROM _sluice_changes WHERE run = ?1 LIMIT ?2)
                    """, [.integer(run), SQLiteValue(rest)])
                // A run without changes counts as well, or there would be no end of them.
                rest -= max(1, connection.changes)
                let isDone = rest > 0
                try connection.run(
                    "UPDATE _sluice_runs SET changes = ?2 WHERE id = ?1",
                    [.integer(run), SQLiteValue(isDone ? RunChanges.pruned.rawValue : RunChanges.pruning.rawValue)])
            }
        }
    }

    private func translated<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

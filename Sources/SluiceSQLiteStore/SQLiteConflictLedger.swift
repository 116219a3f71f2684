internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// The conflicts of an SQLite store.
final class SQLiteConflictLedger: ConflictLedger {
    private static let columns =
        "id, pipeline, stream, entity, key, field, kind, base, local, remote, policy, status, first_run, last_run, seen, resolution, who, note, "
    let connection: Connection
    private let path: String
    let recorder: ChangeRecorder
    /// Whether the store is known to have a column for the other source; one that is only looked at may be older.
    private var hasOtherSource = false

    init(connection: Connection, path: String, recorder: ChangeRecorder) {
        self.connection = connection
        self.path = path
        self.recorder = recorder
    }

    func open(of mapping: RecordMapping) throws -> [ConflictEntry] {
        try entries(
            "WHERE status = 'open' AND pipeline = ?1 AND stream = ?2 AND entity = ?3 ORDER BY id",
            [SQLiteValue(mapping.pipeline), SQLiteValue(mapping.stream), SQLiteValue(mapping.entity)])
    }

    func openRecords(of entities: Set<String>, streams: Set<String>, pipeline: String) throws -> Int {
        try translated {
            Int(
                try connection.integer(
                    """
                    SELECT count(DISTINCT key) FROM _sluice_conflicts
                    WHERE status = 'open' AND pipeline = ?1 AND stream IN (SELECT value FROM json_each(?2))
                    AND entity IN (SELECT value FROM json_each(?3))
                    """, [SQLiteValue(pipeline), .list(of: streams), .list(of: entities)]) ?? 0)
        }
    }

    func open(of mapping: RecordMapping, key: String) throws -> [ConflictEntry] {
        try entries(of: mapping, key: key, "AND status = 'open'")
    }

    func open(of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [ConflictEntry]] {
        var found: [ExactText: [ConflictEntry]] = [:]
        for key in keys { found[ExactText(key)] = try open(of: mapping, key: key) }
        return found
    }

    func entries(of mapping: RecordMapping, key: String) throws -> [ConflictEntry] {
        try entries(of: mapping, key: key, "")
    }

    private func entries(of mapping: RecordMapping, key: String, _ limit: String) throws -> [ConflictEntry] {
        try entries(
            "WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND key = ?4 \(limit) ORDER BY id",
            [
                SQLiteValue(mapping.pipeline), SQLiteValue(mapping.stream), SQLiteValue(mapping.entity),
                SQLiteValue(key),
            ])
    }

    func list(includingClosed: Bool) throws -> [ConflictEntry] {
        try entries(includingClosed ? "ORDER BY id" : "WHERE status = 'open' ORDER BY id", [])
    }

    func entry(id: Int64) throws -> ConflictEntry? { try entries("WHERE id = ?1", [.integer(id)]).first }

    func insert(_ entry: ConflictEntry) throws -> Int64 {
        try translated {
            try connection.run(
                """
                INSERT INTO _sluice_conflicts (pipeline, stream, entity, key, field, kind, base, local, remote, policy,
                status, first_run, last_run, seen, note, resolution, other_source, id)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, \(Self.nextID))
                """,
                [
                    SQLiteValue(entry.pipeline), SQLiteValue(entry.stream), SQLiteValue(entry.entity),
                    SQLiteValue(entry.key), SQLiteValue(entry.field), SQLiteValue(entry.kind), SQLiteValue(entry.base),
                    SQLiteValue(entry.local), SQLiteValue(entry.remote), SQLiteValue(entry.policy),
                    SQLiteValue(entry.status.rawValue), entry.firstRun.map { .integer($0) } ?? .null,
                    entry.lastRun.map { .integer($0) } ?? .null, SQLiteValue(entry.seen), SQLiteValue(entry.note),
                    SQLiteValue(entry.resolution), SQLiteValue(entry.otherSource),
                ])
            let id = connection.lastInsertedRowID
            try note(id, before: nil)
            return id
        }
    }

    func update(_ entry: ConflictEntry) throws {
        guard let id = entry.id else { return }
        try translated {
            let before = recorder.isRecording ? try kept(id) : nil
            try connection.run(
                """
                UPDATE _sluice_conflicts SET kind = ?2, base = ?3, local = ?4, remote = ?5, policy = ?6, status = ?7,
                last_run = ?8, seen = ?9, resolution = ?10, who = ?11, note = ?12, other_source = ?13 WHERE id = ?1
                """,
                [
                    .integer(id), SQLiteValue(entry.kind), SQLiteValue(entry.base), SQLiteValue(entry.local),
                    SQLiteValue(entry.remote), SQLiteValue(entry.policy), SQLiteValue(entry.status.rawValue),
                    entry.lastRun.map { .integer($0) } ?? .null, SQLiteValue(entry.seen),
                    SQLiteValue(entry.resolution), SQLiteValue(entry.who), SQLiteValue(entry.note),
                    SQLiteValue(entry.otherSource),
                ])
            try note(id, before: before)
        }
    }

    private func entries(_ condition: String, _ values: [SQLiteValue]) throws -> [ConflictEntry] {
        try translated {
            let statement = try connection.prepare("SELECT \(try columns()) FROM _sluice_conflicts \(condition)")
            for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
            var entries: [ConflictEntry] = []
            while try statement.step() {
                var entry = ConflictEntry(
                    id: statement.integer(0), pipeline: statement.string(1) ?? "", stream: statement.string(2) ?? "",
                    entity: statement.string(3) ?? "", key: statement.string(4) ?? "", field: statement.string(5),
                    kind: statement.string(6) ?? "", base: statement.string(7), local: statement.string(8),
                    remote: statement.string(9), policy: statement.string(10) ?? "",
                    status: ConflictStatus(rawValue: statement.string(11) ?? "") ?? .open,
                    firstRun: statement.isNull(12) ? nil : statement.integer(12),
                    lastRun: statement.isNull(13) ? nil : statement.integer(13), seen: Int(statement.integer(14)))
                entry.resolution = statement.string(15)
                entry.who = statement.string(16)
                entry.note = statement.string(17)
                entry.otherSource = statement.string(18)
                entries.append(entry)
            }
            return entries
        }
    }

    private func columns() throws -> String {
        if !hasOtherSource {
            hasOtherSource =
                try connection.integer(
                    "SELECT count(*) FROM pragma_table_info('_sluice_conflicts') WHERE name = 'other_source'") != 0
        }
        return Self.columns + (hasOtherSource ? "other_source" : "NULL")
    }

    func translated<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

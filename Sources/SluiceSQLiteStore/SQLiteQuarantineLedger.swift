internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// The quarantine of an SQLite store.
final class SQLiteQuarantineLedger: QuarantineLedger {
    private static let columns =
        "id, pipeline, stream, entity, key, record_hash, reason, pointer, value, message, record, first_run, last_run, status"
    let connection: Connection
    private let path: String
    let recorder: ChangeRecorder

    init(connection: Connection, path: String, recorder: ChangeRecorder) {
        self.connection = connection
        self.path = path
        self.recorder = recorder
    }

    func put(_ entry: QuarantineEntry) throws -> Int64 {
        try translated {
            if let found = try same(as: entry), let id = found.id {
                if found.record != entry.record || found.message != entry.message { try update(id, entry) }
                return id
            }
            try connection.run(
                """
                INSERT INTO _sluice_quarantine (pipeline, stream, entity, key, record_hash, reason, pointer, value,
                message, record, first_run, last_run, status)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'open')
                """,
                [
                    SQLiteValue(entry.pipeline), SQLiteValue(entry.stream), SQLiteValue(entry.entity),
                    SQLiteValue(entry.key), .integer(entry.recordHash), SQLiteValue(entry.reason),
                    SQLiteValue(entry.pointer), SQLiteValue(entry.value), SQLiteValue(entry.message),
                    .blob(entry.record), entry.firstRun.map { .integer($0) } ?? .null,
                    entry.lastRun.map { .integer($0) } ?? .null,
                ])
            let id = connection.lastInsertedRowID
            try note(id, before: nil)
            return id
        }
    }

    func openRecords(ofStreams streams: Set<String>, pipeline: String) throws -> Int {
        try translated {
            Int(
                try connection.integer(
                    """
                    SELECT count(*)
                    FROM (SELECT DISTINCT stream, entity, coalesce(key, record_hash) FROM _sluice_quarantine
                    WHERE status = 'open' AND pipeline = ?1 AND stream IN (SELECT value FROM json_each(?2)))
                    """, [SQLiteValue(pipeline), .list(of: streams)]) ?? 0)
        }
    }

    func refresh(id: Int64, _ entry: QuarantineEntry) throws -> Int64 {
        try translated {
            guard try same(as: entry) == nil else { return try put(entry) }
            try connection.run(
                "UPDATE _sluice_quarantine SET entity = ?2, key = ?3, reason = ?4 WHERE id = ?1",
                [.integer(id), SQLiteValue(entry.entity), SQLiteValue(entry.key), SQLiteValue(entry.reason)])
            try update(id, entry)
            return id
        }
    }

    /// The open entry of the same record and reason.
    private func same(as entry: QuarantineEntry) throws -> QuarantineEntry? {
        try entries(
            """
            WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND coalesce(key, record_hash) = ?4 AND reason = ?5
            AND status = 'open'
            """,
            [
                SQLiteValue(entry.pipeline), SQLiteValue(entry.stream), SQLiteValue(entry.entity),
                entry.key.map { SQLiteValue($0) } ?? .integer(entry.recordHash), SQLiteValue(entry.reason),
            ]
        ).first
    }

    private func update(_ id: Int64, _ entry: QuarantineEntry) throws(SQLiteError) {
        try connection.run(
            """
            UPDATE _sluice_quarantine SET record_hash = ?2, pointer = ?3, value = ?4, message = ?5, record = ?6,
            last_run = ?7 WHERE id = ?1
            """,
            [
                .integer(id), .integer(entry.recordHash), SQLiteValue(entry.pointer), SQLiteValue(entry.value),
                SQLiteValue(entry.message), .blob(entry.record), entry.lastRun.map { .integer($0) } ?? .null,
            ])
    }

    func openKeys(of source: RecordMapping) throws -> [(id: Int64, key: String?)] {
        try translated {
            let statement = try connection.prepare(
                """
                SELECT id, key FROM _sluice_quarantine
                WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND status = 'open'
                """)
            statement.bind(source.pipeline, at: 1)
            statement.bind(source.stream, at: 2)
            statement.bind(source.entity, at: 3)
            var keys: [(id: Int64, key: String?)] = []
            while try statement.step() { keys.append((statement.integer(0), statement.string(1))) }
            return keys
        }
    }

    func open(_ selection: QuarantineSelection, pipeline: String) throws -> [String: [Int64]] {
        try translated {
            let statement = try connection.prepare(
                """
                SELECT id, stream FROM _sluice_quarantine WHERE pipeline = ?1 AND status = 'open'
                AND (?2 IS NULL OR reason = ?2) ORDER BY coalesce(last_run, 0), id
                """)
            statement.bind(pipeline, at: 1)
            statement.bind(selection.reason, at: 2)
            var ids: [String: [Int64]] = [:]
            while try statement.step() {
                let id = statement.integer(0)
                if selection.ids?.contains(id) ?? true { ids[statement.string(1) ?? "", default: []].append(id) }
            }
            return ids
        }
    }

    func close(id: Int64, run: Int64?) throws {
        try translated {
            let before = recorder.isRecording ? try status(id) : nil
            try connection.run(
                "UPDATE _sluice_quarantine SET status = 'closed', last_run = ?2 WHERE id = ?1",
                [.integer(id), run.map { .integer($0) } ?? .null])
            try note(id, before: before)
        }
    }

    func drop(id: Int64) throws {
        try translated {
            try connection.run("UPDATE _sluice_quarantine SET status = 'dropped' WHERE id = ?1", [.integer(id)])
        }
    }

    func entries(of mapping: RecordMapping, key: String) throws -> [QuarantineEntry] {
        try entries(
            "WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND key = ?4 ORDER BY id",
            [
                SQLiteValue(mapping.pipeline), SQLiteValue(mapping.stream), SQLiteValue(mapping.entity),
                SQLiteValue(key),
            ])
    }

    func list(includingClosed: Bool) throws -> [QuarantineEntry] {
        try entries(includingClosed ? "ORDER BY id" : "WHERE status = 'open' ORDER BY id", [])
    }

    func entry(id: Int64) throws -> QuarantineEntry? { try entries("WHERE id = ?1", [.integer(id)]).first }

    private func entries(_ condition: String, _ values: [SQLiteValue]) throws -> [QuarantineEntry] {
        try translated {
            let statement = try connection.prepare("SELECT \(Self.columns) FROM _sluice_quarantine \(condition)")
            for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
            var entries: [QuarantineEntry] = []
            while try statement.step() {
                var record: [UInt8] = []
                if case .blob(let bytes) = statement.value(10) { record = bytes }
                entries.append(
                    QuarantineEntry(
                        id: statement.integer(0), pipeline: statement.string(1) ?? "",
                        stream: statement.string(2) ?? "", entity: statement.string(3) ?? "",
                        key: statement.string(4), recordHash: statement.integer(5), reason: statement.string(6) ?? "",
                        pointer: statement.string(7) ?? "", value: statement.string(8),
                        message: statement.string(9) ?? "", record: record,
                        firstRun: statement.isNull(11) ? nil : statement.integer(11),
                        lastRun: statement.isNull(12) ? nil : statement.integer(12),
                        status: QuarantineStatus(rawValue: statement.string(13) ?? "") ?? .closed))
            }
            return entries
        }
    }

    func translated<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// What an SQLite store remembers of streams, in `_sluice_state`.
final class SQLiteStateLedger: StateLedger {
    private let connection: Connection
    private let path: String
    private let recorder: ChangeRecorder

    init(connection: Connection, path: String, recorder: ChangeRecorder) {
        self.connection = connection
        self.path = path
        self.recorder = recorder
    }

    func value(pipeline: String, stream: String, name: String) throws -> String? {
        try translated {
            // A database that no run has used yet has no state.
            guard try StoreFormat.hasTables(connection) else { return nil }
            let statement = try connection.prepare(
                "SELECT value FROM _sluice_state WHERE pipeline = ?1 AND stream = ?2 AND part = '' AND name = ?3")
            for (index, text) in [pipeline, stream, name].enumerated() { statement.bind(text, at: index + 1) }
            return try statement.step() ? statement.string(0) : nil
        }
    }

    func set(_ value: String?, pipeline: String, stream: String, name: String) throws {
        let before = try self.value(pipeline: pipeline, stream: stream, name: name)
        if before == value { return }
        if let value { try remember(value, pipeline: pipeline, stream: stream, name: name) }
        try translated {
            if value == nil {
                try connection.run(
                    "DELETE FROM _sluice_state WHERE pipeline = ?1 AND stream = ?2 AND part = '' AND name = ?3",
                    [SQLiteValue(pipeline), SQLiteValue(stream), SQLiteValue(name)])
            }
            try recorder.note(
                RecordedEntry(
                    id: 0, run: 0, subject: .state, entry: 0,
                    mapping: RecordMapping(pipeline: pipeline, stream: stream, entity: ""), key: nil, field: name,
                    kind: name, action: value == nil ? "forgotten" : before == nil ? "kept" : "moved", old: before,
                    new: value))
        }
    }

    func remember(_ value: String, pipeline: String, stream: String, name: String) throws {
        try translated {
            try connection.run(
                """
                INSERT OR REPLACE INTO _sluice_state (pipeline, stream, part, name, value)
                VALUES (?1, ?2, '', ?3, ?4)
                """,
                [SQLiteValue(pipeline), SQLiteValue(stream), SQLiteValue(name), SQLiteValue(value)])
        }
    }

    func names(_ prefix: String, pipeline: String, stream: String) throws -> [String] {
        try translated {
            try connection.rows(
                """
                SELECT name FROM _sluice_state WHERE pipeline = ?1 AND stream = ?2 AND part = ''
                AND substr(name, 1, length(?3)) = ?3 ORDER BY name
                """, [SQLiteValue(pipeline), SQLiteValue(stream), SQLiteValue(prefix)]
            ).map { EntityRegistry.text($0[0]) }
        }
    }

    func forget(prefix: String, pipeline: String, stream: String) throws -> Bool {
        let names = try names(prefix, pipeline: pipeline, stream: stream)
        for name in names { try set(nil, pipeline: pipeline, stream: stream, name: name) }
        return !names.isEmpty
    }

    func takeBack(_ change: RecordedEntry) throws -> Bool {
        let (mapping, name) = (change.mapping, change.kind)
        let now = try value(pipeline: mapping.pipeline, stream: mapping.stream, name: name)
        if now == change.old { return true }
        guard now == change.new else { return false }
        try set(change.old, pipeline: mapping.pipeline, stream: mapping.stream, name: name)
        return true
    }

    private func translated<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

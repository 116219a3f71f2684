internal import SluiceModel
package import SluiceStore

/// What a store on SQL remembers of streams, in `_sluice_state`.
package final class SQLStateLedger: StateLedger {
    private let database: any SQLDatabase
    private let recorder: any ChangeNoting
    private var table: String { database.ledger("state") }

    /// Makes a ledger.
    package init(_ database: any SQLDatabase, recorder: any ChangeNoting) {
        (self.database, self.recorder) = (database, recorder)
    }

    private func name(_ pipeline: String, _ stream: String, _ name: String) -> [FieldValue] {
        [FieldValue(pipeline), FieldValue(stream), FieldValue(name)]
    }

    package func value(pipeline: String, stream: String, name: String) throws -> String? {
        // A database that no run has used yet has no state.
        guard try database.hasTables() else { return nil }
        return try database.rows(
            "SELECT value FROM \(table) WHERE pipeline = ?1 AND stream = ?2 AND part = '' AND name = ?3",
            self.name(pipeline, stream, name)
        ).first?.first?.string
    }

    package func set(_ value: String?, pipeline: String, stream: String, name: String) throws {
        let before = try self.value(pipeline: pipeline, stream: stream, name: name)
        if before == value { return }
        if let value {
            try remember(value, pipeline: pipeline, stream: stream, name: name)
        } else {
            try database.run(
                "DELETE FROM \(table) WHERE pipeline = ?1 AND stream = ?2 AND part = '' AND name = ?3",
                self.name(pipeline, stream, name))
        }
        try recorder.record(
            RecordedEntry(
                subject: .state, entry: 0, mapping: RecordMapping(pipeline: pipeline, stream: stream, entity: ""),
                key: nil, field: name, kind: name,
                action: value == nil ? "forgotten" : before == nil ? "kept" : "moved", old: before, new: value))
    }

    package func remember(_ value: String, pipeline: String, stream: String, name: String) throws {
        try database.run(
            """
            INSERT INTO \(table) (pipeline, stream, part, name, value) VALUES (?1, ?2, '', ?3, ?4)
            ON CONFLICT (pipeline, stream, part, name) DO UPDATE SET value = excluded.value
            """, self.name(pipeline, stream, name) + [FieldValue(value)])
    }

    package func names(_ prefix: String, pipeline: String, stream: String) throws -> [String] {
        try database.rows(
            """
            SELECT name FROM \(table) WHERE pipeline = ?1 AND stream = ?2 AND part = ''
            AND substr(name, 1, length(?3)) = ?3 ORDER BY name
            """, name(pipeline, stream, prefix)
        ).map { $0[0].string ?? "" }
    }

    package func forget(prefix: String, pipeline: String, stream: String) throws -> Bool {
        let names = try names(prefix, pipeline: pipeline, stream: stream)
        for name in names { try set(nil, pipeline: pipeline, stream: stream, name: name) }
        return !names.isEmpty
    }

    package func revert(_ change: RecordedEntry) throws -> Bool {
        let (mapping, name) = (change.mapping, change.kind)
        let now = try value(pipeline: mapping.pipeline, stream: mapping.stream, name: name)
        if now == change.old { return true }
        guard now == change.new else { return false }
        try set(change.old, pipeline: mapping.pipeline, stream: mapping.stream, name: name)
        return true
    }
}

internal import SluiceModel
internal import SluicePostgres
internal import SluiceStore

/// What a store on PostgreSQL remembers of streams.
final class PostgresStateLedger: StateLedger {
    private let session: PostgresStoreSession

    init(_ session: PostgresStoreSession) { self.session = session }

    private func name(_ pipeline: String, _ stream: String, _ name: String) -> [PostgresValue] {
        [PostgresValue(pipeline), PostgresValue(stream), PostgresValue(name)]
    }

    func value(pipeline: String, stream: String, name: String) throws -> String? {
        try session.rows(
            "SELECT value FROM \(session["state"]) WHERE pipeline = $1 AND stream = $2 AND name = $3",
            self.name(pipeline, stream, name)
        ).first?.first?.string
    }

    func set(_ value: String?, pipeline: String, stream: String, name: String) throws {
        if let value { return try remember(value, pipeline: pipeline, stream: stream, name: name) }
        try session.write(
            "DELETE FROM \(session["state"]) WHERE pipeline = $1 AND stream = $2 AND name = $3",
            self.name(pipeline, stream, name))
    }

    func remember(_ value: String, pipeline: String, stream: String, name: String) throws {
        try session.write(
            """
            INSERT INTO \(session["state"]) (pipeline, stream, name, value) VALUES ($1, $2, $3, $4)
            ON CONFLICT (pipeline, stream, name) DO UPDATE SET value = excluded.value
            """, self.name(pipeline, stream, name) + [PostgresValue(value)])
    }

    func names(_ prefix: String, pipeline: String, stream: String) throws -> [String] {
        // By bytes, whatever order the database has.
        try session.rows(
            """
            SELECT name FROM \(session["state"]) WHERE pipeline = $1 AND stream = $2 AND starts_with(name, $3)
            ORDER BY name COLLATE "C"
            """, name(pipeline, stream, prefix)
        ).map { $0[0].string ?? "" }
    }

    func forget(prefix: String, pipeline: String, stream: String) throws -> Bool {
        try session.write(
            "DELETE FROM \(session["state"]) WHERE pipeline = $1 AND stream = $2 AND starts_with(name, $3)",
            name(pipeline, stream, prefix)
        ).changes > 0
    }

    func takeBack(_ change: RecordedEntry) throws -> Bool {
        let (mapping, name) = (change.mapping, change.kind)
        let now = try value(pipeline: mapping.pipeline, stream: mapping.stream, name: name)
        if now == change.old { return true }
        guard now == change.new else { return false }
        try set(change.old, pipeline: mapping.pipeline, stream: mapping.stream, name: name)
        return true
    }
}

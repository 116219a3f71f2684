internal import SluiceSQLite

/// The runs of an SQLite store.
final class SQLiteRunLedger: RunLedger {
    private let connection: Connection
    private let path: String

    init(connection: Connection, path: String) {
        self.connection = connection
        self.path = path
    }

    func nextID() throws -> Int64 {
        try translated { (try connection.integer("SELECT max(id) FROM _sluice_runs") ?? 0) + 1 }
    }

    func record(_ run: RunEntry) throws {
        try translated {
            try connection.run(
                """
                INSERT OR REPLACE INTO _sluice_runs (id, pipeline, command, status, started_at, finished_at, inserted,
                updated, deleted, unchanged, kept_local, conflicts, quarantined, error)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
                """,
                [
                    .integer(run.id), SQLiteValue(run.pipeline), SQLiteValue(run.command), SQLiteValue(run.status),
                    SQLiteValue(run.startedAt), SQLiteValue(run.finishedAt), SQLiteValue(run.inserted),
                    SQLiteValue(run.updated), SQLiteValue(run.deleted), SQLiteValue(run.unchanged),
                    SQLiteValue(run.keptLocal), SQLiteValue(run.conflicts), SQLiteValue(run.quarantined),
                    SQLiteValue(run.error),
                ])
        }
    }

    func list(pipeline: String?, limit: Int) throws -> [RunEntry] {
        try translated {
            let statement = try connection.prepare(
                """
                SELECT id, pipeline, command, status, started_at, finished_at, inserted, updated, deleted, unchanged,
                kept_local, conflicts, quarantined, error FROM _sluice_runs
                WHERE ?1 IS NULL OR pipeline = ?1 ORDER BY id DESC LIMIT ?2
                """)
            statement.bind(pipeline, at: 1)
            statement.bind(Int64(limit), at: 2)
            var runs: [RunEntry] = []
            while try statement.step() {
                var run = RunEntry(
                    id: statement.integer(0), pipeline: statement.string(1) ?? "", command: statement.string(2) ?? "",
                    status: statement.string(3) ?? "", startedAt: statement.string(4) ?? "")
                run.finishedAt = statement.string(5)
                run.inserted = Int(statement.integer(6))
                run.updated = Int(statement.integer(7))
                run.deleted = Int(statement.integer(8))
                run.unchanged = Int(statement.integer(9))
                run.keptLocal = Int(statement.integer(10))
                run.conflicts = Int(statement.integer(11))
                run.quarantined = Int(statement.integer(12))
                run.error = statement.string(13)
                runs.append(run)
            }
            return runs
        }
    }

    func pipelines() throws -> [String] {
        try translated {
            try connection.rows("SELECT DISTINCT pipeline FROM _sluice_runs ORDER BY pipeline").map { row in
                if case .text(let bytes) = row[0] { return String(decoding: bytes, as: UTF8.self) }
                return ""
            }
        }
    }

    private func translated<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

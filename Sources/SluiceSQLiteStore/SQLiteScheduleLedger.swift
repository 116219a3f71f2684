internal import SluiceSQLite
internal import SluiceSchedule
internal import SluiceStore

/// The due times in an SQLite store.
final class SQLiteScheduleLedger: ScheduleLedger {
    /// What a store needs for it.
    static let tables = """
        CREATE TABLE _sluice_schedule (pipeline TEXT NOT NULL, due INTEGER NOT NULL, retry_at INTEGER,
            late INTEGER NOT NULL DEFAULT 0, settled TEXT, PRIMARY KEY (pipeline, due)) STRICT, WITHOUT ROWID;
        CREATE TABLE _sluice_schedule_runs (pipeline TEXT NOT NULL, due INTEGER NOT NULL, attempt INTEGER NOT NULL,
            started INTEGER NOT NULL, terminated_after INTEGER, killed_after INTEGER, ended INTEGER, outcome TEXT,
            PRIMARY KEY (pipeline, due, attempt)) STRICT, WITHOUT ROWID;
        CREATE TABLE _sluice_schedule_marks (pipeline TEXT PRIMARY KEY NOT NULL, decided INTEGER NOT NULL,
            forgotten INTEGER) STRICT, WITHOUT ROWID;
        """

    private let connection: Connection
    private let path: String

    init(connection: Connection, path: String) {
        self.connection = connection
        self.path = path
    }

    func read() throws -> ScheduleRows {
        try translated {
            guard try StoreFormat.hasSchedule(connection) else { return ScheduleRows() }
            // All tables as they are at one moment.
            try connection.execute("BEGIN")
            defer { if connection.isInTransaction { try? connection.execute("ROLLBACK") } }
            var rows = ScheduleRows()
            try readMarks(into: &rows)
            let attempts = try readAttempts()
            let statement = try connection.prepare(
                "SELECT pipeline, due, retry_at, late, settled FROM _sluice_schedule ORDER BY pipeline, due")
            while try statement.step() {
                let id = DueTimeID(pipeline: statement.string(0) ?? "", moment: statement.integer(1))
                rows.dueTimes.append(
                    DueTime(
                        id: id, attempts: attempts[id] ?? [], retryAt: Self.number(statement, 2),
                        isLate: statement.integer(3) != 0,
                        settlement: statement.string(4).flatMap { DueTime.Settlement(text: $0) }))
            }
            return rows
        }
    }

    private func readMarks(into rows: inout ScheduleRows) throws(SQLiteError) {
        let statement = try connection.prepare("SELECT pipeline, decided, forgotten FROM _sluice_schedule_marks")
        while try statement.step() {
            rows.marks[statement.string(0) ?? ""] = ScheduleRows.Mark(
                decided: statement.integer(1), forgotten: Self.number(statement, 2))
        }
    }

    private func readAttempts() throws(SQLiteError) -> [DueTimeID: [DueTime.Attempt]] {
        var attempts: [DueTimeID: [DueTime.Attempt]] = [:]
        let statement = try connection.prepare(
            """
            SELECT pipeline, due, started, terminated_after, killed_after, ended, outcome FROM _sluice_schedule_runs
            ORDER BY pipeline, due, attempt
            """)
        while try statement.step() {
            var attempt = DueTime.Attempt(start: statement.integer(2))
            attempt.signals[.terminate] = Self.number(statement, 3)
            attempt.signals[.kill] = Self.number(statement, 4)
            if let ended = Self.number(statement, 5) {
                let outcome = statement.string(6).flatMap { RunOutcome(rawValue: $0) }
                // A word that is not known is of a program that knows more.
                attempt.end = DueTime.End(moment: ended, outcome: outcome ?? .failed)
            }
            let id = DueTimeID(pipeline: statement.string(0) ?? "", moment: statement.integer(1))
            attempts[id, default: []].append(attempt)
        }
        return attempts
    }

    func write(_ rows: ScheduleRows) throws {
        try translated {
            // Not synchronous: what a run commits stands behind its start in the same log, so that a power failure which
            // takes the start back takes back the run.
            try connection.execute("BEGIN IMMEDIATE")
            do throws(SQLiteError) {
                try StoreFormat.migrate(connection)
                for (name, mark) in rows.marks {
                    try connection.run(
                        """
                        INSERT OR REPLACE INTO _sluice_schedule_marks (pipeline, decided, forgotten)
                        VALUES (?1, ?2, ?3)
                        """, [SQLiteValue(name), .integer(mark.decided), Self.value(mark.forgotten)])
                }
                // What is counted from a start may be due again at the moment of a row that is forgotten.
                for id in rows.forgotten { try forget(id) }
                for row in rows.dueTimes { try write(row) }
                try connection.execute("COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK") }
                throw error
            }
        }
    }

    private func write(_ row: DueTime) throws(SQLiteError) {
        let id = [SQLiteValue(row.id.pipeline), .integer(row.id.moment)]
        try connection.run(
            """
            INSERT OR REPLACE INTO _sluice_schedule (pipeline, due, retry_at, late, settled)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            id + [Self.value(row.retryAt), .integer(row.isLate ? 1 : 0), SQLiteValue(row.settlement?.text)])
        for (index, attempt) in row.attempts.enumerated() {
            try connection.run(
                """
                INSERT OR REPLACE INTO _sluice_schedule_runs
                    (pipeline, due, attempt, started, terminated_after, killed_after, ended, outcome)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """,
                id + [
                    SQLiteValue(index + 1), .integer(attempt.start), Self.value(attempt.signals[.terminate]),
                    Self.value(attempt.signals[.kill]), Self.value(attempt.end?.moment),
                    SQLiteValue(attempt.end?.outcome.rawValue),
                ])
        }
    }

    private func forget(_ id: DueTimeID) throws(SQLiteError) {
        for table in ["_sluice_schedule", "_sluice_schedule_runs"] {
            try connection.run(
                "DELETE FROM \(table) WHERE pipeline = ?1 AND due = ?2",
                [SQLiteValue(id.pipeline), .integer(id.moment)])
        }
    }

    private static func value(_ number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }

    private static func number(_ statement: Statement, _ column: Int) -> Int64? {
        if case .integer(let number) = statement.value(column) { return number }
        return nil
    }

    private func translated<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

internal import SluicePostgres
internal import SluiceSchedule
internal import SluiceStore

/// The due times in a store on PostgreSQL.
final class PostgresScheduleLedger: ScheduleLedger {
    private let session: PostgresStoreSession

    init(_ session: PostgresStoreSession) { self.session = session }

    /// What a store needs for it.
    static func tables(_ session: PostgresStoreSession) -> String {
        let text = "text COLLATE \"C\""
        return """
            CREATE TABLE \(session["schedule"]) (pipeline \(text) NOT NULL, due bigint NOT NULL, retry_at bigint,
                late boolean NOT NULL DEFAULT false, settled \(text), PRIMARY KEY (pipeline, due));
            CREATE TABLE \(session["schedule_runs"]) (pipeline \(text) NOT NULL, due bigint NOT NULL,
                attempt bigint NOT NULL, started bigint NOT NULL, terminated_after bigint, killed_after bigint,
                ended bigint, outcome \(text), PRIMARY KEY (pipeline, due, attempt));
            CREATE TABLE \(session["schedule_marks"]) (pipeline \(text) PRIMARY KEY, decided bigint NOT NULL,
                forgotten bigint);
            """
    }

    private lazy var workers = PostgresSchedulePool(session)
    var pool: (any SchedulePool)? { workers }

    func read() throws -> ScheduleRows {
        try session.translated {
            guard try session.isUsed() else { return ScheduleRows() }
            // All tables as they are at one moment.
            return try session.connection.inTransaction(.repeatableRead) {
                rows(try session.connection.run(together: queries("true", PostgresParameters())))
            }
        }
    }

    /// What asks for rows.
    ///
    /// - Parameters:
    ///   - condition: Of which pipelines, by the column `pipeline`.
    ///   - parameters: The values of the condition.
    /// - Returns: The queries, whose results ``rows(_:)`` takes.
    func queries(_ condition: String, _ parameters: PostgresParameters) -> [PostgresStatement] {
        [
            "SELECT pipeline, decided, forgotten FROM \(session["schedule_marks"]) WHERE \(condition)",
            """
            SELECT pipeline, due, started, terminated_after, killed_after, ended, outcome
            FROM \(session["schedule_runs"]) WHERE \(condition) ORDER BY pipeline, due, attempt
            """,
            """
            SELECT pipeline, due, retry_at, late, settled FROM \(session["schedule"]) WHERE \(condition)
            ORDER BY pipeline, due
            """,
        ].map { PostgresStatement($0, parameters) }
    }

    /// The rows that ``queries(_:_:)`` found.
    func rows(_ results: [PostgresResult]) -> ScheduleRows {
        var rows = ScheduleRows()
        for row in results[0].values {
            rows.marks[row[0].string ?? ""] = ScheduleRows.Mark(decided: row[1].number ?? 0, forgotten: row[2].number)
        }
        let attempts = attempts(results[1].values)
        rows.dueTimes = results[2].values.map { row in
            let id = DueTimeID(pipeline: row[0].string ?? "", moment: row[1].number ?? 0)
            return DueTime(
                id: id, attempts: attempts[id] ?? [], retryAt: row[2].number, isLate: row[3] == .bool(true),
                settlement: row[4].string.flatMap { DueTime.Settlement(text: $0) })
        }
        return rows
    }

    private func attempts(_ rows: [[PostgresValue]]) -> [DueTimeID: [DueTime.Attempt]] {
        var attempts: [DueTimeID: [DueTime.Attempt]] = [:]
        for row in rows {
            var attempt = DueTime.Attempt(start: row[2].number ?? 0)
            attempt.signals[.terminate] = row[3].number
            attempt.signals[.kill] = row[4].number
            if let ended = row[5].number {
                // A word that is not known is of a program that knows more.
                let outcome = row[6].string.flatMap { RunOutcome(rawValue: $0) }
                attempt.end = DueTime.End(moment: ended, outcome: outcome ?? .failed)
            }
            attempts[DueTimeID(pipeline: row[0].string ?? "", moment: row[1].number ?? 0), default: []].append(attempt)
        }
        return attempts
    }

    func write(_ rows: ScheduleRows) throws {
        try session.translated {
            // It does not wait for a run that is writing: nothing else has these rows.
            try session.connection.inTransaction(attempts: 3) {
                try PostgresStoreFormat.prepare(session)
                let statements = statements(for: rows)
                if !statements.isEmpty { try session.connection.run(together: statements) }
            }
        }
    }

    /// What writes rows.
    func statements(for rows: ScheduleRows) -> [PostgresStatement] {
        rows.marks.map(statement) + rows.dueTimes.flatMap(statements) + rows.forgotten.flatMap(forgetting)
    }

    private func statement(_ name: String, _ mark: ScheduleRows.Mark) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO \(session["schedule_marks"]) (pipeline, decided, forgotten) VALUES ($1, $2, $3)
            ON CONFLICT (pipeline) DO UPDATE SET decided = excluded.decided, forgotten = excluded.forgotten
            """,
            PostgresParameters([PostgresValue(name), .integer(mark.decided), PostgresValue(mark.forgotten)]))
    }

    private func statements(_ row: DueTime) -> [PostgresStatement] {
        let id = [PostgresValue(row.id.pipeline), .integer(row.id.moment)]
        let own = PostgresStatement(
            """
            INSERT INTO \(session["schedule"]) (pipeline, due, retry_at, late, settled) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (pipeline, due)
            DO UPDATE SET retry_at = excluded.retry_at, late = excluded.late, settled = excluded.settled
            """,
            PostgresParameters(
                id + [PostgresValue(row.retryAt), .bool(row.isLate), PostgresValue(row.settlement?.text)]))
        return [own]
            + row.attempts.enumerated().map { index, attempt in
                PostgresStatement(
                    """
                    INSERT INTO \(session["schedule_runs"])
                        (pipeline, due, attempt, started, terminated_after, killed_after, ended, outcome)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                    ON CONFLICT (pipeline, due, attempt) DO UPDATE SET started = excluded.started,
                        terminated_after = excluded.terminated_after, killed_after = excluded.killed_after,
                        ended = excluded.ended, outcome = excluded.outcome
                    """,
                    PostgresParameters(
                        id + [
                            PostgresValue(index + 1), .integer(attempt.start),
                            PostgresValue(attempt.signals[.terminate]), PostgresValue(attempt.signals[.kill]),
                            PostgresValue(attempt.end?.moment), PostgresValue(attempt.end?.outcome.rawValue),
                        ]))
            }
    }

    private func forgetting(_ id: DueTimeID) -> [PostgresStatement] {
        ["schedule", "schedule_runs"].map { table in
            PostgresStatement(
                "DELETE FROM \(session[table]) WHERE pipeline = $1 AND due = $2",
                PostgresParameters([PostgresValue(id.pipeline), .integer(id.moment)]))
        }
    }
}

internal import SluiceModel
internal import SluicePostgres
internal import SluiceSchedule
internal import SluiceStore

/// The workers of a store on PostgreSQL.
///
/// A look locks the one row of `_sluice_pool` first, so that looks follow each other. A run that commits shares the lock of
/// the row of its claim until it has committed; a look passes over such rows, and cuts off those of which nothing is heard.
final class PostgresSchedulePool: SchedulePool {
    /// How long the server lets a look rest that has begun, and a commit of a run that is to be taken over: a program that is
    /// stopped within one must hold up no other.
    private static let longestRestMilliseconds = 2_000
    private static let claimColumns =
        "pipeline, due, attempt, worker, token, extract(epoch FROM since)::double precision, outcome"

    private let ledger: PostgresScheduleLedger
    private let session: PostgresStoreSession
    private var isPrepared = false
    /// Up to which change of the pool all rows are known.
    private var known: Int64 = -1

    /// A pool outlives the store from which it was taken, so it reads and writes due times by itself.
    init(_ session: PostgresStoreSession) {
        (self.session, ledger) = (session, PostgresScheduleLedger(session))
    }

    /// What the connections of a run that has a claim are called at the server.
    static func connectionName(_ ticket: PoolTicket, schema: String) -> String {
        let place = FieldDigest.text(Array("\(schema)\0\(ticket.pipeline)".utf8))
        return "sluice run \(ticket.token) \(String(place, radix: 16))"
    }

    // MARK: Tables

    private func prepare() throws {
        if isPrepared { return }
        try session.connection.execute(
            "SET idle_in_transaction_session_timeout = \(Self.longestRestMilliseconds)")
        // Two workers may make the tables at once: who comes second finds them made.
        for attempt in 1... {
            do {
                if try !hasTables() { try session.connection.inTransaction { try makeTables() } }
                break
            } catch let error as PostgresError {
                if !PostgresStoreFormat.wasMadeMeanwhile(error) || attempt == 3 { throw error }
            }
        }
        isPrepared = true
    }

    private func hasTables() throws -> Bool { try hasTable("_sluice_pool") && hasTable("_sluice_shares") }

    private func hasTable(_ name: String) throws -> Bool {
        try session.connection.integer(
            "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = $2",
            [PostgresValue(session.schema), PostgresValue(name)]) == 1
    }

    private func makeTables() throws {
        try PostgresStoreFormat.prepare(session)
        try session.connection.execute(PostgresPartitionLedger.tables(session))
        if try hasTable("_sluice_pool") { return }
        let text = "text COLLATE \"C\""
        try session.connection.execute(
            """
            CREATE TABLE \(session["pool"]) (one boolean PRIMARY KEY CHECK (one), token bigint NOT NULL,
                revision bigint NOT NULL);
            INSERT INTO \(session["pool"]) VALUES (true, 0, 0);
            CREATE TABLE \(session["workers"]) (id \(text) PRIMARY KEY, place \(text) NOT NULL, slots bigint NOT NULL,
                lease double precision NOT NULL, started timestamptz NOT NULL, seen timestamptz NOT NULL);
            CREATE TABLE \(session["claims"]) (pipeline \(text) PRIMARY KEY, due bigint, attempt bigint,
                worker \(text) NOT NULL, token bigint NOT NULL, since timestamptz NOT NULL, outcome \(text));
            CREATE TABLE \(session["schedule_revisions"]) (pipeline \(text) PRIMARY KEY, revision bigint NOT NULL)
            """)
    }

    // MARK: Looking

    func poll(
        as worker: String, candidates: (Pool, Double) -> [PoolClaim], decide: (PoolView) throws -> PoolChanges
    ) throws {
        known = try session.translated {
            try prepare()
            return try session.connection.inTransaction {
                var (view, revision) = try view()
                let movable = candidates(view.pool, view.now)
                if !movable.isEmpty { try lock(movable, of: &view, for: worker) }
                let changes = try decide(view)
                let statements = statements(from: view.pool, to: changes, revision: &revision)
                if !statements.isEmpty { try session.connection.run(together: statements) }
                return revision
            }
        }
    }

    private func view() throws -> (PoolView, revision: Int64) {
        let changed = """
            pipeline IN (SELECT m.pipeline FROM \(session["schedule_marks"]) AS m
            LEFT JOIN \(session["schedule_revisions"]) AS r ON r.pipeline = m.pipeline
            WHERE coalesce(r.revision, 0) > $1)
            """
        // The clock is read once the row is locked: the time of the transaction may lie before another look.
        let results = try session.connection.run(
            together: [
                PostgresStatement("SELECT token, revision FROM \(session["pool"]) FOR UPDATE"),
                PostgresStatement("SELECT extract(epoch FROM clock_timestamp())::double precision"),
                workersQuery, PostgresStatement("SELECT \(Self.claimColumns) FROM \(session["claims"])"),
                PostgresPartitionLedger.sharesQuery(session), PostgresPartitionLedger.helpsQuery(session),
            ] + ledger.queries(changed, PostgresParameters([.integer(known)])))
        guard let counters = results[0].values.first, let now = results[1].values.first?.first?.real else {
            throw StoreError(
                .damaged,
                "The pool of the store `\(session.place)` has no counter: its table `_sluice_pool` was edited. Restore a copy of the store."
            )
        }
        var pool = Self.pool(workers: results[2], claims: results[3], helps: results[5])
        pool.lastToken = counters[0].number ?? 0
        let shares = results[4].values.map { PoolShare(id: $0[0].number ?? 0, pipeline: $0[1].string ?? "") }
        let rows = ledger.rows(Array(results[6...]))
        return (PoolView(now: now, pool: pool, changed: rows, shares: shares), counters[1].number ?? 0)
    }

    private var workersQuery: PostgresStatement {
        PostgresStatement(
            """
            SELECT id, place, slots, lease, extract(epoch FROM started)::double precision,
                extract(epoch FROM seen)::double precision FROM \(session["workers"])
            """)
    }

    private static func pool(workers: PostgresResult, claims: PostgresResult, helps: PostgresResult?) -> Pool {
        var pool = Pool()
        for row in workers.values {
            var worker = PoolWorker(
                id: row[0].string ?? "", place: row[1].string ?? "", slots: Int(clamping: row[2].number ?? 0),
                lease: seconds(row[3]), startedAt: seconds(row[4]))
            worker.seenAt = seconds(row[5])
            pool.workers[worker.id] = worker
        }
        for claim in claims.values.map(claim) { pool.claims[claim.pipeline] = claim }
        pool.helps = (helps?.values ?? []).map { row in
            PoolHelp(worker: row[0].string ?? "", pipeline: row[1].string ?? "", since: seconds(row[2]))
        }
        return pool
    }

    private static func claim(_ row: [PostgresValue]) -> PoolClaim {
        let pipeline = row[0].string ?? ""
        let attempt = row[1].number.flatMap { due in
            row[2].number.map {
                AttemptID(due: DueTimeID(pipeline: pipeline, moment: due), number: Int(clamping: $0))
            }
        }
        return PoolClaim(
            pipeline: pipeline, attempt: attempt, worker: row[3].string ?? "", token: row[4].number ?? 0,
            since: seconds(row[5]), outcome: row[6].string.map { RunOutcome(rawValue: $0) ?? .failed })
    }

    /// Locks the rows of claims that may be given up, as they are now.
    private func lock(_ claims: [PoolClaim], of view: inout PoolView, for worker: String) throws {
        let names = claims.map(\.pipeline)
        var parameters = PostgresParameters()
        parameters.append(PostgresArray(names.map { PostgresValue($0) }, of: .text))
        let rows = try session.connection.run(
            PostgresStatement(
                "SELECT \(Self.claimColumns) FROM \(session["claims"]) WHERE pipeline = ANY ($1) FOR UPDATE SKIP LOCKED",
                parameters)
        ).values
        view.committing = Set(names)
        for claim in rows.map(Self.claim) {
            view.committing.remove(claim.pipeline)
            view.pool.claims[claim.pipeline] = claim
        }
        let others = claims.filter { $0.worker != worker }
        try cutOff(
            others.filter { !view.committing.contains($0.pipeline) },
            resting: others.filter { view.committing.contains($0.pipeline) })
    }

    /// Ends the connections of runs that are taken over: one of a program that is stopped would hold its locks for ever.
    ///
    /// - Parameters:
    ///   - taken: The claims of runs that can commit nothing any more.
    ///   - committing: The claims of runs that are within a commit. Those are cut off that have nothing at work, and have sent
    ///     nothing for as long as a commit may rest; what they hold is free for the next look.
    /// - Throws: `PostgresError` where the connection is lost.
    private func cutOff(_ taken: [PoolClaim], resting committing: [PoolClaim]) throws {
        if taken.isEmpty && committing.isEmpty { return }
        func names(_ claims: [PoolClaim]) -> PostgresArray {
            PostgresArray(
                claims.map { claim in
                    let ticket = PoolTicket(pipeline: claim.pipeline, token: claim.token)
                    return PostgresValue(Self.connectionName(ticket, schema: session.schema))
                }, of: .text)
        }
        var parameters = PostgresParameters()
        parameters.append(names(taken))
        parameters.append(names(committing))
        do {
            _ = try session.connection.inSavepoint("sluice_cut_off") {
                try session.connection.run(
                    PostgresStatement(
                        """
                        SELECT pg_catalog.pg_terminate_backend(a.pid) FROM pg_catalog.pg_stat_activity AS a
                        WHERE a.datname = current_database() AND (a.application_name = ANY ($1)
                        OR a.application_name = ANY ($2) AND NOT EXISTS (
                            SELECT 1 FROM pg_catalog.pg_stat_activity AS o
                            WHERE o.datname = a.datname AND o.application_name = a.application_name
                            AND (o.state = 'active' OR o.state_change
                                > clock_timestamp() - interval '\(Self.longestRestMilliseconds) milliseconds')))
                        """, parameters))
            }
        } catch let error as PostgresError where !error.isConnectionLost {
            // Another role has that run, or the server cannot do that: then its locks go with its connection.
        }
    }

    // MARK: Writing

    private func statements(
        from before: Pool, to changes: PoolChanges, revision: inout Int64
    ) -> [PostgresStatement] {
        var statements = ledger.statements(for: changes.rows)
        if !changes.rows.isEmpty {
            revision += 1
            statements += changes.rows.marks.keys.sorted().map { name in
                statement(
                    """
                    INSERT INTO \(session["schedule_revisions"]) (pipeline, revision) VALUES ($1, $2)
                    ON CONFLICT (pipeline) DO UPDATE SET revision = excluded.revision
                    """, [PostgresValue(name), .integer(revision)])
            }
        }
        let after = changes.pool
        if !changes.rows.isEmpty || after.lastToken != before.lastToken {
            statements.append(
                statement(
                    "UPDATE \(session["pool"]) SET token = $1, revision = $2",
                    [.integer(after.lastToken), .integer(revision)]))
        }
        for id in before.workers.keys where after.workers[id] == nil {
            statements.append(statement("DELETE FROM \(session["workers"]) WHERE id = $1", [PostgresValue(id)]))
        }
        for worker in after.workers.values where before.workers[worker.id] != worker {
            statements.append(statement(worker))
        }
        for name in before.claims.keys where after.claims[name] == nil {
            statements.append(
                statement("DELETE FROM \(session["claims"]) WHERE pipeline = $1", [PostgresValue(name)]))
        }
        for claim in after.claims.values where before.claims[claim.pipeline] != claim {
            statements.append(statement(claim))
        }
        return statements
    }

    private func statement(_ sql: String, _ values: [PostgresValue]) -> PostgresStatement {
        PostgresStatement(sql, PostgresParameters(values))
    }

    private func statement(_ worker: PoolWorker) -> PostgresStatement {
        statement(
            """
            INSERT INTO \(session["workers"]) (id, place, slots, lease, started, seen)
            VALUES ($1, $2, $3, $4, to_timestamp($5), to_timestamp($6))
            ON CONFLICT (id) DO UPDATE SET place = excluded.place, slots = excluded.slots, lease = excluded.lease,
                started = excluded.started, seen = excluded.seen
            """,
            [
                PostgresValue(worker.id), PostgresValue(shown: worker.place), PostgresValue(worker.slots),
                .double(worker.lease), .double(worker.startedAt), .double(worker.seenAt),
            ])
    }

    private func statement(_ claim: PoolClaim) -> PostgresStatement {
        statement(
            """
            INSERT INTO \(session["claims"]) (pipeline, due, attempt, worker, token, since, outcome)
            VALUES ($1, $2, $3, $4, $5, to_timestamp($6), $7)
            ON CONFLICT (pipeline) DO UPDATE SET due = excluded.due, attempt = excluded.attempt,
                worker = excluded.worker, token = excluded.token, since = excluded.since, outcome = excluded.outcome
            """,
            [
                PostgresValue(claim.pipeline), PostgresValue(claim.attempt?.due.moment),
                PostgresValue(claim.attempt.map { Int64($0.number) }), PostgresValue(claim.worker),
                .integer(claim.token), .double(claim.since), PostgresValue(claim.outcome?.rawValue),
            ])
    }

    // MARK: Reading and runs

    func read() throws -> (pool: Pool, now: Double)? {
        try session.translated {
            guard try hasTable("_sluice_pool") else { return nil }
            let helps = try hasTable("_sluice_shares") ? [PostgresPartitionLedger.helpsQuery(session)] : []
            return try session.connection.inTransaction(.repeatableRead) {
                let results = try session.connection.run(
                    together: [
                        workersQuery, PostgresStatement("SELECT \(Self.claimColumns) FROM \(session["claims"])"),
                        PostgresStatement("SELECT extract(epoch FROM clock_timestamp())::double precision"),
                    ] + helps)
                let pool = Self.pool(
                    workers: results[0], claims: results[1], helps: helps.isEmpty ? nil : results[3])
                return (pool, results[2].values.first?.first?.real ?? 0)
            }
        }
    }

    func settle(_ ticket: PoolTicket, _ outcome: RunOutcome) throws {
        let result = try session.write(
            "UPDATE \(session["claims"]) SET outcome = $3 WHERE pipeline = $1 AND token = $2",
            [PostgresValue(ticket.pipeline), .integer(ticket.token), PostgresValue(outcome.rawValue)])
        if result.changes == 0 { throw Self.superseded(ticket, session, session.connection) }
    }

    /// Refuses the commit of a run whose claim is another's; one that is not stays as it is until the commit.
    static func confirm(_ ticket: PoolTicket, _ session: PostgresStoreSession) throws {
        let rows = try session.translated {
            try session.connection.run(
                "SELECT 1::bigint FROM \(session["claims"]) WHERE pipeline = $1 AND token = $2 FOR SHARE",
                [PostgresValue(ticket.pipeline), .integer(ticket.token)]
            ).values
        }
        if rows.isEmpty { throw superseded(ticket, session, session.connection) }
    }

    /// Why a run whose connection was cut off keeps nothing: another worker has its claim.
    ///
    /// - Parameters:
    ///   - ticket: The claim of the run.
    ///   - session: The store.
    ///   - connection: Another connection. One that takes the run over at this moment is waited for.
    /// - Returns: The error; nil where the claim is still the run's.
    /// - Throws: `PostgresError`.
    static func supersession(
        _ ticket: PoolTicket, _ session: PostgresStoreSession, _ connection: PostgresConnection
    ) throws -> StoreError? {
        try connection.begin()
        defer { try? connection.rollback() }
        try connection.execute("SET LOCAL lock_timeout = \(longestRestMilliseconds)")
        let rows = try connection.run(
            "SELECT token FROM \(session["claims"]) WHERE pipeline = $1 FOR SHARE", [PostgresValue(ticket.pipeline)]
        ).values
        return rows.first?.first?.number == ticket.token ? nil : superseded(ticket, session, connection)
    }

    /// The error of a run whose claim another worker has.
    static func superseded(
        _ ticket: PoolTicket, _ session: PostgresStoreSession, _ connection: PostgresConnection
    ) -> StoreError {
        let holders = try? connection.run(
            """
            SELECT coalesce(w.place, c.worker) FROM \(session["claims"]) AS c
            LEFT JOIN \(session["workers"]) AS w ON w.id = c.worker WHERE c.pipeline = $1
            """, [PostgresValue(ticket.pipeline)])
        let place = holders?.values.first?.first?.string.map { " (\($0))" } ?? ""
        return StoreError(
            .superseded,
            "Another worker\(place) has taken over the run of `\(ticket.pipeline)` on `\(session.place)`, since this one was not heard of for longer than its lease. The other one goes on; nothing has to be done."
        )
    }
}

extension PostgresValue {
    /// The number of a column of floating point; nil for null.
    fileprivate var real: Double? {
        if case .double(let value) = self { return value }
        return nil
    }
}

/// A time or a length of one; 0 where a hand wrote one without end.
private func seconds(_ value: PostgresValue) -> Double { value.real.flatMap { $0.isFinite ? $0 : nil } ?? 0 }

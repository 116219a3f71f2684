internal import SluicePostgres
internal import SluiceSchedule
internal import SluiceStore

/// The partitions that workers of a store on PostgreSQL share.
///
/// A claim skips rows that others have locked, so that readers never wait for each other. The row of a partition is
/// changed by the claim that it has alone: who comes back late changes none.
final class PostgresPartitionLedger: PartitionLedger {
    /// How long the server lets a transaction rest in which pages are kept: a reader that is stopped within one must hold up
    /// nobody.
    private static let longestRestMilliseconds = 2_000
    private static let shareColumns = "id, pipeline, stream, definition, started_at, lease"

    private let session: PostgresStoreSession
    private var isPrepared = false

    init(_ session: PostgresStoreSession) { self.session = session }

    /// What a store needs for it.
    static func tables(_ session: PostgresStoreSession) -> String {
        let text = "text COLLATE \"C\""
        return """
            CREATE TABLE IF NOT EXISTS \(session["shares"]) (id bigint PRIMARY KEY, pipeline \(text) NOT NULL,
                stream \(text) NOT NULL, due bigint, definition \(text) NOT NULL, digest \(text) NOT NULL,
                started_at \(text) NOT NULL, lease double precision NOT NULL, run bigint,
                UNIQUE (pipeline, stream));
            CREATE TABLE IF NOT EXISTS \(session["partitions"]) (share bigint NOT NULL, position bigint NOT NULL,
                part \(text) NOT NULL, state \(text) NOT NULL DEFAULT 'open', reader \(text), worker \(text), place \(text),
                since timestamptz, token bigint NOT NULL DEFAULT 0, until timestamptz, answer \(text), PRIMARY KEY (share, position));
            CREATE INDEX IF NOT EXISTS _sluice_partitions_open ON \(session["partitions"]) (share, position)
                WHERE state = 'open';
            CREATE TABLE IF NOT EXISTS \(session["partition_pages"]) (share bigint NOT NULL, position bigint NOT NULL,
                page bigint NOT NULL, name \(text) NOT NULL, size bigint NOT NULL, body bytea NOT NULL,
                PRIMARY KEY (share, position, page))
            """
    }

    /// The shares with partitions that are free for helpers, as `id` and `pipeline`.
    static func sharesQuery(_ session: PostgresStoreSession) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT s.id, s.pipeline FROM \(session["shares"]) AS s
            WHERE EXISTS (SELECT 1 FROM \(session["partitions"]) AS p WHERE p.share = s.id AND \(isFreeForHelpers))
            ORDER BY s.id
            """)
    }

    /// Who reads partitions, as the name of the worker, `pipeline` and `since`.
    static func helpsQuery(_ session: PostgresStoreSession) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT p.worker, s.pipeline, extract(epoch FROM min(p.since))::double precision
            FROM \(session["partitions"]) AS p JOIN \(session["shares"]) AS s ON s.id = p.share
            WHERE p.state = 'open' AND NOT (\(isLapsed)) GROUP BY 1, 2 ORDER BY 1, 2
            """)
    }

    /// Whether nobody has a partition `p`, or was heard of since its lease ended. What was claimed at a time that is yet to come was claimed
    /// before the server's clock was put back, so that its lease tells nothing until it is renewed; whoever lives on and comes too
    /// late for that notices by its token.
    private static let isLapsed =
        """
        p.until IS NULL OR p.until < clock_timestamp()
            OR coalesce(p.since > clock_timestamp() + interval '1 minute', false)
        """
    /// Whether it is so of one that is not read yet.
    private static let isFree = "p.state = 'open' AND (\(isLapsed))"
    /// Whether it is so, and no helper gave it back either.
    private static let isFreeForHelpers = "\(isFree) AND p.answer IS NULL"

    /// Statements on a connection that a program has for its partitions alone.
    private func alone<Result>(_ body: () throws -> Result) throws -> Result {
        try session.translated {
            if !isPrepared {
                try session.connection.execute(
                    "SET idle_in_transaction_session_timeout = \(Self.longestRestMilliseconds)")
                isPrepared = true
            }
            return try body()
        }
    }

    private func statement(_ sql: String, _ values: [PostgresValue]) -> PostgresStatement {
        PostgresStatement(sql, PostgresParameters(values))
    }

    // MARK: Shares

    func open(_ plan: SharedPlan, by ticket: PoolTicket) throws -> (share: PartitionShare, worker: String) {
        try alone {
            try session.connection.inTransaction {
                let claims = try session.connection.run(
                    """
                    SELECT c.due, c.worker, coalesce(w.lease, 60) FROM \(session["claims"]) AS c
                    LEFT JOIN \(session["workers"]) AS w ON w.id = c.worker
                    WHERE c.pipeline = $1 AND c.token = $2 FOR SHARE OF c
                    """, [PostgresValue(ticket.pipeline), .integer(ticket.token)]
                ).values
                guard let claim = claims.first else {
                    throw PostgresSchedulePool.superseded(ticket, session, session.connection)
                }
                let (due, worker) = (claim[0].number, claim[1].string ?? "")
                if let share = try goOn(plan, due) { return (share, worker) }
                return (try begin(plan, due, lease: claim[2]), worker)
            }
        }
    }

    /// The share of an earlier attempt, where it asks for the same.
    private func goOn(_ plan: SharedPlan, _ due: Int64?) throws -> PartitionShare? {
        guard let due else { return nil }
        let found = try session.connection.run(
            """
            SELECT \(Self.shareColumns) FROM \(session["shares"])
            WHERE pipeline = $1 AND stream = $2 AND due = $3 AND digest = $4 AND run IS NULL
            FOR UPDATE
            """,
            [PostgresValue(plan.pipeline), PostgresValue(plan.stream), .integer(due), PostgresValue(plan.digest)]
        ).values.first
        guard let share = found.flatMap(Self.share), plan.definition.isSame(as: share.definition) else { return nil }
        try session.connection.run(
            """
            UPDATE \(session["partitions"]) SET state = 'open', answer = NULL
            WHERE share = $1 AND state <> 'read' AND answer IS NOT NULL
            """, [.integer(share.id)])
        return share
    }

    private func begin(_ plan: SharedPlan, _ due: Int64?, lease: PostgresValue) throws -> PartitionShare {
        let id = Int64.random(in: 1...Int64.max)
        let names = [PostgresValue(plan.pipeline), PostgresValue(plan.stream)]
        let others = "SELECT id FROM \(session["shares"]) WHERE pipeline = $1 AND stream = $2"
        var parts = PostgresParameters([.integer(id)])
        parts.append(PostgresArray(plan.partitions.map { PostgresValue($0) }, of: .text))
        let results = try session.connection.run(
            together: [
                statement("DELETE FROM \(session["partition_pages"]) WHERE share IN (\(others))", names),
                statement("DELETE FROM \(session["partitions"]) WHERE share IN (\(others))", names),
                statement("DELETE FROM \(session["shares"]) WHERE pipeline = $1 AND stream = $2", names),
                statement(
                    """
                    INSERT INTO \(session["shares"]) (pipeline, stream, id, due, definition, digest, started_at, lease)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING \(Self.shareColumns)
                    """,
                    names + [
                        .integer(id), PostgresValue(due), PostgresValue(plan.definition.sealed),
                        PostgresValue(plan.digest),
                        PostgresValue(plan.startedAt), lease,
                    ]),
                PostgresStatement(
                    """
                    INSERT INTO \(session["partitions"]) (share, position, part)
                    SELECT $1, t.number - 1, t.part FROM unnest($2) WITH ORDINALITY AS t (part, number)
                    """, parts),
            ])
        guard let share = results[3].values.first.flatMap(Self.share) else {
            throw StoreError(.failed, "The store `\(session.place)` gave no answer.")
        }
        return share
    }

    private static func share(_ row: [PostgresValue]) -> PartitionShare? {
        guard let id = row[0].number, case .double(let lease) = row[5] else { return nil }
        return PartitionShare(
            id: id, pipeline: row[1].string ?? "", stream: row[2].string ?? "", definition: row[3].string ?? "",
            startedAt: row[4].string ?? "", lease: lease)
    }

    func share(_ id: Int64) throws -> PartitionShare? {
        try alone {
            try session.connection.run(
                "SELECT \(Self.shareColumns) FROM \(session["shares"]) WHERE id = $1 AND run IS NULL", [.integer(id)]
            ).values.first.flatMap(Self.share)
        }
    }

    // MARK: Claims

    func claim(_ count: Int, of share: PartitionShare, as claimant: PartitionClaimant) throws -> [PartitionClaim] {
        let isFree =
            switch claimant.role {
            case .run: Self.isFree
            case .helper: Self.isFreeForHelpers
            }
        return try alone {
            try session.connection.run(
                """
                WITH free AS MATERIALIZED (
                    SELECT p.position, p.answer, p.place FROM \(session["partitions"]) AS p
                    WHERE p.share = $1 AND \(isFree)
                    ORDER BY p.position LIMIT $2 FOR UPDATE SKIP LOCKED),
                claimed AS (
                    UPDATE \(session["partitions"]) AS p SET reader = $3, worker = $4, token = p.token + 1,
                        since = clock_timestamp(), place = (SELECT w.place FROM \(session["workers"]) AS w WHERE w.id = $4),
                        until = clock_timestamp() + make_interval(secs => $5)
                    FROM free WHERE p.share = $1 AND p.position = free.position
                    RETURNING p.position, p.token, p.part, free.answer, free.place AS before)
                SELECT position, token, part, answer, before FROM claimed ORDER BY position
                """,
                [
                    .integer(share.id), PostgresValue(count), PostgresValue(claimant.id),
                    PostgresValue(claimant.worker), .double(share.lease),
                ]
            ).values.map { row in
                PartitionClaim(
                    position: Int(clamping: row[0].number ?? 0), token: row[1].number ?? 0,
                    partition: row[2].string ?? "",
                    givenBack: row[3].string.map { .init(text: $0, place: row[4].string ?? "") })
            }
        }
    }

    func renew(_ share: PartitionShare, of claimant: PartitionClaimant) throws {
        try alone {
            _ = try session.connection.run(
                """
                UPDATE \(session["partitions"]) SET until = clock_timestamp() + make_interval(secs => $3),
                    since = least(since, clock_timestamp())
                WHERE share = $1 AND state = 'open' AND reader = $2
                """, [.integer(share.id), PostgresValue(claimant.id), .double(share.lease)])
        }
    }

    func release(_ share: PartitionShare, of claimant: PartitionClaimant) throws {
        try alone {
            _ = try session.connection.run(
                """
                UPDATE \(session["partitions"]) SET until = NULL, reader = NULL
                WHERE share = $1 AND state = 'open' AND reader = $2
                """, [.integer(share.id), PostgresValue(claimant.id)])
        }
    }

    // MARK: Answers

    func keep(
        _ answer: PartitionAnswer, _ pages: [SharedPage], by claim: PartitionClaim, of share: PartitionShare,
        as claimant: PartitionClaimant
    ) throws -> Bool {
        try alone {
            try session.connection.inTransaction {
                let result = try session.connection.run(
                    """
                    UPDATE \(session["partitions"]) SET state = $5, answer = $6, until = NULL,
                        reader = CASE WHEN $5 = 'open' THEN NULL ELSE reader END
                    WHERE share = $1 AND position = $2 AND token = $3 AND reader = $4 AND state = 'open'
                    """,
                    [
                        .integer(share.id), PostgresValue(claim.position), .integer(claim.token),
                        PostgresValue(claimant.id), PostgresValue(answer.state.rawValue), PostgresValue(answer.text),
                    ])
                if result.changes == 0 { return false }
                for (number, page) in pages.enumerated() {
                    try session.connection.run(
                        """
                        INSERT INTO \(session["partition_pages"]) (share, position, page, name, size, body)
                        VALUES ($1, $2, $3, $4, $5, $6)
                        """,
                        [
                            .integer(share.id), PostgresValue(claim.position), PostgresValue(number),
                            PostgresValue(shown: page.name), PostgresValue(page.count), .bytes(page.packed),
                        ])
                }
                return true
            }
        }
    }

    func openCounts(of share: PartitionShare) throws -> (free: Int, held: Int) {
        try alone {
            let row = try session.connection.run(
                """
                SELECT count(*) FILTER (WHERE \(Self.isFree)), count(*) FROM \(session["partitions"]) AS p
                WHERE p.share = $1 AND p.state = 'open'
                """, [.integer(share.id)]
            ).values.first
            let (free, all) = (row?[0].number ?? 0, row?[1].number ?? 0)
            return (Int(clamping: free), Int(clamping: all - free))
        }
    }

    func answers(of share: PartitionShare) throws -> [PartitionAnswer] {
        try alone {
            try session.connection.run(
                """
                SELECT position, state, answer, place FROM \(session["partitions"]) WHERE share = $1 ORDER BY position
                """, [.integer(share.id)]
            ).values.map { row in
                PartitionAnswer(
                    position: Int(clamping: row[0].number ?? 0),
                    state: row[1].string.flatMap { PartitionAnswer.State(rawValue: $0) } ?? .open,
                    text: row[2].string ?? "", place: row[3].string ?? "")
            }
        }
    }

    func pages(at position: Int, of share: PartitionShare) throws -> [SharedPage] {
        try alone {
            try session.connection.run(
                """
                SELECT name, size, body FROM \(session["partition_pages"]) WHERE share = $1 AND position = $2
                ORDER BY page
                """, [.integer(share.id), PostgresValue(position)]
            ).values.map { row in
                SharedPage(name: row[0].string ?? "", packed: row[2].blob, count: Int(clamping: row[1].number ?? 0))
            }
        }
    }

    // MARK: The end

    func conclude(pipeline: String, stream: String, run: Int64) throws {
        let names = [PostgresValue(pipeline), PostgresValue(stream)]
        let shares = "SELECT id FROM \(session["shares"]) WHERE pipeline = $1 AND stream = $2"
        // Whoever keeps something meanwhile is waited for, and its pages are seen by what comes next.
        try session.write([
            statement("DELETE FROM \(session["partitions"]) WHERE state = 'open' AND share IN (\(shares))", names),
            statement("DELETE FROM \(session["partition_pages"]) WHERE share IN (\(shares))", names),
            statement(
                "UPDATE \(session["shares"]) SET run = $3 WHERE pipeline = $1 AND stream = $2 AND run IS NULL",
                names + [.integer(run)]),
        ])
    }

    /// Ends what is shared of a pipeline of which a run of its source, or an undo, is committed, in the open transaction: what was
    /// read before it is older than what its rows hold.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - session: The store.
    /// - Throws: ``StoreError``.
    static func endShares(of pipeline: String, _ session: PostgresStoreSession) throws {
        let tables = try session.translated {
            try session.connection.integer(
                "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = '_sluice_shares'",
                [PostgresValue(session.schema)])
        }
        if tables == 0 { return }
        let name = PostgresParameters([PostgresValue(pipeline)])
        let shares = "SELECT id FROM \(session["shares"]) WHERE pipeline = $1 AND run IS NULL"
        try session.write(
            [
                "DELETE FROM \(session["partitions"]) WHERE share IN (\(shares))",
                "DELETE FROM \(session["partition_pages"]) WHERE share IN (\(shares))",
                "DELETE FROM \(session["shares"]) WHERE pipeline = $1 AND run IS NULL",
            ].map { PostgresStatement($0, name) })
    }
}

internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// The runs of a store on PostgreSQL.
final class PostgresRunLedger: RunLedger {
    private static let columns =
        "id, pipeline, command, status, started_at, finished_at, error, scope, undoes, undone_by, changes, records_read, linked"
    /// The notes that columns of these tables hold.
    private static let kept: Set<RunNote> = [.scope, .linked]
    private static let counts = PostgresStoreFormat.countNames.joined(separator: ", ")
    /// The commands of runs over what their sources said, as SQL.
    private static let sourceCommands = "'run', 'apply'"
    private let session: PostgresStoreSession
    /// The run that this transaction wrote last: what tells, where nothing else does, whether it was kept.
    private(set) var recorded: RunEntry?
    /// What it was where each open part of the transaction began.
    private var parts: [RunEntry?] = []

    init(_ session: PostgresStoreSession) { self.session = session }

    /// Where the state holds that a run began of which nothing else is kept.
    private static let begun = PostgresValue("run begun")

    func beginnings(of pipeline: String) throws -> String? {
        try session.rows(
            "SELECT value FROM \(session["state"]) WHERE pipeline = $1 AND stream = '' AND part = $2",
            [PostgresValue(pipeline), Self.begun]
        ).first?[0].string
    }

    func setBeginnings(of pipeline: String, from known: String?, to text: String?) throws {
        let its = "WHERE pipeline = $1 AND stream = '' AND part = $2 AND value = coalesce($3::text, value)"
        let values = [PostgresValue(pipeline), Self.begun, PostgresValue(known)]
        guard let text else {
            try session.write("DELETE FROM \(session["state"]) \(its)", values)
            return
        }
        if known != nil {
            try session.write("UPDATE \(session["state"]) SET value = $4 \(its)", values + [PostgresValue(text)])
            return
        }
        try session.write(
            """
            INSERT INTO \(session["state"]) (pipeline, stream, part, name, value)
            SELECT $1::text, '', $2::text, 'at', $3::text WHERE EXISTS (SELECT 1 FROM \(session["runs"]))
            ON CONFLICT (pipeline, stream, part, name) DO UPDATE SET value = excluded.value
            """, [PostgresValue(pipeline), Self.begun, PostgresValue(text)])
    }

    func nextID() throws -> Int64 {
        (try session.rows("SELECT max(id) FROM \(session["runs"])").first?.first?.number ?? 0) + 1
    }

    /// Forgets what an earlier transaction wrote.
    func forget() { (recorded, parts) = (nil, []) }

    /// A part of the transaction begins that can be taken back alone.
    func beginSavepoint() { parts.append(recorded) }

    /// The part belongs to the transaction.
    func releaseSavepoint() { _ = parts.popLast() }

    /// The part is taken back: what it wrote is not looked for.
    func rollBackToSavepoint() { if let before = parts.popLast() { recorded = before } }

    func record(_ run: RunEntry) throws {
        let id = PostgresParameters([.integer(run.id)])
        var statements = ["runs", "run_entities", "run_warnings", "run_warning_keys"].map { table in
            PostgresStatement(
                "DELETE FROM \(session[table]) WHERE \(table == "runs" ? "id" : "run") = $1", id)
        }
        let values: [PostgresValue] =
            [
                .integer(run.id), PostgresValue(run.pipeline), PostgresValue(run.command), PostgresValue(run.status),
                PostgresValue(run.startedAt), PostgresValue(run.finishedAt), PostgresValue(shown: run.error),
                PostgresValue(shown: run.scope), PostgresValue(run.undoes), PostgresValue(run.undoneBy),
                PostgresValue(run.changes?.rawValue), PostgresValue(run.recordsRead.map { Int64($0) }),
                PostgresValue(run.linked),
            ] + run.counts.values.map { PostgresValue($0) }
        statements.append(insert("runs", "\(Self.columns), \(Self.counts)", values))
        let part = [PostgresValue(run.pipeline), PostgresValue("run \(run.id)")]
        statements.append(
            PostgresStatement(
                "DELETE FROM \(session["state"]) WHERE pipeline = $1 AND stream = '' AND part = $2",
                PostgresParameters(part)))
        for (name, value) in run.notes(besides: Self.kept) {
            let values = part + [PostgresValue(name), PostgresValue(shown: value), PostgresValue("")]
            statements.append(insert("state", "pipeline, part, name, value, stream", values))
        }
        for (entity, counts) in run.within {
            statements.append(
                insert(
                    "run_entities", "run, entity, \(Self.counts)",
                    [.integer(run.id), PostgresValue(entity)] + counts.values.map { PostgresValue($0) }))
        }
        for (position, warning) in run.warnings.enumerated() {
            statements.append(
                insert(
                    "run_warnings", "run, position, code, message, entity, unlisted",
                    [
                        .integer(run.id), PostgresValue(position), PostgresValue(warning.code),
                        PostgresValue(shown: warning.message), PostgresValue(warning.entity),
                        PostgresValue(warning.unlisted),
                    ]))
            for (index, key) in warning.keys.enumerated() {
                statements.append(
                    insert(
                        "run_warning_keys", "run, warning, position, key",
                        [
                            .integer(run.id), PostgresValue(position), PostgresValue(index), PostgresValue(shown: key),
                        ]))
            }
        }
        try session.write(statements)
        try settleBeginnings(by: run)
        recorded = run
        if run.outdatesReading { try PostgresPartitionLedger.endShares(of: run.pipeline, session) }
    }

    private func insert(_ table: String, _ columns: String, _ values: [PostgresValue]) -> PostgresStatement {
        let places = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return PostgresStatement(
            "INSERT INTO \(session[table]) (\(columns)) VALUES (\(places))", PostgresParameters(values))
    }

    func recordUndone(_ run: Int64, by other: Int64?) throws {
        try session.write(
            "UPDATE \(session["runs"]) SET undone_by = $2 WHERE id = $1", [.integer(run), PostgresValue(other)])
    }

    func list(pipeline: String?, limit: Int, among filter: RunFilter) throws -> [RunEntry] {
        try runs(["($1::text IS NULL OR pipeline = $1)"], of: pipeline, limit: limit, among: filter)
    }

    func latest(of pipeline: String, limit: Int, among filter: RunFilter) throws -> [RunEntry] {
        try runs(["pipeline = $1", "command IN (\(Self.sourceCommands))"], of: pipeline, limit: limit, among: filter)
    }

    private func runs(
        _ conditions: [String], of pipeline: String?, limit: Int, among filter: RunFilter
    ) throws -> [RunEntry] {
        var all = conditions + ["($3::text IS NULL OR started_at >= $3 COLLATE \"C\")"]
        if filter.isSuccess { all += ["status = 'succeeded'", "scope IS NULL"] }
        if filter.isReading { all.append("records_read IS NOT NULL") }
        if filter.isFailure { all.append("status <> 'succeeded'") }
        if filter.leavesOutUndone { all.append("undone_by IS NULL") }
        return try runs(
            "WHERE \(all.joined(separator: " AND ")) ORDER BY id DESC LIMIT $2",
            [PostgresValue(pipeline), PostgresValue(limit), PostgresValue(filter.since)])
    }

    func entry(id: Int64) throws -> RunEntry? { try runs("WHERE id = $1", [.integer(id)]).first }

    func pipelines() throws -> [String] {
        try session.rows(
            "SELECT pipeline FROM \(session["runs"]) GROUP BY pipeline ORDER BY pipeline COLLATE \"C\""
        ).map { $0[0].string ?? "" }
    }

    private func runs(_ condition: String, _ values: [PostgresValue]) throws -> [RunEntry] {
        var runs = try session.rows(
            "SELECT \(Self.columns), \(Self.counts) FROM \(session["runs"]) \(condition)", values
        ).map(Self.run)
        for index in runs.indices { try complete(&runs[index]) }
        return runs
    }

    /// Adds what is kept beside a run's own row.
    private func complete(_ run: inout RunEntry) throws {
        let id = PostgresValue.integer(run.id)
        for row in try session.rows(
            "SELECT entity, \(Self.counts) FROM \(session["run_entities"]) WHERE run = $1", [id])
        {
            run.within[row[0].string ?? ""] = RunCounts(row.dropFirst().map { Int(clamping: $0.number ?? 0) })
        }
        for row in try session.rows(
            "SELECT name, value FROM \(session["state"]) WHERE pipeline = $1 AND stream = '' AND part = $2",
            [PostgresValue(run.pipeline), PostgresValue("run \(run.id)")])
        {
            run.accept(note: row[0].string ?? "", row[1].string ?? "")
        }
        run.warnings = try session.rows(
            """
            SELECT code, message, entity, unlisted FROM \(session["run_warnings"]) WHERE run = $1 ORDER BY position
            """, [id]
        ).map { row in
            var warning = RunWarning(code: row[0].string ?? "", message: row[1].string ?? "")
            (warning.entity, warning.unlisted) = (row[2].string, Int(clamping: row[3].number ?? 0))
            return warning
        }
        for row in try session.rows(
            "SELECT warning, key FROM \(session["run_warning_keys"]) WHERE run = $1 ORDER BY warning, position", [id])
        {
            let warning = Int(clamping: row[0].number ?? -1)
            if run.warnings.indices.contains(warning) { run.warnings[warning].keys.append(row[1].string ?? "") }
        }
    }

    private static func run(_ row: [PostgresValue]) -> RunEntry {
        var run = RunEntry(
            id: row[0].number ?? 0, pipeline: row[1].string ?? "", command: row[2].string ?? "",
            status: row[3].string ?? "", startedAt: row[4].string ?? "")
        (run.finishedAt, run.error, run.scope) = (row[5].string, row[6].string, row[7].string)
        (run.undoes, run.undoneBy) = (row[8].number, row[9].number)
        run.changes = row[10].string.flatMap { RunChanges(rawValue: $0) }
        run.recordsRead = row[11].number.map { Int(clamping: $0) }
        run.linked = Int(clamping: row[12].number ?? 0)
        run.counts = RunCounts(row.dropFirst(13).map { Int(clamping: $0.number ?? 0) })
        return run
    }
}

extension RunCounts {
    /// The counts in the order of ``PostgresStoreFormat/countNames``.
    fileprivate static var parts: [WritableKeyPath<RunCounts, Int>] {
        [
            \.inserted, \.updated, \.deleted, \.unchanged, \.keptLocal, \.conflicts, \.quarantined,
            \.conflictsWritten, \.deletesRefused,
        ]
    }

    fileprivate var values: [Int] { Self.parts.map { self[keyPath: $0] } }

    fileprivate init(_ values: [Int]) {
        self.init()
        for (part, value) in zip(Self.parts, values) { self[keyPath: part] = value }
    }
}

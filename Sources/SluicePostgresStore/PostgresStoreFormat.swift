internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// The tables that begin with `_sluice_`, and the version of their shape.
enum PostgresStoreFormat {
    /// The version that this program writes. It is not that of stores on SQLite.
    static let version: Int64 = 1

    /// Refuses a store that a newer program wrote or whose version cannot be read, before anything is written to it.
    static func check(_ session: PostgresStoreSession) throws {
        guard try session.translated({ try session.isUsed() }) else { return }
        let text = try session.rows(
            "SELECT value FROM \(session["schema"]) WHERE kind = 'format' AND name = 'version'"
        ).first?.first?.string
        guard let found = text.flatMap({ Int64($0) }), found > 0 else {
            throw StoreError(
                .damaged,
                "The format of the store `\(session.place)` cannot be read: its table `_sluice_schema` was damaged or edited. Restore a copy of the store."
            )
        }
        guard found > version else { return }
        throw StoreError(
            .newerFormat,
            "The store `\(session.place)` has format \(found), and this version of sluice knows formats up to \(version). Use the newer version that wrote it."
        )
    }

    /// Why no store can be made in a database; nil where one can.
    static func unfitness(_ session: PostgresStoreSession) -> StoreError? {
        let encoding = session.connection.serverEncoding
        if encoding == "UTF8" { return nil }
        return StoreError(
            .unavailable,
            "The store `\(session.place)` cannot be made: its database has the encoding \(encoding), which cannot hold all texts. Make one with `createdb --encoding=UTF8 --template=template0 NAME`, and name that."
        )
    }

    /// Makes the schema and the tables where they are missing. Runs within the transaction that uses them.
    ///
    /// - Returns: Whether it made them.
    /// - Throws: ``PostgresError``; ``StoreError`` where the database can hold no store.
    @discardableResult
    static func prepare(_ session: PostgresStoreSession) throws -> Bool {
        if try session.isUsed() { return false }
        if let unfitness = unfitness(session) { throw unfitness }
        let connection = session.connection
        // A role that owns the schema alone may not make others, not even one that is there.
        let isThere = try connection.integer(
            "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = $1", [PostgresValue(session.schema)])
        if isThere == 0 { try connection.execute("CREATE SCHEMA \(PostgresName.quoted(session.schema))") }
        try connection.execute(tables(session))
        return true
    }

    /// Has nobody else write to the store until the open transaction ends; waits until the others have ended.
    ///
    /// - Throws: `PostgresError`, and `StoreError` where what was set for the connection is lost.
    static func lock(_ session: PostgresStoreSession) throws {
        let rows = try session.connection.run(
            """
            SELECT pg_catalog.current_setting('\(sessionMark)', true) FROM \(session["schema"])
            WHERE kind = 'format' AND name = 'version' FOR UPDATE
            """)
        guard let row = rows.values.first, row[0].string?.isEmpty ?? true else { return }
        throw StoreError(
            .failed,
            "What is set for a connection to `\(session.place)` is gone in the next transaction, as behind a pool that gives each transaction another connection of the server. Give each client a connection of its own (pgbouncer: `pool_mode = session`), or connect without the pool."
        )
    }

    /// The setting that tells whether those of the connection hold still.
    static let sessionMark = "sluice.session"

    /// Removes the tables of a store that holds nothing, in the transaction that is open, and commits.
    ///
    /// Who counts on the store has a lock on a row of `_sluice_schema`, so that the table itself cannot be had.
    ///
    /// - Parameters:
    ///   - session: The store, in a transaction that holds a lock of it.
    ///   - isSchemaMade: Whether the schema was made for these tables.
    static func removeIfBlank(_ session: PostgresStoreSession, isSchemaMade: Bool) {
        let connection = session.connection
        do {
            try connection.execute("LOCK TABLE \(session["schema"]) IN ACCESS EXCLUSIVE MODE NOWAIT")
            let tables = try connection.run(
                """
                SELECT tablename::text FROM pg_catalog.pg_tables WHERE schemaname = $1 AND starts_with(tablename, '_sluice_')
                """, [PostgresValue(session.schema)]
            ).values.compactMap { $0.first?.string }
            for table in tables {
                let condition =
                    table == "_sluice_schema"
                    ? " WHERE kind NOT IN ('format', 'lock', '\(EntityRegistry.identityKind)')" : ""
                let name = PostgresName.quoted(table, in: session.schema)
                if try connection.integer("SELECT count(*) FROM (SELECT 1 FROM \(name)\(condition) LIMIT 1) AS r") != 0
                {
                    return try connection.rollback()
                }
            }
            let names = tables.map { PostgresName.quoted($0, in: session.schema) }
            try connection.execute("DROP TABLE \(names.joined(separator: ", "))")
            try connection.commit()
            if isSchemaMade { try connection.execute("DROP SCHEMA \(PostgresName.quoted(session.schema))") }
        } catch {
            // Then it stays, which harms nobody.
            if connection.transactionState != .none { try? connection.rollback() }
        }
    }

    /// Whether the tables could not be made because somebody else made them: how PostgreSQL says it depends on the moment.
    static func wasMadeMeanwhile(_ error: PostgresError) -> Bool {
        error.code == .unique || ["42P06", "42P07", "42710"].contains(error.code.rawValue)
    }

    /// What tells records in quarantine apart: the key, or what stands for the hash of a record without one.
    static let quarantinedKey = "coalesce(key, 'hash ' || record_hash)"

    /// Has a field of a record in one open conflict at most.
    static func conflictsOpen(_ session: PostgresStoreSession) -> String {
        "CREATE UNIQUE INDEX ON \(session["conflicts"]) (pipeline, stream, entity, hashtextextended(key, 0), coalesce(field, '')) WHERE status = 'open'"
    }

    private static func tables(_ session: PostgresStoreSession) -> String {
        // Texts are in the order of their bytes. Keys may be longer than what a B-tree takes.
        let text = "text COLLATE \"C\""
        let source = "pipeline \(text) NOT NULL, stream \(text) NOT NULL, entity \(text) NOT NULL"
        return """
            CREATE TABLE \(session["schema"]) (kind \(text) NOT NULL, name \(text) NOT NULL, value \(text) NOT NULL,
                PRIMARY KEY (kind, name));
            INSERT INTO \(session["schema"]) VALUES ('format', 'version', '\(version)'), ('\(EntityRegistry.identityKind)',
                '\(EntityRegistry.identityName)', md5(concat(random(), clock_timestamp(), pg_backend_pid())));
            CREATE TABLE \(session["runs"]) (id bigint PRIMARY KEY, pipeline \(text) NOT NULL, command \(text) NOT NULL,
                status \(text) NOT NULL, started_at \(text) NOT NULL, finished_at \(text), error \(text), scope \(text),
                undoes bigint, undone_by bigint, changes \(text), records_read bigint,
                linked bigint NOT NULL DEFAULT 0, \(counts));
            CREATE INDEX ON \(session["runs"]) (pipeline, id);
            CREATE TABLE \(session["run_entities"]) (run bigint NOT NULL, entity \(text) NOT NULL, \(counts),
                PRIMARY KEY (run, entity));
            CREATE TABLE \(session["run_warnings"]) (run bigint NOT NULL, position bigint NOT NULL, code \(text) NOT NULL,
                message \(text) NOT NULL, entity \(text), unlisted bigint NOT NULL, PRIMARY KEY (run, position));
            CREATE TABLE \(session["run_warning_keys"]) (run bigint NOT NULL, warning bigint NOT NULL,
                position bigint NOT NULL, key \(text) NOT NULL, PRIMARY KEY (run, warning, position));
            CREATE TABLE \(session["state"]) (pipeline \(text) NOT NULL, stream \(text) NOT NULL,
                part \(text) NOT NULL DEFAULT '', name \(text) NOT NULL, value \(text),
                PRIMARY KEY (pipeline, stream, part, name));
            CREATE TABLE \(session["scans"]) (pipeline \(text) NOT NULL, stream \(text) NOT NULL, run bigint NOT NULL,
                pages bigint NOT NULL, state \(text) NOT NULL, PRIMARY KEY (pipeline, stream));
            CREATE TABLE \(session["scan_pages"]) (pipeline \(text) NOT NULL, stream \(text) NOT NULL,
                page bigint NOT NULL, request bigint NOT NULL, keys bytea NOT NULL, quarantined bytea NOT NULL,
                PRIMARY KEY (pipeline, stream, page));
            CREATE TABLE \(session["credentials"]) (name \(text) PRIMARY KEY, sealed bytea NOT NULL,
                given_at \(text) NOT NULL);
            CREATE TABLE \(session["conflicts"]) (id bigint PRIMARY KEY, \(source), key \(text) NOT NULL, field \(text),
                kind \(text) NOT NULL, base \(text), local \(text), remote \(text), policy \(text) NOT NULL,
                status \(text) NOT NULL, resolution \(text), who \(text), note \(text), first_run bigint, last_run bigint,
                seen bigint NOT NULL DEFAULT 1, other_source \(text));
            \(conflictsOpen(session));
            CREATE INDEX ON \(session["conflicts"]) USING hash (key);
            CREATE TABLE \(session["quarantine"]) (id bigint PRIMARY KEY, \(source), key \(text),
                record_hash bigint NOT NULL, reason \(text) NOT NULL, pointer \(text) NOT NULL, value \(text),
                message \(text) NOT NULL, record bytea NOT NULL, first_run bigint, last_run bigint,
                status \(text) NOT NULL);
            CREATE INDEX ON \(session["quarantine"]) USING hash ((\(quarantinedKey))) WHERE status = 'open';
            CREATE INDEX ON \(session["quarantine"]) (pipeline, stream, entity) WHERE status = 'open';
            CREATE TABLE \(session["changes"]) (id bigint PRIMARY KEY, run bigint NOT NULL, kind \(text) NOT NULL,
                \(source), key \(text), action \(text) NOT NULL, field \(text), class \(text), entry bigint, old bytea,
                new bytea, row bytea);
            CREATE INDEX ON \(session["changes"]) (run, id);
            CREATE INDEX ON \(session["changes"]) USING hash (key) WHERE kind = 'record';
            CREATE TABLE \(session["pending"]) ("table" \(text) NOT NULL, key \(text) NOT NULL, field \(text) NOT NULL,
                target_key \(text) NOT NULL, rule \(text) NOT NULL, PRIMARY KEY ("table", key, field, target_key));
            \(PostgresScheduleLedger.tables(session))
            """
    }

    /// The columns of counts, in the order of ``countNames``.
    private static var counts: String {
        countNames.map { "\($0) bigint NOT NULL DEFAULT 0" }.joined(separator: ", ")
    }

    /// The names of the counts of a run.
    static let countNames = [
        "inserted", "updated", "deleted", "unchanged", "kept_local", "conflicts", "quarantined", "conflicts_written",
        "deletes_refused",
    ]
}

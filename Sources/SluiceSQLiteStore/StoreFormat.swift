internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// The tables that begin with `_sluice_`, and the version of their shape.
enum StoreFormat {
    /// The version that this program writes.
    static let version = Int64(upgrades.count) + 1

    /// Refuses a store that a newer program wrote or whose version cannot be read, before anything is written to it.
    static func check(_ connection: Connection, path: String) throws {
        guard try hasTables(connection) else { return }
        var found: Int64 = 0
        do throws(SQLiteError) {
            found = try storedVersion(connection) ?? 0
        } catch {
            // A table of another shape has no version either.
            if error.code != .error { throw error }
        }
        guard found > 0 else {
            throw StoreError(
                .damaged,
                "The format of the store `\(path)` cannot be read: its table `_sluice_schema` was damaged or edited. Restore a copy of the store."
            )
        }
        guard found > version else { return }
        throw StoreError(
            .newerFormat,
            "The store `\(path)` has format \(found), and this version of sluice knows formats up to \(version). Use the newer version that wrote it."
        )
    }

    /// Makes the tables in a database that has none, and brings older ones up to date. Runs within the transaction that
    /// uses them.
    static func migrate(_ connection: Connection) throws(SQLiteError) {
        let found = try storedVersion(connection)
        if found != version { try upgrade(connection, from: found) }
        try connection.run(
            "INSERT OR IGNORE INTO _sluice_schema (kind, name, value) VALUES (?1, ?2, lower(hex(randomblob(16))))",
            [SQLiteValue(EntityRegistry.identityKind), SQLiteValue(EntityRegistry.identityName)])
    }

    private static func upgrade(_ connection: Connection, from found: Int64?) throws(SQLiteError) {
        if found == nil { try connection.execute(tables) }
        for (index, upgrade) in upgrades.enumerated() where Int64(index) + 1 >= found ?? 1 {
            try connection.execute(upgrade)
            if Int64(index) + 2 == textFingerprintVersion { try addTextFingerprints(connection) }
        }
        try connection.run(
            "INSERT OR REPLACE INTO _sluice_schema (kind, name, value) VALUES ('format', 'version', ?1)",
            [SQLiteValue(String(version))])
    }

    /// Whether a database has our tables.
    static func hasTables(_ connection: Connection) throws(SQLiteError) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_sluice_schema'") == 1
    }

    /// Whether a store has what runs change: one of an older format that was only read has not.
    static func hasHistory(_ connection: Connection) throws(SQLiteError) -> Bool {
        try storedVersion(connection) ?? 0 >= 3
    }

    /// Whether a store has unfinished scans: one of an older format that was only read has not.
    static func hasScans(_ connection: Connection) throws(SQLiteError) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_sluice_scans'") == 1
    }

    /// Whether a store has due times: one of an older format that was only read has not.
    static func hasSchedule(_ connection: Connection) throws(SQLiteError) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_sluice_schedule_marks'") == 1
    }

    /// The version of a store, or nil where it has none of our tables.
    static func storedVersion(_ connection: Connection) throws(SQLiteError) -> Int64? {
        guard try hasTables(connection) else { return nil }
        return try connection.integer(
            "SELECT CAST(value AS INTEGER) FROM _sluice_schema WHERE kind = 'format' AND name = 'version'")
    }

    /// What leads from each version to the next one, the first from version 1 to version 2. A new store takes the same way.
    private static let upgrades = [
        // Base rows may hold long values in full and slots may have rules, which older programs do not understand.
        "",
        history,
        SQLiteCredentialLedger.table,
        otherSource,
        // `open` of a base row also counts the scans that missed it, which older programs take for a conflict.
        "",
        SQLiteScanLedger.tables,
        pending,
        openPerEntity,
        // Base tables get a column, see `addTextFingerprints`.
        "",
        // Base rows may have states of records that a source said are deleted, which older programs do not know.
        "ALTER TABLE _sluice_runs ADD COLUMN warnings TEXT",
        partialCounts,
        "ALTER TABLE _sluice_runs ADD COLUMN records_read INTEGER",
        SQLiteScheduleLedger.tables,
    ]

    /// Whether a store keeps how many records a run read: one of an older format that is only read does not.
    static func hasRecordsRead(_ connection: Connection) throws(SQLiteError) -> Bool {
        try storedVersion(connection) ?? 0 >= recordsReadVersion
    }

    /// From this version on a run keeps how many records it read.
    private static let recordsReadVersion: Int64 = 13

    /// What a run wrote of records in conflict, and the deletes that it was refused.
    private static let partialCounts = """
        ALTER TABLE _sluice_runs ADD COLUMN conflicts_written INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE _sluice_runs ADD COLUMN deletes_refused INTEGER NOT NULL DEFAULT 0;
        """

    /// Whether a store keeps these counts: one of an older format that is only read does not.
    static func hasPartialCounts(_ connection: Connection) throws(SQLiteError) -> Bool {
        try storedVersion(connection) ?? 0 >= partialCountsVersion
    }

    /// From this version on a run keeps these counts.
    private static let partialCountsVersion: Int64 = 12

    /// Whether a store keeps the warnings of its runs: one of an older format that is only read does not.
    static func hasWarnings(_ connection: Connection) throws(SQLiteError) -> Bool {
        try storedVersion(connection) ?? 0 >= warningsVersion
    }

    /// From this version on a run keeps its warnings.
    private static let warningsVersion: Int64 = 11

    /// From this version on a base knows the text that it was read from.
    private static let textFingerprintVersion: Int64 = 10

    /// Base tables are made for each mapping, so no text of a statement names them.
    private static func addTextFingerprints(_ connection: Connection) throws(SQLiteError) {
        let bases = try connection.rows(
            """
            SELECT t.name FROM _sluice_schema AS s JOIN sqlite_schema AS t ON t.type = 'table'
                AND t.name = substr(s.value, 1, instr(s.value, char(9)) - 1) WHERE s.kind = 'mapping'
            """)
        for case .text(let name)? in bases.map(\.first) {
            let table = SQLName.quoted(String(decoding: name, as: UTF8.self))
            try connection.execute(
                "ALTER TABLE \(table) ADD COLUMN text_hash INTEGER; ALTER TABLE \(table) ADD COLUMN text_within BLOB")
        }
    }

    private static let pending = """
        CREATE TABLE _sluice_pending ("table" TEXT NOT NULL, key TEXT NOT NULL, field TEXT NOT NULL,
            target_key TEXT NOT NULL, rule TEXT NOT NULL, PRIMARY KEY ("table", key, field, target_key)) STRICT,
            WITHOUT ROWID;
        """

    /// One stream may fill several entities, whose keys may be alike.
    private static let openPerEntity = """
        DROP INDEX _sluice_conflicts_open;
        \(conflictsOpen);
        DROP INDEX _sluice_quarantine_open;
        \(quarantineOpen);
        """

    /// Has a field of a record in one open conflict at most.
    static let conflictsOpen =
        "CREATE UNIQUE INDEX _sluice_conflicts_open ON _sluice_conflicts (pipeline, stream, entity, key, coalesce(field, '')) WHERE status = 'open'"

    /// Has a record in quarantine once for each reason.
    static let quarantineOpen =
        "CREATE UNIQUE INDEX _sluice_quarantine_open ON _sluice_quarantine (pipeline, stream, entity, coalesce(key, record_hash), reason) WHERE status = 'open'"

    private static let history = """
        CREATE TABLE _sluice_changes (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, kind TEXT NOT NULL,
            pipeline TEXT NOT NULL, stream TEXT NOT NULL, entity TEXT NOT NULL, key TEXT, action TEXT NOT NULL,
            field TEXT, class TEXT, entry INTEGER, old ANY, new ANY, row BLOB) STRICT;
        CREATE INDEX _sluice_changes_run ON _sluice_changes (run);
        CREATE INDEX _sluice_changes_key ON _sluice_changes (key, entity) WHERE kind = 'record';
        ALTER TABLE _sluice_runs ADD COLUMN undoes INTEGER;
        ALTER TABLE _sluice_runs ADD COLUMN undone_by INTEGER;
        ALTER TABLE _sluice_runs ADD COLUMN changes TEXT;
        CREATE INDEX _sluice_runs_kept ON _sluice_runs (pipeline, id) WHERE changes IN ('kept', 'pruning');
        """

    /// The source that gave the local value, where two of them disagree. What runs did to conflicts is kept as the JSON
    /// of their rows, which has the new column as well.
    private static let otherSource = """
        ALTER TABLE _sluice_conflicts ADD COLUMN other_source TEXT;
        UPDATE _sluice_changes SET old = json_set(old, '$.other_source', NULL) WHERE kind = 'conflict' AND json_valid(old);
        UPDATE _sluice_changes SET new = json_set(new, '$.other_source', NULL) WHERE kind = 'conflict' AND json_valid(new);
        """

    /// Version 1.
    private static let tables = """
        CREATE TABLE _sluice_schema (kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
            PRIMARY KEY (kind, name)) STRICT, WITHOUT ROWID;
        CREATE TABLE _sluice_runs (id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, command TEXT NOT NULL,
            status TEXT NOT NULL, started_at TEXT NOT NULL, finished_at TEXT, inserted INTEGER NOT NULL DEFAULT 0,
            updated INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0,
            unchanged INTEGER NOT NULL DEFAULT 0, kept_local INTEGER NOT NULL DEFAULT 0,
            conflicts INTEGER NOT NULL DEFAULT 0, quarantined INTEGER NOT NULL DEFAULT 0, error TEXT) STRICT;
        CREATE INDEX _sluice_runs_pipeline ON _sluice_runs (pipeline, id);
        CREATE TABLE _sluice_state (pipeline TEXT NOT NULL, stream TEXT NOT NULL, part TEXT NOT NULL, name TEXT NOT NULL,
            value TEXT, PRIMARY KEY (pipeline, stream, part, name)) STRICT, WITHOUT ROWID;
        CREATE TABLE _sluice_conflicts (id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, stream TEXT NOT NULL,
            entity TEXT NOT NULL, key TEXT NOT NULL, field TEXT, kind TEXT NOT NULL, base TEXT, local TEXT, remote TEXT,
            policy TEXT NOT NULL, status TEXT NOT NULL, resolution TEXT, who TEXT, note TEXT, first_run INTEGER,
            last_run INTEGER, seen INTEGER NOT NULL DEFAULT 1) STRICT;
        CREATE UNIQUE INDEX _sluice_conflicts_open ON _sluice_conflicts (pipeline, stream, key, coalesce(field, ''))
            WHERE status = 'open';
        CREATE TABLE _sluice_quarantine (id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, stream TEXT NOT NULL,
            entity TEXT NOT NULL, key TEXT, record_hash INTEGER NOT NULL, reason TEXT NOT NULL, pointer TEXT NOT NULL,
            value TEXT, message TEXT NOT NULL, record BLOB NOT NULL, first_run INTEGER, last_run INTEGER,
            status TEXT NOT NULL) STRICT;
        CREATE UNIQUE INDEX _sluice_quarantine_open
            ON _sluice_quarantine (pipeline, stream, coalesce(key, record_hash), reason) WHERE status = 'open';
        """
}

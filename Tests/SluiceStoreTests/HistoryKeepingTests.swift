import SluiceModel
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import Testing

@Suite("How long changes are kept, and stores that had none")
struct HistoryKeepingTests {
    /// Runs 1 to 3 of two pipelines, a day apart, with three changes each.
    private func fixture() throws -> StoreFixture {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        try store.begin()
        for id in 1...6 as ClosedRange<Int64> {
            var run = RunEntry(
                id: id, pipeline: id > 3 ? "other" : "test", command: "run", status: "succeeded",
                startedAt: "2026-01-0\((id - 1) % 3 + 1)T00:00:00Z")
            run.changes = .kept
            try store.runs.record(run)
            store.startRecording(run: id) { _, _ in "" }
            for field in ["a", "b", "c"] {
                let key = "{\"id\":\(id)}"
                _ = try store.conflicts.insert(.sample(field: field, key: key))
            }
        }
        try store.commit()
        return fixture
    }

    private func kept(_ fixture: StoreFixture) throws -> [String] {
        let store = try fixture.open()
        return try (1...6 as ClosedRange<Int64>).map { id in
            let count = try store.changes.entries(run: id, order: .oldestFirst, beyond: nil, limit: 9).count
            return "\(id) \(try store.runs.entry(id: id)?.changes?.rawValue ?? "-") \(count)"
        }
    }

    private func prune(_ fixture: StoreFixture, before day: Int, limit: Int = 100) throws {
        let store = try fixture.open()
        try store.begin()
        try store.changes.prune(pipeline: "test", endedBefore: "2026-01-0\(day)T00:00:00Z", limit: limit)
        try store.commit()
    }

    @Test func whatIsOlderIsForgottenOfThatPipelineAlone() throws {
        let fixture = try fixture()
        try prune(fixture, before: 1)
        #expect(try kept(fixture) == ["1 kept 3", "2 kept 3", "3 kept 3", "4 kept 3", "5 kept 3", "6 kept 3"])
        try prune(fixture, before: 3)
        #expect(try kept(fixture) == ["1 pruned 0", "2 pruned 0", "3 kept 3", "4 kept 3", "5 kept 3", "6 kept 3"])
        let before = try fixture.rows("SELECT * FROM _sluice_runs")
        try prune(fixture, before: 3)
        #expect(try fixture.rows("SELECT * FROM _sluice_runs") == before)
    }

    @Test func onlySoMuchIsForgottenAtATime() throws {
        let fixture = try fixture()
        try prune(fixture, before: 4, limit: 4)
        #expect(try kept(fixture).prefix(3) == ["1 pruned 0", "2 pruning 2", "3 kept 3"])
        try prune(fixture, before: 4, limit: 4)
        #expect(try kept(fixture).prefix(3) == ["1 pruned 0", "2 pruned 0", "3 pruning 1"])
        try prune(fixture, before: 4, limit: 4)
        #expect(try kept(fixture).prefix(3) == ["1 pruned 0", "2 pruned 0", "3 pruned 0"])
    }

    // MARK: An older format

    /// A store as version 1 of the format has it: one run that inserted a record.
    private static let formatOne = """
        CREATE TABLE _sluice_schema (kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
            PRIMARY KEY (kind, name)) STRICT, WITHOUT ROWID;
        INSERT INTO _sluice_schema VALUES ('format', 'version', '1');
        INSERT INTO _sluice_schema VALUES ('mapping', 'test/items/Item', '_sluice_base_test_items_Item' || char(9) || 'items');
        INSERT INTO _sluice_schema VALUES ('slot', 'test/items/Item/id', '0' || char(9) || 'id' || char(9) || 'int' || char(9) || '0');
        INSERT INTO _sluice_schema VALUES ('slot', 'test/items/Item/code', '1' || char(9) || 'code' || char(9) || 'string' || char(9));
        INSERT INTO _sluice_schema VALUES ('slot', 'test/items/Item/name', '2' || char(9) || 'name' || char(9) || 'string' || char(9));
        CREATE TABLE _sluice_runs (id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, command TEXT NOT NULL,
            status TEXT NOT NULL, started_at TEXT NOT NULL, finished_at TEXT, inserted INTEGER NOT NULL DEFAULT 0,
            updated INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0,
            unchanged INTEGER NOT NULL DEFAULT 0, kept_local INTEGER NOT NULL DEFAULT 0,
            conflicts INTEGER NOT NULL DEFAULT 0, quarantined INTEGER NOT NULL DEFAULT 0, error TEXT) STRICT;
        CREATE INDEX _sluice_runs_pipeline ON _sluice_runs (pipeline, id);
        INSERT INTO _sluice_runs VALUES (1, 'test', 'run', 'succeeded', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', 1, 0, 0, 0, 0, 0, 0, NULL);
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
        CREATE TABLE items (id INTEGER PRIMARY KEY, code TEXT, name TEXT) STRICT;
        INSERT INTO items VALUES (1, 'a', 'n');
        CREATE TABLE _sluice_base_test_items_Item (id INTEGER PRIMARY KEY, row_hash INTEGER NOT NULL,
            fields BLOB NOT NULL, state INTEGER NOT NULL, open INTEGER NOT NULL, first_run INTEGER, last_run INTEGER) STRICT;
        INSERT INTO _sluice_base_test_items_Item VALUES (1, 5, x'210150016150016E', 0, 0, 1, 1);
        """

    private func older() throws -> StoreFixture {
        let fixture = try StoreFixture()
        try fixture.execute(Self.formatOne)
        return fixture
    }

    private func dump(_ fixture: StoreFixture) throws -> [[SQLiteValue]] {
        try fixture.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
            + fixture.rows("SELECT * FROM _sluice_schema")
    }

    @Test func anOlderStoreIsReadAsItIs() throws {
        let fixture = try older()
        let before = try dump(fixture)
        do {
            let store = try fixture.open(.reading)
            let run = try #require(try store.runs.list(pipeline: "test", limit: 9).first)
            #expect(run.inserted == 1 && run.changes == nil && run.undoneBy == nil)
            #expect(try store.runs.latest(of: "test", limit: 1) == [run] && store.runs.entry(id: 1) == run)
            #expect(try store.changes.records(run: 1, order: .oldestFirst, beyond: nil, limit: 9) == [])
            #expect(try store.changes.entries(run: 1, order: .oldestFirst, beyond: nil, limit: 9) == [])
        }
        #expect(try dump(fixture) == before)
    }

    @Test func aTransactionThatIsTakenBackLeavesItOld() throws {
        let fixture = try older()
        let before = try dump(fixture)
        do {
            let store = try fixture.open(.planned)
            try store.begin()
            _ = try store.openTable(.items())
            store.rollback()
        }
        #expect(try dump(fixture) == before)
    }

    @Test func whoWritesBringsItUpToDate() throws {
        let fixture = try older()
        let fresh = try StoreFixture()
        try fresh.insert(.items(), [[.integer(1), .text("a"), .text("n")]])
        for fixture in [fixture, fresh] {
            let store = try fixture.open()
            try store.begin()
            let (table, _) = try store.openTable(.items())
            store.startRecording(run: 2) { _, _ in "{}" }
            try table.write(
                RecordWrite(
                    key: key(.integer(1)), row: .update(fields: [1], values: [.text("b")]),
                    base: try table.baseRow(key(.integer(1))).map {
                        var base = $0
                        base.lastRun = 2
                        return base
                    }))
            try store.commit()
        }
        // As if it had been made so.
        let ours = "SELECT type, name, sql FROM sqlite_schema WHERE name LIKE '\\_sluice\\_%' ESCAPE '\\' "
        let others = "AND name NOT LIKE '%base%' ORDER BY name"
        #expect(try fixture.rows(ours + others) == fresh.rows(ours + others))
        let version = "SELECT value FROM _sluice_schema WHERE kind = 'format'"
        #expect(try fixture.rows(version) == fresh.rows(version))
        #expect(try fixture.rows("SELECT changes, undoes FROM _sluice_runs") == [[.null, .null]])
        let changes = try fixture.open().changes.records(run: 2, order: .oldestFirst, beyond: nil, limit: 9)
        #expect(changes.map(\.action) == [.update])
        #expect(changes.first?.baseBefore?.slots[1] == .value(.text("a")))
    }
    @Test func conflictsThatAnOlderFormatWroteDownCanBeTakenBack() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            try store.begin()
            store.startRecording(run: 2) { _, _ in "{}" }
            var entry = ConflictEntry(
                pipeline: "test", stream: "items", entity: "Item", key: #"{"id":1}"#, field: "code", kind: "edit_edit",
                base: nil, local: "\"a\"", remote: "\"b\"", policy: "manual", status: .open, firstRun: 2, lastRun: 2)
            entry.id = try store.conflicts.insert(entry)
            entry.status = .obsolete
            try store.conflicts.update(entry)
            try store.commit()
        }
        try fixture.execute(
            """
            UPDATE _sluice_changes SET old = json_remove(old, '$.other_source'), new = json_remove(new, '$.other_source');
            ALTER TABLE _sluice_conflicts DROP COLUMN other_source; DROP TABLE _sluice_pending;
            DROP TABLE _sluice_scans; DROP TABLE _sluice_scan_pages;
            ALTER TABLE _sluice_runs DROP COLUMN warnings; ALTER TABLE _sluice_runs DROP COLUMN conflicts_written;
            ALTER TABLE _sluice_runs DROP COLUMN deletes_refused;
            ALTER TABLE _sluice_runs DROP COLUMN records_read;
            DROP TABLE _sluice_schedule; DROP TABLE _sluice_schedule_runs; DROP TABLE _sluice_schedule_marks;
            UPDATE _sluice_schema SET value = '4' WHERE kind = 'format'
            """)
        let store = try fixture.open()
        try store.begin()
        let changes = try store.changes.entries(run: 2, order: .newestFirst, beyond: nil, limit: 9)
        #expect(changes.map(\.action) == ["closed", "opened"])
        for change in changes { #expect(try store.conflicts.revert(change)) }
        #expect(try store.conflicts.list(includingClosed: true) == [])
    }
}

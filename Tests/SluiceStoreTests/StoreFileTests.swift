import Glibc
import SluiceModel
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import TestSupport
import Testing

/// The content of a file.
private func bytes(_ path: String) throws -> [UInt8] {
    guard let file = unsafe fopen(path, "r") else { throw Missing(path: path) }
    defer { unsafe fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = unsafe fread(&buffer, 1, buffer.count, file)
        if count == 0 { return content }
        content += buffer[..<count]
    }
}

private struct Missing: Error {
    let path: String
}

@Suite("The file of a store")
struct StoreFileTests {
    /// The names of the store's files that exist.
    private func files(_ fixture: StoreFixture) -> [String] {
        ["", "-wal", "-shm", "-journal"].filter { unsafe access(fixture.path + $0, F_OK) == 0 }
    }

    @Test func afterACommitItIsOneFile() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(unique: [["code"]]), [[.integer(1), .text("a"), .null]])
        #expect(files(fixture) == [""])
        #expect(try fixture.rows("SELECT id FROM items") == [[.integer(1)]])
    }

    @Test func aFileThatIsMadeHasPagesOfEightKibibytes() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(), [[.integer(1), .text("a"), .null]])
        #expect(try fixture.rows("PRAGMA page_size") == [[.integer(8192)]])
    }

    /// Statements over whole tables would keep all pages of theirs in memory, see `PRAGMA temp_store`.
    @Test(arguments: [SQLiteRecordStore.Mode.create, .existing, .planned, .settling])
    func whatAStatementMayPutBackTakesFiles(_ mode: SQLiteRecordStore.Mode) throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(), [[.integer(1), .text("a"), .null]])
        let store = try fixture.open(mode)
        #expect(try store.connection.integer("PRAGMA temp_store") == 1)
        try store.begin()
        #expect(try store.connection.integer("PRAGMA temp_store") == 1)
        store.rollback()
    }

    @Test(arguments: [1024, 4096, 65536] as [Int64])
    func aFileThatIsThereKeepsItsPages(_ size: Int64) throws {
        let fixture = try StoreFixture()
        let file = try Connection(path: fixture.path, mode: .create)
        try file.execute("PRAGMA page_size = \(size); CREATE TABLE mine (a)")
        try fixture.insert(.items(), [[.integer(1), .text("a"), .null]])
        #expect(try fixture.rows("PRAGMA page_size") == [[.integer(size)]])
        #expect(try fixture.rows("PRAGMA integrity_check") == [[SQLiteValue("ok")]])
    }

    @Test func afterARollbackNothingIsThere() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            try store.begin()
            let (table, _) = try store.openTable(.items())
            try table.insert(RecordSchema.items().batch([[.integer(1), nil, nil]]), records: [0], run: 1)
            _ = try store.conflicts.insert(.sample())
            store.rollback()
            store.rollback()
        }
        #expect(files(fixture) == [""])
        #expect(try fixture.rows("SELECT name FROM sqlite_schema") == [])
    }

    @Test func aRollbackKeepsWhatWasCommittedBefore() throws {
        let fixture = try StoreFixture()
        let schema = RecordSchema.items()
        try fixture.insert(schema, [[.integer(1), .text("a"), .null]])
        do {
            let store = try fixture.open()
            try store.begin()
            let (table, _) = try store.openTable(.test([("id", .int), ("code", .string), ("more", .int)]))
            try table.write(
                RecordWrite(key: key(.integer(1)), row: .update(fields: [1], values: [.text("b")]), base: nil))
            store.rollback()
        }
        #expect(try fixture.rows("SELECT * FROM items") == [[.integer(1), SQLiteValue("a"), .null]])
        #expect(try fixture.rows("SELECT count(*) FROM _sluice_schema WHERE kind = 'slot'") == [[.integer(3)]])
        #expect(try fixture.transaction(schema) { _ in }.changes == [])
    }

    @Test func aStoreThatIsDroppedInATransactionForgetsIt() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            try store.begin()
            _ = try store.openTable(.items())
        }
        #expect(files(fixture) == [""])
        #expect(try fixture.rows("SELECT name FROM sqlite_schema") == [])
    }

    @Test func aReaderSeesNothingBeforeTheCommit() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(), [[.integer(1), nil, nil]])
        let store = try fixture.open()
        try store.begin()
        let (table, _) = try store.openTable(.items())
        try table.insert(RecordSchema.items().batch([[.integer(2), nil, nil]]), records: [0], run: 1)
        #expect(try fixture.rows("SELECT count(*) FROM items") == [[.integer(1)]])
        try store.commit()
        #expect(try fixture.rows("SELECT count(*) FROM items") == [[.integer(2)]])
    }

    @Test(arguments: ["WAL", "DELETE"])
    func aNewerFormatIsRefusedAndLeftAsItIs(_ journalMode: String) throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(), [[.integer(1), nil, nil]])
        try fixture.execute(
            """
            UPDATE _sluice_schema SET value = '99' WHERE kind = 'format';
            PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = \(journalMode)
            """)
        let before = try bytes(fixture.path)
        for mode in [SQLiteRecordStore.Mode.create, .existing, .reading] {
            let error = try #require(throws: StoreError.self) { _ = try fixture.open(mode) }
            #expect(error.code == .newerFormat)
            #expect(error.message.contains("format 99"))
        }
        #expect(try bytes(fixture.path) == before)
        #expect(files(fixture) == [""])
    }

    @Test func anOlderFormatIsBroughtUpToDateByTheNextRun() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(), [[.integer(1), .text("x"), .null]])
        let version = "SELECT value FROM _sluice_schema WHERE kind = 'format'"
        let current = try fixture.rows(version)
        let tables = try fixture.rows("SELECT name, sql FROM sqlite_schema ORDER BY name")
        try fixture.execute(
            """
            ALTER TABLE _sluice_base_test_items_Item DROP COLUMN text_hash;
            ALTER TABLE _sluice_base_test_items_Item DROP COLUMN text_within;
            ALTER TABLE _sluice_runs DROP COLUMN warnings; ALTER TABLE _sluice_runs DROP COLUMN conflicts_written;
            ALTER TABLE _sluice_runs DROP COLUMN deletes_refused;
            ALTER TABLE _sluice_runs DROP COLUMN records_read;
            DROP TABLE _sluice_schedule; DROP TABLE _sluice_schedule_runs; DROP TABLE _sluice_schedule_marks;
            UPDATE _sluice_schema SET value = '1' WHERE kind = 'format'; DROP TABLE _sluice_changes;
            DROP TABLE _sluice_scans; DROP TABLE _sluice_scan_pages; DROP TABLE _sluice_pending;
            DROP TABLE _sluice_credentials; DROP INDEX _sluice_runs_kept; ALTER TABLE _sluice_runs DROP COLUMN undoes;
            ALTER TABLE _sluice_runs DROP COLUMN undone_by; ALTER TABLE _sluice_runs DROP COLUMN changes;
            DROP VIEW conflicts_items; ALTER TABLE _sluice_conflicts DROP COLUMN other_source;
            INSERT INTO _sluice_conflicts (pipeline, stream, entity, key, field, kind, policy, status)
                VALUES ('test', 'items', 'Item', '{"id":1}', 'code', 'edit_edit', 'manual', 'open')
            """)
        #expect(try fixture.open(.reading).conflicts.list(includingClosed: true).map(\.field) == ["code"])
        #expect(try fixture.rows(version) == [[SQLiteValue("1")]])
        let base = try fixture.transaction(.items()) { try $0.baseRow(key(.integer(1))) }.result
        #expect(base?.entries == [.value(.integer(1)), .value(.text("x")), .null])
        #expect(try fixture.rows(version) == current)
        #expect(try fixture.rows("SELECT name, sql FROM sqlite_schema ORDER BY name") == tables)
        #expect(try fixture.open(.reading).conflicts.list(includingClosed: true).map(\.otherSource) == [nil])
    }

    /// Earlier versions gave a store nothing that tells it from others.
    @Test func aStoreOfAnEarlierVersionGetsItsIdentityWithTheNextTransaction() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(), [[.integer(1), .text("x"), .null]])
        try fixture.execute("DELETE FROM _sluice_schema WHERE kind = 'store'")
        #expect(try fixture.open(.reading).identity() == nil)
        try fixture.transaction(.items()) { _ in }
        #expect(try fixture.open(.reading).identity()?.count == 32)
    }

    /// Before, a number other than 0 in `open` could only be a conflict, which older programs would take it for.
    @Test func scansThatMissedARecordNeedTheFormatThatCountsThem() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(), [[.integer(1), .text("x"), .null]])
        let version = "SELECT value FROM _sluice_schema WHERE kind = 'format'"
        let current = try fixture.rows(version)
        try fixture.execute(
            """
            DROP TABLE _sluice_scans; DROP TABLE _sluice_scan_pages; DROP TABLE _sluice_pending;
            ALTER TABLE _sluice_base_test_items_Item DROP COLUMN text_hash;
            ALTER TABLE _sluice_base_test_items_Item DROP COLUMN text_within;
            ALTER TABLE _sluice_runs DROP COLUMN warnings; ALTER TABLE _sluice_runs DROP COLUMN conflicts_written;
            ALTER TABLE _sluice_runs DROP COLUMN deletes_refused;
            ALTER TABLE _sluice_runs DROP COLUMN records_read;
            DROP TABLE _sluice_schedule; DROP TABLE _sluice_schedule_runs; DROP TABLE _sluice_schedule_marks;
            UPDATE _sluice_schema SET value = '5' WHERE kind = 'format'
            """)
        let base = try fixture.transaction(.items()) { table in
            var base = try #require(try table.baseRow(key(.integer(1))))
            #expect(base.missedScans == 0 && !base.isOpen)
            (base.missedScans, base.isOpen) = (3, true)
            _ = try table.write(RecordWrite(key: key(.integer(1)), row: .none, base: base))
            return try table.baseRow(key(.integer(1)))
        }.result
        #expect(base?.missedScans == 3 && base?.isOpen == true)
        #expect(try fixture.rows(version) == current)
        #expect(try fixture.rows("SELECT open FROM _sluice_base_test_items_Item") == [[.integer(7)]])
    }

    /// Before, a run did not keep what it wrote of records in conflict, nor the deletes that it was refused.
    @Test func theCountsOfARunAreReadFromBothFormats() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            try store.begin()
            var run = RunEntry(id: 1, pipeline: "test", command: "run", status: "succeeded", startedAt: "2026-01-01")
            (run.conflictsWritten, run.deletesRefused) = (2, 3)
            var part = RunCounts()
            (part.inserted, part.conflictsWritten, part.deletesRefused) = (1, 4, 5)
            run.within = ["Part": part]
            try store.runs.record(run)
            try store.commit()
        }
        let now = try #require(try fixture.open(.reading).runs.entry(id: 1))
        #expect((now.conflictsWritten, now.deletesRefused) == (2, 3))
        #expect(now.within["Part"]?.conflictsWritten == 4 && now.within["Part"]?.deletesRefused == 5)
        try fixture.execute(
            """
            ALTER TABLE _sluice_runs DROP COLUMN conflicts_written; ALTER TABLE _sluice_runs DROP COLUMN deletes_refused;
            ALTER TABLE _sluice_runs DROP COLUMN records_read;
            DROP TABLE _sluice_schedule; DROP TABLE _sluice_schedule_runs; DROP TABLE _sluice_schedule_marks;
            UPDATE _sluice_state SET value = '1 0 0 0 0 0 0' WHERE part = 'run 1';
            UPDATE _sluice_schema SET value = '11' WHERE kind = 'format'
            """)
        let before = try #require(try fixture.open(.reading).runs.entry(id: 1))
        #expect((before.conflictsWritten, before.deletesRefused) == (0, 0))
        #expect(before.within["Part"]?.inserted == 1 && before.within["Part"]?.conflictsWritten == 0)
    }

    /// Before, a base was live, gone at its source or deleted here.
    @Test func statedDeletionsNeedTheFormatThatKnowsThem() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(), [[.integer(1), .text("x"), .null], [.integer(2), .text("y"), .null]])
        let version = "SELECT value FROM _sluice_schema WHERE kind = 'format'"
        let current = try fixture.rows(version)
        try fixture.execute(
            """
            ALTER TABLE _sluice_runs DROP COLUMN warnings; ALTER TABLE _sluice_runs DROP COLUMN conflicts_written;
            ALTER TABLE _sluice_runs DROP COLUMN deletes_refused;
            ALTER TABLE _sluice_runs DROP COLUMN records_read;
            DROP TABLE _sluice_schedule; DROP TABLE _sluice_schedule_runs; DROP TABLE _sluice_schedule_marks;
            UPDATE _sluice_schema SET value = '10' WHERE kind = 'format'
            """)
        let found = try fixture.transaction(.items()) { table in
            for (id, state) in [(1, BaseState.statedTombstone), (2, .overruled)] {
                var base = try #require(try table.baseRow(key(.integer(Int64(id)))))
                #expect(base.state == .live)
                base.state = state
                _ = try table.write(RecordWrite(key: key(.integer(Int64(id))), row: .none, base: base))
            }
            #expect(try table.baseRow(key(.integer(1)))?.state == .statedTombstone)
            #expect(try table.count(of: .overruled) == 1)
            return try table.liveKeys(after: nil, limit: 9)
        }.result
        // A scan can miss both.
        #expect(found == [key(.integer(1)), key(.integer(2))])
        #expect(try fixture.rows(version) == current)
    }

    @Test func onlyLookingChangesNothing() throws {
        let fixture = try StoreFixture()
        try fixture.transaction(.items()) { _ in }
        try fixture.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
        let before = try bytes(fixture.path)
        do {
            let store = try fixture.open(.reading)
            #expect(try store.conflicts.list(includingClosed: true) == [])
            #expect(try store.quarantine.list(includingClosed: true) == [])
            #expect(try store.runs.list(pipeline: nil, limit: 9) == [])
        }
        #expect(try bytes(fixture.path) == before)
        #expect(files(fixture) == [""])
    }

    @Test func aDatabaseWithoutARunIsNoStoreToLookAt() throws {
        let fixture = try StoreFixture()
        let missing = try #require(throws: StoreError.self) { _ = try fixture.open(.reading) }
        #expect(missing.code == .unavailable)
        try fixture.execute("CREATE TABLE mine (a)")
        let before = try bytes(fixture.path)
        let error = try #require(throws: StoreError.self) { _ = try fixture.open(.reading) }
        #expect(error.code == .notAStore)
        #expect(try bytes(fixture.path) == before)
    }

    @Test func aFileThatIsNoDatabaseIsNamedAndLeftAsItIs() throws {
        let fixture = try StoreFixture()
        let content = String(repeating: "This is a letter, not a database.\n", count: 50)
        try write(content, to: fixture.path)
        let error = try #require(throws: StoreError.self) { _ = try fixture.open() }
        #expect(error.code == .damaged)
        #expect(error.message.contains("not an SQLite database") && error.message.contains(fixture.path))
        #expect(try bytes(fixture.path) == Array(content.utf8))
        #expect(files(fixture) == [""])
    }

    @Test func aMissingFileIsMadeOrRefused() throws {
        let fixture = try StoreFixture()
        let error = try #require(throws: StoreError.self) { _ = try fixture.open(.existing) }
        #expect(error.code == .unavailable)
        #expect(files(fixture) == [])
        let temporary = try SQLiteRecordStore(path: fixture.path, mode: .temporary)
        try temporary.begin()
        _ = try temporary.openTable(.items())
        try temporary.commit()
        #expect(files(fixture) == [])
    }

    @Test func aMissingFolderIsAnError() throws {
        let fixture = try StoreFixture()
        let error = try #require(throws: StoreError.self) {
            _ = try SQLiteRecordStore(path: fixture.directory.file("none/store.db"), mode: .create)
        }
        #expect(error.code == .unavailable)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func aFolderThatCannotBeWrittenIsAnError() throws {
        let fixture = try StoreFixture()
        #expect(unsafe chmod(fixture.directory.path, 0o500) == 0)
        defer { _ = unsafe chmod(fixture.directory.path, 0o700) }
        let error = try #require(throws: StoreError.self) { _ = try fixture.open() }
        #expect(error.code == .unavailable)
    }

    @Test func aLockOfAnotherConnectionIsAnError() throws {
        let fixture = try StoreFixture()
        try fixture.insert(.items(), [[.integer(1), nil, nil]])
        let other = try Connection(path: fixture.path, mode: .existing)
        try other.execute("BEGIN IMMEDIATE")
        let store = try fixture.open()
        let error = try #require(throws: StoreError.self) { try store.begin() }
        #expect(error.code == .locked)
        #expect(error.isBusy && error.messageWhereWaiting.contains("--wait 10m"))
        store.rollback()
        try other.execute("ROLLBACK")
        try store.begin()
        try store.commit()
    }

    @Test func aLockThatKeepsReadersOutIsAnErrorToo() throws {
        let fixture = try StoreFixture()
        try fixture.execute("CREATE TABLE mine (a)")
        let other = try Connection(path: fixture.path, mode: .existing)
        try other.execute("BEGIN EXCLUSIVE; INSERT INTO mine VALUES (1)")
        let error = try #require(throws: StoreError.self) { _ = try fixture.open() }
        #expect(error.code == .locked)
        try other.execute("COMMIT")
        #expect(try fixture.rows("SELECT a FROM mine") == [[.integer(1)]])
    }

    @Test func whatPeopleKeepBesideItStays() throws {
        let fixture = try StoreFixture()
        try fixture.execute("CREATE TABLE mine (a); INSERT INTO mine VALUES (1)")
        try fixture.insert(.items(), [[.integer(1), nil, nil]])
        #expect(try fixture.rows("SELECT a FROM mine") == [[.integer(1)]])
    }

    private func write(_ content: String, to path: String) throws {
        guard let file = unsafe fopen(path, "w") else { throw Missing(path: path) }
        defer { unsafe fclose(file) }
        _ = unsafe fputs(content, file)
    }
}

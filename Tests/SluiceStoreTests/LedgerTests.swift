import SluiceModel
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import Testing

@Suite("What is kept of conflicts, quarantine and runs")
struct LedgerTests {
    static func conflict(field: String? = "name", key: String = #"{"id":1}"#) -> ConflictEntry {
        ConflictEntry(
            pipeline: "p", stream: "s", entity: "Item", key: key, field: field, kind: "edit_edit", base: nil,
            local: "\"l\"", remote: "\"r\"", policy: "manual", status: .open, firstRun: 1, lastRun: 1)
    }

    static func quarantine(
        key: String? = #"{"id":1}"#, hash: Int64 = 5, reason: String = "type_mismatch", record: String = "{}"
    ) -> QuarantineEntry {
        QuarantineEntry(
            pipeline: "p", stream: "s", entity: "Item", key: key, recordHash: hash, reason: reason, pointer: "/x",
            value: "\"v\"", message: "m", record: Array(record.utf8), firstRun: 1, lastRun: 1)
    }

    /// Runs a body with a store whose ledgers are there, in a transaction.
    private func withStore(_ fixture: StoreFixture, _ body: (SQLiteRecordStore) throws -> Void) throws {
        let store = try fixture.open()
        try store.begin()
        try body(store)
        try store.commit()
    }

    /// Counts every write to a table from here on, whoever makes it.
    private func watch(_ table: String, _ fixture: StoreFixture) throws {
        try fixture.execute("CREATE TABLE log (entry TEXT)")
        for event in ["INSERT", "UPDATE", "DELETE"] {
            try fixture.execute(
                "CREATE TRIGGER watch_\(event) AFTER \(event) ON \(table) BEGIN INSERT INTO log VALUES ('\(event)'); END"
            )
        }
    }

    private func log(_ fixture: StoreFixture) throws -> [SQLiteValue] {
        try fixture.rows("SELECT entry FROM log ORDER BY rowid").map { $0[0] }
    }

    // MARK: Conflicts

    @Test func aConflictIsKeptAsItIs() throws {
        let fixture = try StoreFixture()
        var entry = Self.conflict()
        entry.base = "1"
        entry.seen = 3
        try withStore(fixture) { entry.id = try $0.conflicts.insert(entry) }
        try withStore(fixture) { store throws in
            #expect(
                try store.conflicts.open(of: RecordMapping(pipeline: "p", stream: "s", entity: "Item"), key: entry.key)
                    == [entry])
            #expect(try store.conflicts.list(includingClosed: false) == [entry])
            #expect(
                try store.conflicts.open(of: RecordMapping(pipeline: "q", stream: "s", entity: "Item"), key: entry.key)
                    == [])
            #expect(
                try store.conflicts.open(of: RecordMapping(pipeline: "p", stream: "t", entity: "Item"), key: entry.key)
                    == [])
            #expect(
                try store.conflicts.open(
                    of: RecordMapping(pipeline: "p", stream: "s", entity: "Item"), key: #"{"id":2}"#) == [])
        }
    }

    @Test(arguments: ["name", nil] as [String?])
    func oneOpenConflictOfAFieldIsEnough(_ field: String?) throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { store throws in
            _ = try store.conflicts.insert(Self.conflict(field: field))
            #expect(throws: StoreError.self) { _ = try store.conflicts.insert(Self.conflict(field: field)) }
            _ = try store.conflicts.insert(Self.conflict(field: "other"))
            _ = try store.conflicts.insert(Self.conflict(field: field, key: #"{"id":2}"#))
            #expect(try store.conflicts.list(includingClosed: true).count == 3)
        }
    }

    @Test(arguments: [ConflictStatus.auto, .resolved, .obsolete, .converged])
    func aClosedConflictMakesRoomForANewOne(_ status: ConflictStatus) throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { store throws in
            var first = Self.conflict()
            first.id = try store.conflicts.insert(first)
            (first.status, first.remote, first.seen, first.lastRun) = (status, "\"z\"", 2, 8)
            (first.resolution, first.who) = ("\"z\"", "somebody")
            try store.conflicts.update(first)
            #expect(try store.conflicts.list(includingClosed: false) == [])
            #expect(
                try store.conflicts.open(of: RecordMapping(pipeline: "p", stream: "s", entity: "Item"), key: first.key)
                    == [])
            #expect(try store.conflicts.list(includingClosed: true) == [first])
            var second = Self.conflict()
            second.id = try store.conflicts.insert(second)
            #expect(second.id != first.id)
            #expect(try store.conflicts.list(includingClosed: false) == [second])
            #expect(try store.conflicts.list(includingClosed: true) == [first, second])
        }
    }

    @Test func anUpdateChangesOneConflictAndWithoutAnIDNone() throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { store throws in
            for id in 1...2 { _ = try store.conflicts.insert(Self.conflict(key: "{\"id\":\(id)}")) }
        }
        try watch("_sluice_conflicts", fixture)
        try withStore(fixture) { store throws in
            var entry = try #require(try store.conflicts.list(includingClosed: false).first)
            entry.local = nil
            try store.conflicts.update(entry)
            entry.id = nil
            entry.local = "9"
            try store.conflicts.update(entry)
            #expect(try store.conflicts.list(includingClosed: false).map(\.local) == [nil, "\"l\""])
        }
        #expect(try log(fixture) == [SQLiteValue("UPDATE")])
    }

    // MARK: Quarantine

    @Test func aRecordIsKeptAsItIs() throws {
        let fixture = try StoreFixture()
        var entry = Self.quarantine()
        entry.record = [0x7B, 0xFF, 0x00, 0x7D]
        try withStore(fixture) { entry.id = try $0.quarantine.put(entry) }
        try withStore(fixture) { store throws in
            #expect(try store.quarantine.list(includingClosed: false) == [entry])
            let id = try #require(entry.id)
            #expect(try store.quarantine.entry(id: id) == entry)
            #expect(try store.quarantine.entry(id: 999) == nil)
        }
    }

    @Test(arguments: [#"{"id":1}"#, nil] as [String?])
    func theSameRecordAgainIsOneRowAndNoWrite(_ key: String?) throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { _ = try $0.quarantine.put(Self.quarantine(key: key)) }
        try watch("_sluice_quarantine", fixture)
        try withStore(fixture) { store throws in
            var again = Self.quarantine(key: key)
            (again.firstRun, again.lastRun) = (7, 7)
            #expect(try store.quarantine.put(again) == 1)
            #expect(try store.quarantine.list(includingClosed: true).map(\.lastRun) == [1])
        }
        #expect(try log(fixture) == [])
    }

    @Test func anotherContentBringsTheRowUpToDate() throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { _ = try $0.quarantine.put(Self.quarantine()) }
        try watch("_sluice_quarantine", fixture)
        try withStore(fixture) { store throws in
            var other = Self.quarantine(hash: 6, record: #"{"x":1}"#)
            (other.firstRun, other.lastRun, other.pointer, other.value) = (7, 7, "/y", nil)
            #expect(try store.quarantine.put(other) == 1)
            (other.id, other.firstRun) = (1, 1)
            #expect(try store.quarantine.list(includingClosed: true) == [other])
        }
        #expect(try log(fixture) == [SQLiteValue("UPDATE")])
    }

    @Test func anotherReasonKeyOrHashIsAnotherRow() throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { store throws in
            let ids = try [
                Self.quarantine(), Self.quarantine(reason: "missing"), Self.quarantine(key: #"{"id":2}"#),
                Self.quarantine(key: nil), Self.quarantine(key: nil, hash: 6), Self.quarantine(key: "5"),
            ].map { try store.quarantine.put($0) }
            #expect(Set(ids).count == 6)
            let open = try store.quarantine.openKeys(of: RecordMapping(pipeline: "p", stream: "s", entity: "Item"))
            #expect(Set(open.map(\.id)) == Set(ids))
            #expect(open.filter { $0.key == nil }.count == 2)
            #expect(
                try store.quarantine.openKeys(of: RecordMapping(pipeline: "p", stream: "t", entity: "Item")).isEmpty)
        }
    }

    @Test func aClosedEntryMakesRoomForANewOne() throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { store throws in
            let first = try store.quarantine.put(Self.quarantine())
            try store.quarantine.close(id: first, run: 4)
            #expect(try store.quarantine.list(includingClosed: false) == [])
            #expect(
                try store.quarantine.openKeys(of: RecordMapping(pipeline: "p", stream: "s", entity: "Item")).isEmpty)
            let closed = try #require(try store.quarantine.entry(id: first))
            #expect(!closed.isOpen && closed.lastRun == 4 && closed.firstRun == 1)
            let second = try store.quarantine.put(Self.quarantine())
            #expect(second != first)
            #expect(try store.quarantine.list(includingClosed: true).map(\.isOpen) == [false, true])
        }
    }

    // MARK: Runs

    @Test func runsAreKeptNewestFirst() throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { store throws in
            #expect(try store.runs.nextID() == 1)
            for (id, pipeline) in [(1, "a"), (2, "b"), (3, "a")] as [(Int64, String)] {
                #expect(try store.runs.nextID() == id)
                var run = RunEntry(
                    id: id, pipeline: pipeline, command: "run", status: "succeeded", startedAt: "2026-01-02T03:04:05Z")
                (run.finishedAt, run.inserted, run.updated, run.deleted) = ("2026-01-02T03:04:06Z", 1, 2, 3)
                (run.unchanged, run.keptLocal, run.conflicts, run.quarantined, run.error) = (4, 5, 6, 7, "e")
                try store.runs.record(run)
                #expect(try store.runs.list(pipeline: nil, limit: 1) == [run])
            }
            #expect(try store.runs.list(pipeline: nil, limit: 9).map(\.id) == [3, 2, 1])
            #expect(try store.runs.list(pipeline: "a", limit: 9).map(\.id) == [3, 1])
            #expect(try store.runs.list(pipeline: "a", limit: 1).map(\.id) == [3])
            #expect(try store.runs.list(pipeline: "c", limit: 9) == [])
            #expect(try store.runs.pipelines() == ["a", "b"])
        }
    }
}

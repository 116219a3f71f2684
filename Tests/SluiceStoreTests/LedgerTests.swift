import SluiceModel
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import Testing

@Suite("What ledgers of SQLite write")
struct LedgerTests {
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

    @Test func anUpdateChangesOneConflictAndWithoutAnIDNone() throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { store throws in
            for id in 1...2 { _ = try store.conflicts.insert(.sample(key: "{\"id\":\(id)}")) }
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

    @Test(arguments: [#"{"id":1}"#, nil] as [String?])
    func theSameRecordAgainIsOneRowAndNoWrite(_ key: String?) throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { _ = try $0.quarantine.put(.sample(key: key)) }
        try watch("_sluice_quarantine", fixture)
        try withStore(fixture) { store throws in
            var again = QuarantineEntry.sample(key: key)
            (again.firstRun, again.lastRun) = (7, 7)
            #expect(try store.quarantine.put(again) == 1)
            #expect(try store.quarantine.list(includingClosed: true).map(\.lastRun) == [1])
        }
        #expect(try log(fixture) == [])
    }

    @Test func anotherContentBringsTheRowUpToDate() throws {
        let fixture = try StoreFixture()
        try withStore(fixture) { _ = try $0.quarantine.put(.sample()) }
        try watch("_sluice_quarantine", fixture)
        try withStore(fixture) { store throws in
            var other = QuarantineEntry.sample(hash: 6, record: #"{"x":1}"#)
            (other.firstRun, other.lastRun, other.pointer, other.value) = (7, 7, "/y", nil)
            #expect(try store.quarantine.put(other) == 1)
            (other.id, other.firstRun) = (1, 1)
            #expect(try store.quarantine.list(includingClosed: true) == [other])
        }
        #expect(try log(fixture) == [SQLiteValue("UPDATE")])
    }
}

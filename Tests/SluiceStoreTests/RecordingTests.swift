import SluiceMerge
import SluiceModel
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import Testing

@Suite("What is written down of changes")
struct RecordingTests {
    static let schema = RecordSchema.items()

    /// Records what a body does as run 7.
    @discardableResult
    private func record(
        _ fixture: StoreFixture, _ schema: RecordSchema = schema, run: Int64 = 7,
        _ body: (SQLiteRecordStore, any RecordTable) throws -> Void
    ) throws -> [RecordedChange] {
        let store = try fixture.open()
        try store.begin()
        let (table, _) = try store.openTable(schema)
        store.startRecording(run: run, naming: Self.name)
        try body(store, table)
        try store.commit()
        return try store.changes.records(run: run, order: .oldestFirst, beyond: nil, limit: 100)
    }

    private static func name(_ key: RecordKey, _ schema: RecordSchema) -> String {
        if case .integer(let id)? = key.values.first { "{\"id\":\(id)}" } else { "?" }
    }

    private static func column(
        _ name: String, _ old: FieldValue, _ new: FieldValue, isField: Bool = true, _ fieldClass: FieldClass? = nil
    ) -> RecordedChange.Column {
        RecordedChange.Column(name: name, isField: isField, fieldClass: fieldClass?.rawValue, old: old, new: new)
    }

    /// A store with item 1, `a`, `n`, inserted by run 1.
    private func fixture(_ schema: RecordSchema = schema) throws -> StoreFixture {
        let fixture = try StoreFixture()
        try fixture.insert(schema, [[.integer(1), .text("a"), .text("n")]])
        return fixture
    }

    @Test func anUpdateKeepsBothValuesAndBothBases() throws {
        let fixture = try fixture()
        let base = Self.schema.base([.integer(1), .text("b"), .text("n")], run: 7)
        let changes = try record(fixture) { _, table in
            var write = RecordWrite(
                key: key(.integer(1)), row: .update(fields: [2, 1], values: [.text("n"), .text("b")]), base: base)
            write.kind = .merge
            write.classes = [.converged, .remoteUpdate]
            try table.write(write)
        }
        let change = try #require(changes.first)
        #expect(changes.count == 1)
        #expect(change.action == .update && change.kind == "merge" && change.run == 7)
        #expect(change.key == #"{"id":1}"#)
        #expect(change.mapping == RecordMapping(pipeline: "test", stream: "items", entity: "Item"))
        #expect(change.columns == [Self.column("code", .text("a"), .text("b"), .remoteUpdate)])
        #expect(change.row == nil)
        #expect(change.baseBefore?.lastRun == 1 && change.baseAfter?.lastRun == 7)
        #expect(change.baseBefore?.slots[1] == .value(.text("a")) && change.baseAfter?.slots[1] == .value(.text("b")))
        #expect(change.baseAfter?.rowHash == base.rowHash)
    }

    @Test func aDeleteKeepsTheWholeRow() throws {
        let fixture = try fixture()
        try fixture.execute(
            "ALTER TABLE items ADD COLUMN remark TEXT; ALTER TABLE items ADD COLUMN twice TEXT AS (code || code);"
                + "UPDATE items SET remark = 'mine'")
        var gone = Self.schema.base([.integer(1), .text("a"), .text("n")], state: .remoteTombstone, run: 7)
        gone.firstRun = 1
        let changes = try record(fixture) { _, table in
            try table.write(RecordWrite(key: key(.integer(1)), row: .delete, base: gone))
        }
        let row = RowImage([
            RowImage.Column(name: "id", value: .integer(1)), RowImage.Column(name: "code", value: .text("a")),
            RowImage.Column(name: "name", value: .text("n")), RowImage.Column(name: "remark", value: .text("mine")),
        ])
        #expect(changes.map(\.action) == [.delete] && changes.first?.row == row)
        #expect(changes.first?.baseBefore?.state == .live && changes.first?.baseAfter?.state == .remoteTombstone)
        // And it can be put back as it was.
        let before = try #require(changes.first?.baseBefore)
        let restored = try record(fixture, run: 8) { _, table in
            var write = RecordWrite(key: key(.integer(1)), row: .restore(row), base: nil)
            write.keptBase = .restore(before)
            try table.write(write)
        }
        #expect(
            try fixture.rows("SELECT * FROM items") == [
                [.integer(1), SQLiteValue("a"), SQLiteValue("n"), SQLiteValue("mine"), SQLiteValue("aa")]
            ])
        #expect(restored.map(\.action) == [.insert] && restored.first?.row == row)
        #expect(restored.first?.baseAfter == before)
    }

    @Test func anInsertNeedsNothing() throws {
        let fixture = try fixture()
        let base = Self.schema.base([.integer(3), .text("c"), .null], run: 7)
        var own = base
        own.firstRun = 7
        let changes = try record(fixture) { _, table in
            _ = try table.insert(
                Self.schema.batch([[.integer(2), .text("b"), .null]]), records: [0], run: 7)
            try table.write(
                RecordWrite(key: key(.integer(3)), row: .insert([.integer(3), .text("c"), .null]), base: own))
        }
        #expect(changes == [])
        try fixture.transaction(Self.schema) { table throws in
            #expect(try table.keys(firstWrittenBy: 7, after: nil, limit: 9) == [key(.integer(2)), key(.integer(3))])
            #expect(try table.keys(firstWrittenBy: 7, after: key(.integer(2)), limit: 9) == [key(.integer(3))])
            #expect(try table.keys(firstWrittenBy: 1, after: nil, limit: 9) == [key(.integer(1))])
        }
    }

    @Test func anEntityMayWantItsInsertsKept() throws {
        var schema = Self.schema
        schema.auditsInserts = true
        let changes = try record(try fixture(), schema) { _, table in
            _ = try table.insert(schema.batch([[.integer(2), .text("b"), .null]]), records: [0], run: 7)
        }
        #expect(changes.map(\.action) == [.insert])
        #expect(
            changes.first?.columns == [
                Self.column("id", .null, .integer(2)), Self.column("code", .null, .text("b")),
            ])
        #expect(changes.first?.baseBefore == nil && changes.first?.baseAfter?.firstRun == 7)
    }

    @Test func aRowThatWasThereBeforeItsBaseIsTold() throws {
        let fixture = try fixture()
        try fixture.execute("INSERT INTO items VALUES (2, 'x', 'y')")
        var base = Self.schema.base([.integer(2), .text("x"), .text("y")], run: 7)
        base.firstRun = 7
        let changes = try record(fixture) { _, table in
            try table.write(RecordWrite(key: key(.integer(2)), row: .none, base: base))
        }
        #expect(changes.map(\.action) == [.base])
        #expect(changes.first?.baseBefore == nil && changes.first?.baseAfter != nil)
    }

    @Test func whatATriggerChangesIsSeen() throws {
        let fixture = try fixture()
        try fixture.execute(
            """
            ALTER TABLE items ADD COLUMN edits INTEGER;
            CREATE TRIGGER count AFTER UPDATE OF code ON items
            BEGIN UPDATE items SET edits = coalesce(edits, 0) + 1 WHERE id = new.id; END
            """)
        let changes = try record(fixture) { _, table in
            try table.write(
                RecordWrite(key: key(.integer(1)), row: .update(fields: [1], values: [.text("b")]), base: nil))
        }
        #expect(
            changes.first?.columns == [
                Self.column("code", .text("a"), .text("b")),
                Self.column("edits", .null, .integer(1), isField: false),
            ])
    }

    @Test func nothingIsWrittenDownWhereNothingChangesOrNobodyRecords() throws {
        let fixture = try fixture()
        let changes = try record(fixture) { _, table in
            try table.write(
                RecordWrite(
                    key: key(.integer(1)), row: .update(fields: [1], values: [.text("a")]),
                    base: try table.baseRow(key(.integer(1)))))
        }
        #expect(changes == [])
        try fixture.transaction(Self.schema) { table throws in
            try table.write(
                RecordWrite(key: key(.integer(1)), row: .update(fields: [1], values: [.text("z")]), base: nil))
        }
        #expect(try fixture.rows("SELECT count(*) FROM _sluice_changes") == [[.integer(0)]])
    }

    @Test func valuesThatSwapAreToldOnceEach() throws {
        let schema = RecordSchema.items(unique: [["code"]])
        let fixture = try StoreFixture()
        try fixture.insert(
            schema,
            [[.integer(1), .text("a"), .null], [.integer(2), .text("b"), .null], [.integer(3), .text("c"), .null]])
        let changes = try record(fixture, schema) { _, table in
            for (id, code) in [(1, "b"), (2, "a"), (3, "a")] as [(Int64, String)] {
                try table.write(
                    RecordWrite(
                        key: key(.integer(id)), row: .update(fields: [1], values: [.text(code)]),
                        base: schema.base([.integer(id), .text(code), .null], run: 7)))
            }
            #expect(try table.finish().map(\.write.key) == [key(.integer(3))])
        }
        let told = changes.map { "\($0.key) \($0.columns.map { "\($0.old) \($0.new)" })" }
        #expect(told.count == 2)
        #expect(changes.flatMap(\.columns).allSatisfy { $0.old != .null && $0.new != .null }, "\(told)")
    }

    @Test func changesComeInEitherOrderAFewAtATime() throws {
        let fixture = try StoreFixture()
        try fixture.insert(Self.schema, (1...5).map { [.integer($0), .text("a"), .null] })
        try record(fixture) { _, table in
            for id in 1...5 as ClosedRange<Int64> {
                try table.write(
                    RecordWrite(
                        key: key(.integer(id)), row: .update(fields: [1, 2], values: [.text("b"), .text("c")]),
                        base: nil))
            }
        }
        let ledger = try fixture.open().changes
        for (order, expected) in [(ChangeOrder.oldestFirst, [1, 2, 3, 4, 5]), (.newestFirst, [5, 4, 3, 2, 1])] {
            var found: [String] = []
            var last: Int64?
            while true {
                let some = try ledger.records(run: 7, order: order, beyond: last, limit: 2)
                guard let newest = some.last else { break }
                #expect(some.allSatisfy { $0.columns.count == 2 })
                found += some.map(\.key)
                last = newest.id
            }
            #expect(found == expected.map { "{\"id\":\($0)}" })
        }
        #expect(try ledger.records(run: 6, order: .oldestFirst, beyond: nil, limit: 9) == [])
        let mapping = RecordMapping(pipeline: "test", stream: "items", entity: "Item")
        #expect(try ledger.records(mapping, key: #"{"id":3}"#).map(\.run) == [7])
    }

    @Test func aDamagedChangeIsAnErrorAndNoTrap() throws {
        let fixture = try fixture()
        try record(fixture) { _, table in
            try table.write(RecordWrite(key: key(.integer(1)), row: .delete, base: nil))
        }
        for damage in ["row = x'FFFF'", "old = x'01'", "new = x'FF'", "action = 'x'"] {
            let copy = try fixture.rows("SELECT row, old, new, action FROM _sluice_changes")
            try fixture.execute("UPDATE _sluice_changes SET \(damage)")
            let error = try #require(throws: StoreError.self) {
                _ = try fixture.open().changes.records(run: 7, order: .oldestFirst, beyond: nil, limit: 9)
            }
            #expect(error.code == .damaged, "\(damage)")
            let connection = try Connection(path: fixture.path, mode: .existing)
            try connection.run("UPDATE _sluice_changes SET row = ?1, old = ?2, new = ?3, action = ?4", copy[0])
        }
    }

    // MARK: Ledgers

    @Test func whatHappensToAConflictCanBeTakenBack() throws {
        let fixture = try fixture()
        func all() throws -> [[SQLiteValue]] { try fixture.rows("SELECT * FROM _sluice_conflicts ORDER BY id") }
        try record(fixture, run: 7) { store, _ in _ = try store.conflicts.insert(LedgerTests.conflict()) }
        let opened = try all()
        try record(fixture, run: 8) { store, _ in
            var entry = try #require(try store.conflicts.list(includingClosed: false).first)
            (entry.status, entry.resolution, entry.who, entry.lastRun) = (.resolved, "remote", "ada \"l\"", 8)
            try store.conflicts.update(entry)
            // A change that changes nothing.
            try store.conflicts.update(entry)
        }
        let closed = try all()
        let ledger = try fixture.open().changes
        let entries = try (7...8 as ClosedRange<Int64>).map {
            try ledger.entries(run: $0, order: .oldestFirst, beyond: nil, limit: 9)
        }
        #expect(entries.map { $0.map(\.action) } == [["opened"], ["closed"]])
        #expect(entries[1][0].subject == .conflict && entries[1][0].field == "name" && entries[1][0].entry == 1)

        func takeBack(_ change: RecordedEntry, run: Int64) throws -> Bool {
            var isDone = false
            try record(fixture, run: run) { store, _ in isDone = try store.conflicts.takeBack(change) }
            return isDone
        }
        #expect(try !takeBack(entries[0][0], run: 9), "it was resolved since")
        #expect(try all() == closed)
        #expect(try takeBack(entries[1][0], run: 10))
        #expect(try all() == opened)
        #expect(try takeBack(entries[0][0], run: 11))
        #expect(try all() == [])
        // And what was taken back can be taken back.
        for (run, expected) in [(11, opened), (10, closed)] as [(Int64, [[SQLiteValue]])] {
            let undone = try fixture.open().changes.entries(run: run, order: .newestFirst, beyond: nil, limit: 9)
            #expect(undone.map(\.action) == [run == 11 ? "withdrawn" : "reopened"])
            #expect(try takeBack(undone[0], run: run + 10))
            #expect(try all() == expected)
        }
    }

    @Test func aConflictIsNotOpenedAgainBesideItsSuccessor() throws {
        let fixture = try fixture()
        try record(fixture, run: 7) { store, _ in
            var entry = LedgerTests.conflict()
            entry.id = try store.conflicts.insert(entry)
            entry.status = .obsolete
            try store.conflicts.update(entry)
        }
        try record(fixture, run: 8) { store, _ in _ = try store.conflicts.insert(LedgerTests.conflict()) }
        try record(fixture, run: 9) { store, _ in
            let changes = try store.changes.entries(run: 7, order: .newestFirst, beyond: nil, limit: 9)
            for change in changes { #expect(try !store.conflicts.takeBack(change)) }
        }
    }

    @Test func whatHappensToTheQuarantineCanBeTakenBack() throws {
        let fixture = try fixture()
        func status() throws -> [SQLiteValue] {
            try fixture.rows("SELECT status FROM _sluice_quarantine").map { $0[0] }
        }
        try record(fixture, run: 7) { store, _ in _ = try store.quarantine.put(LedgerTests.quarantine()) }
        try record(fixture, run: 8) { store, _ in try store.quarantine.close(id: 1, run: 8) }
        for (run, expected) in [(8, "open"), (7, "closed"), (17, "open"), (18, "closed")] as [(Int64, String)] {
            try record(fixture, run: run + 10) { store, _ in
                let changes = try store.changes.entries(run: run, order: .newestFirst, beyond: nil, limit: 9)
                #expect(changes.count == 1)
                for change in changes { #expect(try store.quarantine.takeBack(change)) }
            }
            #expect(try status() == [SQLiteValue(expected)], "\(run)")
        }
    }
}

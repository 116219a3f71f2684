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
        _ name: String, _ old: FieldValue, _ new: FieldValue, isField: Bool = true
    ) -> RecordedChange.Column {
        RecordedChange.Column(name: name, isField: isField, fieldClass: nil, old: old, new: new)
    }

    /// A store with item 1, `a`, `n`, inserted by run 1.
    private func fixture(_ schema: RecordSchema = schema) throws -> StoreFixture {
        let fixture = try StoreFixture()
        try fixture.insert(schema, [[.integer(1), .text("a"), .text("n")]])
        return fixture
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
}

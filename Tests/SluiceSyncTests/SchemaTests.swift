import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import SluiceSync
import Testing

@Suite("The pipeline changes, and the store with it")
struct SchemaTests {
    @Test("The first run makes its table even without a record")
    func firstRun() throws {
        let shop = try Workshop()
        shop.unique = [["a", "b"]]
        let (report, _) = try shop.syncPlanned("[]")
        #expect(report.schemaChanges.map(\.kind) == [.createTable, .createIndex])
        #expect(report.schemaChanges.map(\.table) == ["items", "items"])
        #expect(
            report.schemaChanges.first?.sql
                == #"CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "a" TEXT, "b" TEXT) STRICT"#)
        let (again, _) = try shop.syncPlanned()
        #expect(again.schemaChanges == [])
        #expect(!again.hasChanges)
    }

    @Test("A new field adds its column and fills it; what was edited stays")
    func newField() throws {
        let shop = try Workshop()
        let json = #"[{"id":1,"a":"x","b":"y","c":"7"},{"id":2,"a":"p","b":"q"}]"#
        _ = try shop.syncPlanned(json)
        try shop.sql("UPDATE items SET a = 'mine' WHERE id = 1")
        shop.fields.insert(try field("c", .int), at: 1)
        let (report, recorder) = try shop.syncPlanned()
        #expect(report.schemaChanges.map(\.sql) == [#"ALTER TABLE "items" ADD COLUMN "c" INTEGER"#])
        #expect(report.summary.text == "update 1, unchanged 1")
        #expect(recorder.changes.count == 1)
        var items = try shop.rows("SELECT id, a, b, c FROM items ORDER BY id")
        #expect(items == ["1|'mine'|'y'|7", "2|'p'|'q'|NULL"])
        let (_, written) = try shop.quietRun()
        #expect(written == [])
        let (update, _) = try shop.syncPlanned(json.replacing("\"7\"", with: "8"))
        #expect(update.summary.text == "update 1, unchanged 1")
        items = try shop.rows("SELECT id, a, b, c FROM items ORDER BY id")
        #expect(items == ["1|'mine'|'y'|8", "2|'p'|'q'|NULL"])
    }

    @Test(
        "A new field is no change at the source of a row that was deleted here; what comes after is",
        arguments: [true, false])
    func newFieldOfADeletedRow(isThere: Bool) throws {
        let shop = try Workshop()
        let value = isThere ? #","c":7"# : ""
        let json = #"[{"id":1,"a":"x","b":"y"\#(value)},{"id":2,"a":"p","b":"q"}]"#
        _ = try shop.syncPlanned(json)
        try shop.sql("DELETE FROM items WHERE id = 1")
        #expect(try shop.syncPlanned().0.summary.text == "unchanged 2")
        shop.fields.insert(try field("c", .int), at: 1)
        // A scan that does not have the record knows nothing new of it.
        shop.rule = DeleteRule(mode: .ignore)
        #expect(try shop.syncPlanned(#"[{"id":2,"a":"p","b":"q"}]"#).0.summary.text == "unchanged 1")
        let (report, _) = try shop.syncPlanned(json)
        #expect(report.summary.text == "unchanged 2", "\(report.problems)")
        #expect(try shop.rows("SELECT id, c, a, b FROM items") == ["2|NULL|'p'|'q'"])
        #expect(try shop.quietRun().written == [])
        let changed = isThere ? json.replacing("7", with: "8") : json.replacing("\"y\"", with: "\"z\"")
        #expect(try shop.syncPlanned(changed).0.summary.text == "unchanged 1, conflict 1")
    }

    @Test("Fields in another order, and one that is left out and comes back")
    func reorderedAndDropped() throws {
        let shop = try Workshop()
        let json = #"[{"id":1,"a":"x","b":"y"}]"#
        _ = try shop.syncPlanned(json)
        shop.fields.reverse()
        let (_, written) = try shop.quietRun(renewing: true)
        #expect(written == [])
        let all = shop.fields
        shop.fields.removeAll { $0.name == "a" }
        let (without, _) = try shop.syncPlanned()
        #expect(without.summary.text == "unchanged 1")
        #expect(without.schemaChanges.map(\.kind) == [.leaveColumn])
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
        let items = try shop.items
        #expect(items == ["1|'x'|'y'"])
        shop.fields = all
        let (back, _) = try shop.syncPlanned()
        #expect(back.summary.text == "unchanged 1")
        let (_, still) = try shop.quietRun()
        #expect(still == [])
    }

    @Test("What the source said of a field that is left out is its base when it comes back")
    func droppedWithChanges() throws {
        let shop = try Workshop()
        func json(_ first: String, _ second: String, third: String = "") -> String {
            #"[{"id":1,"a":"\#(first)","b":"y"},{"id":2,"a":"\#(second)","b":"y"}\#(third)]"#
        }
        _ = try shop.syncPlanned(json("x1", "x2"))
        let all = shop.fields
        shop.fields.removeAll { $0.name == "a" }
        // Its rows change in the meantime, one comes, and nobody edits the column.
        _ = try shop.syncPlanned(json("x1", "x2"))
        let more = #",{"id":3,"a":"x3","b":"z"}"#
        #expect(
            try shop.syncPlanned(json("x1", "x2", third: more).replacing("\"y\"", with: "\"z\"")).0.summary.text
                == "insert 1, update 2")
        #expect(shop.sync(.plan).report.edits == EditCounts())
        shop.fields = all
        let (back, _) = try shop.syncPlanned(json("y1", "x2", third: more).replacing("\"y\"", with: "\"z\""))
        #expect(back.summary.text == "update 2, unchanged 1", "\(back.summary.text)")
        #expect(
            try shop.rows("SELECT id, a, b FROM items ORDER BY id") == ["1|'y1'|'z'", "2|'x2'|'z'", "3|'x3'|'z'"])
        #expect(shop.sync(.plan).report.edits == EditCounts())
        #expect(try shop.quietRun().written == [])
    }

    @Test("An edit of a field that was left out is told, and is in conflict with a change at the source")
    func droppedAndEdited() throws {
        let shop = try Workshop()
        let json = #"[{"id":1,"a":"x1","b":"y"},{"id":2,"a":"x2","b":"y"}]"#
        _ = try shop.syncPlanned(json)
        let all = shop.fields
        shop.fields.removeAll { $0.name == "a" }
        _ = try shop.syncPlanned(json)
        try shop.sql("UPDATE items SET a = 'mine'")
        #expect(shop.sync(.plan).report.edits?.values == 2)
        shop.adjustOptions = { $0.allowsDrops = true }
        shop.fields = all
        let (back, _) = try shop.syncPlanned(json.replacing("x1", with: "new"))
        #expect(back.summary.text == "unchanged 1, conflict 1", "\(back.summary.text)")
        #expect(try shop.rows("SELECT a FROM items ORDER BY id") == ["'mine'", "'mine'"])
        #expect(try shop.rows("SELECT base FROM _sluice_conflicts") == ["'\"x1\"'"])
    }

    @Test("Another type that its column can hold: values are compared anew, and settle")
    func otherType() throws {
        let shop = try Workshop(fields: [try field("id", .int), try field("n"), try field("j")])
        let long = #""{\"b\": [1, 2, 3, 4], \"a\": \"long enough for a digest\"}""#
        let json = "[{\"id\":1,\"n\":\"1.50\",\"j\":\(long)}]"
        _ = try shop.syncPlanned(json)
        shop.fields[1].type = .decimal
        let (decimal, _) = try shop.syncPlanned(json)
        #expect(decimal.summary.conflict == 0)
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
        let (report, _) = try shop.syncPlanned(json.replacing("1.50", with: "1.500"))
        #expect(report.summary.text == "unchanged 1")
    }

    @Test("A type that what is stored cannot take is refused by name, and nothing is written")
    func unfitType() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(#"[{"id":1,"a":"5"}]"#)
        try shop.sql("UPDATE items SET a = 'five'")
        let before = try shop.contents()
        shop.fields[1].type = .int
        let plan = shop.sync(.plan).report
        let run = shop.sync().report
        #expect(plan.status == .refused)
        #expect(run.status == .refused)
        #expect(run.problems.map(\.code) == ["schema_mismatch"])
        #expect(plan.problems == run.problems)
        let message = try #require(run.problems.first?.message)
        #expect(message.contains("`a`") && message.contains("`a_2: {from: a, type: int}`"), "\(message)")
        let after = try shop.contents()
        #expect(before == after)
        // What it says helps.
        shop.fields[1].type = .string
        shop.fields.append(try field("a_2", .int, from: "a"))
        #expect(try shop.syncPlanned().0.summary.text == "update 1")
        #expect(try shop.rows("SELECT a, a_2 FROM items") == ["'five'|5"])
        #expect(try shop.quietRun().written == [])
    }

    @Test("Another primary key is refused where rows would share it")
    func otherKey() throws {
        let shop = try Workshop()
        _ = try shop.syncPlanned(#"[{"id":1,"a":"5"},{"id":2,"a":"5"}]"#)
        let before = try shop.contents()
        shop.key = ["a"]
        let report = shop.sync().report
        #expect(report.status == .refused && report.problems.map(\.code) == ["schema_mismatch"])
        let message = report.problems.first?.message ?? ""
        #expect(message.contains(#"{"a":"5"} is that of {"id":1}, {"id":2}"#), "\(message)")
        #expect(try shop.contents() == before)
        // What it says helps.
        try shop.sql("DELETE FROM items WHERE id = 2")
        _ = try shop.syncPlanned(#"[{"id":1,"a":"5"}]"#)
        #expect(try shop.rows("SELECT a, id FROM items") == ["'5'|1"])
    }

    @Test(
        "A table that does not fit is refused with all that is wrong, and a view too",
        arguments: [
            "CREATE TABLE items (id INTEGER PRIMARY KEY, a INTEGER, b BLOB)",
            "CREATE TABLE items (id INTEGER, a TEXT, b TEXT)",
            "CREATE TABLE items (a TEXT, b TEXT)",
            "CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT NOT NULL)",
            "CREATE VIEW items AS SELECT 1 AS id, 'x' AS a, 'y' AS b",
        ])
    func unfitTable(_ statement: String) throws {
        let shop = try Workshop()
        try shop.sql("PRAGMA journal_mode = WAL; " + statement)
        try shop.put("[]")
        let before = shop.storeFiles()
        let plan = shop.sync(.plan).report
        #expect(plan.problems.map(\.code) == ["schema_mismatch"])
        #expect(shop.storeFiles() == before)
        #expect(shop.sync().report.problems.map(\.code) == ["schema_mismatch"])
    }

    @Test("A key by a unique index, and columns in other cases, are adopted")
    func adopted() throws {
        let shop = try Workshop()
        try shop.sql(
            "PRAGMA journal_mode = WAL; CREATE TABLE items (ID INTEGER UNIQUE, A VARCHAR(20), own TEXT DEFAULT 'o')")
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"y"}]"#)
        #expect(report.schemaChanges.map(\.kind) == [.adoptTable, .addColumn])
        let rows = try shop.rows("SELECT id, a, own, b FROM items")
        #expect(rows == ["1|'x'|'o'|'y'"])
        let (_, written) = try shop.quietRun()
        #expect(written == [])
    }

    @Test("A plan does not even change the journal mode of a database that is not ours")
    func planOfForeign() throws {
        let shop = try Workshop()
        try shop.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT)")
        try shop.put(#"[{"id":1,"a":"x","b":"y"}]"#)
        let before = shop.storeFiles()
        #expect(shop.sync(.plan).report.summary.text == "insert 1")
        #expect(shop.storeFiles() == before)
    }
}

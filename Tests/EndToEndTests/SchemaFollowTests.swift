import TestSupport
import Testing

/// Tables that follow a pipeline: what is unique, values that cannot pass, and taking it back.
@Suite struct SchemaFollowTests {
    private static func pipeline(_ value: String, unique: String = "", store: String = "sqlite:shop.db") -> String {
        """
        version: 1
        name: shop
        store: \(store)
        source: {base_url: "file:."}
        entities: {Item: {table: items, primary_key: id, \(unique)fields: {id: int, value: \(value), name: string}}}
        streams:
          - {name: items, entity: Item, path: items.json, delete_missing: {mode: hard, max_delete: 100%}}
        """
    }

    private static func document(_ values: [String]) -> String {
        let records = values.enumerated().map { #"{"id": \#($0 + 1), "value": \#($1), "name": "n\#($0 % 2)"}"# }
        return "[\(records.joined(separator: ","))]"
    }

    private static func scene(_ values: [String], _ text: String) throws -> Scene {
        let scene = try Scene(records: 1)
        try scene.write("shop.yaml", text)
        try scene.write("items.json", document(values))
        let first = try Program.run("run", "shop.yaml", in: scene.path)
        try #require(first.code == 0, "\(first.errors)")
        return scene
    }

    private static let indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'items' ORDER BY 1"

    // MARK: What is unique

    @Test("A group that comes gets an index, one that goes loses it, and what people made stays")
    func uniqueGroups() throws {
        let scene = try Self.scene(["1", "2"], Self.pipeline("int", unique: "unique: [[value]], "))
        try scene.execute("CREATE UNIQUE INDEX own ON items (name)")
        #expect(try scene.query(Self.indexes) == ["items_value_key", "own"])
        try scene.write("shop.yaml", Self.pipeline("int", unique: "unique: [[value, name]], "))
        let plan = try Program.run("plan", "shop.yaml", in: scene.path)
        #expect(
            plan.output.contains("- index on items, 2 rows  DROP INDEX \"items_value_key\""),
            "\(plan.output)\(plan.errors)")
        #expect(plan.output.contains("+ index on items"), "\(plan.output)")
        #expect(try scene.query(Self.indexes) == ["items_value_key", "own"])
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        #expect(try scene.query(Self.indexes) == ["items_value_name_key", "own"])
        try scene.write("shop.yaml", Self.pipeline("int"))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        #expect(try scene.query(Self.indexes) == ["own"])
        let again = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(!again.output.contains("index on"), "\(again.output)")
    }

    @Test("Duplicates stand in the way, and are listed with their keys")
    func duplicates() throws {
        let scene = try Self.scene(["1", "1", "2"], Self.pipeline("int"))
        try scene.write("shop.yaml", Self.pipeline("int", unique: "unique: [[value]], "))
        let words = #"have the same value, which `unique` of `Item` forbids: 1 in {"id":1}, {"id":2}. "#
        for command in ["plan", "run"] {
            let refused = try Program.run(command, "shop.yaml", in: scene.path)
            #expect(refused.code == 4 && refused.errors.contains(words), "\(refused.errors)")
        }
        let checked = try Program.run("validate", "shop.yaml", "--store", "sqlite:shop.db", in: scene.path)
        #expect((checked.output + checked.errors).contains(words), "\(checked.output)\(checked.errors)")
        #expect(try scene.query(Self.indexes).isEmpty)
    }

    @Test("undo takes an index away again, and brings one back")
    func undoOfIndexes() throws {
        let scene = try Self.scene(["1", "2"], Self.pipeline("int"))
        try scene.write("shop.yaml", Self.pipeline("int", unique: "unique: [[value]], "))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        try scene.write("shop.yaml", Self.pipeline("int"))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        #expect(try scene.query(Self.indexes).isEmpty)
        let back = try Program.run("undo", "3", "--store", "sqlite:shop.db", in: scene.path)
        #expect(back.code == 0 && back.errors.contains("put the file back"), "\(back.output)\(back.errors)")
        #expect(try scene.query(Self.indexes) == ["items_value_key"])
        #expect(try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path).code == 0)
        #expect(try scene.query(Self.indexes).isEmpty)
    }

    // MARK: Values that cannot pass

    @Test("Values that cannot pass go to the quarantine, and come back with the type")
    func quarantine() throws {
        let scene = try Self.scene([#""5""#, #""n/a""#, #""7""#], Self.pipeline("string"))
        try scene.execute("UPDATE items SET value = '007' WHERE id = 3")
        try scene.write("shop.yaml", Self.pipeline("int"))
        try scene.write("items.json", Self.document(["5", "null", "7"]))
        let refused = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(refused.code == 4 && refused.errors.contains("--allow-schema quarantine"), "\(refused.errors)")
        let plan = try Program.run("plan", "shop.yaml", "--allow-schema", "quarantine", in: scene.path)
        #expect(plan.output.contains("! values of items, 2 rows"), "\(plan.output)\(plan.errors)")
        #expect(try scene.query("SELECT count(*) FROM _sluice_quarantine") == ["0"])
        let run = try Program.run(
            "run", "shop.yaml", "--allow-schema", "quarantine", "--format", "json", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""change":"quarantine_values""#))
        let kept = "SELECT key, reason, value, status FROM _sluice_quarantine ORDER BY id"
        #expect(
            try scene.query(kept) == [
                #"{"id":2}|type_changed:value|"n/a"|open"#, #"{"id":3}|type_changed:value|"007"|open"#,
            ])
        #expect(try scene.query("SELECT id, quote(value) FROM items") == ["1|5", "2|NULL", "3|NULL"])
        // No run closes them.
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*) FROM _sluice_quarantine WHERE status = 'open'") == ["2"])
        let retry = try Program.run("quarantine", "retry", "1", "shop.yaml", in: scene.path)
        #expect((retry.output + retry.errors).contains("before its type changed"), "\(retry.output)\(retry.errors)")
        // Back in the type of before the values are back, but where the source said something else since.
        try scene.execute("UPDATE items SET value = 8 WHERE id = 2")
        try scene.write("shop.yaml", Self.pipeline("string"))
        try scene.write("items.json", Self.document([#""5""#, #""n/a""#, #""7""#]))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT id, quote(value) FROM items") == ["1|'5'", "2|'8'", "3|'007'"])
        #expect(try scene.query("SELECT key FROM _sluice_quarantine WHERE status = 'open'") == [])
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let before: String
        let after: String
        /// What the source says, and what it says at last.
        let values: [[String]]
        /// What the rows hold at last.
        let held: [String]
        var testDescription: String { "\(before) to \(after)" }
    }

    static let changes = [
        Change(
            before: "decimal", after: "int", values: [[#""1.10""#, #""3""#], [#""1.11""#, #""3""#]],
            held: ["1|1.11", "2|3"]),
        Change(
            before: "string", after: "date", values: [[#""n/a""#, #""2026-01-02""#], [#""soon""#, #""2026-01-02""#]],
            held: ["1|soon", "2|2026-01-02"]),
        Change(
            before: "{type: enum, values: [red, blue]}", after: "{type: enum, values: [blue]}",
            values: [[#""red""#, #""blue""#], [#""blue""#, #""blue""#]], held: ["1|blue", "2|blue"]),
    ]

    @Test(
        "What the source said last comes back with its value, so that its next change is taken", arguments: changes,
        [true, false])
    func basesComeBack(_ change: Change, _ isUndone: Bool) throws {
        let scene = try Self.scene(change.values[0], Self.pipeline(change.before))
        let before = try scene.query("SELECT id, value FROM items")
        try scene.write("shop.yaml", Self.pipeline(change.after))
        let run = try Program.run("run", "shop.yaml", "--allow-schema", "quarantine", in: scene.path)
        #expect(run.output.contains("! values of items, 1 row"), "\(run)")
        try scene.write("shop.yaml", Self.pipeline(change.before))
        let back =
            isUndone
            ? try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
            : try Program.run("run", "shop.yaml", in: scene.path)
        #expect(back.code == 0, "\(back)")
        #expect(try scene.query("SELECT id, value FROM items") == before)
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(edits.output.contains("Nothing was changed here"), "\(edits)")
        try scene.write("items.json", Self.document(change.values[1]))
        let next = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(next.code == 0 && !next.output.contains("conflict"), "\(next)")
        #expect(try scene.query("SELECT id, value FROM items") == change.held)
        #expect(try scene.query("SELECT count(*) FROM _sluice_schema WHERE kind = 'kept_base'") == ["0"])
    }

    // MARK: Taking it back

    @Test("undo of the run that changed a type takes the type back")
    func undoOfType() throws {
        let scene = try Self.scene(["5", "6"], Self.pipeline("int"))
        try scene.write("shop.yaml", Self.pipeline("string"))
        try scene.write("items.json", Self.document([#""5""#, #""60""#]))
        try scene.execute("UPDATE items SET name = 'mine' WHERE id = 1")
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT id, quote(value), name FROM items") == ["1|'5'|mine", "2|'60'|n1"])
        let undo = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
        #expect(undo.output.contains("~ column of items"), "\(undo.output)")
        #expect(try scene.query("SELECT id, quote(value), name FROM items") == ["1|5|mine", "2|6|n1"])
        #expect(try scene.query("SELECT type FROM pragma_table_info('items') WHERE name = 'value'") == ["INTEGER"])
        // The run of before goes on.
        try scene.write("shop.yaml", Self.pipeline("int"))
        try scene.write("items.json", Self.document(["5", "6"]))
        let again = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(again.output.contains("2 unchanged") || again.output.contains("1 kept"), "\(again.output)")
    }

    @Test("undo is refused where the type of before cannot hold what is there")
    func undoRefused() throws {
        let scene = try Self.scene(["5"], Self.pipeline("int"))
        try scene.write("shop.yaml", Self.pipeline("string"))
        try scene.write("items.json", Self.document([#""5""#]))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE items SET value = 'five'")
        let undo = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undo.code == 4, "\(undo.output)\(undo.errors)")
        #expect(
            undo.errors.contains("Run 2 changed the type of `value`, and that cannot be taken back")
                && undo.errors.contains(#""five" in {"id":1}"#), "\(undo.errors)")
        // What a run can do about it, undo cannot.
        let remedy = "Correct it in the table, and undo the run then."
        #expect(undo.errors.contains(remedy) && !undo.errors.contains("--allow-schema"), "\(undo.errors)")
        #expect(try scene.query("SELECT value FROM items") == ["five"])
    }
}

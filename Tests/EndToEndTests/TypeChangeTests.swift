import TestSupport
import Testing

/// A field that gets another type: its column takes it, with all that is stored.
@Suite struct TypeChangeTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let before: String
        let after: String
        /// What the source says of two records, as JSON.
        let values: [String]
        /// What the table holds of them then.
        let stored: [String]
        /// What a person writes into the second, as SQL, and what becomes of it.
        let edit: String
        let edited: String
        var testDescription: String { "\(before) to \(after)" }
    }

    static let changes = [
        Change(before: "int", after: "string", values: ["5", "6"], stored: ["'5'", "'6'"], edit: "7", edited: "'7'"),
        Change(
            before: "string", after: "int", values: [#""5""#, #""-6""#], stored: ["5", "-6"], edit: "'7'", edited: "7"),
        Change(
            before: "int", after: "decimal", values: ["5", "6"], stored: ["'5'", "'6'"], edit: "7", edited: "'7'"),
        Change(before: "int", after: "double", values: ["5", "6"], stored: ["5.0", "6.0"], edit: "7", edited: "7.0"),
        Change(before: "double", after: "int", values: ["5.0", "6"], stored: ["5", "6"], edit: "7.0", edited: "7"),
        Change(
            before: "decimal", after: "double", values: [#""12.50""#, "8"], stored: ["12.5", "8.0"], edit: "'9.25'",
            edited: "9.25"),
        Change(
            before: "double", after: "decimal", values: ["0.5", "8"], stored: ["'0.5'", "'8'"], edit: "9.25",
            edited: "'9.25'"),
        Change(
            before: "double", after: "decimal", values: ["8", "0.5"], stored: ["'8'", "'0.5'"], edit: "9.0",
            edited: "'9'"),
        Change(
            before: "double", after: "json", values: ["8", "0.5"], stored: ["'8'", "'0.5'"], edit: "9.0", edited: "'9'"),
        Change(
            before: "string", after: "double", values: [#""5""#, #""12.5""#], stored: ["5.0", "12.5"], edit: "'7'",
            edited: "7.0"),
        // The column stays; what it holds is written in another way.
        Change(
            before: "json", after: "string", values: [#""x""#, #""y""#], stored: ["'x'", "'y'"], edit: #"'"z"'"#,
            edited: "'z'"),
        Change(
            before: "string", after: "json", values: [#""x""#, #""y""#], stored: [#"'"x"'"#, #"'"y"'"#], edit: "'z'",
            edited: #"'"z"'"#),
    ]

    private static func pipeline(_ type: String, more: String = "") -> String {
        """
        version: 1
        name: shop
        store: sqlite:shop.db
        source: {base_url: "file:."}
        entities: {Item: {table: items, primary_key: id, fields: {id: int, value: \(type), name: string}}}
        streams:
          - {name: items, entity: Item, path: items.json, delete_missing: {mode: hard, max_delete: 100%}}
        \(more)
        """
    }

    private static func document(_ values: [String]) -> String {
        let records = values.enumerated().map { #"{"id": \#($0 + 1), "value": \#($1), "name": "n\#($0)"}"# }
        return "[\(records.joined(separator: ","))]"
    }

    private static func scene(_ type: String, _ values: [String]) throws -> Scene {
        let scene = try Scene(records: 1)
        try scene.write("shop.yaml", pipeline(type))
        try scene.write("items.json", document(values))
        let first = try Program.run("run", "shop.yaml", in: scene.path)
        try #require(first.code == 0, "\(first.errors)")
        return scene
    }

    private static let objects = "SELECT type, name, sql FROM sqlite_schema WHERE name LIKE 'own%' ORDER BY name"

    @Test("Rows, edits, indexes, triggers and views stay", arguments: changes)
    func converts(_ change: Change) throws {
        let scene = try Self.scene(change.before, change.values)
        for statement in [
            "CREATE INDEX own_index ON items (name, value)", "CREATE VIEW own_view AS SELECT id, value FROM items",
            "CREATE VIEW own_view2 AS SELECT id FROM own_view", "CREATE TABLE own_log (id INTEGER)",
            "CREATE TRIGGER own_trigger AFTER UPDATE ON items BEGIN INSERT INTO own_log VALUES (new.id); END",
        ] { try scene.execute(statement) }
        try scene.execute("UPDATE items SET value = \(change.edit) WHERE id = 2")
        try scene.execute("DELETE FROM own_log")
        let objects = try scene.query(Self.objects)
        try scene.write("shop.yaml", Self.pipeline(change.after))
        let plan = try Program.run("plan", "shop.yaml", in: scene.path)
        #expect(plan.output.contains("~ column of items, 2 values  \"value\" from "), "\(plan.output)\(plan.errors)")
        #expect(try scene.query("SELECT quote(value) FROM items WHERE id = 2") == [change.edit])
        let run = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(run.code == 0 && run.output.hasPrefix("Run 2 of shop: 2 unchanged"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT quote(value) FROM items ORDER BY id") == [change.stored[0], change.edited])
        #expect(try scene.query("SELECT value FROM own_view ORDER BY id").count == 2)
        #expect(try scene.query("SELECT count(*) FROM own_log") == ["0"])
        #expect(try scene.query(Self.objects) == objects)
        #expect(try scene.query("PRAGMA integrity_check") == ["ok"])
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(edits.output.contains("1 value"), "\(edits.output)")
        // The edit is one still: what the source changes meets it.
        try scene.write("items.json", Self.document(change.values.map { _ in change.values[0] }))
        let again = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(again.output.contains("1 in conflict"), "\(again.output)\(again.errors)")
        #expect(try scene.query("SELECT quote(value) FROM items ORDER BY id") == [change.stored[0], change.edited])
    }

    @Test("What would lose something is refused, with its values")
    func refused() throws {
        let scene = try Self.scene("string", [#""5""#, #""n/a""#, #""007""#])
        try scene.write("shop.yaml", Self.pipeline("int"))
        let run = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(run.code == 4 && run.errors.contains("shop.yaml:5: `value` of `Item` is now int"), "\(run.errors)")
        #expect(
            run.errors.contains(
                #"2 of the 3 values of the column `value` of `items`, which is string, cannot become one without loss: "n/a" in {"id":2}, "007" in {"id":3}."#
            ),
            "\(run.errors)")
        #expect(try scene.query("SELECT value FROM items ORDER BY id") == ["5", "n/a", "007"])
        try scene.execute("UPDATE items SET value = '7' WHERE id > 1")
        try scene.write("items.json", Self.document(["5", "7", "7"]))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT quote(value) FROM items ORDER BY id") == ["5", "7", "7"])
    }

    /// What two types hold in one kind of column.
    struct Misfit: Sendable, CustomTestStringConvertible {
        let before: String
        let after: String
        let values: [String]
        let words: String
        var testDescription: String { "\(before) to \(after)" }
    }

    static let misfits = [
        Misfit(before: "int", after: "bool", values: ["1", "5"], words: #"5 in {"id":2}"#),
        Misfit(
            before: "string", after: "{type: enum, values: [red]}", values: [#""red""#, #""blue""#],
            words: #""blue" in {"id":2}"#),
        Misfit(
            before: "string", after: "datetime", values: [#""2026-01-02T03:04:05Z""#, #""yesterday""#],
            words: #""yesterday" in {"id":2}"#),
        Misfit(before: "string", after: "uuid", values: [#""x""#], words: #""x" in {"id":1}"#),
    ]

    @Test("A column that can hold both types does not take what is none of the new one", arguments: misfits)
    func refusesMisfits(_ misfit: Misfit) throws {
        let scene = try Self.scene(misfit.before, misfit.values)
        let before = try scene.query("SELECT quote(value) FROM items ORDER BY id")
        try scene.write("shop.yaml", Self.pipeline(misfit.after))
        for command in ["plan", "run"] {
            let refused = try Program.run(command, "shop.yaml", in: scene.path)
            #expect(refused.code == 4 && refused.errors.contains(misfit.words), "\(refused.errors)")
        }
        #expect(try scene.query("SELECT quote(value) FROM items ORDER BY id") == before)
        // Back and forth without a change of the table nothing is news.
        try scene.write("shop.yaml", Self.pipeline(misfit.before))
        let again = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(again.code == 0 && again.output.contains("nothing changed"), "\(again.output)\(again.errors)")
    }

    @Test("Conflicts and history go on in the new type")
    func goesOn() throws {
        let scene = try Self.scene("int", ["5", "6"])
        try scene.write("items.json", Self.document(["50", "6"]))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE items SET value = 61 WHERE id = 2")
        try scene.write("items.json", Self.document(["50", "60"]))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).output.contains("1 in conflict"))
        try scene.write("shop.yaml", Self.pipeline("string"))
        let run = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.errors)")
        let undo = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
        #expect(try scene.query("SELECT quote(value) FROM items ORDER BY id") == ["'5'", "'61'"])
        let resolve = try Program.run(
            "conflicts", "resolve", "1", "--take", "remote", "--store", "sqlite:shop.db", in: scene.path)
        #expect(resolve.code == 0, "\(resolve.output)\(resolve.errors)")
        #expect(try scene.query("SELECT quote(value) FROM items ORDER BY id") == ["'5'", "'60'"])
    }

    @Test("A key takes its type as well")
    func key() throws {
        let scene = try Self.scene("int", ["5"])
        try scene.write("shop.yaml", Self.pipeline("int").replacing("id: int", with: "id: string"))
        let plan = try Program.run("plan", "shop.yaml", in: scene.path)
        #expect(plan.output.contains("~ identifier of items, 1 row"), "\(plan.output)\(plan.errors)")
        _ = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(try scene.query("SELECT DISTINCT typeof(id) FROM items") == ["text"])
    }
}

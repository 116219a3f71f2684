import TestSupport
import Testing

/// A run that changes identifiers and data at once, its undo, and the undo of that: each leads to the state before.
@Suite struct KeyUndoTests {
    private static func pipeline(item: String = "id", user: String = "id", part: String = "pid") -> String {
        """
        version: 1
        name: shop
        store: sqlite:shop.db
        source: {base_url: "file:."}
        entities:
          Item:
            primary_key: [\(item)]
            fields:
              id: int
              code: string
              note: string
              owner: {ref: User, from: owner}
              tags: {refs: Tag, from: "tags[*]"}
            children: {parts: {entity: Part, from: "parts[*]", key: [\(part)]}}
          Part:
            fields: {pid: int, sku: string, name: string}
            children: {lines: {entity: Line, from: "lines[*]", ordered: true}}
          Line: {fields: {text: string}}
          User: {primary_key: [\(user)], fields: {id: int, email: string, nick: string}}
          Tag: {primary_key: [id], fields: {id: int, name: string}}
        streams:
          - {name: items, entity: Item, path: items.json, delete_missing: {mode: hard, max_delete: 100%}}
        """
    }

    private static let first = """
        [{"id": 1, "code": "c1", "note": "n", "owner": {"id": 7, "email": "a@b", "nick": "k"},
          "tags": [{"id": 3, "name": "t"}],
          "parts": [{"pid": 1, "sku": "s1", "name": "x", "lines": [{"text": "a"}, {"text": "b"}]},
                    {"pid": 2, "sku": "s2", "name": "y", "lines": []}]},
         {"id": 2, "code": "c2", "note": "m", "owner": {"id": 8, "email": "c@d", "nick": "l"}, "tags": [],
          "parts": [{"pid": 3, "sku": "s3", "name": "z", "lines": [{"text": "q"}]}]}]
        """
    private static let second = """
        [{"id": 1, "code": "c1", "note": "n2", "owner": {"id": 9, "email": "e@f", "nick": "mm"},
          "tags": [{"id": 4, "name": "u"}],
          "parts": [{"pid": 1, "sku": "s1", "name": "x2", "lines": [{"text": "b"}, {"text": "a"}, {"text": "c"}]},
                    {"pid": 4, "sku": "s4", "name": "w", "lines": [{"text": "n"}]}]},
         {"id": 3, "code": "c3", "note": "new", "owner": {"id": 7, "email": "a@b", "nick": "k2"},
          "tags": [{"id": 3, "name": "t"}],
          "parts": [{"pid": 5, "sku": "s5", "name": "v", "lines": [{"text": "o"}]}]}]
        """

    private static let changes = [
        ("nothing", pipeline()), ("what is a stream's own", pipeline(item: "code")),
        ("what stands within records", pipeline(part: "sku")), ("what others refer to", pipeline(user: "email")),
        ("all at once", pipeline(item: "code", user: "email", part: "sku")),
    ]

    /// The rows of all tables of people, with the names of their columns.
    private func rows(_ scene: Scene) throws -> [String] {
        try scene.query(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_sluice*' ORDER BY name"
        ).flatMap { table in
            let columns = try scene.query("SELECT name FROM pragma_table_info('\(table)') ORDER BY name")
            let list = columns.map { "'\($0)=' || quote(\"\($0)\")" }.joined(separator: ", ")
            return try scene.query("SELECT \(list) FROM \"\(table)\"").map { "\(table) \($0)" }.sorted()
        }
    }

    @Test("Undo and redo of a run that changes identifiers", arguments: changes.indices)
    func redo(_ index: Int) throws {
        let scene = try Scene(records: 1)
        try scene.write("shop.yaml", Self.pipeline())
        try scene.write("items.json", Self.first)
        func sluice(_ arguments: String...) throws {
            let result = try Program.start(arguments, in: scene.path).wait()
            #expect(result.code == 0, "\(arguments) \(result.output)\(result.errors)")
        }
        try sluice("run", "shop.yaml")
        let before = try rows(scene)
        try scene.write("items.json", Self.second)
        try scene.write("shop.yaml", Self.changes[index].1)
        try sluice("run", "shop.yaml")
        let after = try rows(scene)
        #expect(before != after)
        for (run, expected) in [("2", before), ("3", after), ("4", before), ("5", after)] {
            try sluice("undo", run, "--store", "sqlite:shop.db")
            #expect(try rows(scene) == expected, "undo of run \(run)")
        }
        // Nothing is left to do, and nobody edited anything.
        try sluice("run", "shop.yaml")
        #expect(try rows(scene) == after)
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(!edits.output.contains("Item") && !edits.output.contains("Part"), "\(edits.output)")
        #expect(try scene.query("PRAGMA foreign_key_check") == [])
    }

    /// What the new run inserts has no position, by which the run before told elements apart.
    @Test("Undo and redo of a run that gives the elements of a list a key of their own")
    func redoOfLists() throws {
        let scene = try Scene(records: 1)
        func pipeline(_ list: String) -> String {
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Item: {primary_key: [id], fields: {id: int}, children: {lines: {entity: Line, from: "lines[*]", \(list)}}}
              Line: {fields: {text: string}}
            streams: [{name: items, entity: Item, path: items.json}]
            """
        }
        func sluice(_ arguments: String...) throws {
            let result = try Program.start(arguments, in: scene.path).wait()
            #expect(result.code == 0, "\(arguments) \(result.output)\(result.errors)")
        }
        func lines() throws -> [String] { try scene.query("SELECT text FROM line ORDER BY text") }
        try scene.write("shop.yaml", pipeline("ordered: true"))
        try scene.write("items.json", #"[{"id":1,"lines":[{"text":"a"},{"text":"b"}]}]"#)
        try sluice("run", "shop.yaml")
        try scene.write("shop.yaml", pipeline("key: [text]"))
        try scene.write("items.json", #"[{"id":1,"lines":[{"text":"a"},{"text":"c"}]}]"#)
        try sluice("run", "shop.yaml")
        #expect(try lines() == ["a", "c"])
        for (run, expected) in [("2", ["a", "b"]), ("3", ["a", "c"]), ("4", ["a", "b"]), ("5", ["a", "c"])] {
            try sluice("undo", run, "--store", "sqlite:shop.db")
            #expect(try lines() == expected, "undo of run \(run)")
        }
        try sluice("run", "shop.yaml")
        #expect(try lines() == ["a", "c"])
    }

    /// What comes between a run that opens conflicts and its undo.
    private static let meanwhile = [
        ("another identifier", pipeline(item: "code")), ("other identifiers", pipeline(item: "code", part: "sku")),
        (
            "another name",
            pipeline().replacing("  Item:", with: "  Thing:\n    renamed_from: Item")
                .replacing("entity: Item", with: "entity: Thing")
        ),
        ("another type", pipeline().replacing("pid: int, sku: string, name", with: "pid: int, sku: json, name")),
    ]

    @Test(
        "Conflicts that a run opened are withdrawn by its undo, whatever names their records have since",
        arguments: meanwhile.indices)
    func conflicts(_ index: Int) throws {
        let scene = try Scene(records: 1)
        try scene.write("shop.yaml", Self.pipeline())
        try scene.write("items.json", Self.first)
        func sluice(_ arguments: String...) throws -> String {
            let result = try Program.start(arguments, in: scene.path).wait()
            #expect(result.code == 0, "\(arguments) \(result.output)\(result.errors)")
            return result.output + result.errors
        }
        _ = try sluice("run", "shop.yaml")
        try scene.execute("DELETE FROM line WHERE part_pid = 3; DELETE FROM part WHERE pid = 3")
        try scene.execute("UPDATE item SET note = 'ours' WHERE id = 1")
        try scene.write(
            "items.json",
            Self.first.replacing(#""name": "z""#, with: #""name": "zz""#).replacing(
                #""note": "n""#, with: #""note": "theirs""#))
        let run = try sluice("run", "shop.yaml")
        #expect(run.contains("conflict"), "\(run)")
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["2"])
        try scene.write("shop.yaml", Self.meanwhile[index].1)
        _ = try sluice("run", "shop.yaml")
        let undo = try sluice("undo", "2", "--store", "sqlite:shop.db")
        #expect(!undo.contains("changed since"), "\(undo)")
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["0"])
    }
}

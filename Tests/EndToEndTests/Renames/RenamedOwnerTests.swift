import Foundation
import SluicePostgres
import TestSupport
import Testing

/// An entity with children that is renamed without saying so: the refusal names both ways out, and both work.
@Suite struct RenamedOwnerTests {
    private static func pipeline(_ entity: String, _ table: String, key: String = "", lines: String = "lines") -> String
    {
        """
        version: 1
        name: shop
        source: {base_url: "file:."}
        entities:
          Line: {table: \(lines), fields: {no: int, text: string}}
          \(entity):
            table: \(table)
            primary_key: [id]\(key)
            fields: {id: int, title: string}
            children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
        streams:
          - {name: things, entity: \(entity), path: things.json}
        """
    }

    /// What a store holds, whatever kind it is.
    private struct Store {
        let address: String
        let execute: (String) throws -> Void
        let rows: (String) throws -> [String]
    }

    private static func with(_ kind: String, _ body: (Scene, Store) throws -> Void) throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "things.json",
            #"[{"id": 1, "title": "a", "lines": [{"no": 1, "text": "x"}]}, {"id": 2, "title": "b", "lines": [{"no": 1, "text": "y"}]}]"#
        )
        if kind == "sqlite" {
            return try body(
                scene,
                Store(address: "sqlite:shop.db", execute: { try scene.execute($0) }, rows: { try scene.query($0) }))
        }
        let schema = try StoreSchema()
        let store = Store(address: schema.store) {
            try schema.connection.execute($0)
        } rows: {
            try schema.connection.run($0).values.map { row in
                guard case .text(let bytes)? = row.first else { return "" }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
        try withExtendedLifetime(schema) { try body(scene, store) }
    }

    @Test(
        arguments: ["sqlite", "postgres"],
        [
            // The table of the entity keeps its name, or gets one of its own.
            ("things", "renamed_from", ""), ("things", "start anew", ""), ("items", "start anew", ""),
            // Nobody changed anything of the children.
            ("things", "start anew", "unedited"),
        ])
    func bothWaysWork(kind: String, way: (table: String, name: String, edits: String)) throws {
        try Self.with(kind) { scene, store in
            func run(_ more: String...) throws -> Program.Result {
                try Program.start(["run", "shop.yaml", "--store", store.address] + more, in: scene.path).wait()
            }
            func text(_ sql: String) throws -> [String] { try store.rows(sql) }
            try scene.write("shop.yaml", Self.pipeline("Thing", "things"))
            #expect(try run().code == 0)
            if way.edits.isEmpty { try store.execute("UPDATE lines SET text = 'mine' WHERE thing_id = 1") }
            try scene.write("shop.yaml", Self.pipeline("Item", way.table))
            let refused = try run()
            #expect(refused.code == 4, "\(refused)")
            let ways = [
                "give the field, or the entity whose identifier it repeats, `renamed_from`", "another `table:`",
                "--allow-schema drop",
            ]
            for words in ways {
                #expect(refused.output.contains(words), "\(refused.output)")
            }
            #expect(!refused.output.contains("Run once with `item_id`"), "\(refused.output)")
            let mine = way.edits.isEmpty ? "mine" : "x"
            if way.name == "renamed_from" {
                try scene.write("shop.yaml", Self.pipeline("Item", way.table, key: "\n    renamed_from: Thing"))
                let result = try run()
                #expect(result.code == 0, "\(result)")
                #expect(try text("SELECT text FROM lines ORDER BY item_id") == [mine, "y"])
            } else {
                try scene.write("shop.yaml", Self.pipeline("Item", way.table, lines: "item_lines"))
                #expect(try run().code == 4)
                let result = try run("--allow-schema", "drop")
                #expect(result.code == 0, "\(result)")
                // The rows of before stay, with what people changed in them.
                #expect(try text("SELECT text FROM lines ORDER BY thing_id") == [mine, "y"])
                #expect(try text("SELECT text FROM item_lines ORDER BY item_id") == ["x", "y"])
                #expect(try text("SELECT title FROM \(way.table) ORDER BY id") == ["a", "b"])
            }
            let quiet = try run()
            #expect(quiet.code == 0 && quiet.output.contains("nothing changed"), "\(quiet)")
            let check = try Program.run("store", "check", "--store", store.address, in: scene.path)
            #expect(check.code == 0, "\(check)")
        }
    }
}

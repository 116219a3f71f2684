import Foundation
import TestSupport
import Testing

/// What a source says of deletions in a stream of its own, where it says it again.
@Suite struct StatementTests {
    private static func scene() throws -> Scene {
        let scene = try Scene(records: 1)
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            merge: {precedence: [items, gone]}
            source: {base_url: "file:."}
            entities: {Item: {table: items, primary_key: id, fields: {id: int, name: string, at: int}}}
            streams:
              - name: items
                entity: Item
                path: items.json
                incremental: {cursor_field: at, client_side: true}
              - {name: gone, entity: Item, path: gone.json, deleted_when: .deleted}
            """)
        return scene
    }

    private static func run(_ scene: Scene, items: String, gone: String) throws -> Program.Result {
        try scene.write("items.json", "[\(items)]")
        try scene.write("gone.json", "[\(gone)]")
        return try Program.run("run", "shop.yaml", in: scene.path)
    }

    private static let one = #"{"id":1,"name":"one","at":1}"#
    private static let two = #"{"id":2,"name":"two","at":3}"#

    @Test("A second deletion of a record is another statement", arguments: [nil, "edited"])
    func again(edit: String?) throws {
        let scene = try Self.scene()
        _ = try Self.run(scene, items: Self.one, gone: #"{"id":2,"deleted":true,"at":2}"#)
        _ = try Self.run(scene, items: Self.one + "," + Self.two, gone: #"{"id":2,"deleted":true,"at":2}"#)
        #expect(try scene.query("SELECT id FROM items ORDER BY id") == ["1", "2"])
        if let edit { try scene.execute("UPDATE items SET name = '\(edit)' WHERE id = 2") }
        let run = try Self.run(scene, items: Self.one, gone: #"{"id":2,"deleted":true,"at":4}"#)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id FROM items ORDER BY id") == (edit == nil ? ["1"] : ["1", "2"]))
        #expect(run.output.contains(edit == nil ? "1 deleted" : "gone from the source"), "\(run.output)")
        let quiet = try Self.run(scene, items: Self.one, gone: #"{"id":2,"deleted":true,"at":4}"#)
        #expect(!quiet.output.contains("deleted"), "\(quiet.output)")
    }

    @Test(
        "A limit of deletes counts what no other stream of the run states",
        arguments: ["list, told", "told, list"], ["true", ".gone == true"])
    func limited(precedence: String, condition: String) throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            merge: {precedence: [\(precedence)]}
            source: {base_url: "file:."}
            entities: {Item: {table: items, primary_key: id, fields: {id: int, name: string}}}
            streams:
              - {name: list, entity: Item, path: items.json, delete_missing: {mode: hard, max_delete: 1}}
              - {name: told, entity: Item, path: gone.json, deleted_when: "\(condition)"}
            """)
        func list(_ ids: ClosedRange<Int>) -> String {
            ids.map { #"{"id":\#($0),"name":"name \#($0)"}"# }.joined(separator: ",")
        }
        _ = try Self.run(scene, items: list(1...7), gone: "")
        // Two are stated, one is missing besides: as many as the limit allows.
        let gone = #"{"id":6,"gone":true},{"id":7,"gone":true}"#
        let run = try Self.run(scene, items: list(1...4), gone: gone)
        #expect(run.code == 0 && run.output.contains(": 3 deleted"), "\(run.output)\(run.errors)")
        #expect(!run.errors.contains("max_delete"), "\(run.errors)")
        #expect(try scene.query("SELECT count(*) FROM items") == ["4"])
        // Of what is missing now one was stated and two were not.
        let refused = try Self.run(scene, items: list(1...1), gone: #"{"id":4,"gone":true}"#)
        #expect(refused.code == 4 && refused.errors.contains("2 records of `list` are gone"), "\(refused.errors)")
        #expect(try scene.query("SELECT id FROM items ORDER BY id") == ["1", "2", "3"])
    }

    /// Two streams over one table, of which the second says `gone` of a record.
    private static func shared(_ precedence: String, _ fields: String, list: String, told: String) throws -> Scene {
        let scene = try Scene(records: 1)
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            merge: {precedence: [\(precedence)]}
            source: {base_url: "file:."}
            entities: {Item: {table: items, primary_key: id, fields: {id: int, \(fields)}}}
            streams:
              - {name: list, entity: Item, path: items.json, \(list)}
              - {name: told, entity: Item, path: gone.json, deleted_when: .gone == true, \(told)}
            """)
        return scene
    }

    private static let orders = ["list, told", "told, list"]
    private static let all = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"

    @Test(
        "What a stream said before it stated a deletion is nothing of a row that another one makes anew",
        arguments: orders)
    func madeAnew(order: String) throws {
        let scene = try Self.shared(order, "v: string, p: int", list: Self.all, told: Self.all)
        let other = #"{"id":1,"v":"k"}"#
        _ = try Self.run(scene, items: other, gone: #"{"id":6,"v":"told","p":2}"#)
        _ = try Self.run(scene, items: other, gone: #"{"id":6,"gone":true}"#)
        #expect(try scene.query("SELECT id FROM items") == ["1"])
        let back = try Self.run(scene, items: other + #",{"id":6,"v":"new"}"#, gone: #"{"id":6,"gone":true}"#)
        #expect(back.output.contains("1 inserted"), "\(back.output)")
        let edits = try Program.run("edits", "shop.yaml", in: scene.path)
        #expect(!edits.output.contains("Item 6"), "\(edits.output)")
        let inspected = try Program.run("inspect", "record", "Item", "6", "shop.yaml", in: scene.path)
        #expect(!inspected.output.contains("edited"), "\(inspected.output)")
        let gone = try Self.run(scene, items: other, gone: #"{"id":6,"gone":true}"#)
        #expect(gone.output.contains(": 1 deleted"), "\(gone.output)")
        #expect(try scene.query("SELECT id FROM items") == ["1"])
    }

    @Test("A stream that no longer lists a record which another one brings back has not lost a row", arguments: orders)
    func broughtBack(order: String) throws {
        let scene = try Self.shared(order, "v: string", list: "delete_missing: {mode: hard, max_delete: 10%}", told: "")
        let one = #"{"id":6,"v":"x"}"#
        _ = try Self.run(scene, items: one + #",{"id":5,"v":"x"}"#, gone: "")
        _ = try Self.run(scene, items: one + #",{"id":5,"v":"x"}"#, gone: #"{"id":5,"v":"x","gone":true}"#)
        #expect(try scene.query("SELECT id FROM items") == ["6"])
        for _ in 1...2 {
            let back = try Self.run(scene, items: one, gone: #"{"id":5,"v":"new"}"#)
            #expect(back.code == 0, "\(back.output)\(back.errors)")
            #expect(try scene.query("SELECT id || v FROM items ORDER BY id") == ["5new", "6x"])
        }
        let gone = try Self.run(scene, items: one, gone: #"{"id":5,"gone":true}"#)
        #expect(gone.code == 0 && gone.output.contains(": 1 deleted"), "\(gone.output)\(gone.errors)")
    }

    @Test("The undo of a run that stated a deletion leaves what later runs made of the record", arguments: orders)
    func undoOfStatement(order: String) throws {
        // The stream that stated it lists it later.
        let scene = try Self.shared(order, "v: string", list: Self.all, told: "")
        let one = #"{"id":1,"v":"x"}"#
        _ = try Self.run(scene, items: one, gone: #"{"id":4,"gone":true}"#)
        let two = #"{"id":1,"v":"y"}"#
        _ = try Self.run(scene, items: two, gone: #"{"id":4,"v":"new"}"#)
        #expect(try scene.query("SELECT id FROM items ORDER BY id") == ["1", "4"])
        let undo = try Program.run("undo", "1", "shop.yaml", in: scene.path)
        // Row 1 was changed since, and is left.
        #expect(undo.code == 1 && undo.output.contains("1 stays"), "\(undo.output)\(undo.errors)")
        let edits = try Program.run("edits", "shop.yaml", in: scene.path)
        #expect(edits.output.contains("Nothing was changed here"), "\(edits.output)")
        let again = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(again.output.contains("nothing changed"), "\(again.output)")
        let full = try Program.run("run", "shop.yaml", "--full", in: scene.path)
        #expect(full.output.contains("nothing changed"), "\(full.output)")
        let gone = try Self.run(scene, items: two, gone: #"{"id":4,"gone":true}"#)
        #expect(gone.code == 0 && gone.output.contains(": 1 deleted"), "\(gone.output)\(gone.errors)")
    }

    @Test("A statement is remembered for a pipeline that runs after it", arguments: ["gone items", "items gone"])
    func companions(order: String) throws {
        let scene = try Scene(records: 1)
        for (name, keys) in [("gone", "deleted_when: .deleted"), ("items", "delete_missing: hard")] {
            try scene.write(
                "\(name).yaml",
                """
                version: 1
                name: \(name)
                store: sqlite:shop.db
                source: {base_url: "file:."}
                entities: {Item: {table: items, primary_key: id, fields: {id: int, name: string}}}
                streams: [{name: \(name), entity: Item, path: \(name).json, \(keys)}]
                """)
        }
        try scene.write("gone.json", #"[{"id":2,"deleted":true}]"#)
        try scene.write("items.json", #"[{"id":1,"name":"one"},{"id":2,"name":"two"}]"#)
        var rows: [[String]] = []
        for _ in 1...3 {
            let names = order.split(separator: " ").map { "\($0).yaml" }
            let run = try Program.run("run", names[0], names[1], in: scene.path)
            #expect(run.code == 0, "\(run.errors)")
            rows.append(try scene.query("SELECT id FROM items ORDER BY id"))
        }
        // Read later, it holds for what was listed before.
        #expect(rows == Array(repeating: order == "gone items" ? ["1", "2"] : ["1"], count: 3))
    }

    @Test(
        "A record that is listed with something new and stated as deleted in one run is a warning", arguments: [0, 3])
    func gainsaid(strict: Int32) throws {
        let scene = try Self.scene()
        _ = try Self.run(scene, items: Self.one + "," + Self.two, gone: "")
        try scene.write("items.json", "[\(Self.one),\(#"{"id":2,"name":"anew","at":5}"#)]")
        try scene.write("gone.json", #"[{"id":2,"deleted":true,"at":4}]"#)
        let run = try Program.run("run", "shop.yaml", strict == 3 ? "--strict" : "--no-progress", in: scene.path)
        #expect(run.code == strict, "\(run.output)\(run.errors)")
        #expect(run.errors.contains("1 record of `Item` is listed with something new and stated as deleted in one run"))
        #expect(try scene.query("SELECT id FROM items ORDER BY id") == ["1"])
    }

    @Test("The same statement again deletes nothing that came since")
    func same() throws {
        let scene = try Self.scene()
        _ = try Self.run(scene, items: Self.one, gone: #"{"id":2,"deleted":true,"at":2}"#)
        for _ in 1...2 {
            _ = try Self.run(scene, items: Self.one + "," + Self.two, gone: #"{"id":2,"deleted":true,"at":2}"#)
            #expect(try scene.query("SELECT id FROM items ORDER BY id") == ["1", "2"])
        }
    }

    @Test(
        "Records that pass to another source name those that have them",
        arguments: ["max_delete: 0", "min_records: 1", ""])
    func holders(guardRule: String) throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            merge: {precedence: [crm, bill, other, gone]}
            source: {base_url: "file:."}
            entities: {Item: {table: items, primary_key: id, fields: {id: int, name: string}}}
            streams:
              - {name: crm, entity: Item, path: crm.json, delete_missing: {mode: hard, \(guardRule.isEmpty ? "max_delete: 100%, min_records: 0" : guardRule)}}
              - {name: bill, entity: Item, path: bill.json}
              - {name: other, entity: Item, path: other.json}
              - {name: gone, entity: Item, path: gone.json, deleted_when: "true"}
            """)
        let files = ["crm": Self.one, "bill": Self.one, "other": Self.two, "gone": #"{"id":7}"#]
        for (name, text) in files { try scene.write("\(name).json", "[\(text)]") }
        _ = try Program.run("run", "shop.yaml", in: scene.path)
        try scene.write("crm.json", "[]")
        let run = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(run.code == (guardRule.isEmpty ? 0 : 4), "\(run.output)\(run.errors)")
        let told = guardRule.isEmpty ? "another source still has it" : "would pass to another source of the table"
        #expect((run.output + run.errors).contains("\(told) (`shop/bill`)"), "\(run.output)\(run.errors)")
    }

    @Test(
        "A stream that says nothing of missing records marks rows as the others of its table do, unless it deletes itself",
        arguments: [("", true), (", delete_missing: {mode: report}", true), (", delete_missing: {mode: hard}", false)])
    func mark(rule: String, isMarked: Bool) throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            merge: {precedence: [items, gone]}
            source: {base_url: "file:."}
            entities: {Item: {table: items, primary_key: id, fields: {id: int, name: string}}}
            streams:
              - {name: items, entity: Item, path: items.json, delete_missing: {mode: soft, max_delete: 100%, min_records: 0}}
              - {name: gone, entity: Item, path: gone.json, deleted_when: "true"\(rule)}
            """)
        try scene.write("items.json", "[\(Self.one),\(Self.two)]")
        try scene.write("gone.json", "[]")
        _ = try Program.run("run", "shop.yaml", in: scene.path)
        try scene.write("gone.json", #"[{"id": 2}]"#)
        let run = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(run.code == 0, "\(run)")
        let rows = try scene.query(
            "SELECT id || coalesce(' marked by run ' || _deleted_by_run, '') FROM items ORDER BY id")
        #expect(rows == (isMarked ? ["1", "2 marked by run 2"] : ["1"]))
    }
}

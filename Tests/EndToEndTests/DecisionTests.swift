import Foundation
import TestSupport
import Testing

/// What a decision says that it does, what it did, and what the store tells of it later.
@Suite struct DecisionTests {
    @Test("Where deletes only mark rows, a decision says so, and counts as a delete")
    func marked() throws {
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - name: books
                entity: Book
                path: books.json
                delete_missing: {mode: soft, max_delete: 100%}
            """)
        try scene.write("books.json", #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]"#)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE books SET title = 'mine' WHERE id = 2")
        try scene.write("books.json", #"[{"id": 1, "title": "one"}]"#)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let store = ["--store", "sqlite:shop.db"]
        let shown = try Program.start(["conflicts", "show", "1"] + store, in: scene.path).wait()
        #expect(shown.output.contains("--take remote  marks the row as deleted"), "\(shown.output)\(shown.errors)")
        let resolved = try Program.start(
            ["conflicts", "resolve", "1", "--take", "remote"] + store, in: scene.path
        ).wait()
        #expect(resolved.output.contains("resolved: the row is marked as deleted"), "\(resolved.output)")
        #expect(
            try scene.query("SELECT title, _deleted_at IS NOT NULL, _deleted_by_run FROM books WHERE id = 2")
                == ["mine|1|3"])
        let history = try Program.start(["history"] + store, in: scene.path).wait()
        #expect(history.output.contains("1 deleted"), "\(history.output)\(history.errors)")
    }

    @Test("A decision about a record within another one is counted with its entity")
    func within() throws {
        let scene = try Scene()
        try scene.write(
            "orders.yaml",
            """
            version: 1
            name: orders
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Order:
                table: orders
                primary_key: [id]
                fields: {id: int}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
              Line: {table: lines, fields: {no: int, qty: int}}
            streams: [{name: orders, entity: Order, path: orders.json}]
            """)
        try scene.write("orders.json", #"[{"id": 1, "lines": [{"no": 1, "qty": 2}]}]"#)
        let first = try Program.run("run", "orders.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        try scene.execute("UPDATE lines SET qty = 5")
        try scene.write("orders.json", #"[{"id": 1, "lines": [{"no": 1, "qty": 3}]}]"#)
        #expect(try Program.run("run", "orders.yaml", in: scene.path).code == 0)
        let resolved = try Program.run(
            "conflicts", "resolve", "1", "--take", "remote", "--store", "sqlite:shop.db", in: scene.path)
        #expect(resolved.code == 0, "\(resolved.output)\(resolved.errors)")
        let history = try Program.run("history", "--store", "sqlite:shop.db", in: scene.path)
        #expect(history.output.contains("Line: 1 updated"), "\(history.output)\(history.errors)")
    }

    @Test("A row in conflict for two streams does not hide another one that is open")
    func openBesides() throws {
        let scene = try Scene()
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            merge: {precedence: [a, b]}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string, deleted: bool}}
            streams:
              - {name: a, entity: Book, path: a.json, deleted_when: .deleted == true}
              - {name: b, entity: Book, path: b.json, deleted_when: .deleted == true}
            """)
        func put(_ title: String, besides: String = "") throws {
            for name in ["a", "b"] {
                try scene.write("\(name).json", "[{\"id\":1,\"title\":\"\(title)\"}\(name == "a" ? besides : "")]")
            }
        }
        func open() throws -> Bool {
            let run = try Program.run("run", "shop.yaml", "--format", "json", in: scene.path)
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            return run.output.contains(#""open_besides":{"conflict":1,"quarantined":0}"#)
        }
        try put("one", besides: #",{"id":2,"title":"two"}"#)
        #expect(try !open())
        try scene.execute("UPDATE books SET title = 'mine'")
        // The second one is stated deleted, edited here, and then spoken of no more.
        try put("one", besides: #",{"id":2,"deleted":true}"#)
        #expect(try !open())
        try put("new")
        #expect(try open())
        #expect(try scene.query("SELECT count(DISTINCT key) FROM _sluice_conflicts WHERE status = 'open'") == ["2"])
    }
}

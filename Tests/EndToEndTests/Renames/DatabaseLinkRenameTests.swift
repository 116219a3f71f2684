import Foundation
import TestSupport
import Testing

/// Tables of links, and tables that others belong or refer to, that somebody renamed or dropped in the database, beside Sluice.
@Suite struct DatabaseLinkRenameTests: RenameSuite {
    /// A table of links and the column that marks rows as deleted are no different.
    @Test(arguments: ["links", "links with an id", "links and a column", "mark"])
    func linksAndMarksThatWereRenamed(what: String) throws {
        let scene = try Scene()
        func pipeline(_ via: String) -> String {
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Tag: {table: tags, primary_key: [id], fields: {id: int}}
              Post:
                table: posts
                primary_key: [id]
                fields: {id: int, tags: {refs: Tag, from: "tags[*]", via: \(via)}}
            streams:
              - {name: tags, entity: Tag, path: tags.json}
              - {name: posts, entity: Post, path: posts.json, delete_missing: soft}
            """
        }
        try scene.write("books.yaml", pipeline("post_tags"))
        try scene.write("tags.json", #"[{"id":1},{"id":2}]"#)
        try scene.write("posts.json", #"[{"id":1,"tags":[1,2]},{"id":2,"tags":[1]}]"#)
        let first = try run(scene, "run")
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        if what != "mark" {
            let more =
                switch what {
                case "links with an id": "; ALTER TABLE marks ADD COLUMN id INTEGER"
                case "links and a column": "; ALTER TABLE marks RENAME COLUMN post_id TO item_id"
                default: ""
                }
            try scene.execute(
                "DELETE FROM post_tags WHERE post_id = 1 AND tag_id = 1; ALTER TABLE post_tags RENAME TO marks\(more)")
        } else {
            try scene.execute(
                "UPDATE posts SET _deleted_at = '2026-01-01T00:00:00Z' WHERE id = 1; ALTER TABLE posts RENAME COLUMN _deleted_at TO gone_at"
            )
        }
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(edits.output.contains("is missing"), "\(edits.output)\(edits.errors)")
        let check = try Program.run("store", "check", "--store", "sqlite:shop.db", in: scene.path)
        #expect(check.code == 1 && check.output.contains("is missing"), "\(check.output)\(check.errors)")
        for command in ["plan", "run"] {
            let refused = try run(scene, command)
            let words = what == "mark" ? "no column `_deleted_at`" : "`via: marks`"
            #expect(refused.code == 4 && refused.output.contains(words), "\(refused.output)\(refused.errors)")
        }
        guard what != "mark" else {
            try scene.execute("ALTER TABLE posts RENAME COLUMN gone_at TO _deleted_at")
            #expect(try run(scene, "run").code == 0)
            return
        }
        try scene.write("books.yaml", pipeline("marcs"))
        let other = try run(scene, "run")
        #expect(other.code == 4 && other.output.contains("`via: marks`"), "\(other.output)\(other.errors)")
        let owner = what == "links and a column" ? "item_id" : "post_id"
        try scene.write("books.yaml", pipeline("marks, owner_column: \(owner)"))
        let followed = try run(scene, "run")
        #expect(followed.code == 0, "\(followed.output)\(followed.errors)")
        #expect(try scene.query("SELECT \(owner), tag_id FROM marks ORDER BY 1, 2") == ["1|2", "2|1"])
    }

    /// What belongs to its records, and what refers to them, goes on as well.
    @Test func aTableWithChildrenThatWasRenamedInTheDatabase() throws {
        let scene = try Scene()
        func pipeline(_ table: String) -> String {
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Order:
                table: \(table)
                primary_key: [id]
                fields: {id: int, name: string}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
              Line: {table: lines, fields: {no: int, qty: int}}
            streams:
              - {name: orders, entity: Order, path: orders.json}
            """
        }
        try scene.write("books.yaml", pipeline("orders"))
        try scene.write(
            "orders.json", #"[{"id":1,"name":"a","lines":[{"no":1,"qty":2}]},{"id":2,"name":"b","lines":[]}]"#)
        #expect(try run(scene, "run").code == 0)
        try scene.execute("UPDATE orders SET name = 'mine' WHERE id = 1; DELETE FROM orders WHERE id = 2")
        try scene.execute("ALTER TABLE orders RENAME TO sales")
        let refused = try run(scene, "run")
        #expect(refused.code == 4 && refused.output.contains("`table: sales`"), "\(refused.output)\(refused.errors)")
        // That it was refused is noted, although what belongs to the table cannot be looked at.
        let status = try Program.run("status", "--check", "--store", "sqlite:shop.db", in: scene.path)
        #expect(
            status.code == 1 && status.output.contains("run 2 refused") && !status.output.contains("cut off"),
            "\(status.output)\(status.errors)")
        try scene.write("books.yaml", pipeline("sales\n    table_renamed_from: orders"))
        let run = try run(scene, "run")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id, name FROM sales") == ["1|mine"])
        #expect(try scene.query("SELECT count(*) FROM lines") == ["1"])
    }

    /// A table to which others refer, renamed with a column, is followed step by step.
    @Test func aTargetAndAColumnThatWereRenamed() throws {
        let scene = try Scene()
        func pipeline(_ table: String, _ name: String) -> String {
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Author:
                table: \(table)
                primary_key: [id]
                fields: {id: int, name: \(name)}
              Book: {table: books, primary_key: [id], fields: {id: int, author: {ref: Author, from: author_id}}}
            streams:
              - {name: authors, entity: Author, path: authors.json}
              - {name: books, entity: Book, path: books.json}
            """
        }
        try scene.write("books.yaml", pipeline("authors", "string"))
        try scene.write("authors.json", #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#)
        try scene.write("books.json", #"[{"id":1,"author_id":1},{"id":2,"author_id":2}]"#)
        #expect(try run(scene, "run").code == 0)
        try scene.execute(
            "UPDATE authors SET name = 'mine' WHERE id = 1; ALTER TABLE authors RENAME TO people; ALTER TABLE people RENAME COLUMN name TO called"
        )
        let table = try run(scene, "run")
        #expect(table.code == 4 && table.output.contains("`table: people`"), "\(table.output)\(table.errors)")
        try scene.write("books.yaml", pipeline("people\n    table_renamed_from: authors", "string"))
        let column = try run(scene, "run")
        #expect(column.code == 4 && column.output.contains("`column: called`"), "\(column.output)\(column.errors)")
        try scene.write(
            "books.yaml", pipeline("people\n    table_renamed_from: authors", "{type: string, column: called}"))
        let followed = try run(scene, "run")
        #expect(followed.code == 0, "\(followed.output)\(followed.errors)")
        #expect(try scene.query("SELECT id, called FROM people ORDER BY id") == ["1|mine", "2|b"])
    }

    /// A table that no stream fills, since records only refer to it, is no different: people may write into it.
    @Test(arguments: [
        "ALTER TABLE authors RENAME COLUMN name TO called", "CREATE TABLE other (a TEXT); DROP TABLE authors",
    ])
    func aTargetThatNoStreamFills(change: String) throws {
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Author: {table: authors, primary_key: [id], fields: {id: int, name: string}}
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, author: {ref: Author, from: a, on_dangling: stub}}
            streams: [{name: books, entity: Book, path: books.json}]
            """)
        try scene.write("books.json", #"[{"id":1,"a":5},{"id":2,"a":6}]"#)
        #expect(try run(scene, "run").code == 0)
        try scene.execute("PRAGMA foreign_keys = off; UPDATE authors SET name = 'mine' WHERE id = 5; \(change)")
        for command in ["plan", "run"] {
            let refused = try run(scene, command)
            #expect(refused.code == 4 && refused.output.contains("authors"), "\(refused.output)\(refused.errors)")
        }
        #expect(try run(scene, "run", "--allow-schema", "drop").code == 0)
        #expect(try run(scene, "run").code == 0)
    }

    /// A plan shows what the run does that makes a table anew, also one to which others refer.
    @Test func aPlanOfATableThatIsMadeAnew() throws {
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Post:
                table: posts
                primary_key: [id]
                fields: {id: int, title: string}
                children: {lines: {entity: Line, from: "lines[*]", key: [n]}}
              Line: {table: lines, fields: {n: int, text: string}}
            streams: [{name: posts, entity: Post, path: posts.json}]
            """)
        try scene.write("posts.json", #"[{"id":1,"title":"a","lines":[{"n":1,"text":"x"}]}]"#)
        #expect(try run(scene, "run").code == 0)
        try scene.execute(
            "PRAGMA foreign_keys = off; CREATE TABLE other (a TEXT); DROP VIEW conflicts_posts; DROP TABLE posts")
        for command in ["plan", "run"] {
            let result = try run(scene, command, "--allow-schema", "drop")
            #expect(result.code == 0 && result.output.contains("+ table posts"), "\(result.output)\(result.errors)")
        }
    }
}

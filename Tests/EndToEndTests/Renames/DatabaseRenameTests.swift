import Foundation
import TestSupport
import Testing

/// Columns and tables that somebody renamed or dropped in the database, beside Sluice.
@Suite struct DatabaseRenameTests: RenameSuite {
    // MARK: A column that somebody renamed in the database

    @Test(arguments: ["said", "made anew", "dropped"])
    func aColumnThatWasRenamedInTheDatabase(what: String) throws {
        let scene = try scene()
        switch what {
        case "dropped": try scene.execute("ALTER TABLE books DROP COLUMN title")
        default: try scene.execute("ALTER TABLE books RENAME COLUMN title TO headline")
        }
        for (arguments, code) in [
            (["plan", "--format", "json"], Int32(4)), (["run", "--format", "json"], 4),
            (["validate", "--store", "sqlite:shop.db", "--format", "json"], 78),
        ] {
            if what == "dropped" && arguments[0] == "run" { continue }
            let result = try Program.start([arguments[0], "books.yaml"] + arguments.dropFirst(), in: scene.path).wait()
            if what == "dropped" {
                // No other column could be that.
                #expect(result.code == 0 && !result.output.contains("orphaned"), "\(result.output)\(result.errors)")
                continue
            }
            #expect(result.code == code, "\(arguments): \(result.output)\(result.errors)")
            for word in ["orphaned", "`column: headline`", "`--allow-schema drop`"] {
                #expect(result.output.contains(word), "\(result.output)")
            }
        }
        if what == "said" {
            try scene.write(
                "books.yaml",
                Self.pipeline().replacingOccurrences(
                    of: "title: string", with: "title: {type: string, column: headline}"))
            let run = try run(scene, "run")
            #expect(run.code == 0 && run.output.contains("3 unchanged"), "\(run.output)\(run.errors)")
            #expect(try scene.query("SELECT id, headline FROM books ORDER BY id") == ["1|mine", "3|ours", "4|four"])
        } else {
            let options = what == "made anew" ? ["--allow-schema", "drop"] : []
            let run = try Program.start(["run", "books.yaml"] + options, in: scene.path).wait()
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            #expect(try scene.query("SELECT title FROM books WHERE id = 4") == ["four"])
            let again = try Program.run("run", "books.yaml", in: scene.path)
            #expect(again.code == 0, "\(again.output)\(again.errors)")
        }
    }

    /// The column with most of what the source said is named, and all that may be meant where that tells none.
    @Test func theColumnThatHoldsMostIsNamed() throws {
        func scene(_ change: String) throws -> Program.Result {
            let scene = try Scene()
            try scene.write(
                "books.yaml",
                Self.pipeline().replacing("title: string", with: "title: string, made: string, note: string"))
            let records = [1, 2, 3].map { #"{"id":\#($0),"title":"t\#($0)","made":"m\#($0)","price":"1"}"# }
            try scene.write(
                "books.json",
                "[" + (records + [#"{"id":4,"title":"x","made":"x","price":"1"}"#]).joined(separator: ",") + "]")
            #expect(try run(scene, "run").code == 0)
            try scene.execute(change)
            return try run(scene, "plan")
        }
        let both = try scene(
            "ALTER TABLE books RENAME COLUMN title TO one; ALTER TABLE books RENAME COLUMN made TO two")
        for words in ["`column: one`", "`column: two`"] {
            #expect(both.code == 4 && (both.output + both.errors).contains(words), "\(both.output)\(both.errors)")
        }
        let beside = try scene(
            "ALTER TABLE books ADD COLUMN shelf TEXT; UPDATE books SET shelf = 't2'; ALTER TABLE books RENAME COLUMN title TO name"
        )
        #expect(beside.code == 4 && beside.output.contains("`column: name`"), "\(beside.output)\(beside.errors)")
        // The source never gave a note, and people did.
        let unsaid = try scene(
            "UPDATE books SET note = 'ours'; ALTER TABLE books RENAME COLUMN note TO remark; ALTER TABLE books ADD COLUMN shelf TEXT"
        )
        #expect(
            unsaid.code == 4 && unsaid.output.contains("`column: remark`"),
            "\(unsaid.output)\(unsaid.errors)")
    }

    /// Two pipelines fill a column; the file of one says first what it is called now.
    @Test func aRenamedColumnOfTwoPipelines() throws {
        let scene = try scene()
        try scene.write("other.yaml", Self.pipeline().replacing("name: books\nstore", with: "name: other\nstore"))
        #expect(try Program.run("run", "other.yaml", "--allow-schema", "drop", in: scene.path).code == 0)
        try scene.execute("ALTER TABLE books RENAME COLUMN title TO headline")
        try scene.write(
            "books.yaml", Self.pipeline().replacing("title: string", with: "title: {type: string, column: headline}"))
        let first = try run(scene, "run")
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        let second = try Program.run("run", "other.yaml", in: scene.path)
        #expect(
            second.code == 4 && second.output.contains("`column: headline`"), "\(second.output)\(second.errors)")
    }

    // MARK: A table that somebody renamed in the database

    @Test(arguments: ["said", "another name alone", "made anew", "dropped"])
    func aTableThatWasRenamedInTheDatabase(what: String) throws {
        let scene = try scene()
        try scene.execute(what == "dropped" ? "DROP TABLE books" : "ALTER TABLE books RENAME TO volumes")
        let unsaid = try run(scene, "plan")
        if what == "dropped" {
            #expect(unsaid.code == 0, "\(unsaid.output)\(unsaid.errors)")
            return
        }
        let words = ["`table: volumes`", "`table_renamed_from: books`", "`--allow-schema drop`"]
        for result in [unsaid, try run(scene, "run"), try run(scene, "validate", "--store", "sqlite:shop.db")] {
            let text = result.output + result.errors
            #expect([4, 78].contains(result.code), "\(text)")
            for word in words { #expect(text.contains(word), "\(text)") }
        }
        // An undo that could reach only a part would be used up.
        let early = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(
            early.code != 0 && (early.output + early.errors).contains("is missing"), "\(early.output)\(early.errors)")
        switch what {
        case "said":
            try rename(scene, Rename.all[5], says: true)
            let run = try run(scene, "run")
            #expect(run.code == 0 && run.output.contains("3 unchanged"), "\(run.output)\(run.errors)")
            #expect(try scene.query("SELECT id, title FROM volumes ORDER BY id") == ["1|mine", "3|ours", "4|four"])
            #expect(try self.run(scene, "run").output.contains("3 unchanged"))
            let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
            #expect(edits.output.contains("mine"), "\(edits.output)\(edits.errors)")
            let check = try Program.run("store", "check", "--store", "sqlite:shop.db", in: scene.path)
            #expect(check.code == 0, "\(check.output)\(check.errors)")
        case "another name alone":
            try rename(scene, Rename.all[5], says: false)
            let run = try run(scene, "run")
            #expect(run.code == 4, "\(run.output)\(run.errors)")
            #expect((run.output + run.errors).contains("add `table_renamed_from: books`"), "\(run.output)")
        default:
            let run = try run(scene, "run", "--allow-schema", "drop")
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            #expect(try scene.query("SELECT count(*) FROM volumes") == ["3"])
        }
    }

    /// A column of the table that was renamed as well is asked for where the table goes on, and a table of others is none that is meant.
    @Test func aTableAndAColumnThatWereRenamed() throws {
        let scene = try scene()
        try scene.execute(
            "ALTER TABLE books RENAME TO volumes; ALTER TABLE volumes RENAME COLUMN title TO headline; CREATE TABLE other (id INTEGER PRIMARY KEY, title TEXT, price TEXT); INSERT INTO other VALUES (500, 'x', '1')"
        )
        let table = try run(scene, "plan")
        #expect(table.code == 4 && table.output.contains("`table: volumes`"), "\(table.output)\(table.errors)")
        try rename(scene, Rename.all[5], says: true)
        let column = try run(scene, "plan")
        #expect(column.code == 4 && column.output.contains("`column: headline`"), "\(column.output)\(column.errors)")
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacing("title: string", with: "title: {type: string, column: headline}"))
        let run = try run(scene, "run")
        #expect(run.code == 0 && run.output.contains("3 unchanged"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id, headline FROM volumes ORDER BY id") == ["1|mine", "3|ours", "4|four"])
    }

    /// The file of one pipeline says it, and the other one is told what the table is called now.
    @Test func aRenamedTableOfTwoPipelines() throws {
        let scene = try scene()
        try scene.write("other.yaml", Self.pipeline().replacing("name: books\nstore", with: "name: other\nstore"))
        #expect(try Program.run("run", "other.yaml", "--allow-schema", "drop", in: scene.path).code == 0)
        try scene.execute("ALTER TABLE books RENAME TO volumes")
        try rename(scene, Rename.all[5], says: true)
        #expect(try run(scene, "run").code == 0)
        let other = try Program.run("run", "other.yaml", in: scene.path)
        #expect(other.code == 4 && other.output.contains("`table: volumes`"), "\(other.output)\(other.errors)")
        try scene.write(
            "other.yaml",
            Self.pipeline().replacing("name: books\nstore", with: "name: other\nstore")
                .replacing("table: books", with: "table: volumes"))
        #expect(try Program.run("run", "other.yaml", in: scene.path).code == 0)
        #expect(try run(scene, "run").code == 0)
        #expect(try scene.query("SELECT count(*) FROM volumes WHERE title IN ('mine', 'ours')") == ["2"])
    }

    /// A table of links and the column that marks rows as deleted are no different.
    @Test(arguments: ["links", "mark"]) func linksAndMarksThatWereRenamed(what: String) throws {
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
        if what == "links" {
            try scene.execute(
                "DELETE FROM post_tags WHERE post_id = 1 AND tag_id = 1; ALTER TABLE post_tags RENAME TO marks")
        } else {
            try scene.execute(
                "UPDATE posts SET _deleted_at = '2026-01-01T00:00:00Z' WHERE id = 1; ALTER TABLE posts RENAME COLUMN _deleted_at TO gone_at"
            )
        }
        for command in ["plan", "run"] {
            let refused = try run(scene, command)
            let words = what == "links" ? "`via: marks`" : "no column `_deleted_at`"
            #expect(refused.code == 4 && refused.output.contains(words), "\(refused.output)\(refused.errors)")
        }
        guard what == "links" else {
            try scene.execute("ALTER TABLE posts RENAME COLUMN gone_at TO _deleted_at")
            #expect(try run(scene, "run").code == 0)
            return
        }
        try scene.write("books.yaml", pipeline("marks"))
        let followed = try run(scene, "run")
        #expect(followed.code == 0, "\(followed.output)\(followed.errors)")
        #expect(try scene.query("SELECT post_id, tag_id FROM marks ORDER BY 1, 2") == ["1|2", "2|1"])
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
}

import Foundation
import TestSupport
import Testing

/// Names that are gone from a pipeline without a word, and what follows a name that belongs to it.
@Suite struct UnsaidRenameTests: RenameSuite {
    // MARK: A pipeline that nothing says was renamed

    /// It asks its source for the same, and people changed what it filled: it is that one in all but its name.
    @Test(arguments: [false, true])
    func aPipelineWithEditsIsRefusedUnderAnotherName(itsEntityToo: Bool) throws {
        let scene = try scene()
        try rename(scene, Rename.all[6], says: false)
        if itsEntityToo { try renameEntity(scene) }
        let ways = ["add `renamed_from: books`", "`--allow-schema drop`"]
        for (arguments, code) in [
            (["plan", "--format", "json"], Int32(4)), (["run", "--format", "json"], 4),
            (["validate", "--store", "sqlite:shop.db", "--format", "json"], 78),
        ] {
            let result = try Program.start([arguments[0], "books.yaml"] + arguments.dropFirst(), in: scene.path).wait()
            #expect(result.code == code, "\(arguments): \(result.output)\(result.errors)")
            for word in ["orphaned"] + ways { #expect(result.output.contains(word), "\(result.output)") }
            #expect(!result.output.contains("pipeline_new_name"))
        }
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|mine", "3|ours", "4|four"])
        // Either way leads on.
        let both = try run(scene, "plan", "--allow-schema", "drop", "--format", "json")
        #expect(both.code == 0 && both.output.contains("pipeline_new_name"), "\(both.output)\(both.errors)")
        if itsEntityToo { return }
        try rename(scene, Rename.all[6], says: true)
        let renamed = try run(scene, "run")
        #expect(renamed.code == 0 && renamed.output.contains("3 unchanged"), "\(renamed.output)\(renamed.errors)")
    }

    /// Nobody changed anything, or the source is another one as far as a store can tell: it may as well be another pipeline.
    @Test(arguments: ["no edit", "another path", "another account", "another folder"])
    func aNewPipelineIsAsked(what: String) throws {
        let scene = try what == "no edit" ? untouched() : scene()
        let environment = ["BOOKS_OF_ONE": "books.json", "BOOKS_OF_TWO": "books.json"]
        try rename(scene, Rename.all[6], says: false)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        switch what {
        case "another path":
            try FileManager.default.copyItem(
                atPath: scene.folder.file("books.json"), toPath: scene.folder.file("others.json"))
            try scene.write("books.yaml", text.replacingOccurrences(of: "path: books.json", with: "path: others.json"))
        case "another folder":
            try FileManager.default.createDirectory(
                atPath: scene.folder.file("other"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: scene.folder.file("books.json"), toPath: scene.folder.file("other/books.json"))
            try scene.write("books.yaml", text.replacingOccurrences(of: "file:.", with: "file:other"))
        case "another account":
            func pipeline(_ name: String, of account: String) -> String {
                text.replacingOccurrences(of: "name: shop", with: "name: \(name)")
                    .replacingOccurrences(of: "path: books.json", with: "path: \"${env:BOOKS_OF_\(account)}\"")
            }
            try scene.write("books.yaml", pipeline("books", of: "ONE"))
            let first = try Program.run("run", "books.yaml", in: scene.path, environment: environment)
            #expect(first.code == 0, "\(first.output)\(first.errors)")
            try scene.write("books.yaml", pipeline("shop", of: "TWO"))
        default: break
        }
        let words = ["pipeline_new_name", "add `renamed_from: books`"]
        for arguments in [
            ["plan", "--format", "json"], ["validate", "--store", "sqlite:shop.db", "--format", "json"],
            ["run", "--format", "json"],
        ] {
            let result = try Program.start(
                [arguments[0], "books.yaml"] + arguments.dropFirst(), in: scene.path, environment: environment
            ).wait()
            #expect(result.code == 0, "\(arguments): \(result.output)\(result.errors)")
            for word in words { #expect(result.output.contains(word), "\(result.output)") }
        }
        let second = try Program.run(
            "run", "books.yaml", "--format", "json", in: scene.path, environment: environment)
        #expect(second.code == 0 && !second.output.contains(words[0]), "\(second.output)\(second.errors)")
    }

    /// It was a new name after all: its runs are taken back, and the key says so.
    @Test func aNewNameIsTakenBack() throws {
        let scene = try scene()
        try rename(scene, Rename.all[6], says: false)
        for _ in 0..<2 { #expect(try run(scene, "run", "--allow-schema", "drop").code == 0) }
        for number in ["4", "3"] {
            let undone = try Program.run("undo", number, "--store", "sqlite:shop.db", in: scene.path)
            #expect(undone.code == 0, "\(undone.output)\(undone.errors)")
        }
        try rename(scene, Rename.all[6], says: true)
        let renamed = try run(scene, "run")
        #expect(renamed.code == 0 && renamed.output.contains("3 unchanged"), "\(renamed.output)\(renamed.errors)")
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|mine", "3|ours", "4|four"])
    }

    private func renameEntity(_ scene: Scene) throws {
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            text.replacingOccurrences(of: "Book:", with: "Volume:")
                .replacingOccurrences(of: "entity: Book", with: "entity: Volume"))
    }

    /// A store that nobody touched.
    private func untouched() throws -> Scene {
        let scene = try Scene()
        try scene.write("books.yaml", Self.pipeline())
        try scene.write("books.json", Self.records(["one", "two", "three", "four"]))
        #expect(try run(scene, "run").code == 0)
        return scene
    }

    /// Some machine has the file of before yet: what went on under another name does not begin anew under this one.
    @Test(arguments: ["alone", "with a stream more", "with its stream", "with its table"])
    func theFormerNameIsRemembered(what: String) throws {
        let scene = try untouched()
        try rename(scene, Rename.all[6], says: true)
        var text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        switch what {
        case "with a stream more": text += "\n  - {name: more, entity: More, path: books.json}\n"
        case "with its stream":
            text = text.replacing("- name: books", with: "- name: volumes\n    renamed_from: books")
        case "with its table":
            text = text.replacing("table: books", with: "table: volumes\n    table_renamed_from: books")
        default: break
        }
        text = text.replacing("streams:", with: "  More: {table: more, primary_key: [id], fields: {id: int}}\nstreams:")
        try scene.write("books.yaml", text)
        #expect(try run(scene, "run").code == 0)
        try scene.write("books.yaml", Self.pipeline())
        for command in ["plan", "run"] {
            let late = try run(scene, command, "--format", "json")
            #expect(late.code == 4, "\(late.output)\(late.errors)")
            for word in ["orphaned", "goes on as `shop`", "`--allow-schema drop`"] {
                #expect(late.output.contains(word), "\(late.output)")
            }
        }
        let meant = try run(scene, "run", "--allow-schema", "drop")
        #expect(meant.code == 0, "\(meant.output)\(meant.errors)")
        #expect(try run(scene, "run").code == 0)
    }

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

    /// Pipelines of one invocation are not each other's earlier names, nor are those that fill something else besides.
    @Test func otherPipelinesAreNotAsked() throws {
        let scene = try Scene()
        let text = Self.pipeline()
        try scene.write("books.json", Self.records(["one"]))
        try scene.write("first.yaml", text)
        try scene.write("second.yaml", text.replacingOccurrences(of: "name: books\nstore", with: "name: shop\nstore"))
        let both = try Program.run("run", "first.yaml", "second.yaml", in: scene.path)
        #expect(both.code == 0 && !both.output.contains("new to this store"), "\(both.output)\(both.errors)")
        let third = text.replacingOccurrences(of: "name: books\nstore", with: "name: other\nstore")
            .replacingOccurrences(of: "- name: books", with: "- name: others")
        try scene.write("third.yaml", third)
        let other = try Program.run("run", "third.yaml", in: scene.path)
        #expect(other.code == 0 && !other.output.contains("new to this store"), "\(other.output)\(other.errors)")
    }

    /// Links of a field that goes are like the values of one: those that people changed are not left behind in silence.
    @Test(arguments: [false, true])
    func linksThatNoFieldFills(isEdited: Bool) throws {
        let scene = try Scene()
        func pipeline(_ tags: String) -> String {
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Post:
                primary_key: [id]
                fields:
                  id: int
            \(tags)
              Tag: {primary_key: [name], fields: {name: string}}
            streams:
              - {name: posts, entity: Post, path: posts.json}
              - {name: tags, entity: Tag, path: tags.json}
            """
        }
        let tags = "      tags: {refs: Tag, from: \"tags[*]\", upsert: false}"
        try scene.write("posts.json", #"[{"id": 1, "tags": ["a", "b"]}, {"id": 2}, {"id": 3, "tags": []}]"#)
        try scene.write("tags.json", #"[{"name": "a"}, {"name": "b"}]"#)
        try scene.write("books.yaml", pipeline(tags))
        #expect(try run(scene, "run").code == 0)
        if isEdited { try scene.execute("DELETE FROM post_tags WHERE tag_name = 'a'") }
        try scene.write("books.yaml", pipeline(""))
        if isEdited {
            for command in ["plan", "run"] {
                expectOneError(
                    try run(scene, command), code: 4,
                    ["links in the table `post_tags`", "renamed_from: tags", "--allow-schema drop"])
            }
        }
        let dropped = try isEdited ? run(scene, "run", "--allow-schema", "drop") : run(scene, "run")
        #expect(dropped.code == 0, "\(dropped.output)\(dropped.errors)")
        #expect(dropped.output.contains("the links of tags are filled by no field any more"), "\(dropped.output)")
        let again = try run(scene, "run")
        #expect(again.code == 0 && !again.output.contains("links of tags"), "\(again.output)\(again.errors)")
        #expect(try scene.query("SELECT count(*) FROM post_tags") == [isEdited ? "1" : "2"])
        // Back again, it goes on.
        try scene.write("books.yaml", pipeline(tags))
        let back = try run(scene, "run")
        #expect(back.code == 0, "\(back.output)\(back.errors)")
    }

    /// A rename does not hide that an edited field is gone.
    @Test(arguments: Rename.all.filter { $0.column == "title" && !$0.key.isEmpty })
    func anEditedFieldThatGoesWithARenameIsRefused(_ rename: Rename) throws {
        let scene = try scene()
        try self.rename(scene, rename, says: true)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacingOccurrences(of: ", title: string", with: ""))
        for command in ["plan", "run"] {
            let result = try run(scene, command)
            #expect(result.code == 4, "\(result.output)\(result.errors)")
            #expect((result.output + result.errors).contains("values in the column `title`"), "\(result.errors)")
        }
    }

    @Test func aFieldThatNobodyEditedGoesAndIsSaid() throws {
        let scene = try Scene(records: 2)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacingOccurrences(of: ", price: decimal", with: ""))
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0 && run.output.contains("price is filled by no field any more"), "\(run.output)")
        let again = try Program.run("run", "books.yaml", in: scene.path)
        #expect(again.code == 0 && !again.output.contains("price"), "\(again.output)")
        // Back again, it goes on from what the source said before.
        try scene.write("books.yaml", text)
        try scene.writeBooks(2, edition: 2)
        let back = try Program.run("run", "books.yaml", in: scene.path)
        #expect(back.code == 0 && !back.output.contains("conflict"), "\(back.output)")
    }

    @Test func aNameThatIsStillUsedIsNoEarlierOne() throws {
        let scene = try Scene()
        for (old, new) in [
            ("name: books\nstore", "name: books\nrenamed_from: books\nstore"),
            ("- name: books", "- name: books\n    renamed_from: books"), ("  Book:", "  Book:\n    renamed_from: Book"),
            ("table: books", "table: books\n    table_renamed_from: books"),
            ("title: string", "title: {renamed_from: price}"),
        ] {
            try scene.write("books.yaml", Self.pipeline().replacingOccurrences(of: old, with: new))
            expectOneError(try run(scene, "run"), code: 78, ["that name is still in use", "renamed_from"])
        }
    }

    // MARK: What belongs together

    @Test func childrenAndLinksFollowTheirEntity() throws {
        let scene = try Scene()
        func pipeline(_ name: String, _ table: String, _ key: String) -> String {
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              \(name):
                primary_key: [id]
            \(key)
                fields:
                  id: int
                  total: string
                  tags: {refs: Tag, from: "tags[*]"}
                children:
                  lines: {entity: Line, from: "lines[*]", key: [sku]}
              Line: {fields: {sku: string, count: int}}
              Tag: {primary_key: [name], fields: {name: string, note: string}}
            streams: [{name: orders, entity: \(name), path: orders.json}]
            """
        }
        try scene.write(
            "orders.json",
            #"[{"id": 1, "total": "5", "tags": [{"name": "a"}, {"name": "b"}], "lines": [{"sku": "x", "count": 1}, {"sku": "y", "count": 2}]}]"#
        )
        try scene.write("books.yaml", pipeline("Order", "order", ""))
        #expect(try run(scene, "run").code == 0)
        try scene.execute(
            "UPDATE line SET count = 7 WHERE sku = 'x'; DELETE FROM line WHERE sku = 'y'; DELETE FROM order_tags WHERE tag_name = 'a'"
        )
        try scene.write("books.yaml", pipeline("Purchase", "purchase", "    renamed_from: Order"))
        let renamed = try run(scene, "run")
        #expect(renamed.code == 0 && renamed.output.contains("1 unchanged"), "\(renamed.output)\(renamed.errors)")
        #expect(try scene.query("SELECT purchase_id, sku, count FROM line") == ["1|x|7"])
        #expect(try scene.query("SELECT purchase_id, tag_name FROM purchase_tags") == ["1|b"])
        #expect(try scene.query("SELECT id, total FROM purchase") == ["1|5"])
        let quiet = try run(scene, "run")
        #expect(quiet.output.contains("nothing changed"), "\(quiet.output)")
        #expect(try scene.query("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func anIncrementalStreamGoesOnBehindItsCursor() throws {
        let server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "a", "at": "2024-05-01T00:00:00Z"}]"#) }
        defer { server.stop() }
        let scene = try Scene()
        func pipeline(_ stream: String) -> String {
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int, title: string, at: datetime}}
            streams:
              - name: \(stream)
                entity: Book
                path: /books
                params: {since: "{{ cursor.start }}"}
                incremental: {cursor_field: at, initial_value: 2008-01-01T00:00:00Z}
            """
        }
        try scene.write("books.yaml", pipeline("books"))
        #expect(try run(scene, "run").code == 0)
        try scene.write("books.yaml", pipeline("volumes\n    renamed_from: books"))
        for _ in 0..<2 {
            let result = try run(scene, "run")
            #expect(result.code == 0, "\(result.errors)")
            #expect(server.requests.last?.query?.contains("2024-05-01") == true, "\(server.requests)")
        }
        #expect(try scene.query("SELECT DISTINCT stream FROM _sluice_state WHERE name LIKE 'cursor%'") == ["volumes"])
    }
}

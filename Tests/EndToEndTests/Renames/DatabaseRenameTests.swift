import Foundation
import TestSupport
import Testing

/// Columns and tables that somebody renamed or dropped in the database, beside Sluice.
@Suite struct DatabaseRenameTests: RenameSuite {
    // MARK: A column that somebody renamed in the database

    @Test(arguments: ["said", "made anew", "dropped", "dropped beside others"])
    func aColumnThatWasRenamedInTheDatabase(what: String) throws {
        let scene = try scene()
        let words = ["dropped beside others": "as `column`"]
        switch what {
        case "dropped": try scene.execute("ALTER TABLE books DROP COLUMN title")
        case "dropped beside others":
            try scene.execute("ALTER TABLE books DROP COLUMN title; ALTER TABLE books ADD COLUMN shelf TEXT")
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
            for word in ["orphaned", words[what] ?? "`column: headline`", "`--allow-schema drop`"] {
                #expect(result.output.contains(word), "\(result.output)")
            }
        }
        if !what.hasPrefix("dropped") {
            let status = try Program.run("status", "books.yaml", in: scene.path)
            #expect(status.output.contains("unknown in 1 missing table or column"), "\(status.output)")
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
            let run = try Program.run("run", "books.yaml", "--allow-schema", "drop", in: scene.path)
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
            // It may be any that is there.
            try scene.execute("CREATE TABLE other (a TEXT)")
            let beside = try run(scene, "run")
            #expect(beside.code == 4, "\(beside.output)\(beside.errors)")
            #expect(beside.output.contains("with its name of now"), "\(beside.output)")
            let anew = try run(scene, "run", "--allow-schema", "drop")
            #expect(anew.code == 0, "\(anew.output)\(anew.errors)")
            #expect(try run(scene, "run").code == 0)
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

    /// Whatever has the old name now, the rows are known where they are.
    @Test(arguments: ["empty", "view"]) func somethingElseUnderTheOldName(what: String) throws {
        let scene = try scene()
        let made =
            what == "empty"
            ? "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, price TEXT)"
            : "CREATE VIEW books AS SELECT * FROM volumes"
        try scene.execute("ALTER TABLE books RENAME TO volumes; \(made)")
        for result in [try run(scene, "plan"), try run(scene, "validate", "--store", "sqlite:shop.db")] {
            let text = result.output + result.errors
            #expect([4, 78].contains(result.code), "\(text)")
            for word in ["`table: volumes`", "`table_renamed_from: books`"] { #expect(text.contains(word), "\(text)") }
        }
        if what == "empty" {
            // It may be meant, and is asked once.
            let other = try self.scene()
            try other.execute(
                "CREATE TABLE kept AS SELECT * FROM books; DELETE FROM books")
            #expect(try run(other, "run").code == 4)
            let allowed = try run(other, "run", "--allow-schema", "drop")
            #expect(allowed.code == 0, "\(allowed.output)\(allowed.errors)")
            #expect(try run(other, "run").code == 0)
            #expect(try other.query("SELECT count(*) FROM books WHERE title = 'mine'") == ["0"])
            // That was said of the rows of then: where rows came again and went again, it is asked anew.
            try other.execute("INSERT INTO books SELECT * FROM kept")
            #expect(try run(other, "run").code == 0)
            try other.execute("DELETE FROM books")
            #expect(try run(other, "run").code == 4)
            #expect(try run(other, "run", "--allow-schema", "drop").code == 0)
            #expect(try Program.run("store", "check", "--store", "sqlite:shop.db", in: other.path).code == 0)
        }
        try rename(scene, Rename.all[5], says: true)
        let followed = try run(scene, "run")
        #expect(followed.code == 0 && followed.output.contains("3 unchanged"), "\(followed.output)\(followed.errors)")
        #expect(try scene.query("SELECT id, title FROM volumes ORDER BY id") == ["1|mine", "3|ours", "4|four"])
        #expect(try run(scene, "run").output.contains("3 unchanged"))
    }

    /// What people changed is not said to be nothing where nobody can look.
    /// An import has no file that could say a new name, and asks all the same.
    @Test(arguments: ["ALTER TABLE books RENAME TO volumes", "ALTER TABLE books RENAME COLUMN title TO headline"])
    func anImport(change: String) throws {
        let scene = try Scene()
        try scene.write("books.json", #"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#)
        func imported(_ arguments: String...) throws -> Program.Result {
            try Program.start(
                ["import", "books.json", "--key", "id", "--store", "sqlite:shop.db"] + arguments, in: scene.path
            ).wait()
        }
        #expect(try imported().code == 0)
        try scene.execute("UPDATE books SET title = 'mine' WHERE id = 1; DELETE FROM books WHERE id = 2; \(change)")
        for arguments in [[], ["--plan"]] as [[String]] {
            let refused = try Program.start(
                ["import", "books.json", "--key", "id", "--store", "sqlite:shop.db"] + arguments, in: scene.path
            ).wait()
            let text = refused.output + refused.errors
            #expect(refused.code == 4 && text.contains("give it that name again"), "\(text)")
        }
        // Nothing was made anew meanwhile.
        let place = change.contains("TO volumes") ? "volumes" : "books"
        let column = change.contains("headline") ? "headline" : "title"
        #expect(try scene.query("SELECT id, \(column) FROM \(place)") == ["1|mine"])
        #expect(try scene.query("SELECT count(*) FROM pragma_table_info('books') WHERE name = 'title'") == ["0"])
        let anew = try imported("--allow-schema", "drop")
        #expect(anew.code == 0, "\(anew.output)\(anew.errors)")
        #expect(try imported().code == 0)
    }

    /// What went from the source is not what went from the table: rows of people's stay.
    @Test func aTableOfWhichTheSourceHasNothingLeft() throws {
        let scene = try scene()
        try scene.execute("INSERT INTO books (id, title) VALUES (50, 'own')")
        try scene.write("books.json", "[]")
        #expect(try Program.run("run", "books.yaml", "--allow-deletes", "100", in: scene.path).code == 0)
        try scene.execute("ALTER TABLE books RENAME TO volumes")
        try scene.write("books.json", #"[{"id":1,"title":"one","price":"1"}]"#)
        let refused = try run(scene, "run")
        #expect(refused.code == 4, "\(refused.output)\(refused.errors)")
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

    /// The field goes on with the column of the new name, whatever was made under the old one since.
    @Test func anEmptyColumnUnderTheOldName() throws {
        let scene = try scene()
        try scene.execute(
            "ALTER TABLE books RENAME COLUMN title TO headline; ALTER TABLE books ADD COLUMN title TEXT")
        try scene.write(
            "books.yaml", Self.pipeline().replacing("title: string", with: "title: {type: string, column: headline}"))
        for _ in 1...2 {
            let run = try run(scene, "run")
            #expect(run.code == 0 && run.output.contains("3 unchanged"), "\(run.output)\(run.errors)")
        }
        #expect(try scene.query("SELECT id, headline FROM books ORDER BY id") == ["1|mine", "3|ours", "4|four"])
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(edits.output.contains("mine"), "\(edits.output)\(edits.errors)")
    }

    /// A file that names a column which is not there either does not find it.
    @Test(arguments: ["title: {type: string, column: titel}", "name: {type: string, from: title, renamed_from: title}"])
    func aFileThatNamesAnotherColumn(field: String) throws {
        let scene = try scene()
        try scene.execute("ALTER TABLE books RENAME COLUMN title TO headline")
        try scene.write("books.yaml", Self.pipeline().replacing("title: string", with: field))
        for command in ["plan", "run"] {
            let refused = try run(scene, command)
            #expect(
                refused.code == 4 && refused.output.contains("`column: headline`"), "\(refused.output)\(refused.errors)"
            )
        }
    }

    @Test(arguments: ["TO volumes", "RENAME COLUMN title TO headline"]) func editsOfWhatIsMissing(change: String) throws
    {
        let scene = try scene()
        try scene.execute("ALTER TABLE books \(change.hasPrefix("TO") ? "RENAME " : "")\(change)")
        let text = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        let place = change.hasPrefix("TO") ? "The table `books` of `Book`" : "The column `title` of `books`"
        #expect(text.output.contains("\(place) is missing"), "\(text.output)\(text.errors)")
        #expect(!text.output.contains("Nothing was changed"))
        let json = try Program.run("edits", "--store", "sqlite:shop.db", "--format", "json", in: scene.path)
        for part in [#""missing":["#, #"{"entity":"Book","table":"books""#] {
            #expect(json.output.contains(part), "\(json.output)")
        }
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

    /// Nothing tells what it is called now, and it is missing all the same.
    @Test(arguments: [
        "ALTER TABLE books RENAME TO volumes; ALTER TABLE volumes RENAME COLUMN id TO number",
        "ALTER TABLE books RENAME TO volumes; ALTER TABLE volumes RENAME COLUMN title TO a; ALTER TABLE volumes RENAME COLUMN price TO b",
    ])
    func aTableThatNothingTells(change: String) throws {
        let scene = try scene()
        try scene.execute(change)
        for command in ["plan", "run"] {
            let refused = try run(scene, command)
            let text = refused.output + refused.errors
            #expect(refused.code == 4 && text.contains("`table_renamed_from: books`"), "\(text)")
        }
        #expect(try scene.query("SELECT count(*) FROM sqlite_master WHERE name = 'books'") == ["0"])
    }

    /// The key is looked at first, whatever else has another name.
    @Test func aKeyAndAColumnThatWereRenamed() throws {
        let scene = try scene()
        try scene.execute(
            "ALTER TABLE books RENAME COLUMN id TO number; ALTER TABLE books RENAME COLUMN title TO headline")
        for command in ["plan", "run"] {
            let refused = try run(scene, command)
            #expect(refused.code == 4, "\(refused.output)\(refused.errors)")
            #expect((refused.output + refused.errors).contains("`id`"), "\(refused.output)\(refused.errors)")
        }
    }

    /// The file of one pipeline renames a column, and that of the other one says nothing of it: it is told once, and follows.
    @Test(arguments: [
        "title: {type: string, column: headline}", "headline: {type: string, from: title, renamed_from: title}",
    ])
    func aColumnThatAnotherPipelineRenames(field: String) throws {
        let scene = try scene()
        let other = Self.pipeline().replacing("name: books\nstore", with: "name: other\nstore")
        try scene.write("other.yaml", other)
        #expect(try Program.run("run", "other.yaml", "--allow-schema", "drop", in: scene.path).code == 0)
        try scene.write("books.yaml", Self.pipeline().replacing("title: string", with: field))
        let renamed = try run(scene, "run")
        #expect(renamed.code == 0, "\(renamed.output)\(renamed.errors)")
        for command in ["plan", "run"] {
            let refused = try Program.run(command, "other.yaml", in: scene.path)
            #expect(
                refused.code == 4 && refused.output.contains("`column: headline`"), "\(refused.output)\(refused.errors)"
            )
        }
        #expect(try run(scene, "run").output.contains("3 unchanged"))
        try scene.write("other.yaml", other.replacing("title: string", with: "title: {type: string, column: headline}"))
        for _ in 1...2 {
            #expect(try Program.run("run", "other.yaml", in: scene.path).code == 0)
            #expect(try run(scene, "run").code == 0)
        }
        #expect(try Program.run("store", "check", "--store", "sqlite:shop.db", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*) FROM books WHERE headline = 'mine'") == ["1"])
    }

    /// Values of other pipelines tell nothing of a column that one of them follows already, and it is missing all the same.
    @Test func aRenamedColumnOfPipelinesThatDiffer() throws {
        let scene = try Scene()
        func pipeline(_ name: String, _ title: String) -> String {
            """
            version: 1
            name: \(name)
            store: sqlite:shop.db
            source: {base_url: "file:."}
            merge: {precedence: [one/books, two/books]}
            entities: {Book: {table: books, primary_key: [id], fields: {id: int, title: \(title)}}}
            streams: [{name: books, entity: Book, path: \(name).json}]
            """
        }
        for name in ["one", "two"] {
            try scene.write("\(name).yaml", pipeline(name, "string"))
            try scene.write("\(name).json", #"[{"id":1,"title":"\#(name)"},{"id":2,"title":"b"}]"#)
            #expect(try Program.run("run", "\(name).yaml", in: scene.path).code == 0)
        }
        try scene.execute(
            "UPDATE books SET title = 'mine' WHERE id = 1; ALTER TABLE books RENAME COLUMN title TO headline")
        try scene.write("one.yaml", pipeline("one", "{type: string, column: headline}"))
        #expect(try Program.run("run", "one.yaml", in: scene.path).code == 0)
        let other = try Program.run("run", "two.yaml", in: scene.path)
        #expect(other.code == 4, "\(other.output)\(other.errors)")
        try scene.write("two.yaml", pipeline("two", "{type: string, column: headline}"))
        #expect(try Program.run("run", "two.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT headline FROM books ORDER BY id") == ["mine", "b"])
    }

    /// What an undo leaves in a column that has another name is what the source said of it still.
    @Test func anUndoBesideARenamedColumn() throws {
        let scene = try Scene()
        try scene.write("books.yaml", Self.pipeline())
        func put(_ title: String, _ price: String) throws {
            try scene.write("books.json", #"[{"id":1,"title":"\#(title)","price":"\#(price)"}]"#)
        }
        try put("a", "1")
        #expect(try run(scene, "run").code == 0)
        try put("b", "2")
        #expect(try run(scene, "run").code == 0)
        try scene.execute("ALTER TABLE books RENAME COLUMN title TO headline")
        let undo = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(try scene.query("SELECT headline, price FROM books") == ["b|1"], "\(undo.output)\(undo.errors)")
        try put("c", "3")
        try scene.write(
            "books.yaml", Self.pipeline().replacing("title: string", with: "title: {type: string, column: headline}"))
        let run = try run(scene, "run")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT headline, price FROM books") == ["c|3"], "\(run.output)")
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts") == ["0"])
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
}

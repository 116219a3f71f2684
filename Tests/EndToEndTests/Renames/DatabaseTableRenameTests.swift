import Foundation
import TestSupport
import Testing

/// Tables that somebody renamed or dropped in the database, beside Sluice.
@Suite struct DatabaseTableRenameTests: RenameSuite {
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

    /// What people changed is not said to be nothing where nobody can look.
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
}

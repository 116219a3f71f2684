import Foundation
import TestSupport
import Testing

/// Columns that somebody renamed or dropped in the database, beside Sluice.
@Suite struct DatabaseColumnRenameTests: RenameSuite {
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
}

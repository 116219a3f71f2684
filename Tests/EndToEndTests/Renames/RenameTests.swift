import Foundation
import TestSupport
import Testing

/// Names that change in a pipeline: what people changed and deleted goes on under the new ones, or the run is refused.
@Suite struct RenameTests: RenameSuite {
    /// Names that a run gives, and what the file of before must say of them once the run is undone.
    private static let kept: [(changes: [(String, String)], words: String)] = [
        (
            [("title: string", "headline: {from: title, renamed_from: title}")],
            "`renamed_from: headline` at the field `title` of `Book`"
        ),
        (
            [("Book: {", "Volume: {renamed_from: Book, "), ("entity: Book", "entity: Volume")],
            "`renamed_from: Volume` at the entity `Book`"
        ),
        (
            [("table: books", "table: volumes, table_renamed_from: books")],
            "`table_renamed_from: volumes` at the entity `Book`"
        ),
        (
            [("- name: books", "- name: volumes\n    renamed_from: books")],
            "`renamed_from: volumes` at the stream `books`"
        ),
        (
            [("name: books\nstore", "name: shop\nrenamed_from: books\nstore")],
            "`renamed_from: shop` at the top of the file"
        ),
        (
            [
                ("title: string", "headline: {from: title, renamed_from: title}"),
                ("Book: {", "Volume: {renamed_from: Book, "), ("entity: Book", "entity: Volume"),
            ], "`renamed_from: Volume` at the entity `Book` and `renamed_from: headline` at the field `title` of `Book`"
        ),
    ]

    @Test("An undo says which names stay, and what to write", arguments: kept.indices)
    func undoLeavesNames(_ index: Int) throws {
        let (changes, words) = Self.kept[index]
        let scene = try Scene(
            document: #"[{"id": 1, "title": "Dune", "qty": 5}]"#, fields: "id: int, title: string, qty: int")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let before = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        var after = before.replacing("qty: int", with: "qty: decimal")
        for (old, new) in changes {
            #expect(after.contains(old))
            after = after.replacing(old, with: new)
        }
        try scene.write("books.yaml", after)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let plan = try Program.run("undo", "2", "--plan", "--store", "sqlite:shop.db", in: scene.path)
        #expect((plan.output + plan.errors).contains("Names that run 2 gave would stay."), "\(plan)")
        let undo = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        let told = undo.output + undo.errors
        #expect(undo.code == 0 && told.contains("write \(words), or"), "\(undo)")
        #expect(told.contains("Types, identifiers and indexes of tables are as before run 2"), "\(undo)")
        #expect(
            try scene.query("SELECT typeof(qty) FROM \(after.contains("table: volumes") ? "volumes" : "books")") == [
                "integer"
            ])
    }

    @Test("What an undo says of names brings the tables of before back")
    func fileOfBefore() throws {
        let scene = try Scene(
            document: #"[{"id": 1, "title": "Dune", "qty": 5}]"#, fields: "id: int, title: string, qty: int")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE books SET title = 'Dune (1965)'")
        let before = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            before.replacing(
                "title: string, qty: int", with: "headline: {from: title, renamed_from: title}, qty: decimal"))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let history = try Program.run("history", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(
            history.output.contains(#"~ column of books  RENAME COLUMN "title" TO "headline""#), "\(history.output)")
        #expect(try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path).code == 0)
        try scene.write(
            "books.yaml", before.replacing("title: string", with: "title: {type: string, renamed_from: headline}"))
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0 && !run.output.contains("ADD COLUMN"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id, title, qty FROM books") == ["1|Dune (1965)|5"])
        #expect(try scene.query("SELECT count(*) FROM pragma_table_info('books')") == ["3"])
    }

    @Test("A column beside that of the field that was renamed: the way out that is named works")
    func columnBeside() throws {
        let scene = try Scene(
            document: #"[{"id": 1, "title": "Dune"}]"#, fields: "id: int, title: string, headline: {from: title}")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE books SET title = 'Dune (1965)'")
        let yaml = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            yaml.replacing(
                "title: string, headline: {from: title}", with: "headline: {from: title, renamed_from: title}"))
        let refused = try Program.run("run", "books.yaml", in: scene.path)
        #expect(refused.code == 4, "\(refused)")
        #expect(
            refused.errors.contains("`headline` says `renamed_from: title`, and it has the column `headline` already"),
            "\(refused.errors)")
        try scene.execute("UPDATE books SET headline = title")
        let run = try Program.run("run", "books.yaml", "--allow-schema", "drop", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT id, title, headline FROM books") == ["1|Dune (1965)|Dune (1965)"])
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(edits.output.contains("headline"), "\(edits.output)")
    }

    @Test("What is renamed goes on", arguments: Rename.all)
    func goesOn(_ rename: Rename) throws {
        let scene = try scene()
        try self.rename(scene, rename, says: true)
        #expect(try run(scene, "validate", "--store", "sqlite:shop.db").code == 0)
        let before = try scene.contents()
        let plan = try run(scene, "plan", "--format", "json")
        #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
        #expect(rename.shown.isEmpty || plan.output.contains(rename.shown), "\(plan.output)")
        #expect(try scene.contents() == before, "a plan writes nothing")
        let first = try run(scene, "run")
        #expect(first.code == 0 && first.output.contains("3 unchanged"), "\(first.output)\(first.errors)")
        let rows = "SELECT id, \(rename.column) FROM \(rename.table) ORDER BY id"
        #expect(try scene.query(rows) == ["1|mine", "3|ours", "4|four"])
        #expect(try scene.query("SELECT count(*) FROM sqlite_schema WHERE name LIKE '_sluice_base%'") == ["1"])
        #expect(
            try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open' AND field = 'title'")
                == [rename.column == "title" && !rename.name.contains("keeps") ? "1" : "0"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts") == ["1"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_quarantine") == ["1"])
        #expect(try scene.query("SELECT local_\(rename.column) FROM conflicts_\(rename.table)") == ["ours"])
        // And it goes on from there: what the source changes is taken, what people changed is not.
        try scene.write("books.json", Self.records(["one", "two", "new", "fourth"]))
        let second = try run(scene, "run", "--format", "json")
        #expect(second.code == 0, "\(second.output)\(second.errors)")
        #expect(try scene.query(rows) == ["1|mine", "3|ours", "4|fourth"])
        let quiet = try run(scene, "run")
        #expect(quiet.output.contains("nothing changed"), "\(quiet.output)")
        // What was done under the old names can be taken back, and what must be decided can be.
        let resolved = try Program.run(
            "conflicts", "resolve", "1", "--take", "remote", "--store", "sqlite:shop.db", in: scene.path)
        #expect(resolved.code == 0, "\(resolved.output)\(resolved.errors)")
        #expect(try scene.query("\(rows) LIMIT 1 OFFSET 1") == ["3|new"])
        try scene.write("books.json", Self.records(["one"]))
        #expect(try run(scene, "run").code == 0)
        let last = try #require(try scene.query("SELECT max(id) FROM _sluice_runs").first)
        let undone = try Program.run("undo", last, "--store", "sqlite:shop.db", in: scene.path)
        #expect(undone.code == 0 || undone.code == 5, "\(undone.output)\(undone.errors)")
        #expect(try scene.query("\(rows) LIMIT 1 OFFSET 2") == ["4|fourth"])
    }

    @Test("What came in under the old names can be taken back", arguments: Rename.all)
    func insertsAreTakenBack(_ rename: Rename) throws {
        let scene = try Scene()
        try scene.write("books.yaml", Self.pipeline())
        try scene.write("books.json", Self.records(["one", "two"]))
        #expect(try run(scene, "run").code == 0)
        try self.rename(scene, rename, says: true)
        for _ in 0..<2 { #expect(try run(scene, "run").code == 0) }
        let undone = try Program.run("undo", "1", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undone.code == 0, "\(undone.output)\(undone.errors)")
        #expect(try scene.query("SELECT count(*) FROM \(rename.table)") == ["0"], "\(undone.output)")
    }

    /// How much of a base is kept is no word of the source either.
    @Test func anotherBaseIsNoChangeOfTheSource() throws {
        let scene = try Scene()
        let text = Self.pipeline().replacingOccurrences(
            of: "title: string", with: "title: {type: string, keep_base: digest}")
        try scene.write("books.yaml", text)
        try scene.write("books.json", Self.records([String(repeating: "one", count: 20)]))
        #expect(try run(scene, "run").code == 0)
        try scene.write("books.yaml", text.replacingOccurrences(of: "digest", with: "full"))
        #expect(try run(scene, "run", "--full").code == 0)
        let undone = try Program.run("undo", "1", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undone.code == 0, "\(undone.output)\(undone.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["0"], "\(undone.output)")
    }

    @Test("Nothing is forgotten in silence", arguments: Rename.all.filter { !$0.refusal.isEmpty })
    func isRefused(_ rename: Rename) throws {
        let scene = try scene()
        try self.rename(scene, rename, says: false)
        let before = try scene.contents()
        for command in ["plan", "run"] {
            let refused = try run(scene, command)
            expectOneError(refused, code: 4, rename.refusal + ["--allow-schema drop"])
            #expect(refused.output.contains(": refused, the store is as before"), "\(refused.output)")
        }
        let json = try run(scene, "plan", "--format", "json")
        #expect(json.output.contains(#""status":"refused""#) && json.output.contains(#""orphaned""#), "\(json.output)")
        #expect(try scene.contents() == before)
        let checked = try run(scene, "validate", "--store", "sqlite:shop.db")
        #expect(checked.code == 78, "\(checked.output)")
        for word in rename.refusal { #expect(checked.output.contains(word), "\(checked.output)") }
        #expect(try run(scene, "validate").code == 0)
        // It is meant to go.
        let dropped = try run(scene, "run", "--allow-schema", "drop")
        #expect(dropped.code == 0, "\(dropped.output)\(dropped.errors)")
        let again = try run(scene, "run")
        #expect(again.code == 0 && again.output.contains("nothing changed"), "\(again.output)\(again.errors)")
        #expect(try run(scene, "validate", "--store", "sqlite:shop.db").code == 0)
        // What people changed is still where it was.
        #expect(try scene.query("SELECT title FROM books WHERE id = 1") == ["mine"])
    }
}

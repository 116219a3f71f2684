import Foundation
import TestSupport
import Testing

/// Names that change in a pipeline: what people changed and deleted goes on under the new ones, or the run is refused.
@Suite struct RenameTests {
    /// What is renamed, and the key that says so.
    struct Rename: Sendable, CustomTestStringConvertible {
        let name: String
        /// Texts of the file and what stands in their place.
        let changes: [(String, String)]
        /// Where the key goes: behind this text.
        let place: String
        let key: String
        /// What a plan says of it.
        let shown: String
        var table = "books"
        var column = "title"
        /// What the refusal names.
        var refusal: [String]
        var testDescription: String { name }
    }

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

    private static let renames: [Rename] = [
        Rename(
            name: "a field", changes: [("title: string", "headline: {from: title}")], place: "headline: {from: title",
            key: ", renamed_from: title", shown: "rename_column", column: "headline",
            refusal: ["column `title` of `books`", "renamed_from: title"]),
        Rename(
            name: "a field that keeps its column",
            changes: [("title: string", "headline: {from: title, column: title}")], place: "headline: {from: title",
            key: "", shown: "", refusal: []),
        Rename(
            name: "a stream", changes: [("- name: books", "- name: volumes")], place: "- name: volumes",
            key: "\n    renamed_from: books", shown: "rename_source",
            refusal: ["the stream `books` said of 4 records", "renamed_from: books"]),
        Rename(
            name: "an entity", changes: [("Book:", "Volume:"), ("entity: Book", "entity: Volume")], place: "Volume:",
            key: "\n    renamed_from: Book", shown: "rename_source",
            refusal: ["4 records of `Book`", "renamed_from: Book"]),
        Rename(
            name: "an entity with its table",
            changes: [("Book:", "Volume:"), ("entity: Book", "entity: Volume"), ("table: books", "table: volumes")],
            place: "Volume:", key: "\n    renamed_from: Book", shown: "rename_table", table: "volumes",
            refusal: ["4 records of `Book`", "renamed_from: Book"]),
        Rename(
            name: "a table", changes: [("table: books", "table: volumes")], place: "table: volumes",
            key: "\n    table_renamed_from: books", shown: "rename_table", table: "volumes",
            refusal: ["rows of the table `books`", "table_renamed_from: books"]),
        Rename(
            name: "the pipeline", changes: [("name: books\nstore", "name: shop\nstore")], place: "name: shop",
            key: "\nrenamed_from: books", shown: "rename_source", refusal: []),
        Rename(
            name: "a stream of a pipeline that is renamed",
            changes: [
                ("name: books\nstore", "name: shop\nrenamed_from: books\nstore"), ("- name: books", "- name: volumes"),
            ], place: "- name: volumes", key: "\n    renamed_from: books", shown: "rename_source",
            refusal: ["the stream `books` said of 4 records", "renamed_from: books"]),
        Rename(
            name: "everything",
            changes: [
                ("name: books\nstore", "name: shop\nrenamed_from: books\nstore"),
                ("- name: books", "- name: volumes\n    renamed_from: books"),
                ("Book:", "Volume:\n    renamed_from: Book"), ("entity: Book", "entity: Volume"),
                ("table: books", "table: volumes"), ("title: string", "headline: {from: title, renamed_from: title}"),
            ], place: "name: shop", key: "", shown: "rename_table", table: "volumes", column: "headline", refusal: []),
    ]

    private static func pipeline() -> String {
        """
        version: 1
        name: books
        store: sqlite:shop.db
        source: {base_url: "file:."}
        entities:
          Book:
            table: books
            primary_key: [id]
            fields: {id: int, title: string, price: {type: decimal, required: true}}
        streams:
          - name: books
            entity: Book
            path: books.json
            delete_missing: {mode: hard, max_delete: 100%}
        """
    }

    private static func records(_ titles: [String]) -> String {
        let texts = titles.enumerated().map { #"{"id": \#($0 + 1), "title": "\#($1)", "price": "9.50"}"# }
        return "[" + (texts + [#"{"id": 9, "title": "broken"}"#]).joined(separator: ",") + "]"
    }

    /// A store in which people changed one title, deleted one record, and have to decide over another.
    private func scene() throws -> Scene {
        let scene = try Scene()
        try scene.write("books.yaml", Self.pipeline())
        try scene.write("books.json", Self.records(["one", "two", "three", "four"]))
        #expect(try run(scene, "run").code == 0)
        try scene.execute("UPDATE books SET title = 'mine' WHERE id = 1; DELETE FROM books WHERE id = 2")
        try scene.execute("UPDATE books SET title = 'ours' WHERE id = 3")
        try scene.write("books.json", Self.records(["one", "two", "new", "four"]))
        #expect(try run(scene, "run").code == 0)
        return scene
    }

    private func run(_ scene: Scene, _ arguments: String...) throws -> Program.Result {
        try Program.start([arguments[0], "books.yaml"] + arguments.dropFirst(), in: scene.path).wait()
    }

    private func rename(_ scene: Scene, _ rename: Rename, says: Bool) throws {
        var text = Self.pipeline()
        for (old, new) in rename.changes { text = text.replacingOccurrences(of: old, with: new) }
        if says { text = text.replacingOccurrences(of: rename.place, with: rename.place + rename.key) }
        try scene.write("books.yaml", text)
    }

    @Test("What is renamed goes on", arguments: renames)
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

    @Test("What came in under the old names can be taken back", arguments: renames)
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

    @Test("Nothing is forgotten in silence", arguments: renames.filter { !$0.refusal.isEmpty })
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

    // MARK: A pipeline that nothing says was renamed

    /// It may as well be another one, so nothing is refused.
    @Test func aNewPipelineOfTheSameStreamsIsAsked() throws {
        let scene = try scene()
        try rename(scene, Self.renames[6], says: false)
        let words = ["pipeline_new_name", "add `renamed_from: books`"]
        for arguments in [
            ["plan", "--format", "json"], ["validate", "--store", "sqlite:shop.db", "--format", "json"],
        ] {
            let result = try Program.start([arguments[0], "books.yaml"] + arguments.dropFirst(), in: scene.path).wait()
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            for word in words { #expect(result.output.contains(word), "\(result.output)") }
        }
        let first = try run(scene, "run", "--format", "json")
        #expect(first.code == 0 && first.output.contains(words[0]), "\(first.output)\(first.errors)")
        let second = try run(scene, "run", "--format", "json")
        #expect(second.code == 0 && !second.output.contains(words[0]), "\(second.output)\(second.errors)")
        #expect(!(try run(scene, "validate", "--store", "sqlite:shop.db").output.contains(words[0])))
        // It was a new name after all: both runs are taken back, and the key says so.
        for number in ["4", "3"] {
            let undone = try Program.run("undo", number, "--store", "sqlite:shop.db", in: scene.path)
            #expect(undone.code == 0, "\(undone.output)\(undone.errors)")
        }
        try rename(scene, Self.renames[6], says: true)
        let renamed = try run(scene, "run")
        #expect(renamed.code == 0 && renamed.output.contains("3 unchanged"), "\(renamed.output)\(renamed.errors)")
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|mine", "3|ours", "4|four"])
    }

    /// The entity may have another name as well.
    @Test func aNewPipelineWithANewEntityIsAskedToo() throws {
        let scene = try scene()
        try rename(scene, Self.renames[6], says: false)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            text.replacingOccurrences(of: "Book:", with: "Volume:")
                .replacingOccurrences(of: "entity: Book", with: "entity: Volume"))
        for command in ["plan", "run"] {
            let result = try run(scene, command, "--format", "json")
            #expect(
                result.code == 0 && result.output.contains("pipeline_new_name"), "\(result.output)\(result.errors)")
        }
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
    @Test(arguments: renames.filter { $0.column == "title" && !$0.key.isEmpty })
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

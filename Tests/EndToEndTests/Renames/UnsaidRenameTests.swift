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

    /// What `import` calls by one name is renamed by one word.
    @Test(arguments: ["its stream", "its table", "its stream and its table", "its stream and its entity"])
    func aPipelineWithEditsIsRefusedThatWasRenamedWithMore(what: String) throws {
        let scene = try scene()
        let stream = what.contains("stream")
        var text = Self.pipeline().replacing("name: books\nstore", with: "name: shop\nstore")
        if stream { text = text.replacing("- name: books", with: "- name: shop") }
        if what.contains("table") { text = text.replacing("table: books", with: "table: shop") }
        if what.contains("entity") {
            text = text.replacing("Book:", with: "Volume:").replacing("entity: Book", with: "entity: Volume")
        }
        try scene.write("books.yaml", text)
        let words = ["add `renamed_from: books`"] + (stream ? ["to the stream `shop` `renamed_from: books`"] : [])
        for command in ["plan", "run"] {
            expectOneError(try run(scene, command), code: 4, words + ["`--allow-schema drop`"])
        }
        let check = try Program.run("validate", "books.yaml", "--store", "sqlite:shop.db", in: scene.path)
        #expect(check.code == 78, "\(check.output)\(check.errors)")
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|mine", "3|ours", "4|four"])
        text = text.replacing("name: shop\nstore", with: "name: shop\nrenamed_from: books\nstore")
            .replacing("- name: shop", with: "- name: shop\n    renamed_from: books")
            .replacing("table: shop", with: "table: shop\n    table_renamed_from: books")
            .replacing("Volume:", with: "Volume:\n    renamed_from: Book")
        try scene.write("books.yaml", text)
        let renamed = try run(scene, "run")
        #expect(renamed.code == 0 && renamed.output.contains("3 unchanged"), "\(renamed.output)\(renamed.errors)")
    }

    /// What says what its entity and its table were called was that pipeline.
    @Test func aPipelineWhoseKeyAloneIsMissingIsRefused() throws {
        let scene = try scene()
        try scene.write(
            "books.yaml",
            Self.pipeline().replacing("name: books\nstore", with: "name: shop\nstore")
                .replacing("Book:", with: "Volume:\n    renamed_from: Book")
                .replacing("entity: Book", with: "entity: Volume")
                .replacing("table: books", with: "table: volumes\n    table_renamed_from: books"))
        expectOneError(try run(scene, "run"), code: 4, ["add `renamed_from: books`"])
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|mine", "3|ours", "4|four"])
    }

    /// One that says what it was called, but not what its stream was, is told that alone.
    @Test func aStreamOfARenamedPipelineIsAskedAbout() throws {
        let scene = try scene()
        try scene.write(
            "books.yaml",
            Self.pipeline().replacing("name: books\nstore", with: "name: shop\nrenamed_from: books\nstore")
                .replacing("- name: books", with: "- name: volumes"))
        let refused = try run(scene, "run")
        expectOneError(refused, code: 4, ["the stream `books` said of 4 records", "renamed_from: books"])
        #expect(!refused.output.contains("is new to this store"), "\(refused.output)")
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
            .replacingOccurrences(of: "path: books.json", with: "path: others.json")
        try scene.write("third.yaml", third)
        try scene.write("others.json", Self.records(["two"]))
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

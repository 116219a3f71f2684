import Foundation
import Testing

/// `plan --replay NEW --against OLD`: how two recordings differ, without a store.
@Suite struct RecordingComparisonTests {
    /// A folder with the recordings `old` and `new` of a source of books.
    private func shop(
        _ old: String, _ new: String, stream: String = "", fields: String = "title: string"
    ) throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "https://api.example.com"}
            entities:
              Line: {table: lines, primary_key: [no], fields: {no: int, text: string}}
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, \(fields)}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
            streams: [{name: books, entity: Book, path: /books\(stream)}]
            """, to: "shop.yaml")
        try record(shop, "old", old)
        try record(shop, "new", new)
        return shop
    }

    private func record(_ shop: Workshop, _ name: String, _ books: String, url: String = "/books") throws {
        try FileManager.default.createDirectory(atPath: "\(shop.folder)/\(name)", withIntermediateDirectories: true)
        try shop.write(
            #"{"format":"sluice.recording/1","pipeline":"shop","status":"complete","started_at":"2026-05-01T00:00:00Z"}"#,
            to: "\(name)/recording.json")
        try shop.write(
            """
            {"format":"sluice.recording/1","request":{"method":"GET","url":"https://api.example.com\(url)"},
             "response":{"status":200,"headers":{"Content-Type":"application/json"},"json":\(books)}}
            """, to: "\(name)/0001-GET-books.json")
    }

    private func compare(_ shop: Workshop, _ more: String...) -> Workshop.Outcome {
        let outcome = shop.run(
            ["plan", shop.pipeline, "--replay", "\(shop.folder)/new", "--against", "\(shop.folder)/old"] + more)
        return Workshop.Outcome(
            code: outcome.code, output: outcome.output.replacing(shop.folder, with: "."),
            errors: outcome.errors.replacing(shop.folder, with: "."))
    }

    private static let old = #"[{"id":1,"title":"One","lines":[{"no":1,"text":"a"}]},{"id":2,"title":"Two"},{"id":9}]"#
    private static let new =
        #"[{"id":1,"title":"Uno","lines":[{"no":1,"text":"b"}]},{"id":3,"title":"Three"},{"id":9}]"#

    @Test func whatIsNewChangedAndGoneIsTold() throws {
        let shop = try shop(Self.old, Self.new)
        defer { clean(shop) }
        let outcome = compare(shop, "--detailed-exitcode")
        #expect(outcome.code == 2, "\(outcome)")
        #expect(
            outcome.output == """
                Comparison with ./old of shop: 1 to insert, 1 to update, 1 to delete, 1 unchanged; within them 1 to update

                  entity         insert  update  delete  unchanged
                  Line (within)       0       1       0          0
                  Book                1       1       1          1

                1 to insert into books
                + Book 3  title "Three"

                1 to update in books
                ~ Book 1
                    title  "One" → "Uno"
                  ~ Line 1
                      text  "a" → "b"

                1 to delete from books: gone from the source
                - Book 2  title "Two"

                """, "\(outcome.output)")
        // No store was made, here or elsewhere.
        #expect(shop.files.sorted() == ["new", "old", "shop.yaml"])
    }

    /// An absent key changes no record, and is told all the same.
    @Test func aKeyThatTheSourceRenamedIsTold() throws {
        let shop = try shop(
            #"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, #"[{"id":1,"name":"One"},{"id":2,"name":"Two"}]"#)
        defer { clean(shop) }
        let outcome = compare(shop)
        #expect(outcome.code == 0 && outcome.output.contains("2 unchanged"), "\(outcome)")
        let note = "No record of the first page has `title`, which 2 records of it had in `./old`."
        #expect((outcome.output + outcome.errors).contains(note), "\(outcome)")
        #expect((outcome.output + outcome.errors).contains("write `from: name`"), "\(outcome)")
        // What is null is said to be null.
        try record(shop, "new", #"[{"id":1,"title":null},{"id":2}]"#)
        #expect(!(compare(shop).output + compare(shop).errors).contains("No record of the first page"))
    }

    /// A record that fits only in the newer recording is no new one.
    @Test func aRecordThatDidNotFitBeforeIsTold() throws {
        let shop = try shop(
            #"[{"id":1,"n":"x"},{"id":2,"n":2}]"#, #"[{"id":1,"n":1},{"id":2,"n":2}]"#, fields: "n: int")
        defer { clean(shop) }
        let outcome = compare(shop)
        #expect(outcome.code == 0 && outcome.output.contains("1 to insert, 1 unchanged"), "\(outcome)")
        let note = "1 record of `./old` goes to the quarantine. Where the newer recording gives such a record"
        #expect((outcome.output + outcome.errors).contains(note), "\(outcome)")
    }

    @Test(arguments: ["json", "markdown", "html", "csv"])
    func allFormsTellIt(_ form: String) throws {
        let shop = try shop(Self.old, Self.new)
        defer { clean(shop) }
        let outcome = compare(shop, "--format", form)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
        for word in ["Uno", "Three", "Two"] { #expect(outcome.output.contains(word), "\(word) \(outcome.output)") }
        #expect(!outcome.output.contains("/sluice-"), "the temporary store is nobody's business")
        if form == "json" { #expect(outcome.output.contains(#""against":"./old","#)) }
        if form == "markdown" { #expect(outcome.output.hasPrefix("### Comparison with `./old` of shop: 1 to insert")) }
    }

    @Test func whatIsTheSameIsNoDifference() throws {
        let shop = try shop(Self.old, Self.old)
        defer { clean(shop) }
        let outcome = compare(shop, "--detailed-exitcode")
        #expect(outcome.code == 0 && outcome.output == "Comparison with ./old of shop: nothing differs, 3 unchanged\n")
    }

    /// What a pipeline does to its own store makes no difference to what the source said.
    @Test(arguments: [
        (", write_mode: insert_only", "title: string"), (", write_mode: append", "title: string"),
        (", write_mode: replace", "title: string"), (", delete_missing: {mode: hard, max_delete: 0}", "title: string"),
        (", delete_missing: {mode: soft, min_records: 100}", "title: string"),
        ("", "title: {type: string, owner: local}"),
        (", paginator: {type: page_number}", "title: string"),
    ])
    func theRulesOfTheStoreDoNotMatter(_ stream: String, _ fields: String) throws {
        let shop = try shop(Self.old, Self.new, stream: stream, fields: fields)
        defer { clean(shop) }
        if stream.contains("paginator") {
            for (name, books) in [("old", Self.old), ("new", Self.new)] {
                try record(shop, name, books, url: "/books?page=1")
                try shop.write(
                    try shop.read("\(name)/0001-GET-books.json").replacing("page=1", with: "page=2")
                        .replacing(books, with: "[]"), to: "\(name)/0002-GET-books.json")
            }
        }
        let outcome = compare(shop)
        #expect(outcome.code == 0, "\(outcome)")
        #expect(
            outcome.output.hasPrefix("Comparison with ./old of shop: 1 to insert, 1 to update, 1 to delete"),
            "\(outcome)")
    }

    /// An incremental stream is compared as a whole, since recordings of `--full` are.
    @Test func incrementalStreamsAreReadFromTheirBeginning() throws {
        let shop = try shop(
            #"[{"id":1,"title":"One","at":"2026-01-01T00:00:00Z"},{"id":2,"at":"2026-01-01T00:00:00Z"}]"#,
            #"[{"id":1,"title":"Uno","at":"2026-02-01T00:00:00Z"}]"#,
            stream:
                #", params: {since: "{{ cursor.start }}"}, incremental: {cursor_field: at, initial_value: "2020-01-01T00:00:00Z"}"#,
            fields: "title: string, at: datetime")
        defer { clean(shop) }
        for name in ["old", "new"] {
            let text = try shop.read("\(name)/0001-GET-books.json")
            try shop.write(
                text.replacing("/books\"", with: "/books?since=2020-01-01T00%3A00%3A00Z\""),
                to: "\(name)/0001-GET-books.json")
        }
        let outcome = compare(shop)
        #expect(outcome.code == 0 && outcome.output.contains("1 to update, 1 to delete"), "\(outcome)")
    }

    /// A pipeline of which the older folder has no recording, though it has those of others, is told as not compared.
    @Test func aPipelineThatIsNewIsNotCompared() throws {
        let shop = try shop(Self.old, Self.new)
        defer { clean(shop) }
        for side in ["old", "new"] {
            try FileManager.default.removeItem(atPath: "\(shop.folder)/\(side)")
            try record(shop, "\(side)/shop", Self.old)
        }
        let text = try shop.read("shop.yaml").replacing("name: shop", with: "name: other")
        try shop.write(text.replacing("table: ", with: "table: other_"), to: "other.yaml")
        try record(shop, "new/other", Self.new)
        let recording = try shop.read("new/other/recording.json")
        try shop.write(recording.replacing("shop", with: "other"), to: "new/other/recording.json")
        try shop.write(
            text.replacing("name: other", with: "name: files").replacing("table: ", with: "table: files_").replacing(
                "https://api.example.com", with: "file:."),
            to: "files.yaml")
        let outcome = compare(shop, "\(shop.folder)/other.yaml", "\(shop.folder)/files.yaml", "--detailed-exitcode")
        #expect(outcome.code == 0, "\(outcome)")
        for line in [
            "Comparison with ./old of shop: nothing differs, 3 unchanged",
            "Comparison with ./old of other: not compared",
            "There is no recording of `other` in `./old`", "Comparison with ./old of files: not compared",
            "`files` reads files",
        ] {
            #expect((outcome.output + outcome.errors).contains(line), "\(line)\n\(outcome)")
        }
        // A folder without any recording is a slip.
        let slip = shop.run([
            "plan", shop.pipeline, "--replay", "\(shop.folder)/new", "--against", "\(shop.folder)/odl",
        ])
        #expect(slip.code == 1 && slip.errors.contains("there is no recording of `shop`"), "\(slip)")
    }

    @Test func aRecordingThatIsMissingIsNamed() throws {
        let shop = try shop(Self.old, Self.new)
        defer { clean(shop) }
        try FileManager.default.removeItem(atPath: "\(shop.folder)/old")
        let outcome = compare(shop, "--format", "json")
        #expect(outcome.code == 1 && outcome.output.contains(#""status":"failed""#), "\(outcome)")
        #expect(outcome.errors.contains("In `./old`: ") && outcome.errors.contains("there is no recording of `shop`"))
        #expect(outcome.output.contains(#""schema_changes":[],"streams":[]"#))
    }

    @Test func whatSaysNothingTogetherIsRefused() throws {
        let shop = try shop(Self.old, Self.new)
        defer { clean(shop) }
        let alone = shop.run(["plan", shop.pipeline, "--against", "\(shop.folder)/old"])
        #expect(alone.code == 64 && alone.errors.contains("Name the newer one with `--replay DIR`"), "\(alone)")
        for option in [["--store", "sqlite:x.db"], ["--save", "x.plan"], ["--allow-deletes", "3"]] {
            let outcome = shop.run(
                ["plan", shop.pipeline, "--replay", "\(shop.folder)/new", "--against", "\(shop.folder)/old"] + option)
            #expect(outcome.code == 64 && outcome.errors.contains("`\(option[0])`"), "\(outcome)")
        }
        let text = try shop.read("shop.yaml").replacing("https://api.example.com", with: "file:.")
        try shop.write(text, to: "shop.yaml")
        let files = compare(shop)
        #expect(files.code == 64 && files.errors.contains("reads files"), "\(files)")
    }

    private func clean(_ shop: Workshop) {
        for name in ["old", "new"] { try? FileManager.default.removeItem(atPath: "\(shop.folder)/\(name)") }
    }
}

import Testing

/// What is said in the place of a base that cannot be shown.
@Suite struct BaseWordsTests {
    /// One way in which a conflict or an edit comes to have no base.
    struct Case: CustomTestStringConvertible {
        let name: String
        /// Keys of `merge` in the pipeline file of the first run, then of the others.
        var merge = ("", "")
        /// The fields of the first run, then of the others.
        var fields = ("id: int, text: string", "id: int, text: string")
        /// What the table holds before the first run.
        var before = ""
        /// What the source says, run by run.
        let said: [String]
        /// What people do before the last run.
        let edit: String
        let words: String
        /// What the JSON of conflicts and edits calls it.
        let reason: String

        var testDescription: String { name }
    }

    private static let long = String(repeating: "long ", count: 400)
    private static let middling = "a text of more than twenty-four bytes"
    private static let cases = [
        Case(
            name: "over 1 KiB", said: [record(long), record("new")], edit: "UPDATE books SET text = 'mine'",
            words: "base not stored (over 1 KiB; keep_base: full)", reason: "too_long"),
        Case(
            name: "a digest", merge: ("keep_base: digest", "keep_base: digest"),
            said: [record(middling), record("new")], edit: "UPDATE books SET text = 'mine'",
            words: "base not stored (keep_base: digest)", reason: "digest"),
        Case(
            name: "a digest, and full from now on", merge: ("keep_base: digest", "keep_base: full"),
            said: [record(middling), record("new")], edit: "UPDATE books SET text = 'mine'",
            words: "base not stored yet (keep_base: full since then)", reason: "earlier"),
        Case(
            name: "a digest, and short texts from now on", merge: ("keep_base: digest", "keep_base: short"),
            said: [record(middling), record("new")], edit: "UPDATE books SET text = 'mine'",
            words: "base not stored (over 1 KiB, or read under keep_base: digest)", reason: "too_long_or_digest"),
        Case(
            name: "a row that was here before", before: "INSERT INTO books VALUES (1, 'mine')",
            said: [record("new")], edit: "SELECT 1", words: "no base yet", reason: "never"),
        Case(
            name: "a new field", fields: ("id: int", "id: int, text: string"), said: [record("old"), record("new")],
            edit: "ALTER TABLE books ADD COLUMN text TEXT; UPDATE books SET text = 'mine'",
            words: "no base yet", reason: "never"),
    ]

    private static func record(_ text: String) -> String { #"[{"id":1,"text":"\#(text)"}]"# }

    private func pipeline(_ merge: String, _ fields: String) -> String {
        """
        version: 1
        name: shop
        source: {base_url: "file:."}
        merge: {\(merge)}
        entities:
          Book: {table: books, primary_key: [id], fields: {\(fields)}}
        streams:
          - {name: books, entity: Book, path: books.json}
        """
    }

    @Test(arguments: cases) func theWordsSayWhyThereIsNone(_ story: Case) throws {
        let shop = try Workshop()
        if !story.before.isEmpty {
            try shop.make("CREATE TABLE books (id INTEGER PRIMARY KEY, text TEXT) STRICT; \(story.before)")
        }
        try shop.write(pipeline(story.merge.0, story.fields.0), to: "shop.yaml")
        for (index, said) in story.said.enumerated() {
            let isLast = index == story.said.count - 1
            if isLast {
                try shop.sql(story.edit)
                try shop.write(pipeline(story.merge.1, story.fields.1), to: "shop.yaml")
            }
            try shop.write(said, to: "books.json")
            if isLast { try expect(story, in: shop.sluice("plan", shop.pipeline)) }
            let run = shop.sluice("run", shop.pipeline)
            #expect(run.code == 0, "\(run.errors)")
            if isLast { try expect(story, in: run) }
        }
        for command in [["conflicts", "list"], ["conflicts", "show", "1"], ["inspect", "record", "Book", "1"]] {
            try expect(story, in: shop.sluice(command))
        }
        let json = shop.sluice("conflicts", "list", "--format", "json").output
        #expect(json.contains(#""no_base":"\#(story.reason)""#), "\(json)")
        let edits = shop.sluice("edits", "--format", "json").output
        #expect(edits.contains(#""no_base":"\#(story.reason)""#), "\(edits)")
        try expect(story, in: shop.sluice("edits"))
    }

    private func expect(_ story: Case, in outcome: Workshop.Outcome) throws {
        #expect(outcome.output.contains(story.words), "\(outcome.output)")
        #expect(
            outcome.output.contains("over 1 KiB") == story.reason.hasPrefix("too_long"), "\(outcome.output)")
        #expect(!outcome.output.contains("base  "), "\(outcome.output)")
    }

    /// What stands in the place of a base that is not stored is no sign for a value that is not there.
    @Test func allFormsSayThatABaseIsNotStored() throws {
        let shop = try Workshop()
        try shop.write(pipeline("on_conflict: manual", "id: int, text: string"), to: "shop.yaml")
        let (long, other) = (String(repeating: "a", count: 2_000), String(repeating: "b", count: 2_000))
        for text in [long, other] {
            if text == other { try shop.sql("UPDATE books SET text = 'mine'") }
            try shop.write("[{\"id\":1,\"text\":\"\(text)\"}]", to: "books.json")
            if text == long { _ = shop.sluice("run", shop.pipeline) }
        }
        let words = "not stored (over 1 KiB; keep_base: full)"
        for form in ["text", "html"] {
            let plan = shop.sluice("plan", shop.pipeline, "--format", form).output
            #expect(plan.contains(words), "\(plan)")
        }
        let markdown = shop.sluice("plan", shop.pipeline, "--format", "markdown").output
        #expect(markdown.contains("| `text` | not stored (over") && !markdown.contains("| – |"), "\(markdown)")
    }

    /// A row that was here before and is deleted at its source was edited in what the source never gave.
    @Test func aRecordInConflictSaysItOfEachField() throws {
        let shop = try Workshop()
        try shop.make(
            "CREATE TABLE books (id INTEGER PRIMARY KEY, text TEXT) STRICT; INSERT INTO books VALUES (1, 'mine')")
        try shop.write(
            pipeline("on_conflict: manual", "id: int, text: string")
                .replacing("books.json}", with: "books.json, delete_missing: {mode: hard, max_delete: 100%}}"),
            to: "shop.yaml")
        try shop.write(#"[{"id":1},{"id":2}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        try shop.write(#"[{"id":2}]"#, to: "books.json")
        let plan = shop.sluice("plan", shop.pipeline).output
        #expect(!plan.contains("over 1 KiB"), "\(plan)")
        #expect(plan.contains("gone from the source"), "\(plan)")
    }

    /// A list that is one value is one conflict with its three sides, which one decision settles for good.
    @Test func aContestedListIsOneConflict() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Line: {table: lines, fields: {text: string}}
              Book:
                table: books
                primary_key: [id]
                fields: {id: int}
                children: {lines: {entity: Line, from: "lines[*]", ordered: true}}
            streams:
              - {name: books, entity: Book, path: books.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"lines":[{"text":"a"},{"text":"b"}]}]"#, to: "books.json")
        let first = shop.sluice("run", shop.pipeline)
        #expect(first.code == 0, "\(first.errors)")
        try shop.sql("UPDATE lines SET text = 'mine' WHERE text = 'a'")
        try shop.write(#"[{"id":1,"lines":[{"text":"x"},{"text":"b"},{"text":"c"}]}]"#, to: "books.json")
        let sides = """
            changed here and at the source: the whole list stays until somebody decides
            base    position 0, text "a"
            position 1, text "b"
            local   position 0, text "mine"
            position 1, text "b"
            remote  position 0, text "x"
            position 1, text "b"
            position 2, text "c"
            """
        for command in [["plan", shop.pipeline], ["run", shop.pipeline], ["conflicts", "list"]] {
            let lines = shop.sluice(command).output.split(separator: "\n", omittingEmptySubsequences: false)
            let text = lines.map { String($0.drop { $0 == " " }) }.joined(separator: "\n")
            #expect(text.contains("List of Line") && text.contains(sides), "\(text)")
        }
        let shown = shop.sluice("conflicts", "show", "1").output
        #expect(shown.hasPrefix("Conflict 1: List of Line with book_id=1\n"), "\(shown)")
        for take in ["local", "remote", "base"] { #expect(shown.contains("resolve 1 --take \(take)"), "\(shown)") }
        #expect(!shown.contains("--set"), "\(shown)")
        let json = shop.sluice("conflicts", "list", "--format", "json").output
        #expect(
            json.contains(
                #""kind":"edit_edit","entity":"Line","key":{"book_id":1},"field":null,"base":[{"position":0,"text":"a"},"#
            ), "\(json)")
        let set = shop.sluice("conflicts", "resolve", "1", "--set", "lines=[]")
        #expect(set.code == 1 && set.output.contains("change the rows of `lines` and take `local`"), "\(set.output)")
        let decided = shop.sluice("conflicts", "resolve", "1", "--take", "remote")
        #expect(decided.output.contains("the source's list is taken"), "\(decided.output)\(decided.errors)")
        let run = shop.sluice("run", shop.pipeline, "--format", "json").output
        #expect(run.contains(#""changes":[],"#) && run.contains(#""conflicts":[],"#), "\(run)")
        #expect(shop.sluice("conflicts", "list").output == "No open conflicts.\n")
    }

    /// A second source of a row has said nothing before.
    @Test func aSecondPipelineHasNoBaseYet() throws {
        let shop = try Workshop()
        try shop.write(pipeline("on_conflict: manual", "id: int, text: string"), to: "shop.yaml")
        try shop.write(Self.record("one"), to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        try shop.write(
            pipeline("on_conflict: manual", "id: int, text: string").replacing("name: shop", with: "name: other")
                .replacing("books.json", with: "others.json"), to: "other.yaml")
        try shop.write(Self.record("two"), to: "others.json")
        let other = "\(shop.folder)/other.yaml"
        for command in [["plan", other], ["run", other], ["conflicts", "list"]] {
            let text = shop.sluice(command).output
            #expect(text.contains("no base yet"), "\(text)")
            #expect(!text.contains("over 1 KiB"), "\(text)")
        }
    }
}

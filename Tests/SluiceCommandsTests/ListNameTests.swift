import Testing

/// A list that is one value has one name in all that tells of it: its entity, and the key that its elements share.
@Suite struct ListNameTests {
    private static let name = "List of Line with book_id=1"

    /// A book whose list was edited here, and is another one at the source.
    private func contested() throws -> Workshop {
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
        return shop
    }

    @Test(arguments: [
        ("skip", "was left as it is", "stale_lists"), ("merge", "was merged anew", "lists_merged_anew"),
    ])
    func aSavedPlanNamesListsThatMoved(stale: String, outcome: String, code: String) throws {
        let shop = try contested()
        let plan = shop.folder + "/books.plan"
        let saved = shop.sluice("plan", shop.pipeline, "--save", plan)
        #expect(saved.code == 0, "\(saved.errors)")
        try shop.sql("UPDATE lines SET text = 'mine again' WHERE text = 'mine'")
        let applied = shop.sluice("apply", plan, "--stale", stale)
        let message = "1 list of `Line` is not as the plan found it, and \(outcome)"
        #expect(applied.output.contains(message) && applied.output.contains("  - \(Self.name)\n"), "\(applied.output)")
        let json = shop.sluice("history", "2", "--format", "json").output
        #expect(json.contains("\"code\":\"\(code)\""), "\(json)")
        for form in ["text", "markdown", "html"] {
            let told = shop.sluice("history", "2", "--format", form).output
            #expect(told.contains(Self.name), "\(told)")
        }
        let list = shop.sluice("history").output
        #expect(list.contains("1 not as planned") == (stale == "skip"), "\(list)")
    }

    /// The owner of a list tells what of it is here, what the source says, and what is open since when.
    @Test func aRecordTellsOfItsList() throws {
        let shop = try contested()
        func shown(_ options: String...) -> String { shop.sluice(["inspect", "record", "Book", "1"] + options).output }
        let edited = """
            Within it
            Line  (table lines)  2 rows; edited here
                base    position 0, text "a"
                        position 1, text "b"
                local   position 0, text "mine"
                        position 1, text "b"

            """
        #expect(shown().contains(edited), "\(shown())")
        _ = shop.sluice("run", shop.pipeline)
        let contested = """
            Line  (table lines)  2 rows; the list is in conflict since run 2 (conflict 1)
                base    position 0, text "a"
                        position 1, text "b"
                local   position 0, text "mine"
                        position 1, text "b"
                remote  position 0, text "x"
                        position 1, text "b"
                        position 2, text "c"
                to decide: `sluice conflicts show 1
            """
        #expect(shown().contains(contested), "\(shown())")
        let json = shown("--format", "json")
        #expect(json.contains(#""local":[{"position":0,"text":"mine"},"#), "\(json)")
        #expect(
            json.contains(#""edited":true,"conflict":1,"since_run":2,"remote":[{"position":0,"text":"x"},"#), "\(json)")
        _ = shop.sluice("conflicts", "resolve", "1", "--take", "remote")
        #expect(shown().contains("Line  (table lines)  3 rows; as the source said\n"), "\(shown())")
    }
}

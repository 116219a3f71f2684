import Testing

/// What tables get that had nothing before is counted, and listed where that is asked for.
@Suite struct FirstRunTests {
    private func shop(_ records: Int) throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: hard, max_delete: 100%}")
        try write(records, to: shop)
        return shop
    }

    private func write(_ records: Int, to shop: Workshop) throws {
        let books = (1...records).map { "{\"id\":\($0),\"title\":\"Title \($0)\"}" }
        try shop.write("[" + books.joined(separator: ",") + "]", to: "books.json")
    }

    @Test func aFirstRunSaysOneLineForEachTable() throws {
        let shop = try shop(3)
        let hint = "  They are not listed; list them with `--changes N` or `--changes all`\n"
        let plan = shop.sluice("plan", shop.pipeline).output
        #expect(
            plan.hasPrefix(
                "Plan for shop: 3 to insert\n\n+ table books\n\n3 to insert into books, which had no rows\n\(hint)"),
            "\(plan)")
        let run = shop.sluice("run", shop.pipeline).output
        #expect(run.hasPrefix("Run 1 of shop: 3 inserted"), "\(run)")
        // They are inserted: another run would have none of them.
        let listed = "  They are not listed; list their keys with `sluice history 1 --limit all"
        #expect(run.contains("+ table books\n\n3 inserted into books, which had no rows\n\(listed)"), "\(run)")
        let command = run.split(separator: "`").first { $0.hasPrefix("sluice history") } ?? ""
        let history = shop.run(command.split(separator: " ").dropFirst().map(String.init))
        #expect(history.code == 0 && (1...3).allSatisfy { history.output.contains("Book \($0)") }, "\(history)")
        try write(4, to: shop)
        let second = shop.sluice("run", shop.pipeline).output
        #expect(second.hasSuffix("\n1 inserted into books\n+ Book 4  title \"Title 4\"\n"), "\(second)")
    }

    /// A first run that fails leaves no store, or an empty one where its file was there, and no trace.
    @Test(arguments: [false, true])
    func aFirstRunThatFailsShowsInACheck(hasFile: Bool) throws {
        let shop = try Workshop()
        try shop.writePipeline()
        shop.environment["SLUICE_STORE"] = "sqlite:\(shop.store)"
        if hasFile { try shop.write("", to: "shop.db") }
        #expect(shop.sluice("run", shop.pipeline).code == 1)
        #expect(shop.files.contains("shop.db") == hasFile)
        let status = shop.sluice("status")
        #expect(status.code == 1)
        let words = hasFile ? "is no store yet: no run has written to it" : "does not exist"
        #expect((status.output + status.errors).contains(words), "\(status.output)\(status.errors)")
        for command in [["status", "--check"], ["status", "--check", shop.pipeline]] {
            #expect(shop.run(command).code == 1)
        }
        try shop.write("[]", to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        #expect(shop.run(["status", "--check", shop.pipeline]).code == 0)
    }

    @Test func whatIsAskedForIsListed() throws {
        let shop = try shop(3)
        let all = shop.sluice("plan", shop.pipeline, "--changes", "all").output
        #expect(
            all.contains("3 to insert into books\n+ Book 1  title \"Title 1\"\n+ Book 2")
                && !all.contains("which had no rows"))
        let one = shop.sluice("run", shop.pipeline, "--changes", "1").output
        #expect(one.contains("3 inserted into books, the first 1 of them listed\n+ Book 1"), "\(one)")
        #expect(one.contains("… and 2 more changes"))
    }

    @Test func theTablesThatWereThereAreListedBesideNewOnes() throws {
        let shop = try shop(2)
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Line: {table: lines, primary_key: [no], fields: {no: int}}
              Author:
                table: authors
                primary_key: [id]
                fields: {id: int}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
              Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
            streams:
              - {name: authors, entity: Author, path: authors.json}
              - {name: books, entity: Book, path: books.json}
            """, to: "shop.yaml")
        try shop.write(
            "[" + (1...300).map { "{\"id\":\($0),\"lines\":[{\"no\":1},{\"no\":2}]}" }.joined(separator: ",") + "]",
            to: "authors.json")
        try write(3, to: shop)
        let text = shop.sluice("run", shop.pipeline).output
        let counts = ["300 inserted into authors, which had no rows", "600 inserted into lines, which had no rows"]
        #expect(text.contains("\n" + counts.joined(separator: "\n") + "\n"), "\(text)")
        let rest = text.split(separator: "list their keys with `sluice history 2 --limit all").last ?? ""
        #expect(rest.contains("`\n\n1 inserted into books\n+ Book 3"), "\(text)")
        #expect(!text.contains("Author 1") && !text.contains("more change"), "\(text)")
    }

    @Test func conflictsAndInvalidRecordsOfAFirstRunAreListed() throws {
        let shop = try shop(2)
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":null},{"id":3,"title":"Three"}]"#, to: "books.json")
        let text = shop.sluice("run", shop.pipeline).output
        #expect(text.contains("2 inserted into books, which had no rows\n"), "\(text)")
        #expect(text.contains("1 not written to books: kept in quarantine") && text.contains("Book 2"), "\(text)")
    }
}

import Testing

/// A rule of a table refuses what a person decided: nobody is told how to leave records of the source out.
@Suite struct RefusedDecisionTests {
    @Test func theRuleIsNamedAlone() throws {
        let shop = try Workshop()
        try shop.make("CREATE TABLE books(id INTEGER PRIMARY KEY, title TEXT CHECK (title <> 'none'))")
        try shop.writePipeline(book: "fields: {id: int, title: string}")
        for (remote, local) in [("One", "Eins"), ("Un", "")] {
            try shop.write(#"[{"id":1,"title":"\#(remote)"}]"#, to: "books.json")
            let run = shop.sluice("run", shop.pipeline)
            #expect(run.output.contains("books"), "\(run.output)\(run.errors)")
            if !local.isEmpty { try shop.sql("UPDATE books SET title = '\(local)'") }
        }
        let decision = shop.sluice("conflicts", "resolve", "1", "--set", "title=none")
        #expect(decision.code == 1, "\(decision.output)\(decision.errors)")
        #expect(decision.output.contains("The table `books` refused it: CHECK constraint failed"), "\(decision.output)")
        #expect(!decision.output.contains("`filter`") && !decision.errors.contains("`filter`"), "\(decision)")
    }
}

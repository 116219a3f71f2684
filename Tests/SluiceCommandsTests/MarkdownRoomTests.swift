import Testing

/// What sources say stays what it is in Markdown, and what has no room is counted by how it ended.
@Suite struct MarkdownRoomTests {
    @Test(arguments: ["`@octocat` is x`", "a b` c", "`"])
    func aValueWithBackticksWithinASentenceIsOnePieceOfCode(_ value: String) throws {
        let shop = try Workshop()
        try shop.writePipeline(book: "fields: {id: int, n: int}")
        try shop.write("[{\"id\":1,\"n\":\"\(value)\"}]", to: "books.json")
        let outcome = shop.sluice("plan", shop.pipeline, "--format", "markdown")
        #expect(outcome.output.contains("the text ``\"\(value)\"``."), "\(outcome.output)\(outcome.errors)")
    }

    /// The first reports stand, and of the others it is said how many did not succeed.
    @Test func theFirstReportsHaveRoom() throws {
        let shop = try Workshop()
        try shop.write(#"[{"id":1}]"#, to: "even.json")
        for number in 1...9 {
            try shop.write(
                """
                version: 1
                name: pipe\(number)
                source: {base_url: "file:."}
                entities: {Book: {table: books\(number), primary_key: [id], fields: {id: int}}}
                streams: [{name: books, entity: Book, path: \(number % 2 == 0 ? "even" : "odd").json}]
                """, to: "p\(number).yaml")
        }
        let outcome = shop.sluice("plan", shop.folder, "--format", "markdown", "--max-bytes", "2000")
        let heads = outcome.output.split(separator: "\n").filter { $0.hasPrefix("### ") }
        #expect(heads.count > 1 && heads.first?.contains("pipe1") == true, "\(outcome.output)")
        #expect(outcome.output.utf8.count <= 2_000)
        let left = 9 - heads.count
        let failed = 5 - (heads.count + 1) / 2
        #expect(
            outcome.output.contains("… and \(left) more reports (\(failed) failed), for which"), "\(outcome.output)")
        let all = shop.sluice("plan", shop.folder, "--format", "markdown").output
        #expect(all.split(separator: "\n").count { $0.hasPrefix("### ") } == 9 && !all.contains("no room"), "\(all)")
    }

    /// Who approves a change of a type sees its statements.
    @Test(arguments: ["markdown", "html", "json"]) func changesOfTablesHaveTheirStatements(_ form: String) throws {
        let shop = try Workshop()
        try shop.write(#"[{"id":1,"shelf":4}]"#, to: "books.json")
        try shop.writePipeline(book: "fields: {id: int, shelf: int}")
        _ = shop.sluice("run", shop.pipeline)
        try shop.writePipeline(book: "fields: {id: int, shelf: string}")
        let plan = shop.sluice("plan", shop.pipeline, "--format", form).output
        for clause in ["ADD COLUMN", "DROP COLUMN", "RENAME COLUMN"] {
            let statement = "ALTER TABLE \"books\" \(clause)"
            let said = plan.replacing("&quot;", with: "\"").replacing("\\\"", with: "\"")
            #expect(said.contains(statement), "\(plan)")
        }
    }
}

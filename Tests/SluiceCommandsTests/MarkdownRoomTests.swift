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

    @Test(arguments: ["text", "markdown", "html"]) func whatAProblemDoesNotListIsCounted(_ form: String) throws {
        let shop = try Workshop()
        try shop.write(
            "[\((1...30).map { "{\"id\":\($0),\"author\":\($0)}" }.joined(separator: ","))]", to: "books.json")
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Author: {table: authors, primary_key: id, fields: {id: int}}
              Book: {table: books, primary_key: id, fields: {id: int, author: {ref: Author, upsert: false}}}
            streams: [{name: books, entity: Book, path: books.json}]
            """, to: "shop.yaml")
        let plan = shop.sluice("plan", shop.pipeline, "--format", form)
        #expect(
            plan.output.contains("Book 10") && plan.output.contains("… and 20 more"), "\(plan.output)\(plan.errors)")
    }

    /// What plan, run and history say of changes of tables, with the rows that they touch.
    @Test(arguments: [
        (
            "{table: books, primary_key: id, fields: {id: int, n: int, x: int}}",
            "+ column of books, 2 rows  ALTER TABLE"
        ),
        (
            "{table: books, primary_key: id, fields: {id: int, m: {from: n, type: int, renamed_from: n}}}",
            "~ column of books, 2 rows  ALTER TABLE"
        ),
        (
            "{table: books, primary_key: id, unique: [[n]], fields: {id: int, n: int}}",
            "+ index on books, 2 rows  CREATE UNIQUE INDEX"
        ),
        (
            "{table: books, primary_key: id, fields: {id: int}}",
            "! column of books, 2 values  n is filled by no field any more, and stays as it is"
        ),
        (
            "{table: tomes, table_renamed_from: books, primary_key: id, fields: {id: int, n: int}}",
            "~ table tomes, 2 rows  ALTER TABLE"
        ),
        (
            "{table: tomes, primary_key: id, fields: {id: int, n: int}}",
            "! table books, 2 rows  is filled by no entity any more, and stays as it is"
        ),
    ])
    func changesOfTablesHaveTheirRows(_ entity: String, _ words: String) throws {
        let shop = try Workshop()
        try shop.write(#"[{"id":1,"n":4},{"id":2,"n":5}]"#, to: "books.json")
        func define(_ entity: String) throws {
            try shop.write(
                """
                version: 1
                name: shop
                source: {base_url: "file:."}
                entities: {Book: \(entity)}
                streams: [{name: books, entity: Book, path: books.json}]
                """, to: "shop.yaml")
        }
        try define("{table: books, primary_key: id, fields: {id: int, n: int}}")
        _ = shop.sluice("run", shop.pipeline)
        try define(entity)
        for command in ["plan", "run"] {
            let outcome = shop.sluice(command, shop.pipeline)
            #expect(outcome.output.contains(words), "\(outcome.output)\(outcome.errors)")
        }
        // Another run says nothing of it.
        let again = shop.sluice("run", shop.pipeline)
        #expect(!again.output.contains("column of") && !again.output.contains("table "), "\(again.output)")
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

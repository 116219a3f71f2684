import Testing

/// Who approves a plan by its heading reads there which tables change.
@Suite struct TableHeadingTests {
    private func write(_ fields: String, to shop: Workshop) throws {
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities: {Book: {table: books, primary_key: id, fields: {\(fields)}}}
            streams: [{name: books, entity: Book, path: books.json}]
            """, to: "shop.yaml")
    }

    private func heading(_ text: String) -> Substring {
        text.split(separator: "\n").first {
            ["Plan", "### Plan", "Run", "### Run", "<h2"].contains(where: $0.hasPrefix)
        } ?? ""
    }

    @Test(
        arguments: [
            "id: int, colour: {type: string, from: color, renamed_from: color}", "id: int, color: json",
            "id: int, color: string, n: int",
        ], ["text", "markdown", "html"])
    func theHeadingNamesTheTablesThatChange(_ fields: String, _ form: String) throws {
        let shop = try Workshop()
        try shop.write(#"[{"id":1,"color":"red"}]"#, to: "books.json")
        try write("id: int, color: string", to: shop)
        // A table that is made anew changes nothing that others know.
        #expect(!heading(shop.sluice("plan", shop.pipeline, "--format", form).output).contains("tables"))
        let first = shop.sluice("run", shop.pipeline)
        #expect(first.code == 0 && !heading(first.output).contains("tables"), "\(first.output)\(first.errors)")
        try write(fields, to: shop)
        let plan = shop.sluice("plan", shop.pipeline, "--format", form)
        #expect(heading(plan.output).contains("; tables to change: books"), "\(plan.output)\(plan.errors)")
        let run = shop.sluice("run", shop.pipeline, "--format", form)
        #expect(heading(run.output).contains("; changed tables: books"), "\(run.output)\(run.errors)")
        let undo = shop.sluice("undo", "2", "--plan")
        #expect(
            !undo.output.contains("~ column") || undo.output.contains("; tables to change: books\n"), "\(undo.output)")
        let again = shop.sluice("run", shop.pipeline, "--format", form)
        #expect(!heading(again.output).contains("tables"), "\(again.output)")
    }
}

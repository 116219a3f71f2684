import Testing

/// What runs change of tables, and what undo gives back of it, is told by one rule.
@Suite struct SchemaUndoTests {
    private func shop(_ entities: String, _ books: String) throws -> Workshop {
        let shop = try Workshop()
        try write(entities, to: shop)
        try shop.write(books, to: "books.json")
        let run = shop.sluice("run", shop.pipeline)
        try #require(run.code == 0, "\(run.output)\(run.errors)")
        return shop
    }

    private func write(_ entities: String, entity: String = "Book", to shop: Workshop) throws {
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
            \(entities.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
            streams:
              - {name: books, entity: \(entity), path: books.json}
            """, to: "shop.yaml")
    }

    /// Each type that the column can hold as it is, of values that are the same in both.
    @Test(arguments: [("string", "decimal"), ("decimal", "string"), ("string", "enum, values: [\"3.50\"]")])
    func aChangeOfTypeIsToldWhateverItDoesToValues(_ before: String, _ after: String) throws {
        let book = { (type: String) in
            "Book: {table: books, primary_key: [id], fields: {id: int, price: {type: \(type)}}}"
        }
        let shop = try shop(book(before), #"[{"id":1,"price":"3.50"}]"#)
        try write(book(after), to: shop)
        let plan = shop.sluice("plan", shop.pipeline, "--detailed-exitcode")
        let line = "~ column of books, 0 values  \"price\" from \(before) to "
        #expect(plan.code == 2 && plan.output.contains(line), "\(plan.output)")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.output.contains(line), "\(run.output)")
        let undo = shop.sluice("undo", "2")
        #expect(undo.output.contains("~ column of books, 0 values  \"price\" from "), "\(undo.output)\(undo.errors)")
    }

    /// What named a column that went stands away, and comes back with the column.
    @Test func undoMakesAgainWhatTheRunCouldNot() throws {
        let entities = { (key: String) in
            """
            Book: {table: books, primary_key: \(key), fields: {id: int, isbn: string}, children: {lines: {entity: Line, from: "lines[*]", key: [no]}}}
            Line: {table: lines, fields: {no: int, qty: int}}
            """
        }
        let shop = try shop(entities("id"), #"[{"id":1,"isbn":"x","lines":[{"no":1,"qty":2}]}]"#)
        let objects = [
            "CREATE INDEX lines_mine ON lines(book_id, qty)",
            "CREATE VIEW lines_view AS SELECT book_id, count(*) AS n FROM lines GROUP BY 1",
            "CREATE TRIGGER lines_told AFTER INSERT ON lines BEGIN SELECT new.book_id; END",
        ]
        for object in objects { try shop.sql(object) }
        try write(entities("isbn"), to: shop)
        let run = shop.sluice("run", shop.pipeline)
        let history = shop.sluice("history", "2")
        for object in objects {
            #expect(run.output.contains("! not made again  \(object)"), "\(run.output)\(run.errors)")
            #expect(history.output.contains("! not made again  \(object)"), "\(history.output)")
        }
        // Something else has the name of one of them by now.
        try shop.sql("CREATE VIEW lines_view AS SELECT 1 AS n")
        let undo = shop.sluice("undo", "2")
        for (index, object) in objects.enumerated() {
            let words = index == 1 ? "! not made again" : "+ made again"
            #expect(undo.output.contains("\(words)  \(object)"), "\(undo.output)\(undo.errors)")
        }
        let names = try shop.rows(
            "SELECT name FROM sqlite_schema WHERE name IN ('lines_mine', 'lines_told') ORDER BY 1")
        #expect(names == [["lines_mine"], ["lines_told"]])
    }

    /// The key of a record around another one follows that by itself.
    @Test func undoNamesTheKeysThatAFileCanHave() throws {
        let children = #"children: {lines: {entity: Line, from: "lines[*]", key: [no]}}"#
        let line = "Line: {table: lines, fields: {no: int, qty: int}}"
        let shop = try shop(
            "Book: {primary_key: id, fields: {id: int}, \(children)}\n\(line)",
            #"[{"id":1,"lines":[{"no":1,"qty":2}]}]"#)
        let renamed = "Novel: {renamed_from: Book, primary_key: id, fields: {id: int}, \(children)}\n\(line)"
        try write(renamed, entity: "Novel", to: shop)
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let plan = shop.sluice("undo", "2", "--plan")
        #expect(plan.output.contains("`renamed_from: Novel` at the entity `Book`"), "\(plan.output)\(plan.errors)")
        #expect(!plan.output.contains("novel_id"), "\(plan.output)")
    }

    /// An undo that is refused tells of nothing that it did: it did nothing.
    @Test(arguments: ["text", "markdown"]) func aRefusedUndoDoesNotReadAsDone(_ form: String) throws {
        let book = { (type: String) in
            "Book: {table: books, primary_key: id, fields: {id: int, n: \(type), title: string}}"
        }
        let shop = try shop(book("int"), #"[{"id":1,"n":1,"title":"A"},{"id":2,"n":2,"title":"B"}]"#)
        try write(book("string"), to: shop)
        try shop.write(#"[{"id":1,"n":"1","title":"Uno"},{"id":2,"n":"2","title":"B"}]"#, to: "books.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        try shop.sql("UPDATE books SET n = 'two' WHERE id = 2")
        let undo = shop.sluice("undo", "2", "--format", form)
        #expect(undo.code == 4, "\(undo.output)\(undo.errors)")
        #expect(undo.output.contains("Undo of run 2 of shop: refused, the store is as before"), "\(undo.output)")
        for wrong in ["Uno", "no row changed", "nothing that could be taken back", "To redo"] {
            #expect(!undo.output.contains(wrong), "\(undo.output)")
        }
    }
}

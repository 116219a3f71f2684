import Testing

/// What reports say of a run that is taken back, in every form.
@Suite struct UndoReportWordsTests {
    /// A pipeline of books with lines that nothing was read of.
    private func books(_ lines: String = "key: [no]") throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Line: {table: lines, fields: {no: int, text: string}}
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, title: string}
                children: {lines: {entity: Line, from: "lines[*]", \(lines)}}
            streams:
              - {name: books, entity: Book, path: books.json, delete_missing: {mode: hard, max_delete: 100%}}
            """, to: "shop.yaml")
        return shop
    }

    /// Two runs of which the second one changes a book and its lines, and deletes a book.
    private func shop() throws -> Workshop {
        let shop = try books()
        try shop.write(
            #"[{"id":1,"title":"One","lines":[{"no":1,"text":"a"},{"no":2,"text":"b"}]},{"id":2,"title":"Two","lines":[]}]"#,
            to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write(
            #"[{"id":1,"title":"Uno","lines":[{"no":1,"text":"A"},{"no":3,"text":"c"}]}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        return shop
    }

    @Test func theHeadlineCountsWhatStandsWithinRecords() throws {
        let shop = try shop()
        let words = "1 to insert, 1 to update; within them 1 to insert, 1 to update, 1 to delete"
        let plan = shop.sluice("undo", "2", "--plan").output
        #expect(plan.hasPrefix("Plan to undo run 2 of shop: \(words)\n"), "\(plan)")
        let summary = shop.sluice("undo", "2", "--plan", "--summary-only").output
        #expect(
            summary
                == "Plan to undo run 2 of shop: \(words)\n\nNothing was written yet. Run again without `--plan` to do it.\n"
        )
        let markdown = shop.sluice("undo", "2", "--plan", "--format", "markdown").output
        #expect(markdown.hasPrefix("### Plan to undo run 2 of shop: \(words)\n"), "\(markdown)")
        #expect(markdown.contains("1 to delete from lines</summary>"), "\(markdown)")
        #expect(markdown.contains("| `Book 2` | `title \"Two\"` |"), "\(markdown)")
        for wrong in ["not listed", "gone from the source", "back at the source"] {
            #expect(!markdown.contains(wrong), "\(markdown)")
        }
        let html = shop.sluice("undo", "2", "--plan", "--format", "html").output
        #expect(html.contains(words), "\(html)")
    }

    @Test func statusTellsOfAnUndoOfAnEarlierRun() throws {
        let shop = try shop()
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(!shop.sluice("status").output.contains("undid"))
        _ = shop.sluice("undo", "2")
        let status = shop.sluice("status").output
        #expect(
            status.contains(
                "since then, run 4 undid run 2: 1 inserted, 1 updated; Line: 1 inserted, 1 updated, 1 deleted\n"),
            "\(status)")
        #expect(shop.sluice("status", "--format", "json").output.contains(#""undo":{"run":4,"command":"undo","#))
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(!shop.sluice("status").output.contains("undid"))
    }

    @Test func conflictsThatStayAreToldTogether() throws {
        let shop = try shop()
        try shop.sql("UPDATE books SET title = 'Eins'; UPDATE lines SET text = 'here' WHERE no = 1")
        try shop.write(
            #"[{"id":1,"title":"Un","lines":[{"no":1,"text":"AA"},{"no":3,"text":"c"}]}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        _ = shop.sluice("conflicts", "resolve", "--all", "--take", "local")
        let undo = shop.sluice("undo", "3", "--plan")
        #expect(undo.code == 1)
        #expect(undo.output.contains("no row to change\n"), "\(undo.output)")
        #expect(
            undo.output.contains(
                "warning: The conflicts 1 of Book {\"id\":1} and 2 of Line {\"book_id\":1,\"no\":1} were decided by run 4, so they would be left as they are. To take that back, undo run 4.\n"
            ), "\(undo.output)")
        // What it names is what helps.
        #expect(shop.sluice("undo", "4").code == 0)
        let back = shop.sluice("undo", "3")
        #expect(back.code == 0 && back.output.contains("! conflicts 1, 2 of that run are gone\n"), "\(back.output)")
    }

    /// Each conflict is told once, as the undo leaves it, however often the run changed it.
    @Test(arguments: ["key: [no]", "ordered: true"])
    func whatBecomesOfAConflictIsToldOnce(_ list: String) throws {
        let shop = try books(list)
        try shop.write(#"[{"id":1,"title":"One","lines":[]}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("DELETE FROM books")
        try shop.write(#"[{"id":1,"title":"Uno","lines":[{"no":1,"text":"a"}]}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let edits = shop.sluice("edits", shop.pipeline).output
        let plan = shop.sluice("undo", "2", "--plan", "--format", "json").output
        #expect(plan.contains(#""withdrawn_conflicts":[1]"#) && plan.contains(#""conflicts":[]"#), "\(plan)")
        let undo = shop.sluice("undo", "2")
        #expect(undo.code == 0 && undo.output.contains("! conflict 1 of that run is gone\n"), "\(undo.output)")
        #expect(!undo.output.contains("again") && !undo.output.contains("stays"), "\(undo.output)")
        // The undo of the undo opens it once.
        let redo = shop.sluice("undo", "3").output
        #expect(redo.split(separator: "conflict 1").count == 2 && redo.contains("conflict 1 is open again"), "\(redo)")
        #expect(shop.sluice("edits", shop.pipeline).output == edits)
    }

    @Test func aDecisionThatChangesOnlyChildrenHasNoOtherCounts() throws {
        let shop = try shop()
        try shop.sql("UPDATE lines SET text = 'here' WHERE no = 3")
        try shop.write(#"[{"id":1,"title":"Uno","lines":[{"no":1,"text":"A"}]}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        _ = shop.sluice("conflicts", "resolve", "--all", "--take", "remote")
        let history = shop.sluice("history", "--limit", "1").output
        #expect(history.contains("Z  Line: 1 deleted\n") && !history.contains("no records"), "\(history)")
    }

    @Test func theHistoryOfARunInMarkdownCountsAsItsReportDid() throws {
        let shop = try shop()
        _ = shop.sluice("undo", "2")
        let history = shop.sluice("history", "2", "--format", "markdown").output
        let words = "1 updated, 1 deleted; within them 1 inserted, 1 updated, 1 deleted"
        #expect(history.hasPrefix("### Run 2 of shop: \(words)  ("), "\(history)")
    }

    /// A decision after which the source changed the value again stays: the next conflict is the one to decide.
    @Test func theUndoOfADecisionNamesTheConflictThatCameAfterIt() throws {
        let shop = try shop()
        try shop.sql("UPDATE books SET title = 'mine'")
        for title in ["Eins", "Un"] {
            try shop.write(#"[{"id":1,"title":"\#(title)","lines":[]}]"#, to: "books.json")
            _ = shop.sluice("run", shop.pipeline, "-q")
            if title == "Eins" { _ = shop.sluice("conflicts", "resolve", "1", "--take", "local", shop.pipeline) }
        }
        let undo = shop.sluice("undo", "4")
        #expect(
            undo.output.contains(
                #"Conflict 1 of Book {"id":1} stays decided, since the source changed the value again: conflict 2 asks about that."#
            ),
            "\(undo.output)")
    }
}

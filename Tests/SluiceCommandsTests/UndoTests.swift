import SluiceCommands
import SluiceSQLite
import Testing

@Suite struct UndoTests {
    /// A shop whose second run updates 1, deletes 2, inserts 4, and opens a conflict over 3.
    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: hard, max_delete: 100%}")
        try shop.write(
            #"[{"id":1,"title":"One","price":"1.5"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#, to: "books.json"
        )
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE books SET title = 'Drei' WHERE id = 3")
        try shop.write(
            #"[{"id":1,"title":"Uno","price":"1.5"},{"id":3,"title":"Tre"},{"id":4,"title":"Four"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        return shop
    }

    private func titles(_ shop: Workshop) throws -> SQLiteValue {
        try shop.value("SELECT group_concat(id || title, ' ') FROM (SELECT * FROM books ORDER BY id)")
    }

    @Test func aPlanShowsItAndAnUndoDoesIt() throws {
        let shop = try shop()
        let plan = shop.sluice("undo", "2", "--plan")
        #expect(plan.code == 0)
        #expect(
            plan.output == """
                Plan to undo run 2 of shop: 1 to insert, 1 to update, 1 to delete

                + Book 2
                ~ Book 1
                    title  "Uno" → "One"
                - Book 4
                ! 1 conflict of that run goes away

                Nothing was written yet. Run again without `--plan` to do it.

                """)
        #expect(try titles(shop) == SQLiteValue("1Uno 3Drei 4Four"))
        let undo = shop.sluice("undo", "2")
        #expect(undo.code == 0)
        #expect(
            undo.output.hasPrefix("Run 3: undo of run 2 of shop: 1 inserted, 1 updated, 1 deleted  ("), "\(undo.output)"
        )
        #expect(undo.output.contains("! conflict 1 of that run is gone\n"))
        let redo = "\nTo redo run 2: `sluice undo 3 --store sqlite:\(shop.store)`.\n"
        #expect(undo.output.hasSuffix("\(redo)note: \(RepetitionNote.text)\n"), "\(undo.output)")
        #expect(try titles(shop) == SQLiteValue("1One 2Two 3Drei"))

        let history = shop.sluice("history").output.split(separator: "\n").map(String.init)
        #expect(history[0].hasPrefix("3  shop  undo 2  ") && history[1].hasSuffix("(undone by 3)"), "\(history)")
        #expect(shop.sluice("history", "2").output.contains("(undone by 3)"))
        #expect(shop.sluice("history", "3").output.contains("- Book 4\n"))
        #expect(shop.sluice("status").output.contains("run 2 succeeded at "))
        #expect(shop.sluice("status").output.contains(", undone by run 3\n"))
        let life = shop.sluice("inspect", "record", "Book", "1").output
        #expect(life.contains("title  \"One\"  run 3, undo at "), "\(life)")
        #expect(
            life.contains(", undone by run 3  updated, from \(shop.folder)/books.json\n    title  \"One\" → \"Uno\"\n"),
            "\(life)")

        // What an undo did comes from no source, so that no run does it again.
        let again = shop.sluice("undo", "3")
        #expect(again.code == 0 && !again.output.contains("the next run"), "\(again.output)")
        #expect(try titles(shop) == SQLiteValue("1Uno 3Drei 4Four"))
        #expect(shop.sluice("conflicts", "list").output.contains("Book 3"))
        #expect(!shop.sluice("history", "2").output.contains("undone by"))
    }

    @Test func whoTookARunBackIsKept() throws {
        let shop = try shop()
        shop.environment["USER"] = "ada"
        #expect(shop.sluice("undo", "2").code == 0)
        #expect(shop.sluice("history", "3").output.hasPrefix("Run 3 of shop  (undo 2 by ada, at "))
        #expect(shop.sluice("history", "3", "--format", "json").output.contains(#""command":"undo","who":"ada""#))
        #expect(shop.sluice("inspect", "record", "Book", "1").output.contains("  run 3  undo by ada at "))
        // Who starts a run over the source decides nothing.
        #expect(!shop.sluice("history", "2", "--format", "json").output.contains("\"who\""))
    }

    @Test func aReportForProgramsHasTheShapeOfARuns() throws {
        let shop = try shop()
        try shop.sql("UPDATE books SET title = 'Eins' WHERE id = 1")
        for arguments in [["undo", "2", "--plan"], ["undo", "2"]] {
            let undo = shop.run(arguments + ["--format", "json", "--store", "sqlite:\(shop.store)"])
            #expect(undo.code == 1)
            let run = arguments.count == 3 ? "null" : "3"
            #expect(
                undo.output.hasPrefix(
                    """
                    {"format":"sluice.report/1","pipelines":[
                    {"pipeline":"shop","command":"undo","status":"partial","run":\(run),"undoes":2,"left":1,"left_entries":0,\
                    "withdrawn_conflicts":[1],"started_at":"
                    """), "\(undo.output)")
            #expect(
                undo.output.contains(
                    #""summary":{"insert":1,"update":0,"delete":1,"unchanged":0,"kept_local":0,"conflict":0,"conflict_written":0,"quarantined":0,"delete_refused":0},"changes":["#
                ))
            #expect(
                undo.output.contains(
                    #"{"entity":"Book","table":"books","key":{"id":1},"action":"conflict","kind":"merge","fields":[{"field":"title","class":"edit_edit","base":"Uno","local":"Eins","remote":"One","result":"Eins"}]}"#
                ))
            let isPlan = arguments.contains("--plan")
            #expect(undo.output.hasSuffix("\"problems\":[]}\n]}\n") == isPlan, "\(undo.output)")
            #expect(undo.output.contains(#"{"code":"done_again","severity":"note","message":"#) != isPlan)
        }
    }

    @Test func whatWasTouchedSinceIsListed() throws {
        let shop = try shop()
        try shop.sql(
            "UPDATE books SET title = 'Eins' WHERE id = 1; UPDATE books SET price = '9' WHERE id = 4; INSERT INTO books VALUES (2, 'Zwei', NULL)"
        )
        let undo = shop.sluice("undo", "2")
        #expect(undo.code == 1)
        #expect(
            undo.output.contains(
                """
                ! Book 2  is there again: that row stays
                    title  "Zwei"  (before it "Two")
                ! Book 1  was edited or changed since: what was changed stays
                    title  "Eins"  (the run wrote "Uno"; before it "One")
                ! Book 4  was edited or changed since: it stays
                    price  "9"
                """), "\(undo.output)")
        #expect(
            undo.output.contains(
                "What was changed since stays. If it should go back too, undo the run that changed it, or change it by hand.\n"
            ))
        #expect(try titles(shop) == SQLiteValue("1Eins 2Zwei 3Drei 4Four"))
    }

    /// A row that a run made for a reference goes with its undo, but for what people put into it.
    @Test(arguments: [
        ("UPDATE o SET n = 'filled' WHERE id = 5", "5filled"), ("UPDATE o SET own = 'ours' WHERE id = 5", "5"),
        ("UPDATE t SET a = 'mine' WHERE id = 1; UPDATE o SET n = 'filled' WHERE id = 5", "5filled"), ("", nil),
    ])
    func aRowMadeForAReferenceStaysOnceItIsFilled(_ edit: String, _ left: String?) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              T: {primary_key: [id], fields: {id: int, a: string, o: {ref: O, on_dangling: stub}}}
              O: {primary_key: [id], fields: {id: int, n: string}}
            streams:
              - {name: t, entity: T, path: t.json}
            """, to: "shop.yaml")
        try shop.write("[]", to: "t.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("ALTER TABLE o ADD COLUMN own TEXT; ALTER TABLE o ADD COLUMN kind TEXT DEFAULT 'k'")
        try shop.write(#"[{"id":1,"a":"x","o":5}]"#, to: "t.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        if !edit.isEmpty { try shop.sql(edit) }
        let undo = shop.sluice("undo", "2")
        #expect(undo.code == (left == nil ? 0 : 1), "\(undo.output)\(undo.errors)")
        let rows = try shop.value("SELECT coalesce(group_concat(id || coalesce(n, '')), '-') FROM o")
        #expect(rows == SQLiteValue(left ?? "-"), "\(undo.output)")
    }

    /// A run that brings again what an undo took back leaves nothing to take back of that undo: the records are named.
    @Test func recordsThatAreAsBeforeAlreadyAreNamed() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write(#"[{"id":1,"title":"Uno"},{"id":2,"title":"Due"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(shop.sluice("undo", "2").code == 0)
        #expect(!shop.sluice("undo", "3", "--plan").output.contains("already"))
        _ = shop.sluice("run", shop.pipeline, "-q")
        for arguments in [["--plan"], []] {
            let undo = shop.run(["undo", "3"] + arguments + ["--store", "sqlite:\(shop.store)"])
            let words = "2 records of `books` already are as run 3 found them: nothing of them is left to be undone."
            #expect(undo.code == 0 && undo.output.contains(words), "\(undo.output)\(undo.errors)")
            #expect(undo.output.contains("Book 1") && undo.output.contains("Book 2"), "\(undo.output)")
        }
        let json = shop.sluice("undo", "3", "--format", "json").output
        #expect(json.contains(#"{"code":"as_before","severity":"note","message":"#), "\(json)")
        #expect(json.replacing("\n", with: "").contains(#""keys":[{"id":1},{"id":2}]"#), "\(json)")
    }

    @Test(
        arguments: [
            (["undo", "9"], 1, "has no run 9. List them with `sluice history"), (["undo"], 64, "needs RUN"),
            (["undo", "x"], 64, "`x` is not"), (["undo", "1", "2"], 64, "takes RUN alone"),
        ] as [([String], Int32, String)])
    func aCommandLineThatIsUnclearIsRefused(_ arguments: [String], _ code: Int32, _ message: String) throws {
        let shop = try shop()
        let outcome = shop.run(arguments + ["--store", "sqlite:\(shop.store)"])
        #expect(outcome.code == code)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func whatCannotBeUndoneIsTold() throws {
        let shop = try shop()
        #expect(shop.sluice("undo", "2").code == 0)
        let again = shop.sluice("undo", "2")
        #expect(again.code == 1)
        #expect(again.output.hasPrefix("Undo of run 2 of shop: failed, the store is as before\n"))
        #expect(
            again.errors.hasSuffix(
                "Z error: shop: Run 2 was already undone by run 3. To redo it, undo run 3.\n"))
        let json = shop.sluice("undo", "2", "--format", "json")
        #expect(json.code == 1 && json.output.contains(#""status":"failed","run":null,"undoes":2,"#))
        #expect(json.output.contains(#""code":"undone_already""#))
        try shop.sql("UPDATE _sluice_runs SET changes = 'pruned' WHERE id = 1")
        #expect(shop.sluice("undo", "1", "-q").errors.contains("longer ago than `history: {keep: …}` of its pipeline"))
    }

    @Test func everyDecisionOfASheetOrACommandCanBeTakenBack() throws {
        let dispute = try Dispute()
        let shop = dispute.shop
        func managed() throws -> [String: [String]] {
            try dispute.contents().filter { $0.key != "_sluice_changes" && $0.key != "_sluice_schema" }
        }
        let open = try managed()
        for side in ["remote", "local"] {
            #expect(shop.sluice("conflicts", "resolve", "--all", "--take", side).code == 0)
            let decided = try managed()
            #expect(decided != open)
            let run = try shop.value("SELECT CAST(max(id) AS TEXT) FROM _sluice_runs")
            guard case .text(let digits) = run else { return }
            let undo = shop.sluice("undo", String(decoding: digits, as: UTF8.self))
            #expect(undo.code == 0, "\(undo.output)")
            #expect(undo.output.contains("! Book 1, title: conflict 1 is open again\n"))
            #expect(try managed() == open)
        }
        let json = shop.sluice("conflicts", "resolve", "1", "--take", "base", "--format", "json").output
        #expect(json.hasSuffix("\"runs\":[7]}\n"), "\(json)")
    }

    @Test func anOlderStoreIsToldApart() throws {
        let shop = try shop()
        try shop.sql(
            """
            DROP TABLE _sluice_changes; DROP TABLE _sluice_credentials; DROP INDEX _sluice_runs_kept;
            DROP TABLE _sluice_scans; DROP TABLE _sluice_scan_pages; DROP TABLE _sluice_pending;
            ALTER TABLE _sluice_runs DROP COLUMN changes;
            ALTER TABLE _sluice_runs DROP COLUMN undoes; ALTER TABLE _sluice_runs DROP COLUMN undone_by;
            DROP VIEW conflicts_books; ALTER TABLE _sluice_conflicts DROP COLUMN other_source;
            ALTER TABLE _sluice_base_shop_books_Book DROP COLUMN text_hash;
            ALTER TABLE _sluice_base_shop_books_Book DROP COLUMN text_within;
            ALTER TABLE _sluice_runs DROP COLUMN warnings; ALTER TABLE _sluice_runs DROP COLUMN conflicts_written;
            ALTER TABLE _sluice_runs DROP COLUMN deletes_refused; ALTER TABLE _sluice_runs DROP COLUMN records_read;
            DROP TABLE _sluice_schedule; DROP TABLE _sluice_schedule_runs; DROP TABLE _sluice_schedule_marks;
            UPDATE _sluice_schema SET value = '1' WHERE kind = 'format'
            """)
        #expect(shop.sluice("history").output.contains("2  shop  run  "))
        #expect(shop.sluice("status", "--max-age", "1h").code == 0)
        #expect(shop.sluice("history", "2").output.contains("It was made before the store kept what runs change.\n"))
        #expect(shop.sluice("inspect", "record", "Book", "1").code == 0)
        #expect(shop.sluice("undo", "2", "--plan").errors.contains("before the store kept what runs change"))
        #expect(shop.sluice("plan", shop.pipeline).code == 0)
        #expect(try shop.value("SELECT value FROM _sluice_schema WHERE kind = 'format'") == SQLiteValue("1"))
        try shop.write(#"[{"id":1,"title":"Un"},{"id":3,"title":"Tre"},{"id":4,"title":"Four"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        #expect(
            try shop.value("SELECT CAST(value AS INTEGER) > 2 FROM _sluice_schema WHERE kind = 'format'") == .integer(1)
        )
        #expect(shop.sluice("undo", "3").code == 0)
        #expect(try titles(shop) == SQLiteValue("1Uno 3Drei 4Four"))
        #expect(shop.sluice("undo", "2").code == 1)
    }
}

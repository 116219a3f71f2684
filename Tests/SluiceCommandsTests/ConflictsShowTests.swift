import Testing

@Suite struct ConflictsShowTests {
    @Test func aFieldIsShownWithWhatEachDecisionDoes() throws {
        let dispute = try Dispute()
        dispute.shop.environment["SLUICE_STORE"] = "sqlite:\(dispute.shop.store)"
        let id = try dispute.id(1, "title")
        #expect(
            dispute.shop.run(["conflicts", "show", id]).output == """
                Conflict \(id): Book 1, title
                (shop/books; edit_edit: edited here, changed at the source; since run 2)

                    base    "One"   (said by the source before)
                    local   "Eins"  (in the table)
                    remote  "Uno"   (said by the source now)

                  --take local       keeps "Eins"
                  --take remote      writes "Uno"
                  --take base        writes "One"
                  --set title=VALUE  writes another value
                Each decision settles what the source says now. You are asked again only if the source changes it.

                  sluice conflicts resolve \(id) --take local
                  sluice conflicts resolve \(id) --take remote
                  sluice conflicts resolve \(id) --take base
                  sluice conflicts resolve \(id) --set title=VALUE

                """)
    }

    @Test func longTextsAreComparedWordByWord() throws {
        let dispute = try Dispute()
        let text = dispute.shop.sluice("conflicts", "show", try dispute.id(2, "title")).output
        #expect(text.contains("base not stored (keep_base: digest)\n"))
        #expect(
            text.contains("A long text about [-something in particular-]{+nothing at all+}, which goes on for more"))
        #expect(text.contains("[-sixty-]{+seventy+} characters."))
        #expect(!text.contains("--take base"))
    }

    @Test func wholeRecordsAreShown() throws {
        let dispute = try Dispute()
        let gone = dispute.shop.sluice("conflicts", "show", try dispute.id(3)).output
        #expect(gone.contains("edit_delete: edited here, gone from the source"))
        #expect(gone.contains("    remote  gone\n") && gone.contains("--take remote  deletes the row\n"))
        let deleted = dispute.shop.sluice("conflicts", "show", try dispute.id(6)).output
        #expect(deleted.contains("    local   no row\n"))
        #expect(deleted.contains("\n    changed at the source:\n      title  \"Six\" → \"Sei\"\n"), "\(deleted)")
        #expect(deleted.contains("--take remote  brings the row back as the source has it\n"))
    }

    /// Whoever decides about a whole record wants to know what was changed in it.
    @Test func whatWasChangedInAWholeRecordIsShown() throws {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: hard, max_delete: 100%}")
        try shop.write(
            #"[{"id":1,"title":"One","price":"1.5"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#, to: "books.json"
        )
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("DELETE FROM books WHERE id = 1; UPDATE books SET title = 'Zwei' WHERE id = 2")
        try shop.write(#"[{"id":1,"title":"One","price":"2.5"},{"id":3,"title":"Three"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let deleted = shop.sluice("conflicts", "show", "1").output
        #expect(deleted.contains("\n    changed at the source:\n      price  \"1.5\" → \"2.5\"\n"), "\(deleted)")
        #expect(deleted.contains("    base    {") && !deleted.contains("--take base"), "\(deleted)")
        let gone = shop.sluice("conflicts", "show", "2").output
        #expect(gone.contains("\n    changed here:\n      title  \"Two\" → \"Zwei\"\n"), "\(gone)")
        let list = shop.sluice("conflicts", "list").output
        #expect(
            list.contains("    base    title \"One\", price \"1.5\"\n    remote  title \"One\", price \"2.5\"\n"),
            "\(list)")
        let json = shop.sluice("conflicts", "list", "--format", "json").output
        #expect(json.contains(#""base":{"id":1,"title":"One","price":"1.5"},"remote":{"#), "\(json)")
        #expect(shop.sluice("conflicts", "export").output.contains("1.5"))
        // What is decided waits for nobody.
        #expect(shop.sluice("conflicts", "resolve", "1", "--take", "remote").code == 0)
        let all = shop.sluice("conflicts", "list", "--all").output
        #expect(
            all.contains("    deleted here, changed at the source\n") && !all.contains("it stays deleted"), "\(all)")
        // What the source had said before is seen as it was when it was decided, whichever side was taken.
        #expect(shop.sluice("conflicts", "resolve", "2", "--take", "local").code == 0)
        for (id, words) in [("1", "price  \"1.5\" → \"2.5\""), ("2", "title  \"Two\" → \"Zwei\"")] {
            let closed = shop.sluice("conflicts", "show", id).output
            #expect(closed.contains("    base    {") && closed.contains(words), "\(closed)")
        }
        // Taken back, it waits as before.
        #expect(shop.sluice("undo", "3").code == 0)
        #expect(shop.sluice("conflicts", "show", "1").output.contains("price  \"1.5\" → \"2.5\""))
    }

    /// What the source says while a conflict is open stands one after the other in the history.
    @Test func whatTheSourceSaidMeanwhileIsListed() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        func run(_ title: String?) throws {
            let record = title.map { #"{"id":1,"title":"\#($0)"}"# } ?? ""
            try shop.write("[\(record)]", to: "books.json")
            #expect([0, 4].contains(shop.sluice("run", shop.pipeline, "-q").code))
        }
        try run("Graz")
        try shop.sql("UPDATE books SET title = 'Paris'")
        for title in ["Nice", "Lille", "Lille", "Brest"] { try run(title) }
        for id in 2...5 {
            try shop.sql("UPDATE _sluice_runs SET started_at = '2026-01-0\(id)T00:00:00Z' WHERE id = \(id)")
        }
        let text = shop.sluice("conflicts", "show", "1").output
        let lines = """
                said by the source while it was open:
                  run 2, 2026-01-02T00:00:00Z  "Nice"
                  run 3, 2026-01-03T00:00:00Z  "Lille"
                  run 5, 2026-01-05T00:00:00Z  "Brest"

            """
        #expect(text.contains("3 remote values so far") && text.contains(lines), "\(text)")
        let json = shop.sluice("conflicts", "show", "1", "--format", "json").output
        let said =
            #""said":[\n{"run":2,"at":"2026-01-02T00:00:00Z","remote":"Nice"},\n{"run":3,"#.replacing("\\n", with: "\n")
        #expect(json.contains(said), "\(json)")
        // In an undo no source says anything.
        #expect(shop.sluice("undo", "5").code == 0)
        let undone = shop.sluice("conflicts", "show", "1").output
        #expect(undone.contains("run 3, 2026-01-03T00:00:00Z  \"Lille\"") && !undone.contains("run 6"), "\(undone)")
        // Where the history of older runs is gone, what it was before stays known.
        try shop.sql("DELETE FROM _sluice_changes WHERE run = 2")
        let cut = shop.sluice("conflicts", "show", "1").output
        #expect(cut.contains("      before, run no longer kept   \"Nice\"\n"), "\(cut)")
    }

    @Test func jsonIsAListOfOne() throws {
        let dispute = try Dispute()
        let id = try dispute.id(1, "seen")
        let json = dispute.shop.sluice("conflicts", "show", id, "--format", "json").output
            .replacing(/"mark":"[0-9a-f]{16}"/, with: #""mark":"…""#)
        #expect(
            json.hasPrefix(
                """
                {"format":"sluice.conflicts/1","conflicts":[
                {"id":\(id),"kind":"edit_clear","entity":"Book","key":{"id":1},"field":"seen","base":true,\
                "local":false,"remote":null,"policy":"manual","status":"open","pipeline":"shop","stream":"books",\
                "first_run":2,"last_run":2,"seen":1,"mark":"…","decisions":[
                """), "\(json)")
        for side in ["local", "base"] { #expect(json.contains(#"{"take":"\#(side)"}"#), "\(json)") }
        #expect(json.hasSuffix("]}\n"), "\(json)")
    }

    @Test func aClosedOneTellsHowItEnded() throws {
        let dispute = try Dispute()
        let id = try dispute.id(1, "title")
        _ = dispute.shop.sluice("conflicts", "resolve", id, "--take", "base", "--note", "a\u{1B}slip")
        let text = dispute.shop.sluice("conflicts", "show", id).output
        #expect(
            text.hasSuffix(
                "It is closed: decided by ada in run 3: what the source had said before was taken.\nNote: a\\u{1B}slip\n"
            ),
            "\(text)")
    }

    @Test func oneThatIsNotThereIsAnError() throws {
        let outcome = try Dispute().shop.sluice("conflicts", "show", "99")
        #expect(outcome.code == 1 && outcome.errors.contains("has no conflict 99"))
    }
}

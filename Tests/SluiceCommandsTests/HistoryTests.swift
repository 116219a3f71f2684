import SluiceSQLite
import Testing

@Suite struct HistoryTests {
    /// A column of another type stands behind the others of its table; what is told keeps the order of the pipeline.
    @Test func fieldsStandInTheOrderOfThePipeline() throws {
        let shop = try Workshop()
        func write(_ type: String, _ books: String) throws {
            try shop.write(
                """
                version: 1
                name: shop
                source: {base_url: "file:."}
                entities:
                  Book: {table: books, primary_key: [id], fields: {id: int, shelf: \(type), title: string}}
                streams:
                  - {name: books, entity: Book, path: books.json}
                """, to: "shop.yaml")
            try shop.write(books, to: "books.json")
            #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        }
        try write("int", #"[{"id":1,"shelf":1,"title":"a"}]"#)
        try write("string", #"[{"id":1,"shelf":"1","title":"a"}]"#)
        try write("string", #"[{"id":1,"shelf":"7","title":"b"}]"#)
        let change = "    shelf  \"1\" → \"7\"\n    title  \"a\" → \"b\"\n"
        for arguments in [["history", "3"], ["inspect", "record", "Book", "1"]] {
            let text = shop.run(arguments + ["--store", "sqlite:\(shop.store)"]).output
            #expect(text.contains(change), "\(text)")
        }
    }

    @Test func theRunsAreListedNewestFirstWithTheirCounts() throws {
        let shop = try Dispute().shop
        _ = shop.sluice("conflicts", "resolve", "--kind", "edit_edit", "--take", "remote")
        let outcome = shop.sluice("history")
        #expect(outcome.code == 0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3, "\(outcome.output)")
        #expect(lines[0].hasPrefix("3  shop  resolve  ") && lines[0].contains("2 updated"))
        #expect(lines[1].hasPrefix("2  shop  run      ") && lines[1].contains("6 in conflict"))
        #expect(lines[2].hasPrefix("1  shop  run      ") && lines[2].contains("7 inserted"))
        #expect(shop.sluice("status").output.hasPrefix("shop  run 2 succeeded"), "a decision asks no source")
    }

    /// A run that changed tables says so in the list, whatever became of records: its undo says it too.
    @Test func theListNamesTheTablesThatRunsChanged() throws {
        let shop = try Workshop()
        try shop.write(#"[{"id":1,"shelf":4}]"#, to: "books.json")
        for type in ["int", "string"] {
            try shop.writePipeline(book: "fields: {id: int, shelf: \(type)}")
            let run = shop.sluice("run", shop.pipeline)
            #expect(run.code == 0, "\(run.errors)")
        }
        let undo = shop.sluice("undo", "2")
        #expect(undo.code == 0, "\(undo.errors)")
        let lines = shop.sluice("history").output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0].contains("; changed tables: books"), "\(lines)")
        #expect(lines[1].contains("1 unchanged; changed tables: books  (undone by 3)"), "\(lines)")
        #expect(!lines[2].contains("changed tables"), "\(lines)")
        let json = shop.sluice("history", "--format", "json").output
        let change = #"{"table":"books","change":"change_type""#
        #expect(json.ranges(of: change).count == 2, "\(json)")
        #expect(!shop.sluice("history", "--trends").output.contains("changed tables"))
    }

    @Test func theListCanBeCutAndChosen() throws {
        let shop = try Dispute().shop
        let cut = shop.sluice("history", "--limit", "1")
        #expect(cut.output.hasPrefix("2  shop  run") && cut.output.contains("… and earlier ones"))
        let json = shop.sluice("history", "--pipeline", "shop", "--limit", "1", "--format", "json").output
        #expect(json.hasPrefix(#"{"format":"sluice.history/1","store":"sqlite:"#))
        #expect(json.contains(#"{"run":2,"pipeline":"shop","command":"run","status":"succeeded","started_at":"#))
        #expect(json.contains(#""undoes":null,"undone_by":null,"changes_kept":true}"#))
        #expect(json.hasSuffix("\"runs_truncated\":true}\n"))
        #expect(!shop.sluice("history", "--format", "json").output.contains(#""runs_truncated":true"#))
    }

    @Test func aRunIsShownWithWhatItChanged() throws {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: hard, max_delete: 100%}")
        try shop.write(
            #"[{"id":1,"title":"One","price":"1.5"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#, to: "books.json"
        )
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE books SET title = 'Drei' WHERE id = 3")
        try shop.write(
            #"[{"id":1,"title":"Uno","price":null},{"id":3,"title":"Tre"},{"id":4,"title":"Four"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")

        let first = shop.sluice("history", "1").output
        #expect(
            first.contains("3 inserted\n\n+ Book 1\n+ Book 2\n+ Book 3\n\nTo undo it: `sluice undo 1 --store "))
        let second = shop.sluice("history", "2").output
        #expect(
            second.contains(
                """
                  1 inserted, 1 updated, 1 deleted, 1 in conflict

                + Book 4
                ~ Book 1
                    title  "One" → "Uno"
                    price  "1.5" → null  (cleared at the source)
                - Book 2
                    id     2
                    title  "Two"
                  Book 3: noted what the source says
                ! Book 3, title: conflict 1 opened  (edit_edit)

                """), "\(second)")
        let json = shop.sluice("history", "2", "--format", "json").output
        #expect(
            json.contains(
                """
                "changes":[
                {"run":2,"stream":"books","entity":"Book","table":"books","key":{"id":4},"action":"insert","kind":"insert","fields":[]},
                {"run":2,"stream":"books","entity":"Book","table":"books","key":{"id":1},"action":"update","kind":"update","fields":[\
                {"field":"title","class":"remote_update","old":"One","new":"Uno"},{"field":"price","class":"remote_clear","old":"1.5","new":null}],"page":"\(shop.folder)/books.json"},
                """), "\(json)")
        #expect(
            json.contains(
                """
                "key":{"id":2},"action":"delete","kind":"delete","fields":[{"field":"id","old":2},{"field":"title","old":"Two"},{"field":"price","old":null}]}],\
                "changes_truncated":false,"entries":[
                {"run":2,"conflict":1,"action":"opened","stream":"books","entity":"Book","key":{"id":3},"field":"title","kind":"edit_edit"}],"entries_truncated":false}
                """), "\(json)")
        let cut = shop.sluice("history", "2", "--limit", "2", "--format", "json").output
        #expect(cut.contains(#""changes_truncated":true"#) && cut.contains(#""key":{"id":1}"#))
        #expect(!cut.contains(#""key":{"id":2}"#))
        #expect(shop.sluice("history", "2", "--limit", "1").output.contains("… and more"))
    }

    @Test func aDeletionThatIsForgottenIsTold() throws {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: hard, max_delete: 100%}")
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("DELETE FROM books WHERE id = 2")
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let told = shop.sluice("history", "2").output
        #expect(told.contains("  Book 2: noted that it is gone from the source as well\n"), "\(told)")
        let life = shop.sluice("inspect", "record", "Book", "2").output
        #expect(life.contains("noted that it is gone from the source as well"), "\(life)")
        let json = shop.sluice("history", "2", "--format", "json").output
        #expect(json.contains(#""key":{"id":2},"action":"base","kind":"converged""#), "\(json)")
    }

    @Test func whatIsNotedOfManyRecordsIsOneLine() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        func records(_ title: String) -> String {
            "[" + (1...150).map { #"{"id":\#($0),"title":"\#(title)"}"# }.joined(separator: ",") + "]"
        }
        try shop.write(records("One"), to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE books SET title = 'Two'")
        try shop.write(records("Two"), to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let told = shop.sluice("history", "2").output
        #expect(told.contains("\n\n  150 records of Book: noted what the source says\n"), "\(told)")
        #expect(!told.contains("… and more") && told.contains("To undo it"), "\(told)")
        let summary = shop.sluice("history", "2", "--summary-only").output
        #expect(!summary.contains("noted") && !summary.contains("It changed nothing"), "\(summary)")
    }

    @Test func anEntityMayKeepTheValuesOfNewRecords() throws {
        let dispute = try Workshop()
        try dispute.writePipeline()
        let pipeline = try dispute.read("shop.yaml").replacing(
            "table: books", with: "table: books\n    history: changes")
        try dispute.write(pipeline, to: "shop.yaml")
        try dispute.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        _ = dispute.sluice("run", dispute.pipeline, "-q")
        #expect(dispute.sluice("history", "1").output.contains("+ Book 1\n    id     1\n    title  \"One\"\n"))
        let life = dispute.sluice("inspect", "record", "Book", "1").output
        #expect(
            life.contains("  inserted, from \(dispute.folder)/books.json\n    id     1\n    title  \"One\"\n"),
            "\(life)")
    }

    @Test(
        arguments: [
            (["9"], 1, "has no run 9. List them with `sluice history"), (["x"], 64, "`x` is not"),
            (["1", "--pipeline", "other"], 1, "has no pipeline `other`. It has `shop`."),
            (["1", "2"], 64, "takes RUN alone"),
        ] as [([String], Int32, String)])
    func aRunThatIsNotThereIsTold(_ arguments: [String], _ code: Int32, _ message: String) throws {
        let shop = try Dispute().shop
        let outcome = shop.run(["history", "--store", "sqlite:\(shop.store)"] + arguments)
        #expect(outcome.code == code)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    /// What a run warned of is kept with it: after a run by a timer, nobody has its report.
    @Test func theWarningsOfARunAreTold() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"},{"id":1,"title":"Uno"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let words = "2 of 2 records of `books` share a key and differ; the last is kept."
        let text = shop.sluice("history", "1").output
        #expect(text.contains("\nwarning: \(words)") && text.contains("  - Book 1\n"), "\(text)")
        let json = shop.sluice("history", "1", "--format", "json").output
        #expect(json.contains(#""problems":["#) && json.contains(#""code":"differing_duplicates""#), "\(json)")
        #expect(!shop.sluice("history").output.contains("warning"))
    }

    /// What a run leaves for later ones to know is told in words.
    @Test func refusedDeletesAreToldInWords() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        let books = #"[{"id":1,"title":"One"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#
        for source in [books, "[]", books] {
            try shop.write(source, to: "books.json")
            _ = shop.sluice("run", shop.pipeline, "-q")
        }
        let refused = shop.sluice("history", "2").output
        #expect(refused.contains("\n  books: more is missing than may go in one run, of 3 rows before\n"), "\(refused)")
        let after = shop.sluice("history", "3").output
        #expect(after.contains("\n  books: no more is missing than may go in one run\n"), "\(after)")
        for text in [refused, after] { #expect(!text.contains("nothing →") && !text.contains("count of"), "\(text)") }
    }

    @Test func aRunThatIsTooOldSaysSo() throws {
        let shop = try Dispute().shop
        try shop.sql("UPDATE _sluice_runs SET finished_at = '2020-01-01T00:00:00Z' WHERE id = 1")
        #expect(shop.sluice("plan", shop.pipeline).code == 0)
        #expect(try shop.value("SELECT changes FROM _sluice_runs WHERE id = 1") == SQLiteValue("kept"))
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        #expect(try shop.value("SELECT changes FROM _sluice_runs WHERE id = 1") == SQLiteValue("pruned"))
        #expect(
            shop.sluice("history", "1").output.contains("no longer kept: it is older than `history: {keep: …}` says"))
        #expect(shop.sluice("inspect", "record", "Book", "7").output.contains("by a run whose changes are not kept"))
        // Another time may be asked for.
        let pipeline = try shop.read("shop.yaml") + "\nhistory: {keep: 0s}\n"
        try shop.write(pipeline, to: "shop.yaml")
        try shop.sql("UPDATE _sluice_runs SET finished_at = '2025-01-01T00:00:00Z' WHERE id = 2")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        #expect(try shop.value("SELECT changes FROM _sluice_runs WHERE id = 2") == SQLiteValue("pruned"))
        #expect(try shop.value("SELECT count(*) FROM _sluice_changes WHERE run = 2") == .integer(0))
    }
}

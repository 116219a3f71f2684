import Foundation
import SluiceSQLite
import Testing

/// Conflicts over values that must be unique, as people see and settle them.
@Suite struct UniqueConflictTests {
    /// Book 1 has the title `Dune`, which the source gives to book 2 as well; book 3 is new and wants it too.
    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline(book: "unique: [[title]], fields: {id: int, title: string, pages: int}")
        try shop.write(
            #"[{"id":1,"title":"Dune","pages":1},{"id":2,"title":"Emma","pages":2}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write(
            #"[{"id":1,"title":"Dune","pages":1},{"id":2,"title":"Dune","pages":22},{"id":3,"title":"Dune","pages":3}]"#,
            to: "books.json")
        return shop
    }

    /// A record is listed once with its conflict and its change, also in a table that may refuse some.
    @Test(arguments: ["", "unique: [[isbn]], "]) func aConflictStandsBesideTheChangeOfItsRecord(_ unique: String) throws
    {
        let shop = try Workshop()
        try shop.writePipeline(book: "\(unique)fields: {id: int, title: string, isbn: string}")
        func write(_ edition: String) throws {
            let books = (1...3).map { #"{"id":\#($0),"title":"t\#($0)\#(edition)","isbn":"\#($0)\#(edition)"}"# }
            try shop.write("[\(books.joined(separator: ","))]", to: "books.json")
        }
        try write("")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE books SET title = 'mine' WHERE id < 3")
        try write("x")
        let text = shop.sluice("run", shop.pipeline).output
        #expect(text.matches(of: /! Book \d\n    title .*\(conflict \d\)\n    isbn .*\n/).count == 2, "\(text)")
        #expect(text.matches(of: /Book \d\n/).count == 3, "\(text)")
    }

    /// Two streams of one table: book 10 of the second has the number that the first one gives to book 7 next.
    private func sharedShop() throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            merge: {precedence: [a, b]}
            entities:
              Book: {table: books, primary_key: [id], unique: [[isbn]], fields: {id: int, isbn: string}}
            streams:
              - {name: a, entity: Book, path: a.json}
              - {name: b, entity: Book, path: b.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":7}]"#, to: "a.json")
        try shop.write(#"[{"id":10,"isbn":"x"}]"#, to: "b.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        return shop
    }

    /// The stream behind gives the value up, which ends the conflict within the run.
    @Test func aConflictThatEndsWithinTheRunIsToldNowhere() throws {
        let shop = try sharedShop()
        try shop.write(#"[{"id":7,"isbn":"x"}]"#, to: "a.json")
        try shop.write(#"[{"id":10,"isbn":"y"}]"#, to: "b.json")
        func expectNone(_ text: String, _ json: String) {
            #expect(!text.contains("conflict of") && !text.contains("record in conflict"), "\(text)")
            #expect(text.contains("Book 7") && text.contains("Book 10"), "\(text)")
            #expect(json.contains(#""conflicts":[]"#) && !json.contains(#""action":"conflict""#), "\(json)")
            #expect(json.components(separatedBy: #""action":"update""#).count == 3, "\(json)")
        }
        let plan = shop.sluice("plan", shop.pipeline).output
        #expect(plan.hasPrefix("Plan for shop: 2 to update\n"), "\(plan)")
        expectNone(plan, shop.sluice("plan", shop.pipeline, "--format", "json").output)
        let run = shop.sluice("run", shop.pipeline, "--format", "json").output
        expectNone(plan, run)
        #expect(shop.sluice("conflicts", "list").output.contains("No open conflicts"))
        let kept = shop.sluice("history", "2", "--format", "markdown").output
        #expect(kept.contains("2 updated") && kept.contains("`Book 7`"), "\(kept)")
        #expect(!kept.contains("conflict of") && !kept.contains("in conflict in"), "\(kept)")
        #expect(try shop.rows("SELECT CAST(id AS text), isbn FROM books ORDER BY id") == [["7", "x"], ["10", "y"]])
    }

    /// The stream behind keeps the value: what waits is listed once, beside the other changes.
    @Test func aConflictThatStaysIsToldInItsPlace() throws {
        let shop = try sharedShop()
        try shop.write(#"[{"id":7,"isbn":"x"},{"id":8,"isbn":"z"}]"#, to: "a.json")
        let text = shop.sluice("run", shop.pipeline).output
        #expect(text.contains("1 record in conflict in books") && text.contains("! Book 7\n"), "\(text)")
        #expect(text.contains("1 inserted into books") && text.contains("+ Book 8  isbn \"z\"\n"), "\(text)")
    }

    @Test func planAndRunShowWhoHoldsTheValue() throws {
        let shop = try shop()
        let plan = shop.sluice("plan", shop.pipeline)
        #expect(
            plan.output.contains(
                """
                ! Book 2
                    title  base "Emma"   local "Emma"   remote "Dune"  (taken by {"id":1})
                    pages  2 → 22
                ! Book 3  (new, without what is taken)
                    id     null → 3
                    title  no base yet   remote "Dune"  (taken by {"id":1})
                    pages  null → 3

                """), "\(plan.output)")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.output.contains("2 in conflict"), "\(run.output)")
        let json = shop.sluice("run", shop.pipeline, "--format", "json").output
        #expect(json.contains("\"conflicts\":[]"))
        let list = shop.sluice("conflicts", "list").output
        #expect(list.contains("unique_collision; since run 2"), "\(list)")
        #expect(list.contains(#"remote "Dune"  (taken by {"id":1})"#), "\(list)")
        let listed = shop.sluice("conflicts", "list", "--format", "json").output
        #expect(listed.contains(#""note":"taken by {\"id\":1}""#), "\(listed)")
    }

    @Test func theReportNamesTheHolder() throws {
        let shop = try shop()
        let json = shop.sluice("plan", shop.pipeline, "--format", "json").output
        #expect(
            json.contains(
                #"{"id":null,"kind":"unique_collision","entity":"Book","key":{"id":2},"field":"title","base":"Emma","local":"Emma","remote":"Dune","policy":"manual","status":"open","note":"taken by {\"id\":1}"}"#
            ), "\(json)")
        #expect(
            json.contains(
                #"{"field":"title","class":"unique_collision","base":"Emma","local":"Emma","remote":"Dune","result":"Emma"}"#
            ), "\(json)")
    }

    @Test func oneIsShownWithWhatEachDecisionDoes() throws {
        let shop = try shop()
        _ = shop.sluice("run", shop.pipeline)
        let first = shop.sluice("conflicts", "show", "1").output
        for part in [
            "unique_collision: another row has the value, which must be unique",
            "    base    \"Emma\"  (said by the source before)\n",
            "    remote  \"Dune\"  (said by the source now, taken by {\"id\":1})\n",
            "--take remote      writes \"Dune\", if the other row gave it up; it would be refused: The values of",
            "Until then, every run tries the source's value again.\n",
        ] { #expect(first.contains(part), "\(first)") }
        let second = shop.sluice("conflicts", "show", "2").output
        #expect(second.contains("    no base yet\n"), "\(second)")
    }

    @Test func decisionsAreTakenAndTheNextRunIsQuiet() throws {
        let shop = try shop()
        _ = shop.sluice("run", shop.pipeline)
        let refused = shop.sluice("conflicts", "resolve", "1", "--take", "remote")
        #expect(refused.code == 1)
        #expect(
            refused.output.contains(#"refused: The values of `title`, which must be unique, are taken by {"id":1}."#))
        #expect(shop.sluice("conflicts", "resolve", "1", "--take", "local").code == 0)
        #expect(shop.sluice("conflicts", "resolve", "2", "--set", "title=Dune II", "--note", "the sequel").code == 0)
        #expect(
            try shop.value("SELECT group_concat(title || pages, ' ') FROM (SELECT * FROM books ORDER BY id)")
                == SQLiteValue("Dune1 Emma22 Dune II3"))
        #expect(try shop.value("SELECT note FROM _sluice_conflicts WHERE id = 2") == SQLiteValue("the sequel"))
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.output.contains("nothing changed, 3 unchanged"), "\(run.output)")
    }

    @Test func remoteIsTakenOnceTheHolderGaveTheValueUp() throws {
        let shop = try shop()
        _ = shop.sluice("run", shop.pipeline)
        try shop.sql("UPDATE books SET title = 'Dune (1965)' WHERE id = 1")
        #expect(shop.sluice("conflicts", "resolve", "1", "--take", "remote").code == 0)
        #expect(try shop.value("SELECT title FROM books WHERE id = 2") == SQLiteValue("Dune"))
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.output.contains("nothing changed, 1 in conflict, 2 unchanged"), "\(run.output)")
    }
}

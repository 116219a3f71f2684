import SluiceSQLite
import Testing

/// How deletions are told, and decided by people.
@Suite struct DeleteReportTests {
    private static let all = #"[{"id":1,"title":"One"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#

    /// A store of three books, of which the source keeps some.
    private func shop(_ rule: String, keeps rest: String) throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: rule)
        try shop.write(Self.all, to: "books.json")
        let first = shop.sluice("run", shop.pipeline)
        #expect(first.code == 0, "\(first.errors)")
        try shop.write(rest, to: "books.json")
        return shop
    }

    struct Telling: Sendable, CustomTestStringConvertible {
        let mode: String
        let headline: String
        let line: String
        let deletion: String
        let count: Int
        var testDescription: String { mode }
    }

    @Test(arguments: [
        Telling(
            mode: "hard", headline: "1 to delete, 2 unchanged",
            line: "1 to delete from books: gone from the source\n- Book 3  title \"Three\"\n", deletion: "hard",
            count: 1),
        Telling(
            mode: "soft", headline: "1 to delete, 2 unchanged",
            line: "1 to mark as deleted in books: gone from the source, the rows stay\n- Book 3  title \"Three\"\n",
            deletion: "soft", count: 1),
        Telling(
            mode: "report", headline: "nothing to change, 2 unchanged, 1 gone from the source",
            line: "1 gone from the source: only reported, the rows in books stay\n- Book 3  title \"Three\"\n",
            deletion: "report", count: 0),
    ])
    func aPlanSaysHowRowsAreDeleted(_ telling: Telling) throws {
        let shop = try shop(
            "{mode: \(telling.mode), max_delete: 100%}", keeps: #"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#)
        let text = shop.sluice("plan", shop.pipeline)
        #expect(text.output.contains(telling.headline), "\(text.output)")
        #expect(text.output.contains(telling.line), "\(text.output)")
        let json = shop.sluice("plan", shop.pipeline, "--format", "json")
        #expect(
            json.output.contains(
                #""key":{"id":3},"action":"delete","kind":"delete","deletion":"\#(telling.deletion)","fields":["#),
            "\(json.output)")
        #expect(json.output.contains("\"delete\":\(telling.count),"))
    }

    /// What people wrote goes with a row that goes, and stays in one that is only listed.
    @Test(arguments: ["hard", "soft", "report"]) func editsOfWhatTheSourceOwnsGoWithTheirRow(_ mode: String) throws {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: \(mode), max_delete: 100%}")
        try shop.write(
            try shop.read("shop.yaml").replacing("required: true}", with: "required: true, owner: remote}"),
            to: "shop.yaml")
        try shop.write(Self.all, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        try shop.sql("UPDATE books SET title = 'Mine' WHERE id = 3")
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        for command in ["plan", "run"] {
            let text = shop.sluice(command, shop.pipeline).output
            #expect(text.contains("- Book 3"), "\(text)")
            #expect(text.contains("edited here: `title`; it goes all the same") == (mode != "report"), "\(text)")
        }
    }

    @Test(arguments: ["hard", "soft"]) func whatWasRefusedIsListed(_ mode: String) throws {
        let shop = try shop("{mode: \(mode), max_delete: 1}", keeps: #"[{"id":2,"title":"Two"}]"#)
        for command in ["plan", "run"] {
            let text = shop.sluice(command, shop.pipeline)
            #expect(text.code == 4)
            #expect(text.output.contains("2 deletes refused"))
            #expect((text.output + text.errors).contains("`--allow-deletes 2`.\n  - Book 1\n  - Book 3\n"))
            let json = shop.sluice(command, shop.pipeline, "--format", "json")
            #expect(json.code == 4)
            #expect(
                json.output.contains("\"entity\":\"Book\",\"keys\":[\n{\"id\":1},\n{\"id\":3}\n]"), "\(json.output)")
        }
        #expect(try shop.value("SELECT count(*) FROM books") == .integer(3))
    }

    @Test(arguments: [
        ("local", "Mine||"), ("remote", "Mine|1|3"),
    ])
    func aPersonDecidesAboutAMark(_ side: String, _ row: String) throws {
        let shop = try shop("{mode: soft, max_delete: 100%}", keeps: #"[{"id":2,"title":"Two"}]"#)
        try shop.sql("UPDATE books SET title = 'Mine' WHERE id = 1")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        let resolved = shop.sluice("conflicts", "resolve", "1", "--take", side)
        #expect(resolved.code == 0, "\(resolved.output)\(resolved.errors)")
        // A decision is a run of its own, after the one that made the rows and the one that missed them.
        let held = try shop.value(
            """
            SELECT title || '|' || coalesce(_deleted_at GLOB '????-??-??T??:??:??Z', '') || '|'
            || coalesce(_deleted_by_run, '') FROM books WHERE id = 1
            """)
        #expect(held == SQLiteValue(row))
        let again = shop.sluice("plan", shop.pipeline, "--detailed-exitcode")
        #expect(again.code == 0, "\(again.output)")
    }

    @Test func aPersonTakesAMarkedRowBackAsTheSourceHasIt() throws {
        let shop = try shop("{mode: soft, max_delete: 100%}", keeps: Self.all)
        try shop.sql("UPDATE books SET _deleted_at = 'today', price = '1' WHERE id = 1")
        try shop.write(
            #"[{"id":1,"title":"Uno"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        let resolved = shop.sluice("conflicts", "resolve", "1", "--take", "remote")
        #expect(resolved.code == 0, "\(resolved.output)\(resolved.errors)")
        #expect(
            try shop.value("SELECT title || quote(price) || quote(_deleted_at) FROM books WHERE id = 1")
                == SQLiteValue("UnoNULLNULL"))
        #expect(shop.sluice("plan", shop.pipeline, "--detailed-exitcode").code == 0)
    }
}

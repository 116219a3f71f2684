import Foundation
import TestSupport
import Testing

/// The pages of the real service in a real browser: what people come for, by mouse and by keyboard.
///
/// With `SLUICE_PICTURES=FOLDER` it leaves there what it saw, as pictures for the manual.
@Suite(.disabled(if: WebDriver.isMissing, "Chromium or its driver is not installed"), .serialized)
struct ServedPageTests {
    /// A shop whose source and people disagree on two titles, and that has a price which is none.
    private func shop() throws -> ServedShop {
        let shop = try ServedShop()
        try shop.put(ServedShop.books(), to: "pipelines/shop.yaml")
        try shop.put(
            """
            [{"id": 1, "title": "Dune", "price": "9.50"}, {"id": 2, "title": "Emma", "price": "7"},
             {"id": 3, "title": "Ulysses", "price": "12"}, {"id": 4, "title": "Middlemarch", "price": "11"}]
            """, to: "books.json")
        try shop.sync()
        try shop.sql(
            """
            UPDATE books SET title = 'Dune (first edition)' WHERE id = 1;
            UPDATE books SET title = 'Middlemarch (bound)' WHERE id = 4
            """)
        try shop.put(Self.later(), to: "books.json")
        try shop.sync()
        return shop
    }

    /// What the source says in the second run, with some books more.
    private static func later(and more: Int = 0) -> String {
        """
        [{"id": 1, "title": "Dune. Book one", "price": "9.90"}, {"id": 2, "title": "Emma", "price": "much"},
         {"id": 3, "title": "Ulysses", "price": "13"}, {"id": 4, "title": "Middlemarch. A study", "price": "11"}
        """ + (0..<more).map { #", {"id": \#(10 + $0), "title": "Volume \#($0)", "price": "5"}"# }.joined() + "]"
    }

    private func keep(_ browser: WebDriver, as name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["SLUICE_PICTURES"], !folder.isEmpty else { return }
        try browser.picture.write(to: URL(filePath: folder).appending(path: "\(name).png"))
    }

    @Test func aFailedRunIsFoundAndMendedByKeys() throws {
        let shop = try shop()
        try shop.put(
            """
            version: 1
            name: prices
            description: Prices of the wholesaler
            store: sqlite:../prices.db
            schedule: {every: 1h}
            source: {base_url: "file:.."}
            entities: {Price: {table: prices, primary_key: id, fields: {id: int, price: decimal}}}
            streams: [{name: prices, entity: Price, path: prices.json}]
            """, to: "pipelines/prices.yaml")
        for more in [3, 2, 6, 4, 8, 7] {
            try shop.put(Self.later(and: more), to: "books.json")
            try shop.sync()
        }
        try shop.start()
        let browser = try WebDriver()
        try browser.resize(width: 1_200, height: 640)
        try browser.open(shop.address)
        // It is due at once, and its file is not there.
        try browser.wait(for: "prices.json")
        try keep(browser, as: "overview")
        try browser.tab(to: "Runs")
        try browser.press(Key.enter)
        try browser.wait(for: "only those that did not succeed")
        try browser.tab(to: "failed")
        try browser.press(" ")
        try browser.tab(to: "Show")
        try browser.press(Key.enter)
        // The list of all runs has these words as well.
        try browser.wait(for: "only those", in: "label:has(input[name=failed][checked])")
        try browser.wait(for: "does not exist")
        #expect(try browser.count("main tbody tr") == 1)
        try browser.tab(to: "Run")
        try browser.press(Key.enter)
        try browser.wait(for: "The file `")
        try browser.tab(to: "Log and requests")
        try browser.press(Key.enter)
        try browser.wait(for: "does not exist")
        try browser.tab(to: "To the run")
        try browser.press(Key.enter)
        try browser.wait(for: "Run again now")
        try shop.put(#"[{"id": 1, "price": "3.50"}]"#, to: "prices.json")
        try browser.tab(to: "who")
        try browser.press("Ana")
        try browser.tab(to: "Run again now")
        try browser.press(Key.enter)
        try browser.wait(for: "succeeded")
        #expect(try browser.text("main").contains("Ana"))
        #expect(try shop.sql("SELECT price FROM prices", store: "prices.db") == "3.50")
        try #expect(browser.complaints == [])
    }

    @Test func conflictsAreMendedAndARunIsTakenBack() throws {
        let shop = try shop()
        try shop.start()
        let browser = try WebDriver()
        try browser.open(shop.address)
        try browser.click("nav a[href='/conflicts']")
        try browser.wait(for: "2 conflicts")
        try keep(browser, as: "conflicts")
        // The first by keys: to the card, to its fields, back to the card, and remote.
        try browser.press("j")
        #expect(try browser.focus.hasPrefix("Conflict 1"))
        try browser.tab(to: "who")
        try browser.press("Ana")
        try browser.tab(to: "note")
        try browser.press("as agreed")
        try browser.press(Key.escape)
        try browser.press("r")
        try browser.wait(for: "The decision is carried out.")
        try browser.wait(for: "1 conflict.")
        #expect(try shop.sql("SELECT title FROM books WHERE id = 1") == "Dune. Book one")
        #expect(try shop.sql("SELECT who || ': ' || note FROM _sluice_conflicts WHERE id = 1") == "Ana: as agreed")
        // The second by mouse. The name is known by now.
        try browser.click("button[value=local]")
        try browser.wait(for: "No conflict is open.")
        #expect(try shop.sql("SELECT title FROM books WHERE id = 4") == "Middlemarch (bound)")
        #expect(try shop.sql("SELECT who FROM _sluice_conflicts WHERE id = 2") == "Ana")

        // A decision is taken back, once its plan was looked at.
        try browser.click("input[name=closed]")
        try browser.click("form.tools button")
        try browser.wait(for: "which decided this …")
        try browser.wait(for: "local: what the table held")
        try browser.click("a[href$='/undo']")
        try browser.wait(for: "This is what an undo would do now")
        #expect(try browser.text("main").contains("Dune (first edition)"))
        #expect(try shop.sql("SELECT title FROM books WHERE id = 1") == "Dune. Book one")
        try browser.click("main form button.strong")
        try browser.wait(for: "The run is taken back.")
        #expect(try shop.sql("SELECT title FROM books WHERE id = 1") == "Dune (first edition)")

        // And a run: what it changed is as before, and what people decided since stays.
        try browser.click("nav a[href='/runs']")
        try browser.click(link: "Run 2")
        try browser.wait(for: "Book 3")
        try browser.click(link: "Undo this run …")
        try browser.wait(for: "This is what an undo would do now")
        #expect(try shop.sql("SELECT price FROM books WHERE id = 3") == "13")
        try browser.click("main form button.strong")
        try browser.wait(for: "The run is taken back.")
        #expect(try shop.sql("SELECT price FROM books WHERE id = 3") == "12")
        #expect(try shop.sql("SELECT title FROM books WHERE id = 4") == "Middlemarch (bound)")
        try #expect(browser.complaints == [])
    }

    @Test func aRecordInQuarantineIsTriedAgain() throws {
        let shop = try shop()
        try shop.start()
        let browser = try WebDriver()
        try browser.open(shop.address)
        try browser.click("nav a[href='/quarantine']")
        try browser.click(link: "Book 2")
        #expect(try browser.text("mark.place").contains("much"))
        #expect(try browser.text("main").contains("entities.Book.fields.price"))
        // Nothing has changed, so that it does not fit either.
        try browser.click("button[value=retry]")
        try browser.wait(for: "does not fit yet")
        #expect(try shop.sql("SELECT price FROM books WHERE id = 2") == "7")
        try shop.put(
            ServedShop.books().replacing("price: decimal", with: "price: {type: decimal, map: {much: 99}}"),
            to: "pipelines/shop.yaml")
        try browser.open(shop.address + "quarantine")
        try browser.click(link: "Book 2")
        try browser.tab(to: "Try again")
        try browser.press(Key.enter)
        try browser.wait(for: "The record was tried again.")
        #expect(try shop.sql("SELECT price FROM books WHERE id = 2") == "99")
        try browser.click("nav a[href='/quarantine']")
        try browser.wait(for: "No record is in quarantine.")
        try #expect(browser.complaints == [])
    }

    static let pages = [
        "", "runs", "runs/shop:2", "runs/shop:2/undo", "conflicts", "conflicts/shop:1", "quarantine",
        "quarantine/shop:1",
        "records?pipeline=shop&entity=Book&key=1", "pipelines", "pipelines/shop",
    ]

    /// Nothing is wider than a small screen. Each field has a label, each picture its text, and keys come to the content first.
    @Test func everyPageIsForEverybody() throws {
        let shop = try shop()
        try shop.start()
        let browser = try WebDriver()
        try browser.resize(width: 500, height: 900)
        for page in Self.pages {
            try browser.open(shop.address + page)
            for expression in [
                "document.querySelectorAll('h1').length === 1 && document.documentElement.lang === 'en'",
                "document.documentElement.scrollWidth <= innerWidth",
                "[...document.querySelectorAll('input:not([type=hidden]), select, textarea')].every(it => it.labels.length > 0)",
                "[...document.querySelectorAll('svg[role=img]')].every(it => it.getAttribute('aria-label'))",
            ] {
                #expect(try browser.holds(expression), "\(page): \(expression)")
            }
            try browser.press(Key.tab)
            #expect(try browser.focus == "Skip to the content", "\(page)")
        }
        try #expect(browser.complaints == [])
    }

    /// However much there is, a page has some of it, and tells how much there is.
    @Test func aHundredThousandChangesAndTenThousandConflictsComeInPages() throws {
        let shop = try ServedShop()
        func books(_ title: String) -> String {
            "[" + (1...100_000).map { #"{"id":\#($0),"title":"\#(title) \#($0)","price":"1"}"# }.joined(separator: ",")
                + "]"
        }
        try shop.put(ServedShop.books(), to: "pipelines/shop.yaml")
        try shop.put(books("Book"), to: "books.json")
        try shop.sync()
        try shop.sql("UPDATE books SET title = 'Mine ' || id WHERE id % 10 = 0")
        try shop.put(books("New"), to: "books.json")
        try shop.sync()
        #expect(try shop.sql("SELECT count(*) FROM _sluice_conflicts") == "10000")
        try shop.start()
        for path in [
            "/", "/conflicts", "/conflicts?page=400", "/conflicts?q=9990", "/runs/shop:1", "/runs/shop:2",
            "/runs/shop:2?q=99999", "/api/v1/conflicts", "/api/v1/runs/shop:2/changes",
        ] {
            let answer = try shop.get(path)
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.utf8.count < 200_000, "\(path): \(answer.utf8.count)")
        }
        // A run of its own, of which the metrics tell how long its stages took.
        try shop.awaiting("ended") { try shop.post("/api/v1/pipelines/shop/runs", "{}") }
        let stages = try shop.get("/metrics")
        #expect(stages.contains("sluice_runs_total{pipeline=\"shop\""), "\(stages)")
        #expect(stages.contains("sluice_stage_seconds_total{pipeline=\"shop\",stage="), "\(stages)")
        let browser = try WebDriver()
        try browser.open(shop.address)
        try browser.wait(for: "10,000 conflicts")
        try browser.click(link: "10,000 conflicts")
        try browser.wait(for: "Decide all 10,000 of this list")
        #expect(try browser.count("main article") == 25)
        try browser.click(link: "Further entries →")
        try browser.wait(for: "page 2")
        #expect(try browser.count("main article") == 25)
        try browser.type("9990\n", into: "input[type=search]")
        try browser.wait(for: "Decide all 11 of this list")
        #expect(try browser.count("main article") == 11)
        try browser.click(link: "Overview")
        try browser.click("tbody a[href='/conflicts?pipeline=shop']")
        try browser.click("section input[name=take][value=remote]")
        try browser.click("section form button")
        try browser.wait(for: "and 9,950 more")
        #expect(try browser.count("main tbody tr") == 50)
        try browser.open(shop.address + "runs/shop:2")
        try browser.wait(for: "90,000 updated")
        #expect(try browser.count("main table.cards > tbody > tr") == 100)
        try browser.click(link: "Further changes →")
        try browser.wait(for: "From the beginning")
        #expect(try browser.count("main table.cards > tbody > tr") == 100)
        try #expect(browser.complaints == [])
    }
}

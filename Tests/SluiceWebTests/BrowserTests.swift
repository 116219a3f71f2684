import Foundation
import SluiceServeModel
import SluiceWeb
import TestSupport
import Testing

/// The pages in a real browser: what a person does with them.
@Suite(.disabled(if: WebDriver.isMissing, "Chromium or its driver is not installed"), .serialized)
struct BrowserTests {
    /// Serves a shop and opens a browser.
    private func visit(_ shop: WebShop, _ body: (WebDriver, String) throws -> Void) throws {
        let server = try WebServer(control: shop.control, listening: shop.listening, program: WebShop.program)
        try server.start()
        defer { server.stop() }
        let browser = try WebDriver()
        try body(browser, server.address)
    }

    @Test func aPersonFindsAFailedRunAndSeesWhy() throws {
        let shop = try WebShop()
        let path = shop.folder.path
        try #"""
        {"time":"2026-01-01T00:00:00Z","event":"run_started","level":"info","message":"The run begins."}
        {"time":"2026-01-01T00:00:02Z","event":"run_problem","level":"error","message":"The host shop.example does not answer."}
        """#.write(toFile: "\(path)/log.jsonl", atomically: true, encoding: .utf8)
        shop.control.change { state in
            var run = ServedRun(id: 1, pipeline: "shop", kind: .run)
            (run.startedAt, run.endedAt, run.outcome) = (state.status.now + 60, state.status.now + 61, .failed)
            run.error = "The source could not be reached."
            state.runs = [run]
            state.status.pipelines[0].lastRun = run
            state.documents["1 log.jsonl"] = "\(path)/log.jsonl"
        }
        try visit(shop) { browser, address in
            try browser.open(address)
            try browser.wait(for: "failed")
            try browser.click("tbody tr td:nth-child(3) a")
            try browser.wait(for: "The source could not be reached.")
            try browser.click(link: "Log and requests")
            try browser.wait(for: "The host shop.example does not answer.")
            try #expect(browser.complaints == [])
        }
    }

    @Test func aPersonMendsAConflictByAKeyAndUndoesARun() throws {
        let shop = try WebShop()
        try visit(shop) { browser, address in
            try browser.open(address)
            try browser.click("nav a[href='/conflicts']")
            try browser.wait(for: "Conflict 1")
            try browser.click("article h3")
            try browser.type("Ana", into: "input[name=who]")
            try browser.type("as agreed", into: "input[name=note]")
            try browser.type("\u{E00C}", into: "input[name=note]")
            try browser.type("r", into: "article")
            try browser.wait(for: "The decision is carried out.")
            #expect(try shop.sql("SELECT title FROM books WHERE id = 1") == "Dune (new)")
            #expect(try shop.sql("SELECT who || ': ' || note FROM _sluice_conflicts") == "Ana: as agreed")
            try browser.click("nav a[href='/runs']")
            try browser.click(link: "Run 1")
            try browser.click(link: "Undo this run …")
            try browser.wait(for: "This is what an undo would do now")
            #expect(try shop.sql("SELECT count(*) FROM books") == "3")
            try browser.click("main form button.strong")
            try browser.wait(for: "The run is taken back.")
            try #expect(browser.complaints == [])
        }
        #expect(try shop.sql("SELECT count(*) FROM _sluice_runs WHERE undoes = 1") == "1")
    }

    @Test func aPersonRetriesARecordInQuarantine() throws {
        let shop = try WebShop()
        try visit(shop) { browser, address in
            try browser.open(address)
            try browser.click("nav a[href='/quarantine']")
            try browser.click(link: "Book 2")
            #expect(try browser.text("mark.place").contains("much"))
            let path = shop.folder.file("shop.yaml")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try text.replacing("price: decimal", with: "price: {type: decimal, map: {much: 99}}")
                .write(toFile: path, atomically: true, encoding: .utf8)
            try browser.click("button[value=retry]")
            try browser.wait(for: "The record was tried again.")
            try #expect(browser.complaints == [])
        }
        #expect(try shop.sql("SELECT price FROM books WHERE id = 2") == "99")
    }

    @Test func progressIsSeenAsItHappens() throws {
        let shop = try WebShop()
        let run = shop.control.change { state -> ServedRun in
            var run = ServedRun(id: 1, pipeline: "shop", kind: .run)
            run.startedAt = state.status.now
            run.progress = ServedProgress()
            state.runs = [run]
            state.status.pipelines[0].running = run
            return run
        }
        try visit(shop) { browser, address in
            try browser.open(address)
            try browser.wait(for: "running")
            // The metrics listen too; the script does once it has asked for the events.
            for _ in 0..<2 { #expect(shop.control.subscribed.wait(timeout: .now() + 10) == .success) }
            var next = run
            next.progress?.line = "page 7 of 9"
            shop.control.tell(.progressed(next))
            try browser.wait(for: "page 7 of 9")
            shop.control.change { $0.status.pipelines[0].running = nil }
            next.outcome = .succeeded
            shop.control.tell(.ended(next))
            try browser.wait(for: "succeeded")
            try #expect(browser.complaints == [])
        }
    }

    @Test(arguments: WebDriver.Look.allCases) func allTextCanBeRead(_ look: WebDriver.Look) throws {
        let shop = try WebShop()
        shop.control.change { state in
            var run = ServedRun(id: 1, pipeline: "shop", kind: .run)
            (run.startedAt, run.endedAt, run.outcome) = (state.status.now - 60, state.status.now - 59, .failed)
            let busy = String(repeating: "It said that it has too much to do, and asks to come back later. ", count: 8)
            run.error = "GET https://api.example.com/v1/books?cursor=\(String(repeating: "x", count: 80)): 503. \(busy)"
            state.runs = [run]
            state.status.pipelines[0].lastRun = run
        }
        try visit(shop) { browser, address in
            try browser.prefer(look)
            var background = ""
            for page in [
                "/", "/runs", "/runs/shop:1", "/conflicts", "/quarantine", "/records?entity=Book&key=1", "/pipelines",
                "/pipelines/shop",
            ] {
                try browser.open(address.dropLast() + page)
                try browser.wait(for: "shop", in: "body")
                try #expect(browser.faintTexts == [], "\(page)")
                try #expect(browser.brokenWords == [], "\(page)")
                background = try browser.text(of: "getComputedStyle(document.body).backgroundColor")
            }
            #expect((background == "rgb(255, 255, 255)") == (look == .light), "\(background)")
        }
    }

    @Test func hostileDataDoesNothing() throws {
        let evil = String(
            decoding: try JSONEncoder().encode(
                "</td></script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"),
            as: UTF8.self)
        let shop = try WebShop(
            WebShop.Books(
                first: #"[{"id": \#(evil), "title": "Dune", "price": 1}]"#, edit: "UPDATE books SET title = 'x'",
                then:
                    #"[{"id": \#(evil), "title": \#(evil), "price": 2}, {"id": "2", "title": \#(evil), "price": \#(evil)}]"#,
                key: "string"))
        try visit(shop) { browser, address in
            for path in ["", "runs/shop:2", "conflicts", "quarantine/shop:1", "pipelines/shop", "runs/shop:2/undo"] {
                try browser.open(address + path)
                let title = try browser.title
                #expect(title.hasSuffix("– Sluice") && !title.contains("owned"), "\(path): \(title)")
            }
            try #expect(browser.complaints == [])
        }
    }
}

import Foundation
import SluiceHTTPServer
import SluiceServeModel
import TestSupport
import Testing

/// What people do on the pages, and what is in the store then.
@Suite struct PageTests {
    @Test func theOverviewTellsEachPipelineInALine() throws {
        let shop = try WebShop()
        let page = try shop.get("/")
        #expect(page.status == 200)
        for words in ["shop", "Books of the shop", "1 conflict", "1 in quarantine", "every 15m", "succeeded"] {
            #expect(page.text.contains(words), "\(words)")
        }
        shop.control.change { state in
            state.status.pipelines[0].lateSince = state.status.now - 3_600
            state.status.pipelines[0].isOutdated = true
        }
        let unusual = try shop.get("/").text
        #expect(unusual.contains("Late: due at") && unusual.contains("the version before is in use"))
    }

    @Test func aPipelineSaysWhyItsLastDueTimeWasLeftOut() throws {
        let shop = try WebShop()
        #expect(try !shop.get("/pipelines/shop").text.contains("left out"))
        shop.control.change { $0.status.pipelines[0].leftOut = "The due time is left out." }
        #expect(try shop.get("/pipelines/shop").text.contains("The due time is left out."))
        for (path, list) in [("/api/v1/pipelines", "pipelines"), ("/api/v1/schedule", "schedule")] {
            #expect(try shop.get(path).json(list, "0", "left_out") as? String == "The due time is left out.")
        }
    }

    @Test func aPipelineWhoseFileHasErrorsIsSaidToHaveThem() throws {
        let shop = try WebShop()
        shop.control.change { $0.status.brokenFiles = [ServedFile(path: "pipelines/other.yaml", problems: [])] }
        let page = try shop.get("/pipelines/other")
        #expect(page.status == 404 && page.text.contains("its file `pipelines/other.yaml` has errors"), "\(page.text)")
        #expect(try shop.get("/pipelines/none").text.contains("There is no pipeline `none`."))
        let refused = try shop.post("/api/v1/pipelines/other/runs", "{}")
        #expect(refused.status == 404 && refused.text.contains("has errors"), "\(refused.text)")
    }

    @Test func listsHaveTheBeginningOfALongReason() throws {
        let shop = try WebShop()
        let reason = "The source is gone. " + String(repeating: "word ", count: 100) + "The end."
        shop.control.change { state in
            var run = ServedRun(id: 9, pipeline: "shop", kind: .run)
            // After the last run of the store, however long it took to make that.
            let start = state.status.now + 600
            (run.startedAt, run.endedAt) = (start, start)
            (run.outcome, run.error) = (.failed, reason)
            state.runs = [run]
            state.status.pipelines[0].lastRun = run
        }
        for path in ["/", "/runs"] {
            let page = try shop.get(path).text
            #expect(page.contains("The source is gone.") && !page.contains("The end."), "\(path)")
        }
        #expect(try shop.get("/runs/9").text.contains("The end."))
    }

    @Test func aRunIsTold() throws {
        let shop = try WebShop()
        let page = try shop.get("/runs/shop:2")
        for words in ["Run 2 of shop", "<ins>13</ins>", "conflict 1", "quarantine 1", "Undo this run"] {
            #expect(page.text.contains(words), "\(words)")
        }
        #expect(try shop.get("/runs/shop:1?q=ulysses").text.contains("Book 3"))
        #expect(try shop.get("/runs/shop:1?q=nothing").text.contains("No such change"))
        #expect(try shop.get("/runs/shop:9").status == 404)
        #expect(try shop.get("/runs/other:1").status == 404)
        #expect(try shop.get("/runs/text").status == 400)
    }

    @Test func whatWasOnlyNotedOfARecordIsCalledSo() throws {
        let shop = try WebShop(.init(then: #"[{"id": 1, "title": "Dune (new)", "price": "9.50"}]"#))
        let page = try shop.get("/runs/shop:2").text
        for words in [">noted</span>", "What the source says was noted; the row stayed as it was."] {
            #expect(page.contains(words), "\(words)\n\(page)")
        }
    }

    @Test func aRunIsTakenBackAfterItsPlanWasShown() throws {
        let shop = try WebShop()
        let plan = try shop.get("/runs/shop:2/undo")
        #expect(plan.status == 200 && plan.text.contains("Undo the run") && plan.text.contains("Book 3"))
        #expect(plan.text.contains(">Conflict 1</a> of that run goes away"), "\(plan.text)")
        #expect(try shop.sql("SELECT price FROM books WHERE id = 3") == "13")
        let done = try shop.send("/runs/shop:2/undo", from: "/runs/shop:2/undo", [("who", "Ana")])
        #expect(done.status == 303 && done.header("Location") == "/runs/shop%3A3?told=undone", "\(done.text)")
        #expect(try shop.sql("SELECT price FROM books WHERE id = 3") == "12")
        #expect(try shop.get("/runs/shop:2").text.contains("Taken back by"))
        #expect(try shop.send("/runs/shop:2/undo", from: "/pipelines/shop", []).status == 422)
    }

    @Test func aConflictIsDecidedAndTheDecisionTakenBack() throws {
        let shop = try WebShop()
        let page = try shop.get("/conflicts")
        for words in ["<mark>, first edition</mark>", "<mark>(</mark>", "Keep local", "Take remote", "Take base"] {
            #expect(page.text.contains(words) || words.hasPrefix("<mark>("), "\(words)")
        }
        #expect(page.text.contains("Keys: "))
        let done = try shop.send(
            "/conflicts/shop:1", from: "/conflicts", [("take", "remote"), ("who", "Ana"), ("note", "as <agreed>")])
        #expect(done.status == 303, "\(done.text)")
        #expect(try !shop.get("/conflicts?closed=1").text.contains("Keys: "))
        #expect(try shop.sql("SELECT title FROM books WHERE id = 1") == "Dune (new)")
        let kept = try shop.get("/conflicts/shop:1").text
        #expect(kept.contains("by Ana") && kept.contains("as &lt;agreed&gt;"), "\(kept)")
        #expect(kept.ranges(of: "as &lt;agreed&gt;").count == 1)
        let undo = try #require(kept.firstMatch(of: #/href="(\/runs\/[^"]*)\/undo"/#)).1
        #expect(try shop.send("\(undo)/undo", from: "/pipelines/shop", []).status == 303)
        #expect(try shop.sql("SELECT title FROM books WHERE id = 1") == "Dune, first edition")
    }

    /// A run may have found another edit or another value since: nobody has seen that.
    @Test(arguments: ["local", "remote"]) func aDecisionIsAboutWhatWasShown(side: String) throws {
        let shop = try WebShop()
        let page = try shop.get("/conflicts/shop:1").text
        let mark = String(try #require(page.firstMatch(of: #/name="mark" value="([0-9a-f]+)"/#)).1)
        let before = try shop.sql("SELECT \(side) FROM _sluice_conflicts WHERE id = 1")
        _ = try shop.sql("UPDATE _sluice_conflicts SET \(side) = '\"newer\"' WHERE id = 1")
        let fields = [("take", "remote"), ("mark", mark)]
        for answer in [
            try shop.send("/conflicts/shop:1", from: "/conflicts", fields),
            try shop.post("/api/v1/conflicts/shop:1", "{\"take\": \"remote\", \"mark\": \"\(mark)\"}"),
        ] {
            #expect(answer.status == 409 && answer.text.contains("something else by now"), "\(answer.text)")
        }
        #expect(try shop.sql("SELECT title FROM books WHERE id = 1") == "Dune, first edition")
        _ = try shop.sql("UPDATE _sluice_conflicts SET \(side) = '\(before)' WHERE id = 1")
        #expect(try shop.send("/conflicts/shop:1", from: "/conflicts", fields).status == 303)
        #expect(try shop.sql("SELECT title FROM books WHERE id = 1") == "Dune (new)")
    }

    /// Sides of an open conflict that are no values of the field since its type changed are not offered.
    @Test func sidesOfAnEarlierTypeAreNotOffered() throws {
        func books(_ note: String) -> String { #"[{"id": 1, "title": "Dune", "note": "\#(note)"}]"# }
        let shop = try WebShop(
            WebShop.Books(
                first: books("x"), edit: "UPDATE books SET note = '5' WHERE id = 1", then: books("y"),
                fields: ", note: string"))
        let file = "\(shop.folder.path)/shop.yaml"
        #expect(try shop.get("/conflicts/shop:1").text.contains("Take remote"))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("note: string", with: "note: int").write(toFile: file, atomically: true, encoding: .utf8)
        try WebShop.run(["run", "shop.yaml"], in: shop.folder.path, allowed: [0])
        for page in ["/conflicts", "/conflicts/shop:1"] {
            let shown = try shop.get(page).text
            #expect(shown.contains("Keep local") && shown.contains("Set it"), "\(shown)")
            #expect(!shown.contains("Take remote") && !shown.contains("Take base"), "\(shown)")
        }
    }

    /// A local value that waits in the quarantine since its field's type changed is not said to stand in the table.
    @Test func aValueThatWaitsIsSaidToWait() throws {
        func books(_ due: String) -> String { #"[{"id": 1, "title": "Dune", "due": "\#(due)"}]"# }
        let shop = try WebShop(
            WebShop.Books(
                first: books("2026-12-01"), edit: "UPDATE books SET due = 'soon' WHERE id = 1",
                then: books("2026-12-02"), fields: ", due: string"))
        #expect(try shop.get("/conflicts/shop:1").text.contains("local: what the table holds"))
        let file = "\(shop.folder.path)/shop.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("due: string", with: "due: date").write(toFile: file, atomically: true, encoding: .utf8)
        try WebShop.run(["run", "shop.yaml", "--allow-schema", "quarantine"], in: shop.folder.path, allowed: [0])
        for page in ["/conflicts", "/conflicts/shop:1"] {
            let shown = try shop.get(page).text
            #expect(shown.contains("local: what waits in quarantine 1, null in the table"), "\(shown)")
        }
        let record = try shop.get("/records?entity=Book&key=1").text
        #expect(record.contains("quarantine 1</a>, null in the table</span>; "), "\(record)")
        // A conflict over the whole record says it of the field.
        let keys = "path: books.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        try text.replacing("due: string", with: "due: date").replacing("path: books.json", with: keys)
            .write(toFile: file, atomically: true, encoding: .utf8)
        try "[]".write(toFile: "\(shop.folder.path)/books.json", atomically: true, encoding: .utf8)
        try WebShop.run(["run", "shop.yaml"], in: shop.folder.path, allowed: [0])
        let whole = try shop.get("/conflicts").text
        #expect(
            whole.contains("what the table holds, but for what waits: due in quarantine 1, null in the table"),
            "\(whole)")
    }

    @Test func aConflictGetsAnotherValue() throws {
        let shop = try WebShop()
        let done = try shop.send(
            "/conflicts/shop:1", from: "/conflicts", [("take", "set"), ("value", "Dune = \"new\"; 2nd")])
        #expect(done.status == 303, "\(done.text)")
        #expect(try shop.sql("SELECT title FROM books WHERE id = 1") == "Dune = \"new\"; 2nd")
        #expect(try shop.send("/conflicts/shop:1", from: "/pipelines/shop", [("take", "local")]).status == 409)
        #expect(try shop.send("/conflicts/shop:1", from: "/pipelines/shop", [("take", "all")]).status == 400)
    }

    /// A decision may name a record that is not there, as a typing error does.
    @Test func aValueThatLeadsNowhereIsTold() throws {
        func books(_ sequel: Int) -> String {
            #"[{"id": 1, "title": "Dune", "sequel": \#(sequel)}, {"id": 2, "title": "Emma"}, {"id": 3, "title": "Ulysses"}]"#
        }
        let shop = try WebShop(
            WebShop.Books(
                first: books(2), edit: "UPDATE books SET sequel_id = 3 WHERE id = 1", then: books(1),
                fields: ", sequel: {ref: Book, from: sequel}"))
        let done = try shop.send("/conflicts/shop:1", from: "/conflicts", [("take", "set"), ("value", "4711")])
        let place = try #require(done.header("Location"), "\(done.text)")
        #expect(try shop.get(place).text.contains("A reference leads to a record that is not there"), "\(place)")
        #expect(try shop.sql("SELECT sequel_id IS NULL FROM books WHERE id = 1") == "1")
    }

    @Test func manyConflictsAreDecidedAtOnceAfterAPreview() throws {
        let books = (1...60).map { #"{"id": \#($0), "title": "T\#($0)", "price": \#($0)}"# }
        let then = (1...60).map { #"{"id": \#($0), "title": "N\#($0)", "price": \#($0)}"# }
        let shop = try WebShop(
            WebShop.Books(
                first: "[\(books.joined(separator: ","))]", edit: "UPDATE books SET title = 'mine ' || id",
                then: "[\(then.joined(separator: ","))]"))
        #expect(try shop.get("/conflicts").text.contains("60 conflicts"))
        #expect(try shop.get("/conflicts?page=3").text.ranges(of: "<article").count == 10)
        let fields = [("take", "remote"), ("entity", "Book"), ("q", "7")]
        let preview = try shop.send("/conflicts/preview", from: "/conflicts", fields)
        #expect(preview.status == 200 && preview.text.contains("Decide all 6"), "\(preview.text)")
        let mark = try #require(preview.text.firstMatch(of: #/name="mark" value="([0-9a-f]+)"/#)).1
        // What is not as it was shown is not decided.
        #expect(try shop.send("/conflicts/decide", from: "/conflicts", fields + [("mark", "0")]).status == 409)
        let done = try shop.send("/conflicts/decide", from: "/conflicts", fields + [("mark", String(mark))])
        #expect(done.status == 303, "\(done.text)")
        #expect(try shop.sql("SELECT count(*) FROM books WHERE title LIKE 'N%'") == "6")
    }

    /// Each pipeline has a run of its own: what one of them cannot do is told beside what the others did.
    @Test func whatIsDecidedOfSomePipelinesIsTold() throws {
        let (shop, zoo) = (try WebShop(), try WebShop(pipeline: "zoo"))
        let others = zoo.control.status().pipelines
        shop.control.change { $0.status.pipelines += others }
        let fields = [("take", "remote")]
        let preview = try shop.send("/conflicts/preview", from: "/conflicts", fields)
        let mark = try #require(preview.text.firstMatch(of: #/name="mark" value="([0-9a-f]+)"/#), "\(preview.text)").1
        _ = try zoo.sql(
            "CREATE TRIGGER closed BEFORE UPDATE ON books BEGIN SELECT RAISE(ABORT, 'not now'); END")
        let done = try shop.send("/conflicts/decide", from: "/conflicts", fields + [("mark", String(mark))])
        #expect(done.status >= 400 && done.status < 600, "\(done.status)")
        for words in ["Done in part", "The conflicts of `shop` were decided", "`zoo`"] {
            #expect(done.text.contains(words), "\(words): \(done.text)")
        }
        #expect(try shop.sql("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == "0")
        #expect(try zoo.sql("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") != "0")
    }

    @Test func whoGaveARecordUpAndWhenIsTold() throws {
        let shop = try WebShop()
        let done = try shop.send(
            "/quarantine/shop:1", from: "/quarantine/shop:1", [("action", "drop"), ("who", "Ana")])
        #expect(done.status == 303, "\(done.text)")
        let page = try shop.get("/quarantine/shop:1").text
        #expect(page.contains(#"dropped by Ana in <a href="/runs/shop%3A3">run 3</a>, <time"#), "\(page)")
        #expect(try shop.get("/runs/shop:3").text.contains("quarantine 1"))
        #expect(try shop.send("/runs/shop:3/undo", from: "/runs/shop:3/undo", []).status == 303)
        #expect(try shop.get("/quarantine/shop:1").text.contains("<dd>open</dd>"))
    }

    @Test func aRecordInQuarantineIsMendedOrGivenUp() throws {
        let shop = try WebShop()
        let page = try shop.get("/quarantine/shop:1").text
        #expect(page.contains("<mark class=\"place\">  &quot;price&quot;: &quot;much&quot;</mark>"), "\(page)")
        #expect(page.contains("entities.Book.fields.price") && !page.contains("entities.Book.fields.title"))
        let first = try shop.send("/quarantine/shop:1", from: "/quarantine/shop:1", [("action", "retry")])
        #expect(first.status == 303 || first.status == 422, "\(first.text)")
        #expect(try shop.sql("SELECT count(*) FROM _sluice_quarantine WHERE status = 'open'") == "1")
        let path = shop.folder.file("shop.yaml")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("price: decimal", with: "price: {type: decimal, map: {much: 99}}")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let done = try shop.send("/quarantine/shop:1", from: "/quarantine/shop:1", [("action", "retry")])
        #expect(done.status == 303, "\(done.text)")
        #expect(try shop.sql("SELECT price FROM books WHERE id = 2") == "99")
        #expect(try shop.send("/quarantine/shop:1", from: "/pipelines/shop", [("action", "drop")]).status == 422)
        #expect(try shop.send("/quarantine/shop:1", from: "/pipelines/shop", [("action", "eat")]).status == 400)
    }

    @Test func aRecordsLifeIsTold() throws {
        let shop = try WebShop()
        for key in ["1", "%7B%22id%22%3A1%7D"] {
            let page = try shop.get("/records?entity=Book&key=\(key)").text
            for words in ["Dune, first edition", "edited here", "the source said", "Conflict 1", "inserted"] {
                #expect(page.contains(words), "\(words)")
            }
        }
        #expect(try shop.get("/records?entity=Book&key=99").status == 404)
        #expect(try shop.get("/records?entity=Book&key=x").status == 400)
        #expect(try shop.get("/records?entity=None&key=1").status == 404)
        #expect(try shop.get("/records").text.contains("<option value=\"Book\""))
    }

    @Test func aPipelineIsShownAndStarted() throws {
        let shop = try WebShop()
        let page = try shop.get("/pipelines/shop").text
        for words in ["Book → books", "primary_key: [id]", "Run now", "Plan now", "It has no problems"] {
            #expect(page.contains(words), "\(words)")
        }
        let done = try shop.send("/pipelines/shop/runs", from: "/pipelines/shop", [("kind", "plan"), ("who", "Ana B")])
        #expect(done.header("Location") == "/runs/1")
        #expect(done.headers.contains { $0.value.hasPrefix("sluice_name=Ana%20B;") })
        #expect(shop.control.change { $0.asked } == ["plan shop Ana B"])
        let run = try shop.get("/runs/1").text
        #expect(run.contains("waiting") && run.contains("Give up") && run.contains("Ana B"))
        #expect(try shop.send("/runs/1/stop", from: "/runs/1", []).status == 303)
    }

    @Test func aPlanSaysWhatItWouldDo() throws {
        let shop = try WebShop()
        try #"[{"id":1,"title":"Dune (newest)","price":"9.90"},{"id":9,"title":"Emma","price":"9"},{"title":"No key"}]"#
            .write(toFile: shop.folder.file("books.json"), atomically: true, encoding: .utf8)
        let path = shop.folder.path
        try WebShop.run(
            ["plan", "shop.yaml", "--format", "json", "--output", "plan.json"], in: path, allowed: [0])
        shop.control.change { state in
            var plan = ServedRun(id: 7, pipeline: "shop", kind: .plan)
            (plan.startedAt, plan.endedAt, plan.outcome, plan.exitCode) = (1, 3, .succeeded, 0)
            var counts = ServedCounts()
            (counts.inserted, counts.conflicts, counts.quarantined) = (1, 1, 1)
            // What stands within records is told apart, where something becomes of it.
            var (lines, tags) = (ServedCounts(), ServedCounts())
            (lines.inserted, lines.unchanged, tags.unchanged) = (2, 3, 4)
            counts.within = ["Line": lines, "Tag": tags]
            plan.counts = counts
            state.runs = [plan]
            state.documents["7 report.json"] = "\(path)/plan.json"
        }
        let words = "1 to insert, 1 in conflict, 1 not written"
        #expect(try shop.get("/runs").text.contains("<td>\(words); Line: 2 to insert, 3 unchanged</td>"))
        let page = try shop.get("/runs/7").text
        for words in [
            "What it would do", words, "Book 9", "Emma", "Run now", "Not written", "the source says",
            #"key=%7B%22id%22%3A1%7D">Book 1</a>"#,
        ] {
            #expect(page.contains(words), "\(words)\n\(page)")
        }
        #expect(!page.contains(">Book 9</a>"))
    }

    @Test func aStoreThatIsInUseIsSaidToBe() throws {
        let shop = try WebShop()
        // Another program holds the store for writing.
        let holder = Process()
        holder.executableURL = URL(filePath: "/usr/bin/sqlite3")
        holder.arguments = [shop.folder.file("shop.db")]
        let (input, output) = (Pipe(), Pipe())
        (holder.standardInput, holder.standardOutput) = (input, output)
        try holder.run()
        try input.fileHandleForWriting.write(contentsOf: Data("BEGIN IMMEDIATE; SELECT 'held';\n".utf8))
        _ = output.fileHandleForReading.availableData
        #expect(try shop.get("/conflicts").status == 200)
        let answer = try shop.post("/api/v1/conflicts/shop:1", #"{"take": "remote"}"#)
        #expect(answer.status == 409 && answer.json("error", "code") as? String == "locked", "\(answer.text)")
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        #expect(try shop.post("/api/v1/conflicts/shop:1", #"{"take": "remote"}"#).status == 200)
    }

    @Test func aHundredThousandChangesAreQuick() throws {
        let books = (1...100_000).map { #"{"id":\#($0),"title":"T\#($0)","price":\#($0)}"# }
        let list = "[\(books.joined(separator: ","))]"
        let shop = try WebShop(WebShop.Books(first: list, edit: "SELECT 1", then: list))
        let clock = ContinuousClock()
        for path in ["/", "/runs/shop:1", "/runs/shop:1?q=T99999", "/runs/shop:1?action=delete"] {
            var status = 0
            let time = try clock.measure { status = try shop.get(path).status }
            #expect(status == 200)
            #expect(time < .seconds(60), "\(path) took \(time)")
        }
    }
}

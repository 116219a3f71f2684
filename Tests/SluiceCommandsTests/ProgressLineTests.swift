import Foundation
import SluiceCommands
import SluiceReport
import SluiceStore
import Testing

@Suite struct ProgressLineTests {
    @Test func itAppearsAfterASecondNotTooOftenAndGoesAway() {
        let sink = MemorySink(isTerminal: true)
        var time = 100.0
        let line = ProgressLine(sink: sink, pipeline: "shop", now: { time })
        func show(_ records: Int) {
            line.show(RunProgress(stage: .merging, stream: "books", records: records))
        }
        show(1)
        #expect(sink.text.isEmpty)
        time = 101
        show(2)
        time = 101.05
        show(3)
        time = 101.2
        line.show(
            RunProgress(
                stage: .waiting(seconds: 12, until: "2026-01-01T00:00:12Z", reason: "HTTP 503", cause: .retry),
                stream: "books"))
        line.erase()
        #expect(
            sink.text == "\r\u{1B}[Kshop/books: merging, 2 records, 1/s, 1 s"
                + "\r\u{1B}[Kshop/books: waiting 12 s, until 2026-01-01T00:00:12Z: HTTP 503\r\u{1B}[K")
    }

    @Test func aPauseIsShownAtOnce() {
        let sink = MemorySink(isTerminal: true)
        let line = ProgressLine(sink: sink, pipeline: "shop", now: { 100 })
        line.show(
            RunProgress(
                stage: .waiting(seconds: 0.5, until: "2026-01-01T00:00:00Z", reason: "a", cause: .retry), stream: "s"))
        #expect(sink.text.isEmpty)
        line.show(
            RunProgress(
                stage: .waiting(seconds: 60, until: "2026-01-01T00:01:00Z", reason: "a", cause: .retry), stream: "s"))
        #expect(sink.text == "\r\u{1B}[Kshop/s: waiting 1 min 0 s, until 2026-01-01T00:01:00Z: a")
    }

    @Test func nothingIsErasedThatWasNotShown() {
        let sink = MemorySink(isTerminal: true)
        ProgressLine(sink: sink, pipeline: "shop", now: { 1 }).erase()
        #expect(sink.text.isEmpty)
    }

    @Test func stagesAreLoggedOnceEach() {
        let sink = MemorySink()
        let log = Log(level: .debug, sink: sink) { "2026-01-01T00:00:00Z" }
        let line = ProgressLine(sink: nil, pipeline: "shop", log: log, now: { 1 })
        line.show(RunProgress(stage: .merging, stream: "books", records: 1))
        line.show(RunProgress(stage: .merging, stream: "books", records: 2))
        line.show(
            RunProgress(
                stage: .waiting(seconds: 2, until: "2026-01-01T00:00:02Z", reason: "HTTP 503", cause: .retry),
                stream: "books"))
        #expect(
            sink.text == """
                2026-01-01T00:00:00Z debug: shop/books: merging, 1 record
                2026-01-01T00:00:00Z info: shop/books: waiting 2.0 s, until 2026-01-01T00:00:02Z: HTTP 503

                """)
    }

    /// Each command whose work grows with its store says on a terminal how far it has come.
    @Test(arguments: [
        (["undo", "2"], "shop/books: undoing, "),
        (["undo", "2", "--format", "markdown"], "shop/books: undoing, "),
        (["undo", "2", "--summary-only"], "shop/books: undoing, "),
        (["show", "FOLDER/saved.plan"], "reading the plan of shop: "),
        (["show", "FOLDER/saved.plan", "--format", "html"], "reading the plan of shop: "),
        (["edits", "--format", "csv", "--output", "FOLDER/edits.csv"], "looking for edits in books: 2 rows"),
        (["status"], "counting edits in books: 2 rows"),
        (["store", "check"], "checking the database: "),
        (["history", "2", "--format", "json"], "reading run 2: 1 change"),
        (["history", "2", "--format", "csv"], "reading run 2: 1 change"),
    ])
    func longWorkIsShown(_ command: [String], _ words: String) throws {
        let shop = try Workshop()
        try shop.writePipeline()
        func run(_ words: String...) { #expect(shop.sluice(words + [shop.pipeline]).code == 0) }
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        run("run")
        try shop.write(#"[{"id":1,"title":"Uno"},{"id":2,"title":"Due"}]"#, to: "books.json")
        run("run")
        try shop.write(#"[{"id":1,"title":"Un"},{"id":2,"title":"Deux"}]"#, to: "books.json")
        run("plan", "--save", "\(shop.folder)/saved.plan")
        if command[0] == "edits" { try shop.sql("UPDATE books SET title = 'mine' WHERE id = 1") }
        let errors = MemorySink(isTerminal: true)
        var context = CommandContext(output: MemorySink(), errors: errors)
        context.progressDelay = 0
        let store = command[0] == "show" ? [] : ["--store", "sqlite:\(shop.store)"]
        let code = Sluice.run(
            arguments: command.map { $0.replacing("FOLDER", with: shop.folder) } + store, context: context)
        #expect(code == 0, "\(errors.text)")
        #expect(errors.text.contains("\r\u{1B}[K\(words)"), "\(errors.text)")
        // And it goes away.
        let left = errors.text.components(separatedBy: "\r\u{1B}[K").last ?? ""
        #expect(!left.contains(words), "\(errors.text)")
    }

    @Test(arguments: ["run", "validate"]) func aTerminalThatCannotEraseShowsNone(_ command: String) throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        let errors = MemorySink(isTerminal: true)
        var context = CommandContext(output: MemorySink(), errors: errors, environment: ["TERM": "dumb"])
        context.progressDelay = 0
        let code = Sluice.run(arguments: [command, shop.pipeline, "--store", "sqlite:\(shop.store)"], context: context)
        #expect(code == 0 && !errors.text.contains("\u{1B}"), "\(errors.text)")
    }

    /// A line that is too long for a terminal of 80 columns is shortened in its middle: its end is what people look for.
    @Test(arguments: [
        ("books", "shop/books: fetching, 61,000 of 244,000 records (25%), 610/s, 5 min 0 s left"),
        ("orders", "shop/orders: fetching, 61,000 of 244,000 records (25%), 610/s, 5 min 0 s left"),
        ("order_items", "shop/order_items: fetching, 61,000 of 244,000 records (25%), 5 min 0 s left"),
        (
            "orders_of_all_customers_in_europe_and_asia",
            "shop/orders_of_all…: fetching, 61,000 of 244,000 records (25%), 5 min 0 s left"
        ),
    ])
    func aLongLineKeepsItsEnd(_ stream: String, _ words: String) {
        let sink = MemorySink(isTerminal: true)
        var time = 100.0
        let line = ProgressLine(sink: sink, pipeline: "shop", now: { time })
        for (seconds, records) in [(0.0, 0), (100, 61_000)] {
            time = 100 + seconds
            line.show(
                RunProgress(
                    stage: .fetching, stream: stream, pages: records / 100, bytes: records * 100, records: records,
                    total: 244_000))
        }
        let shown = sink.text.components(separatedBy: "\r\u{1B}[K").last ?? ""
        #expect(shown.count <= 78 && shown.hasPrefix("shop/") && shown.hasSuffix("5 min 0 s left"), "\(shown)")
        #expect(shown == words)
    }

    /// What a table is doing that follows its pipeline.
    @Test(arguments: [
        (TableWork.Step.rows, "shop: changing `books`, 412,000 of 1,000,000 rows (41%), 2 min 23 s left"),
        (.bases, "shop: changing `books`, 412,000 of 1,000,000 bases (41%), 2 min 23 s left"),
        (.history, "shop: changing `books`, 412,000 of 1,000,000 history entries…, 2 min 23 s left"),
        (.rebuild, "shop: making `books` anew, 1 min 40 s"),
    ])
    func aTableThatChangesIsShown(_ step: TableWork.Step, words: String) throws {
        let sink = MemorySink(isTerminal: true)
        let (log, lines) = log(.json)
        var time = 100.0
        let line = ProgressLine(sink: sink, pipeline: "shop", log: log, now: { time })
        for (seconds, count) in [(0.0, 0), (100, step == .rebuild ? 0 : 412_000)] {
            time = 100 + seconds
            var work = TableWork(table: "books", step: step, total: step == .rebuild ? nil : 1_000_000)
            work.count = count
            line.show(RunProgress(work))
        }
        #expect(sink.text.components(separatedBy: "\r\u{1B}[K").last == words)
        #expect(lines.text.contains(#""event":"progress""#) && lines.text.contains(#""stage":"changing""#))
        #expect(lines.text.contains(#""table":"books","step":"\#(step)""#), "\(lines.text)")
    }

    /// Records are told where they are counted, also where nobody knows how many there will be.
    @Test func recordsAreToldWithoutATotal() {
        let (log, sink) = log()
        var time = 100.0
        let line = ProgressLine(sink: nil, pipeline: "shop", log: log, now: { time })
        for (seconds, pages) in [(0.0, 0), (10, 12)] {
            time = 100 + seconds
            line.show(
                RunProgress(stage: .fetching, stream: "books", pages: pages, bytes: pages * 1000, records: pages * 100))
        }
        #expect(
            sink.text.hasSuffix("shop/books: fetching, 12 pages, 12.0 kB, 1,200 records, 120/s, 10 s\n"), "\(sink.text)"
        )
    }

    // MARK: Pace

    /// A line in a log, its clock, and what it tells.
    private func log(_ format: Log.Format = .text) -> (log: Log, sink: MemorySink) {
        let sink = MemorySink()
        return (Log(level: .info, format: format, sink: sink) { "2026-01-01T00:00:00Z" }, sink)
    }

    @Test func aLogHasALineEachTenSeconds() {
        let (log, sink) = log()
        var time = 100.0
        let line = ProgressLine(sink: nil, pipeline: "shop", log: log, now: { time })
        for second in 0...30 {
            time = 100 + Double(second)
            line.show(RunProgress(stage: .merging, stream: "books", records: second * 100))
        }
        #expect(
            sink.text == """
                2026-01-01T00:00:00Z info: shop/books: merging, 1,000 records, 100/s, 10 s
                2026-01-01T00:00:00Z info: shop/books: merging, 2,000 records, 100/s, 20 s
                2026-01-01T00:00:00Z info: shop/books: merging, 3,000 records, 100/s, 30 s

                """)
    }

    @Test func aTotalTellsHowMuchIsDoneAndLeft() {
        let (log, sink) = log(.json)
        var time = 100.0
        let line = ProgressLine(sink: nil, pipeline: "shop", log: log, now: { time })
        func fetch(_ pages: Int, _ total: Int?) {
            line.show(
                RunProgress(
                    stage: .fetching, stream: "books", pages: pages, bytes: pages * 1000, records: pages * 100,
                    total: total))
        }
        fetch(0, 4000)
        time = 110
        fetch(10, 4000)
        #expect(
            sink.text == #"{"time":"2026-01-01T00:00:00Z","level":"info","event":"progress","pipeline":"shop","#
                + #""stream":"books","#
                + #""message":"fetching, 10 pages, 10.0 kB, 1,000 of 4,000 records (25%), 100/s, 10 s, 30 s left","#
                + #""stage":"fetching","seconds":10,"pages":10,"bytes":10000,"records":1000,"total":4000,"percent":25,"#
                + #""records_per_second":100,"bytes_per_second":1000,"seconds_left":30}"# + "\n")
    }

    /// What has come of a page that is under way says nothing of how many there are.
    @Test(arguments: [40, nil])
    func aNumberOfPagesTellsHowMuchIsDoneAndLeft(_ later: Int?) {
        let (log, sink) = log(.json)
        var time = 100.0
        let line = ProgressLine(sink: nil, pipeline: "shop", log: log, now: { time })
        func fetch(_ pages: Int, _ total: Int?) {
            line.show(
                RunProgress(
                    stage: .fetching, stream: "books", pages: pages, bytes: pages * 1000, records: pages * 100,
                    pageTotal: total))
        }
        fetch(0, 40)
        time = 110
        fetch(10, later)
        #expect(
            sink.text == #"{"time":"2026-01-01T00:00:00Z","level":"info","event":"progress","pipeline":"shop","#
                + #""stream":"books","#
                + #""message":"fetching, 10 of 40 pages (25%), 10.0 kB, 1,000 records, 100/s, 10 s, 30 s left","#
                + #""stage":"fetching","seconds":10,"pages":10,"bytes":10000,"records":1000,"page_total":40,"percent":25,"#
                + #""records_per_second":100,"bytes_per_second":1000,"seconds_left":30}"# + "\n")
    }

    @Test func withoutATotalBytesTellThePace() {
        let (log, sink) = log()
        var time = 100.0
        let line = ProgressLine(sink: nil, pipeline: "shop", log: log, now: { time })
        for (seconds, bytes) in [(0.0, 0), (70, 7_000_000)] {
            time = 100 + seconds
            line.show(RunProgress(stage: .fetching, stream: "books", pages: 1, bytes: bytes))
        }
        #expect(sink.text.hasSuffix("shop/books: fetching, 1 page, 7.0 MB, 100.0 kB/s, 1 min 10 s\n"), "\(sink.text)")
    }

    @Test func theTotalOfASourceHoldsForTheMergeUntilItIsExceeded() {
        let (log, sink) = log()
        var time = 100.0
        let line = ProgressLine(sink: nil, pipeline: "shop", log: log, now: { time })
        line.show(RunProgress(stage: .fetching, stream: "books", pages: 1, records: 10, total: 400))
        for (seconds, records) in [(1.0, 0), (11, 100), (21, 500)] {
            time = 100 + seconds
            line.show(RunProgress(stage: .merging, stream: "books", records: records))
        }
        #expect(
            sink.text == """
                2026-01-01T00:00:00Z info: shop/books: merging, 100 of 400 records (25%), 10/s, 10 s, 30 s left
                2026-01-01T00:00:00Z info: shop/books: merging, 500 records, 25/s, 20 s

                """)
    }

    @Test func eachStreamAndStageIsMeasuredByItself() {
        let (log, sink) = log()
        var time = 100.0
        let line = ProgressLine(sink: nil, pipeline: "shop", log: log, now: { time })
        for (seconds, stage, records) in [(0.0, RunProgress.Stage.merging, 9), (50, .undoing, 0), (60, .undoing, 20)] {
            time = 100 + seconds
            line.show(RunProgress(stage: stage, stream: "books", records: records))
        }
        #expect(sink.text.hasSuffix("shop/books: undoing, 20 records, 2/s, 10 s\n"), "\(sink.text)")
    }
}

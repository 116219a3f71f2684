import SluiceCommands
import SluiceReport
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
                stage: .waiting(seconds: 12, until: "2026-01-01T00:00:12Z", reason: "HTTP 503"), stream: "books"))
        line.erase()
        #expect(
            sink.text == "\r\u{1B}[Kshop/books: merging, 2 records"
                + "\r\u{1B}[Kshop/books: waiting 12 s, until 2026-01-01T00:00:12Z: HTTP 503\r\u{1B}[K")
    }

    @Test func aPauseIsShownAtOnce() {
        let sink = MemorySink(isTerminal: true)
        let line = ProgressLine(sink: sink, pipeline: "shop", now: { 100 })
        line.show(RunProgress(stage: .waiting(seconds: 0.5, until: "2026-01-01T00:00:00Z", reason: "a"), stream: "s"))
        #expect(sink.text.isEmpty)
        line.show(RunProgress(stage: .waiting(seconds: 60, until: "2026-01-01T00:01:00Z", reason: "a"), stream: "s"))
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
            RunProgress(stage: .waiting(seconds: 2, until: "2026-01-01T00:00:02Z", reason: "HTTP 503"), stream: "books")
        )
        #expect(
            sink.text == """
                2026-01-01T00:00:00Z debug: shop/books: merging, 1 record
                2026-01-01T00:00:00Z info: shop/books: waiting 2.0 s, until 2026-01-01T00:00:02Z: HTTP 503

                """)
    }
}

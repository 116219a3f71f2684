import SluiceCommands
import SluiceSync
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
        line.show(RunProgress(stage: .waiting(seconds: 12, reason: "HTTP 503"), stream: "books"))
        line.erase()
        #expect(
            sink.text == "\r\u{1B}[Kshop · books: merging, 2 records"
                + "\r\u{1B}[Kshop · books: waiting 12 s: HTTP 503\r\u{1B}[K")
    }

    @Test func nothingIsErasedThatWasNotShown() {
        let sink = MemorySink(isTerminal: true)
        ProgressLine(sink: sink, pipeline: "shop", now: { 1 }).erase()
        #expect(sink.text.isEmpty)
    }

    @Test func stagesAreLoggedOnceEach() {
        let sink = MemorySink()
        let line = ProgressLine(sink: nil, pipeline: "shop", log: Log(level: .debug, sink: sink), now: { 1 })
        line.show(RunProgress(stage: .merging, stream: "books", records: 1))
        line.show(RunProgress(stage: .merging, stream: "books", records: 2))
        line.show(RunProgress(stage: .waiting(seconds: 2, reason: "HTTP 503"), stream: "books"))
        #expect(
            sink.text == """
                debug: shop · books: merging, 1 record
                info: shop · books: waiting 2.0 s: HTTP 503

                """)
    }
}

import SluiceReport
import Testing

@testable import SluiceCommands

/// What a terminal shows of several streams, as a terminal would: what it is sent is carried out here.
@Suite struct ProgressRegionTests {
    /// A terminal that knows what progress sends.
    private struct Screen {
        private(set) var lines = [""]
        private var row = 0

        mutating func take(_ text: String) {
            var rest = Substring(text)
            while let character = rest.first {
                if rest.hasPrefix("\u{1B}[K") {
                    lines[row] = ""
                    rest = rest.dropFirst(3)
                } else if rest.hasPrefix("\u{1B}["), let end = rest.firstIndex(of: "A") {
                    row -= Int(rest[rest.index(rest.startIndex, offsetBy: 2)..<end]) ?? 0
                    rest = rest[rest.index(after: end)...]
                } else {
                    rest = rest.dropFirst()
                    if character == "\r" { continue }
                    if character != "\n" {
                        lines[row].append(character)
                        continue
                    }
                    row += 1
                    if row == lines.count { lines.append("") }
                }
            }
        }

        /// The lines that have something.
        var text: [String] { lines.filter { !$0.isEmpty } }
    }

    @Test func eachStreamHasALineOfItsOwn() {
        var region = ProgressRegion()
        var screen = Screen()
        func show(_ text: String, of subject: String) {
            region.set(text, of: subject)
            screen.take(region.drawing())
        }
        show("books: 1", of: "books")
        show("books: 2", of: "books")
        #expect(screen.text == ["books: 2"])
        show("orders: 1", of: "orders")
        show("orders: 2", of: "orders")
        #expect(screen.text == ["books: 2", "orders: 2"])
        show("books: merging", of: "books")
        #expect(screen.text == ["books: merging", "orders: 2"])
        show("tags: 1", of: "tags")
        #expect(screen.text == ["books: merging", "orders: 2", "tags: 1"])
        #expect(region.drawing().isEmpty)
        screen.take(region.erasing())
        #expect(screen.text == [])
        // What was taken away for a warning comes back.
        show("tags: 2", of: "tags")
        #expect(screen.text == ["books: merging", "orders: 2", "tags: 2"])
    }

    @Test func ofManyStreamsTheFirstMakeWay() {
        var region = ProgressRegion()
        var screen = Screen()
        for number in 1...20 {
            region.set("stream \(number)", of: "\(number)")
            screen.take(region.drawing())
        }
        #expect(screen.text == (13...20).map { "stream \($0)" })
        screen.take(region.erasing())
        #expect(screen.text == [] && region.erasing().isEmpty)
    }

    /// What a stream did last is in its line, also where the next one began before it was shown.
    @Test func aStreamThatIsDoneKeepsItsLine() {
        let sink = MemorySink(isTerminal: true)
        var time = 100.0
        let line = ProgressLine(sink: sink, pipeline: "shop", now: { time })
        func show(_ stream: String, _ records: Int, at seconds: Double, _ stage: RunProgress.Stage = .fetching) {
            time = 100 + seconds
            line.show(RunProgress(stage: stage, stream: stream, pages: 1, bytes: 1_000, records: records))
        }
        show("books", 0, at: 0)
        show("books", 500, at: 5)
        show("books", 1_000, at: 5.05)
        show("orders", 10, at: 5.06)
        show("orders", 200, at: 7.06)
        var screen = Screen()
        screen.take(sink.text)
        #expect(
            screen.text == [
                "shop/books: fetching, 1 page, 1.0 kB, 1,000 records, 198/s, 5 s",
                "shop/orders: fetching, 1 page, 1.0 kB, 200 records, 95/s, 2 s",
            ])
        show("books", 100, at: 9, .merging)
        screen = Screen()
        screen.take(sink.text)
        #expect(screen.text.first == "shop/books: merging, 100 records", "\(screen.text)")
        line.erase()
        screen = Screen()
        screen.take(sink.text)
        #expect(screen.text == [])
    }
}

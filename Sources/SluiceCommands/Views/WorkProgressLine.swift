internal import SluiceDiagnostics
internal import SluiceSystem

/// Says on a terminal how far work on a store or a file has come, in one line that moves and appears where the work takes over
/// a second.
struct WorkProgressLine {
    private static let interval = 0.1
    private let sink: (any TextSink)?
    private let delay: Double
    private let start = WallClock.monotonicSeconds()
    private var lastShown = -Double.infinity
    private var isVisible = false

    /// Makes a line.
    ///
    /// - Parameters:
    ///   - sink: Where it appears; nil where nobody watches.
    ///   - delay: How many seconds the work takes before.
    init(on sink: (any TextSink)?, after delay: Double) {
        self.sink = sink
        self.delay = delay
    }

    /// Shows how far it has come, unless that was shown just before.
    ///
    /// - Parameters:
    ///   - work: What is done, such as `copying books`.
    ///   - count: How much of it is done.
    ///   - noun: What is counted, one of it.
    mutating func show(_ work: @autoclosure () -> String, _ count: Int, _ noun: String) {
        show { (work(), CountText.of(count, noun)) }
    }

    /// Shows what is done, where it is not counted.
    mutating func show(_ work: @autoclosure () -> String) { show { (work(), nil) } }

    private mutating func show(_ told: () -> (work: String, count: String?)) {
        guard let sink else { return }
        let time = WallClock.monotonicSeconds()
        guard time - start >= delay, time - lastShown >= Self.interval else { return }
        (lastShown, isVisible) = (time, true)
        let (work, count) = told()
        let amount = [count, CountText.duration(time - start)].compactMap(\.self).joined(separator: ", ")
        let text = PrintableText.escape("\(work): \(amount)")
        // A line that the terminal wraps could not be erased.
        try? sink.write(Array("\r\u{1B}[K\(ShortText.cut(text, to: 78))".utf8))
    }

    /// Takes the line away.
    mutating func erase() {
        if isVisible { try? sink?.write(Array("\r\u{1B}[K".utf8)) }
        isVisible = false
    }
}

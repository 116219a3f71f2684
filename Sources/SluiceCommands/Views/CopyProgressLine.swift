internal import SluiceDiagnostics
internal import SluiceStore
internal import SluiceSystem

/// Says on a terminal how far a copy has come, in one line that moves and appears where the work takes over a second.
struct CopyProgressLine {
    private static let delay = 1.0
    private static let interval = 0.1
    private let sink: (any TextSink)?
    private let now: () -> Double
    private let start: Double
    private var lastShown = -Double.infinity
    private var isVisible = false

    /// - Parameters:
    ///   - sink: A terminal, or nil where nothing is to be shown.
    ///   - now: Seconds since some fixed moment.
    init(_ sink: (any TextSink)?, now: @escaping () -> Double = WallClock.monotonicSeconds) {
        (self.sink, self.now, start) = (sink, now, now())
    }

    /// Shows how far it has come, unless that was shown just before.
    mutating func show(_ progress: StoreCopyProgress) {
        guard let sink else { return }
        let time = now()
        guard time - start >= Self.delay, time - lastShown >= Self.interval else { return }
        (lastShown, isVisible) = (time, true)
        let verb = progress.isVerifying ? "comparing" : "copying"
        let text = PrintableText.escape(
            "\(verb) \(progress.table): \(CountText.of(progress.rows, "row")), \(CountText.duration(time - start))")
        // A line that the terminal wraps could not be erased.
        try? sink.write(Array("\r\u{1B}[K\(ShortText.cut(text, to: 78))".utf8))
    }

    /// Takes the line away.
    mutating func erase() {
        if isVisible { try? sink?.write(Array("\r\u{1B}[K".utf8)) }
        isVisible = false
    }
}

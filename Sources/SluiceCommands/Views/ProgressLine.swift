internal import SluiceDiagnostics
package import SluiceReport
internal import SluiceSystem

/// One line on a terminal that says how far a run has come; it appears only where the work takes over a second.
package final class ProgressLine {
    private static let delay = 1.0
    private static let interval = 0.1
    private let sink: (any TextSink)?
    private let pipeline: String
    private let now: () -> Double
    private let start: Double
    private var lastShown = -Double.infinity
    private var isVisible = false
    private let log: Log?
    private var told = ""

    /// - Parameters:
    ///   - sink: A terminal, or nil where nothing is to be shown.
    ///   - pipeline: The pipeline's name.
    ///   - log: Told of each stage that begins.
    ///   - now: Seconds since some fixed moment.
    package init(
        sink: (any TextSink)?, pipeline: String, log: Log? = nil,
        now: @escaping () -> Double = WallClock.monotonicSeconds
    ) {
        self.sink = sink
        self.log = log?.about(pipeline)
        self.pipeline = pipeline
        self.now = now
        start = now()
    }

    /// Shows how far the work has come, unless the line was shown just before.
    package func show(_ progress: RunProgress) {
        if let log { tell(progress, log) }
        guard let sink else { return }
        let time = now()
        // Nothing else comes before a pause is over.
        var isPause = false
        if case .waiting(let seconds, _, _) = progress.stage { isPause = seconds >= Self.delay }
        guard isPause || time - start >= Self.delay && time - lastShown >= Self.interval else { return }
        lastShown = time
        isVisible = true
        let text = PrintableText.escape("\(pipeline)/\(progress.stream): \(Self.text(progress))")
        // A line that the terminal wraps could not be erased.
        try? sink.write(Array("\r\u{1B}[K\(ShortText.cut(text, to: 78))".utf8))
    }

    /// Takes the line away.
    package func erase() {
        if isVisible { try? sink?.write(Array("\r\u{1B}[K".utf8)) }
        isVisible = false
    }

    private func tell(_ progress: RunProgress, _ log: Log) {
        var level = Log.Level.debug
        var stage = "\(progress.stage)"
        if case .waiting = progress.stage { level = .info } else { stage += " " + progress.stream }
        if stage == told { return }
        told = stage
        log.tell(level, stream: progress.stream, Self.text(progress))
    }

    private static func text(_ progress: RunProgress) -> String {
        let records = CountText.of(progress.records, "record")
        switch progress.stage {
        case .fetching:
            let place = progress.partition.map { "partition \($0.number) of \(CountText.grouped($0.count)), " } ?? ""
            return "fetching, \(place)\(CountText.of(progress.pages, "page")), \(CountText.bytes(progress.bytes))"
        case .resuming(let page): return "continues at page \(CountText.grouped(page))"
        case .merging: return "merging, \(records)"
        case .deleting: return "looking for deleted records, \(records) read"
        case .finishing: return "finishing, \(records)"
        case .waiting(let seconds, let until, let reason):
            return "waiting \(CountText.duration(seconds)), until \(until): \(reason)"
        }
    }
}

internal import SluiceDiagnostics
package import SluiceReport
internal import SluiceSystem

/// Says how far a run has come: on a terminal in one line for each stream, which appear only where the work takes over a second
/// and go away at its end, in a log with a line each 10 seconds.
package final class ProgressLine {
    private static let interval = 0.1
    /// The columns of a line, for a terminal of 80.
    private static let width = 78
    /// The columns that a name has at least.
    private static let leastName = 16
    /// How many seconds lie between two lines of a log.
    package static let logInterval = 10.0
    /// The same where somebody watches the log.
    package static let watchedInterval = 1.0
    private let sink: (any TextSink)?
    private let pipeline: String
    private let now: () -> Double
    private let start: Double
    private var meter = ProgressMeter()
    private var lastShown = -Double.infinity
    private var region = ProgressRegion()
    /// What was told last.
    private var latest: ProgressMeter.Reading?
    private let log: Log?
    private let logInterval: Double
    private let delay: Double
    private var told = ""
    private var lastTold: Double

    /// - Parameters:
    ///   - sink: A terminal, or nil where nothing is to be shown.
    ///   - pipeline: The pipeline's name.
    ///   - log: Told of each stage that begins, and from time to time how far it has come.
    ///   - logInterval: How many seconds lie between two times.
    ///   - delay: How many seconds pass before a terminal shows something.
    ///   - now: Seconds since some fixed moment.
    package init(
        sink: (any TextSink)?, pipeline: String, log: Log? = nil, logInterval: Double = logInterval,
        delay: Double = 1, now: @escaping () -> Double = WallClock.monotonicSeconds
    ) {
        self.sink = sink
        self.log = log?.about(pipeline)
        self.pipeline = pipeline
        self.logInterval = logInterval
        self.delay = delay
        self.now = now
        start = now()
        lastTold = start
    }

    /// Shows how far the work has come, unless that was shown just before.
    package func show(_ progress: RunProgress) {
        if log == nil && sink == nil { return }
        let time = now()
        let reading = meter.read(progress, at: time)
        if let log { report(reading, at: time, log) }
        if let sink { show(reading, at: time, sink) }
    }

    private func show(_ reading: ProgressMeter.Reading, at time: Double, _ sink: any TextSink) {
        // A stream that is done keeps a line with all that it did.
        if let latest, latest.progress.stream != reading.progress.stream { set(latest) }
        latest = reading
        // Nothing else comes before a pause is over.
        var isPause = false
        if case .waiting(let seconds, _, _, _) = reading.progress.stage { isPause = seconds >= delay }
        guard isPause || time - start >= delay && time - lastShown >= Self.interval else { return }
        lastShown = time
        set(reading)
        try? sink.write(Array(region.drawing().utf8))
    }

    private func set(_ reading: ProgressMeter.Reading) {
        // A line that the terminal wraps could not be erased.
        region.set(
            ShortText.cut(PrintableText.escape(line(reading)), to: Self.width), of: subject(of: reading.progress))
    }

    /// The line with its end: what matters less is left out of its middle, and a long name is shortened.
    private func line(_ reading: ProgressMeter.Reading) -> String {
        let least = TextWidth.of(reading.text(fitting: 0)) + 2
        let name = ShortText.cut(subject(of: reading.progress), to: max(Self.leastName, Self.width - least))
        return "\(name): \(reading.text(fitting: Self.width - TextWidth.of(name) - 2))"
    }

    private func subject(of progress: RunProgress) -> String {
        progress.stream.isEmpty ? pipeline : "\(pipeline)/\(progress.stream)"
    }

    /// Takes the lines away.
    package func erase() {
        let erasing = region.erasing()
        if !erasing.isEmpty { try? sink?.write(Array(erasing.utf8)) }
    }

    private func report(_ reading: ProgressMeter.Reading, at time: Double, _ log: Log) {
        let progress = reading.progress
        let stream = progress.stream.isEmpty ? nil : progress.stream
        if case .waiting(let seconds, let until, let reason, let cause) = progress.stage {
            let stage = "\(progress.stage)"
            if stage == told { return }
            told = stage
            return log.report(
                .waiting, stream: stream, reading.text,
                [
                    (.seconds, .decimal(seconds)), (.until, .text(until)), (.reason, .text(reason)),
                    (.cause, .text(cause.rawValue)),
                ])
        }
        let stage = "\(reading.stage) \(progress.stage.step ?? progress.stream)"
        if stage != told {
            told = stage
            log.report(.stageStarted, stream: stream, reading.text, [(.stage, .text(reading.stage))] + reading.subject)
        }
        guard time - lastTold >= logInterval else { return }
        lastTold = time
        log.report(.progress, stream: stream, reading.text, reading.details)
    }
}

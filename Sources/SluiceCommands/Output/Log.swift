internal import SluiceDiagnostics
internal import SluiceReport
internal import SluiceSystem

/// What standard error tells besides the result.
package struct Log {
    /// How much is told.
    package enum Level: Int, CaseIterable, Comparable, Sendable {
        case error, warning, info, debug

        init?(name: String) {
            guard let level = Level.allCases.first(where: { "\($0)" == name }) else { return nil }
            self = level
        }

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    let level: Level
    let sink: any TextSink
    /// The pipeline that lines are about, nil where they are about the command.
    private(set) var pipeline: String?
    private let now: () -> String

    /// - Parameters:
    ///   - level: The least that matters.
    ///   - sink: Where the lines go.
    ///   - now: The time that lines begin with.
    package init(level: Level, sink: any TextSink, now: @escaping () -> String = WallClock.now) {
        self.level = level
        self.sink = sink
        self.now = now
    }

    /// A log whose lines name a pipeline, and the time where nobody watches.
    package func about(_ pipeline: String) -> Log {
        var log = self
        log.pipeline = pipeline
        return log
    }

    /// Tells something, if it matters enough; what cannot be told is lost.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - stream: The stream of the pipeline that it is about, nil where it is about all of them.
    ///   - message: What there is to tell.
    func tell(_ level: Level, stream: String? = nil, _ message: @autoclosure () -> String) {
        guard level <= self.level else { return }
        let time = pipeline == nil || sink.isTerminal ? "" : now() + " "
        let subject = pipeline.map { $0 + (stream.map { "/" + $0 } ?? "") + ": " } ?? ""
        write("\(time)\(level): \(PrintableText.escape(subject + message()))\n")
    }

    /// Tells the problems of a run.
    func tell(_ problems: [RunProblem]) {
        for problem in problems where problem.code != "interrupted" {
            tell(Level(problem.severity), stream: problem.stream, problem.message)
        }
    }

    /// Tells text whose control characters are escaped already.
    func write(_ text: String) { try? sink.write(Array(text.utf8)) }
}

extension Log.Level {
    init(_ severity: RunProblem.Severity) {
        self =
            switch severity {
            case .note: .info
            case .warning: .warning
            case .error: .error
            }
    }
}

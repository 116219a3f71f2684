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

    /// How lines are written.
    package enum Format: String, CaseIterable, Sendable {
        /// For people.
        case text
        /// A JSON object a line, for programs.
        case json
    }

    /// An event as it is told.
    struct Entry {
        let event: LogEvent
        let level: Level
        /// When it happened, RFC 3339 in UTC.
        let time: String
        /// The pipeline that it is about, nil where it is about the command.
        let pipeline: String?
        /// The stream of the pipeline, nil where it is about all of them.
        let stream: String?
        let message: String
        let details: [(LogDetail, LogValue)]
    }

    let level: Level
    let format: Format
    let sink: any TextSink
    /// The pipeline that lines are about, nil where they are about the command.
    private(set) var pipeline: String?
    /// Whether lines about the command itself tell the time as well.
    private var isDated = false
    private let now: () -> String

    /// - Parameters:
    ///   - level: The least that matters.
    ///   - format: How lines are written.
    ///   - sink: Where the lines go.
    ///   - now: The time that lines begin with.
    package init(
        level: Level, format: Format = .text, sink: any TextSink, now: @escaping () -> String = WallClock.now
    ) {
        self.level = level
        self.format = format
        self.sink = sink
        self.now = now
    }

    /// A log whose lines name a pipeline, and the time where nobody watches.
    package func about(_ pipeline: String) -> Log {
        var log = self
        log.pipeline = pipeline
        return log
    }

    /// A log of a command that goes on for long: all its lines have the time where nobody watches.
    package func dated() -> Log {
        var log = self
        log.isDated = true
        return log
    }

    /// Reports something, if it matters enough; what cannot be told is lost.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - level: How much it matters, where the event does not say it.
    ///   - stream: The stream of the pipeline that it is about, nil where it is about all of them.
    ///   - message: What there is to tell.
    ///   - details: What programs may want to know of it.
    func report(
        _ event: LogEvent, level: Level? = nil, stream: String? = nil, _ message: @autoclosure () -> String,
        _ details: @autoclosure () -> [(LogDetail, LogValue)] = []
    ) {
        let level = level ?? event.row.level
        guard level <= self.level else { return }
        let entry = entry(event, level, stream, message(), details())
        switch format {
        case .json: write(entry.json)
        case .text: write(entry.text(withTime: (isDated || pipeline != nil) && !sink.isTerminal))
        }
    }

    /// Reports lines that are laid out for people already, whatever matters: as they are, or as the message of an event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - level: How much it matters, where the event does not say it.
    ///   - lines: The lines, whose control characters are escaped.
    ///   - message: What an event tells instead of the lines.
    ///   - details: What programs may want to know of it.
    func report(
        _ event: LogEvent, level: Level? = nil, lines: String, message: String? = nil,
        _ details: @autoclosure () -> [(LogDetail, LogValue)] = []
    ) {
        switch format {
        case .json:
            write(entry(event, level ?? event.row.level, nil, message ?? Self.withoutEnd(lines), details()).json)
        case .text: write(lines)
        }
    }

    /// Reports the problems of a run.
    ///
    /// - Parameters:
    ///   - problems: The problems.
    ///   - leavesStore: Whether the store is as before, which the last error says.
    func report(_ problems: [RunProblem], leavesStore: Bool = false) {
        let last = leavesStore ? problems.lastIndex { $0.severity == .error } : nil
        for (place, problem) in problems.enumerated() {
            report(
                .runProblem, level: Level(problem.severity), stream: problem.stream,
                problem.message + (place == last ? " The store is as before." : ""),
                [(.code, .text(problem.code))] + (problem.entity.map { [(.entity, .text($0))] } ?? []))
        }
    }

    /// Reports a problem of a pipeline file.
    func report(_ problem: Diagnostic, by renderer: TextDiagnosticRenderer) {
        var details: [(LogDetail, LogValue)] = [(.code, .text(problem.code.rawValue))]
        if let file = problem.location?.file { details.append((.file, .text(file))) }
        if let place = problem.location?.position {
            details += [(.line, .number(place.line)), (.column, .number(place.column))]
        }
        report(
            .pipelineProblem, level: Level(problem.severity), lines: renderer.render(problem),
            message: problem.message + (problem.help.map { " " + $0 } ?? ""), details)
    }

    private func entry(
        _ event: LogEvent, _ level: Level, _ stream: String?, _ message: String, _ details: [(LogDetail, LogValue)]
    ) -> Entry {
        Entry(
            event: event, level: level, time: now(), pipeline: pipeline, stream: stream, message: message,
            details: details)
    }

    private func write(_ text: String) { try? sink.write(Array(text.utf8)) }

    private static func withoutEnd(_ lines: String) -> String {
        String(lines.reversed().drop { $0 == "\n" }.reversed())
    }
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

    init(_ severity: Severity) {
        self =
            switch severity {
            case .note: .info
            case .warning: .warning
            case .error: .error
            }
    }
}

extension Log.Format {
    /// What a command line asks for that cannot be read as a whole.
    static func asked(in arguments: [String]) -> Log.Format {
        let options = arguments.prefix { $0 != "--" }
        let isJSON =
            options.contains("--log-format=json")
            || zip(options, options.dropFirst()).contains { $0 == "--log-format" && $1 == "json" }
        return isJSON ? .json : .text
    }
}

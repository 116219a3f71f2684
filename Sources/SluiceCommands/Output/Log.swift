internal import SluiceDiagnostics

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

    package init(level: Level, sink: any TextSink) {
        self.level = level
        self.sink = sink
    }

    /// Tells something, if it matters enough; what cannot be told is lost.
    func tell(_ level: Level, _ message: @autoclosure () -> String) {
        if level <= self.level { write("\(level): \(PrintableText.escape(message()))\n") }
    }

    /// Tells text whose control characters are escaped already.
    func write(_ text: String) { try? sink.write(Array(text.utf8)) }
}

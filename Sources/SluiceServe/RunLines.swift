internal import SluiceJSON
package import SluiceServeModel

/// What the lines of a run's log say of it.
package struct RunLines {
    /// The longest line that is looked at; what a crash writes may be anything.
    private static let longestLine = 65_536
    private static let fetching = "fetching"
    /// A log keeps a line of progress each so many seconds.
    private static let progressSeconds = 10.0

    /// How far the run has come.
    package private(set) var progress = ServedProgress()
    /// How it ended, as far as it said.
    package private(set) var ending = RunEnding()
    private var lastKept = -Double.infinity
    private var stage: (name: String, start: Double)?

    /// What a line is for.
    package struct Use {
        /// Whether it belongs into the log.
        package var isKept = true
        /// Whether the run has come further.
        package var isProgress = false
    }

    /// Begins with nothing.
    package init() {}

    /// Takes in a line.
    ///
    /// - Parameters:
    ///   - line: The line without its end.
    ///   - time: Seconds since some moment.
    /// - Returns: What it is for.
    package mutating func read(_ line: ArraySlice<UInt8>, at time: Double) -> Use {
        guard line.first == UInt8(ascii: "{"), line.count <= Self.longestLine,
            let root = try? JSONDocument(Array(line)).root, let event = root.member(named: "event")?.string
        else { return Use() }
        func number(_ name: String) -> Int? { root.integer(name).map { Int(clamping: $0) } }
        switch event {
        case "progress", "stage_started", "waiting":
            if let name = root.member(named: "stage")?.string, name != stage?.name { enter(name, at: time) }
            if event == "waiting", let seconds = root.member(named: "seconds")?.numberText.flatMap({ Double($0) }) {
                wait(min(max(seconds, 0), 1e9), cause: root.member(named: "cause")?.string)
            }
            progress.stream = root.member(named: "stream")?.string ?? progress.stream
            progress.line = root.member(named: "message")?.string ?? progress.line
            progress.pages = number("pages") ?? progress.pages
            progress.bytes = number("bytes") ?? progress.bytes
            progress.records = number("records") ?? progress.records
            if event != "progress" { return Use(isKept: event == "waiting", isProgress: true) }
            let isKept = time - lastKept >= Self.progressSeconds
            if isKept { lastKept = time }
            return Use(isKept: isKept, isProgress: true)
        case "run_finished":
            enter(nil, at: time)
            ending.status = root.member(named: "status")?.string
            ending.storeRun = number("run").map(Int64.init)
            ending.counts = ServedCounts(root)
        case "run_problem", "pipeline_problem", "command_failed":
            guard ending.error == nil, root.member(named: "level")?.string == "error",
                let message = root.member(named: "message")?.string
            else { break }
            ending.error = (root.member(named: "code")?.string ?? event, message)
        default: break
        }
        return Use()
    }

    /// Counts a wait for the source as fetching, whichever stage the run had come to before.
    private mutating func wait(_ seconds: Double, cause: String?) {
        if cause != "retry" { ending.times.limited += seconds }
        if cause != "rate_limit" { ending.times.retries += 1 }
        guard let other = stage, other.name != Self.fetching else { return }
        ending.times.stages[Self.fetching, default: 0] += seconds
        stage?.start += seconds
    }

    private mutating func enter(_ name: String?, at time: Double) {
        if let stage { ending.times.stages[stage.name, default: 0] += max(0, time - stage.start) }
        stage = name.map { ($0, time) }
    }
}

public import Sluice
internal import SluiceReport
internal import SluiceStore

/// What a run of a pipeline came to, as `sluice run` reports it.
public struct PipelineReport: Sendable {
    /// How it ended.
    public struct Status: Sendable, Hashable, CustomStringConvertible {
        /// The word, as in `succeeded`.
        public let description: String

        /// All was done.
        public static let succeeded = Status(description: "succeeded")
        /// Some streams failed, the others were committed.
        public static let partial = Status(description: "partial")
        /// A limit refused a part; the rest was committed.
        public static let refused = Status(description: "refused")
        /// Nothing was committed.
        public static let failed = Status(description: "failed")
        /// It was stopped.
        public static let interrupted = Status(description: "interrupted")
        /// Another run of the pipeline is at work.
        public static let locked = Status(description: "locked")
    }

    /// What people should know.
    public struct Problem: Sendable {
        /// The kind, in snake_case.
        public let code: String
        /// Whether it is an error, and no note or warning.
        public let isError: Bool
        /// What is wrong and what to do.
        public let message: String
        /// The stream that it is about; nil where it is about the run.
        public let stream: String?
    }

    /// What became of one stream.
    public struct Stream: Sendable {
        /// The name.
        public let name: String
        /// The counts.
        public let summary: SyncSummary
        /// How many records the filter of the stream, or a program's look at them, left out.
        public let skipped: Int
    }

    /// How it ended.
    public let status: Status
    /// The number of the run, by which it can be taken back; nil for a plan.
    public let run: Int?
    /// The counts of all streams.
    public let summary: SyncSummary
    /// What became of each stream, in the order of the file.
    public let streams: [Stream]
    /// What people should know.
    public let problems: [Problem]

    init(_ report: RunReport) {
        status = Status(description: report.status.rawValue)
        run = report.run.map { Int($0) }
        summary = SyncSummary(report.summary)
        streams = report.streams.map { Stream(name: $0.stream, summary: SyncSummary($0.summary), skipped: $0.filtered) }
        problems = report.problems.map {
            Problem(
                code: $0.code, isError: $0.severity == .error, message: Self.words(of: $0), stream: $0.stream)
        }
    }

    /// What a problem says to a program: what has to be given up for it is given up by `sluice`, and a program's own syncs may
    /// be what the file does not have.
    private static func words(of problem: RunProblem) -> String {
        if problem.code != StoreError.Code.orphaned.name { return problem.message }
        let message = problem.message.replacing(
            "run once with `--allow-schema drop`", with: "run `sluice run --allow-schema drop` once")
        return message
            + " If the program syncs under this name itself, give the pipeline another one: a name belongs to one file with all of its streams."
    }
}

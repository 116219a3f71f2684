package import SluiceReport
internal import SluiceStore

/// What the program's number says when it ends.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case changes = 2
    case attention = 3
    case refused = 4
    case partial = 5
    case locked = 6
    case superseded = 7
    case usage = 64
    case invalidPipeline = 78
    case interrupted = 130
    case terminated = 143

    /// Of several outcomes the first of these that occurred is the program's.
    package static let precedence: [ExitCode] = [
        .interrupted, .terminated, .invalidPipeline, .failed, .partial, .locked, .superseded, .refused, .attention,
        .changes,
    ]

    /// What the help says of it.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed, for example because a source cannot be reached"
        case .changes: "--detailed-exitcode: there is something to do"
        case .attention:
            "--strict: done, but conflicts are open, records are in quarantine, pages were not read, or records share a key and differ"
        case .refused:
            "a safety guard refused deletes (the rest was done), or a name that is gone or a change of tables (nothing was done)"
        case .partial: "some streams, partitions or lists could not be read; the rest was written"
        case .locked: "the pipeline or the store is in use by another run"
        case .superseded: "another worker of `sluice serve` has taken the run over; nothing was written"
        case .usage: "wrong use of the command line"
        case .invalidPipeline: "a pipeline file has errors; no pipeline was run"
        case .interrupted: "stopped by Ctrl-C; the store has only what was committed before"
        case .terminated: "stopped by SIGTERM; the store has only what was committed before"
        }
    }

    /// The one that speaks for all.
    package static func first(of codes: [ExitCode]) -> ExitCode { precedence.first { codes.contains($0) } ?? .done }
}

extension ExitCode {
    /// What a report asks the exit code to tell besides the outcome itself.
    package struct Strictness: Sendable {
        /// `--strict`
        package var reportsOpenConflicts = false
        /// `--detailed-exitcode`
        package var reportsChanges = false

        package init(reportsOpenConflicts: Bool = false, reportsChanges: Bool = false) {
            self.reportsOpenConflicts = reportsOpenConflicts
            self.reportsChanges = reportsChanges
        }
    }

    /// What one pipeline's report means.
    ///
    /// - Parameters:
    ///   - report: How the run ended.
    ///   - strictness: What the report tells besides its outcome.
    ///   - signal: The number of the signal that stopped the program, 0 where none did.
    package init(_ report: RunReport, strictness: Strictness, signal: Int32) {
        switch report.status {
        case .interrupted: self = .stopped(by: signal)
        case .failed:
            let isInvalid = report.problems.contains { $0.code == SyncError.Code.invalidPipeline.name }
            self = isInvalid ? .invalidPipeline : .failed
        case .partial: self = .partial
        case .locked:
            let isSuperseded = report.problems.contains { $0.code == StoreError.Code.superseded.name }
            self = isSuperseded ? .superseded : .locked
        case .refused: self = .refused
        case .succeeded:
            if strictness.reportsOpenConflicts && report.needsAttention {
                self = .attention
            } else {
                self = strictness.reportsChanges && report.hasChanges ? .changes : .done
            }
        }
    }

    /// The code for a signal.
    static func stopped(by signal: Int32) -> ExitCode { signal == 15 ? .terminated : .interrupted }
}

internal import SluiceReport

/// Measures how fast stages of streams go on: how long each takes, how much it does a second, and how much is left.
struct ProgressMeter {
    /// A stage of a stream at one moment.
    struct Reading {
        let progress: RunProgress
        /// The name of the stage.
        let stage: String
        /// How many seconds the stage has taken.
        let seconds: Double
        /// How many records it does a second; nil where that is not known yet.
        let recordsPerSecond: Double?
        /// How many bytes come in a second; nil where that is not known yet.
        let bytesPerSecond: Double?
        /// How many records there will be, nil where nobody says so or more were read than somebody said.
        let total: Int?
        /// How many pages there will be, likewise.
        let pageTotal: Int?
        /// How many pages come in a second; nil where that is not known yet.
        let pagesPerSecond: Double?

        /// What tells how far it has come: records where their number is known, else pages.
        private var way: (done: Int, of: Int, perSecond: Double?)? {
            if let total { return (progress.records, total, recordsPerSecond) }
            return pageTotal.map { (progress.pages, $0, pagesPerSecond) }
        }

        /// How much of it is done, in whole percent, rounded down.
        var percent: Int? { way.map { $0.of == 0 ? 100 : Int(Double($0.done) * 100 / Double($0.of)) } }

        /// How many more seconds it takes if it goes on as it did.
        var secondsLeft: Double? {
            guard let way, let perSecond = way.perSecond, perSecond > 0 else { return nil }
            return Double(way.of - way.done) / perSecond
        }
    }

    /// A rate is told only once a stage has taken this long.
    private static let settled = 1.0
    private var first: (progress: RunProgress, stage: String, time: Double)?
    /// What sources say of how many records their streams have.
    private var totals: [String: Int] = [:]
    /// What they say of how many pages there are.
    private var pageTotals: [String: Int] = [:]

    /// Takes a progress and tells how fast it goes.
    ///
    /// - Parameters:
    ///   - progress: How far the work has come.
    ///   - time: Now, in seconds since some fixed moment.
    /// - Returns: The reading.
    mutating func read(_ progress: RunProgress, at time: Double) -> Reading {
        let stage = progress.stage.name
        if first?.progress.stage.step != progress.stage.step || first?.stage != stage
            || first?.progress.stream != progress.stream
        {
            first = (progress, stage, time)
        }
        let seconds = time - (first?.time ?? time)
        if progress.stage == .fetching {
            totals[progress.stream] = progress.total ?? totals[progress.stream]
            pageTotals[progress.stream] = progress.pageTotal ?? pageTotals[progress.stream]
        }
        // What was counted before the stage came into view took an unknown time.
        func rate(_ count: Int, _ before: Int?) -> Double? {
            seconds >= Self.settled && count > before ?? 0 ? Double(count - (before ?? 0)) / seconds : nil
        }
        let known = progress.total ?? (progress.stage == .merging ? totals[progress.stream] : nil)
        return Reading(
            progress: progress, stage: stage, seconds: seconds,
            recordsPerSecond: rate(progress.records, first?.progress.records),
            bytesPerSecond: rate(progress.bytes, first?.progress.bytes),
            total: known.flatMap { $0 >= progress.records ? $0 : nil },
            pageTotal: progress.stage == .fetching
                ? pageTotals[progress.stream].flatMap { $0 >= progress.pages ? $0 : nil } : nil,
            pagesPerSecond: rate(progress.pages, first?.progress.pages))
    }
}

extension RunProgress.Stage {
    /// What of a table is gone through: each step has a pace of its own.
    var step: String? {
        if case .changing(let table, let step) = self { "\(table)/\(step)" } else { nil }
    }

    /// The name that logs give it.
    var name: String {
        switch self {
        case .fetching: "fetching"
        case .inspecting: "inspecting"
        case .merging: "merging"
        case .confirming: "confirming"
        case .deleting: "deleting"
        case .undoing: "undoing"
        case .changing: "changing"
        case .resuming: "resuming"
        case .waiting: "waiting"
        }
    }
}

internal import SluiceReport
internal import SluiceStore

/// What a pipeline's runs over its source were like.
struct RunTrend {
    let pipeline: String
    /// How many there were.
    let runs: Int
    /// How many of them did not succeed.
    let failures: Int
    /// How many seconds the others took, as their median; nil where there are none.
    let seconds: Int?
    /// How many records those of them read that read all there were, as their median; nil where there are none.
    let recordsRead: Int?

    /// The trends of pipelines, by their names.
    ///
    /// - Parameter runs: Runs of any command and in any order.
    /// - Returns: One for each pipeline whose source was asked.
    static func all(of runs: [RunEntry]) -> [RunTrend] {
        let asking = runs.filter { $0.command == RunReport.Command.run.rawValue }
        return Dictionary(grouping: asking, by: \.pipeline).sorted { $0.key < $1.key }.map { pipeline, runs in
            let successes = runs.filter { $0.status == RunReport.Status.succeeded.rawValue }
            return RunTrend(
                pipeline: pipeline, runs: runs.count, failures: runs.count - successes.count,
                seconds: UsualRuns.median(of: successes.compactMap(\.seconds)),
                recordsRead: UsualRuns.median(of: successes.compactMap(\.recordsRead)))
        }
    }
}

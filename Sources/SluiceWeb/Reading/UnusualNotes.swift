internal import SluiceCommands
internal import SluiceServeModel
internal import SluiceStore

/// What is unusual of a pipeline, in sentences.
enum UnusualNotes {
    /// A run that takes less than this longer than usual is not worth a word.
    private static let leastSeconds = 10

    static func of(_ state: PipelineState, now: Int64) -> [String] {
        var notes: [String] = []
        let served = state.served
        if let trouble = state.trouble { notes.append(trouble) }
        if let since = served.lateSince {
            notes.append("Late: due at \(MomentText.utc(since)), and not started since.")
        }
        if served.isOutdated {
            notes.append("Its file has errors; the version before is in use.")
        } else if served.file.hasErrors {
            notes.append("Its file has errors.")
        }
        guard let row = state.row else { return notes }
        if let short = row.usual.shortRun, let read = short.recordsRead, let usual = row.usual.recordsRead {
            notes.append(
                "Few records: run \(short.id) read \(CountText.grouped(read)), and \(CountText.grouped(usual)) are usual."
            )
        }
        if let usual = row.usual.seconds {
            let seconds = served.running.map { Int(clamping: Int64($0.seconds)) } ?? row.run?.seconds
            if let seconds, seconds > usual + max(usual, leastSeconds) {
                notes.append("Long: \(CountText.time(seconds)), and \(CountText.time(usual)) is usual.")
            }
        }
        if let earlier = row.unfinished {
            notes.append("Run \(earlier.id) left something unread or undone, and no later one has made up for it.")
        }
        return notes
    }
}

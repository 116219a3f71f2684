/// How long records are decoded at once, without a look at their texts or keys: where most of them have changed, that is work on top of
/// their decoding.
///
/// Changes come in clusters, so only batch after batch of them makes pauses, and makes them long.
package struct ChangePace: Sendable {
    /// The most batches that are decoded at once before the next one is looked at.
    private static let longestPause = 32
    /// So many batches in a row, or more, tell that most records have changed, and not that a few did which stand together.
    private static let tellingStreak = 4

    /// Batches still to be decoded at once.
    private var waiting = 0
    /// How many there are after the next batch in which most had changed.
    private var pause = 1
    /// In how many batches most had changed, one after the other.
    private var streak = 0

    /// Makes a pace.
    package init() {}

    /// Whether the next records are decoded at once.
    package var isPausing: Bool { waiting > 0 }

    /// Records whether most of the records of a batch that was looked at had changed.
    package mutating func record(mostChanged: Bool) {
        if !mostChanged {
            (pause, streak) = (1, 0)
            return
        }
        streak += 1
        // What was looked at before a pause and is known only now tells nothing of what comes behind it.
        if streak < Self.tellingStreak || isPausing { return }
        waiting = pause
        pause = min(pause * 2, Self.longestPause)
    }

    /// Records that a batch was decoded at once.
    package mutating func endBatch() { if waiting > 0 { waiting -= 1 } }
}

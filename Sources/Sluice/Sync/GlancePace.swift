/// Says whether a look at the keys of records alone is worth it: where most have changed, it is work on top of their decoding.
///
/// Changes come in clusters, so one batch of them says little of what comes behind it, and only batch after batch of them makes the
/// pauses long.
struct GlancePace {
    /// The most batches that are decoded at once before keys are looked at again.
    private static let longestPause = 32

    /// Batches still to be decoded at once.
    private var waiting = 0
    /// How many there are after the next batch in which most had changed.
    private var pause = 1

    /// Whether no more than keys is read of the next records at first.
    var isGlancing: Bool { waiting == 0 }

    /// Records how many records of a batch had to be decoded all the same.
    mutating func record(decoded: Int, of count: Int) {
        if decoded * 2 <= count {
            pause = 1
            return
        }
        waiting = pause
        pause = min(pause * 2, Self.longestPause)
    }

    /// Records that a batch was decoded at once.
    mutating func endBatch() { if waiting > 0 { waiting -= 1 } }
}

import Synchronization

/// Says whether a comparison of fingerprints is worth it: where most have changed, it is work on top of their decoding.
///
/// What it says depends on the records alone and not on which thread is ahead, so that a run tells what its plan told, in
/// the same order.
package final class FingerprintPace: Sendable {
    /// The most batches that are decoded at once before the next one is compared by fingerprints.
    private static let longestPause = 32
    /// So many batches in a row, or more, tell that most records have changed, and not that a few did which stand together.
    private static let tellingStreak = 4
    /// Batches that wait in the queue between the threads, at most.
    static let queueCapacity = 4
    /// So many batches behind the one that is begun, a batch is done with: fewer wait in the queue between the threads.
    static let lag = queueCapacity + 2

    private struct State {
        /// Whether most of the records of the batches that were done last had changed, by the batch's number.
        var verdicts: [Int: Bool] = [:]
        /// The number of the next batch.
        var next = 0
        /// Batches still to be decoded at once.
        var waiting = 0
        /// How many there are after the next batch in which most had changed.
        var pause = 1
        /// In how many batches most had changed, one after the other.
        var streak = 0
    }

    private let state = Mutex(State())

    /// Makes a pace.
    package init() {}

    /// Begins a batch: its number, and whether it is to be compared by fingerprints.
    package func begin() -> (number: Int, usesFingerprints: Bool) {
        state.withLock { state in
            let number = state.next
            state.next += 1
            // Changes come in clusters, so only batch after batch of them makes pauses, and makes them long.
            switch state.verdicts.removeValue(forKey: number - Self.lag) {
            case true?:
                state.streak += 1
                if state.streak < Self.tellingStreak { break }
                state.waiting = state.pause
                state.pause = min(state.pause * 2, Self.longestPause)
            case false?: (state.pause, state.streak) = (1, 0)
            case nil: break
            }
            if state.waiting == 0 { return (number, true) }
            state.waiting -= 1
            return (number, false)
        }
    }

    /// Records how many records of a batch had to be decoded all the same.
    package func record(_ number: Int, decoded: Int, of count: Int) {
        state.withLock { $0.verdicts[number] = decoded * 2 > count }
    }
}

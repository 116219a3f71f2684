internal import SluiceDecode
import Synchronization

/// Says whether a comparison of fingerprints is worth it: where most have changed, it is work on top of their decoding.
///
/// What it says depends on the records alone and not on which thread is ahead, so that a run tells what its plan told, in
/// the same order.
package final class FingerprintPace: Sendable {
    /// Batches that wait in the queue between the threads, at most.
    static let queueCapacity = 4
    /// So many batches behind the one that is begun, a batch is done with: fewer wait in the queue between the threads.
    static let lag = queueCapacity + 2

    private struct State {
        /// Whether most of the records of the batches that were done last had changed, by the batch's number.
        var verdicts: [Int: Bool] = [:]
        /// The number of the next batch.
        var next = 0
        var pace = ChangePace()
    }

    private let state = Mutex(State())

    /// Makes a pace.
    package init() {}

    /// Begins a batch: its number, and whether it is to be compared by fingerprints.
    package func begin() -> (number: Int, usesFingerprints: Bool) {
        state.withLock { state in
            let number = state.next
            state.next += 1
            if let mostChanged = state.verdicts.removeValue(forKey: number - Self.lag) {
                state.pace.record(mostChanged: mostChanged)
            }
            if !state.pace.isPausing { return (number, true) }
            state.pace.endBatch()
            return (number, false)
        }
    }

    /// Records how many records of a batch had to be decoded all the same.
    package func record(_ number: Int, decoded: Int, of count: Int) {
        state.withLock { $0.verdicts[number] = decoded * 2 > count }
    }
}

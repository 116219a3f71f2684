internal import Dispatch
internal import SluiceSystem
internal import Synchronization

/// Does work on a few threads at a time.
final class WorkerPool: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var active = 0
    }

    private let state = Mutex(State())
    private let workers: Int
    private let mostWaiting: Int
    private let group = DispatchGroup()

    init(workers: Int, waiting: Int) { (self.workers, mostWaiting) = (workers, waiting) }

    /// Takes work, unless there is too much already.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, isStarted) = state.withLock { state -> (Bool, Bool) in
            if state.waiting.count >= mostWaiting { return (false, false) }
            state.waiting.append(work)
            if state.active >= workers { return (true, false) }
            state.active += 1
            return (true, true)
        }
        if isStarted { DispatchQueue.global().async(group: group) { self.run() } }
        return isTaken
    }

    /// Waits until nothing is left to do.
    func wait(seconds: Double) -> Bool { group.wait(seconds: seconds) }

    private func run() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.active -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}

internal import SluiceServeModel
internal import SluiceSystem
internal import Synchronization

/// What other threads have for the loop of a service.
final class ServeMailbox: Sendable {
    enum Letter: Sendable {
        case news(ServedRun.ID, RunNews)
        case start(ServedRun)
        case stop(ServedRun.ID, who: String)
        case reload
        /// No more runs, and an end once those that are going have ended.
        case end
    }

    private let letters = Mutex<[Letter]>([])
    private let filled = MonotonicSemaphore()

    func put(_ letter: Letter) {
        let isFirst = letters.withLock { letters in
            letters.append(letter)
            return letters.count == 1
        }
        if isFirst { filled.signal() }
    }

    /// Takes all letters, without waiting.
    func take() -> [Letter] {
        letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }

    /// Waits for a letter, or until so many seconds have passed.
    func wait(seconds: Double) {
        if letters.withLock({ !$0.isEmpty }) { return }
        _ = filled.wait(seconds: min(seconds, 3600))
    }
}

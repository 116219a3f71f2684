internal import Synchronization

/// Interrupts the statement of a task that is cancelled, and no statement of another one.
final class CancellationPoint: Sendable {
    private struct State {
        var isCancelled = false
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Notes that the task was cancelled.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.interrupt?()
        }
    }

    /// Runs work that can be interrupted.
    ///
    /// - Throws: `CancellationError` where the task was cancelled before, and what the work throws.
    func run<Result>(_ interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Result) throws -> Result {
        let isCancelled = state.withLock { state in
            state.interrupt = interrupt
            return state.isCancelled
        }
        defer { state.withLock { $0.interrupt = nil } }
        if isCancelled { throw CancellationError() }
        return try body()
    }
}

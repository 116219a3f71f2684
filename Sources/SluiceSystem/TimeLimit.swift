internal import Dispatch
internal import Synchronization

/// A request to stop that is raised where a piece of work takes longer than it may. One piece follows the other; once one took too
/// long, the request stands.
package final class TimeLimit: Sendable {
    private struct State {
        /// The number of the piece of work that is being done or was done last.
        var number = 0
        var isWorking = false
    }

    /// What the work heeds.
    package let cancellation = Cancellation()
    private let state = Mutex(State())

    /// Makes a limit that watches over nothing yet.
    package init() {}

    /// Whether a piece of work took too long.
    package var hasPassed: Bool { cancellation.isCancelled }

    /// Does a piece of work.
    ///
    /// - Parameters:
    ///   - seconds: How long it may take.
    ///   - body: The work, which ends soon once ``cancellation`` is raised.
    /// - Returns: What the body returns.
    package func during<Value>(_ seconds: Double, _ body: () throws -> Value) rethrows -> Value {
        let number = state.withLock { state in
            state.number += 1
            state.isWorking = true
            return state.number
        }
        defer { state.withLock { $0.isWorking = false } }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.pass(number) }
        return try body()
    }

    private func pass(_ number: Int) {
        if state.withLock({ $0.isWorking && $0.number == number }) { cancellation.cancel() }
    }
}

import Synchronization

/// A request to stop that any thread may raise and any stage may notice.
///
/// Stages that loop check ``isCancelled`` at batch boundaries; stages that block in C register a handler which wakes
/// that call (`curl_multi_wakeup`, `sqlite3_interrupt`, a semaphore).
package final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var nextID = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Makes a token that is not cancelled.
    package init() {}

    /// Whether ``cancel()`` was called.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Raises the request and calls every registered handler once, on the calling thread, outside the lock.
    package func cancel() {
        let handlers = state.withLock { state -> [@Sendable () -> Void] in
            state.isCancelled = true
            defer { state.handlers.removeAll() }
            return Array(state.handlers.values)
        }
        for handler in handlers { handler() }
    }

    /// Registers what wakes a blocked call; it runs at once where the token is already cancelled.
    ///
    /// - Parameter handler: Called at most once, possibly on another thread.
    /// - Returns: What to pass to ``remove(_:)`` when the blocked call has returned.
    package func onCancel(_ handler: @escaping @Sendable () -> Void) -> Int {
        let registered = state.withLock { state -> Int? in
            if state.isCancelled { return nil }
            state.nextID += 1
            state.handlers[state.nextID] = handler
            return state.nextID
        }
        if let registered { return registered }
        handler()
        return 0
    }

    /// Forgets a handler.
    package func remove(_ registration: Int) {
        state.withLock { _ = $0.handlers.removeValue(forKey: registration) }
    }

    /// Throws where the token is cancelled.
    ///
    /// - Throws: ``CancelledError``.
    package func check() throws(CancelledError) {
        if isCancelled { throw CancelledError() }
    }
}

/// The work was stopped on request; nothing of it was kept.
package struct CancelledError: Error, Sendable, Equatable {
    /// Makes the error.
    package init() {}
}

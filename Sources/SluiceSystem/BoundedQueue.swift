internal import Dispatch
internal import Synchronization

/// A queue between two threads that holds a few elements at most: the producer waits while it is full.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)

    /// Makes a queue.
    ///
    /// - Parameter capacity: The most elements that wait.
    package init(capacity: Int) {
        // A semaphore must not end below the value that it began with, so it begins at 0.
        for _ in 0..<capacity { room.signal() }
    }

    /// Adds an element, waiting for room.
    ///
    /// - Returns: Whether it was taken; false once the queue is closed.
    package func push(_ element: Element) -> Bool {
        room.wait()
        let isOpen = state.withLock { state -> Bool in
            if state.isClosed { return false }
            state.elements.append(element)
            return true
        }
        if isOpen { filled.signal() } else { room.signal() }
        return isOpen
    }

    /// The next element, waiting for it; nil once the queue is closed and empty.
    package func pop() -> Element? {
        filled.wait()
        let element = state.withLock { state in state.elements.isEmpty ? nil : state.elements.removeFirst() }
        if element == nil { filled.signal() } else { room.signal() }
        return element
    }

    /// Ends the queue: what is in it may still be taken, nothing more is added, and nobody waits for ever.
    package func close() {
        state.withLock { $0.isClosed = true }
        filled.signal()
        room.signal()
    }
}

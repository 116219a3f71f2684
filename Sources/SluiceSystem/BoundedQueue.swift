internal import Dispatch
internal import Synchronization

/// A queue between two threads that holds a few elements at most: the producer waits while it is full.
///
/// A producer that waits is woken once half of the queue is free, so that it makes several elements each time that it wakes.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
        /// How many places are free of which the producer does not know.
        var unsignalled = 0
    }

    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let capacity: Int

    /// Makes a queue.
    ///
    /// - Parameter capacity: The most elements that wait.
    package init(capacity: Int) {
        self.capacity = capacity
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

    /// The next element where there is one already; nil where there is none. For a queue from which nobody else takes.
    package func popNow() -> Element? { state.withLock { $0.elements.isEmpty } ? nil : pop() }

    /// The next element, waiting for it; nil once the queue is closed and empty.
    package func pop() -> Element? {
        filled.wait()
        return taken()
    }

    private func taken() -> Element? {
        let (element, freed) = state.withLock { state -> (Element?, Int) in
            if state.elements.isEmpty { return (nil, 0) }
            let element = state.elements.removeFirst()
            state.unsignalled += 1
            if state.unsignalled * 2 < capacity && !state.elements.isEmpty { return (element, 0) }
            defer { state.unsignalled = 0 }
            return (element, state.unsignalled)
        }
        if element == nil { filled.signal() }
        for _ in 0..<freed { room.signal() }
        return element
    }

    /// Ends the queue: what is in it may still be taken, nothing more is added, and nobody waits for ever.
    package func close() {
        state.withLock { $0.isClosed = true }
        filled.signal()
        room.signal()
    }
}

internal import SluiceSystem

/// The marks of the texts of a source's records as they were when the run's transaction began, on their way from who reads the store
/// beside the run anyway to who reads the records.
///
/// Whoever waits for the reader closes it first: the reader may be waiting for room.
package final class TextsBeside: Sendable {
    private enum Element {
        case marks(TextMarks)
        /// There are no more.
        case end
    }

    /// Some thousand records each.
    private let queue = BoundedQueue<Element>(capacity: 4)

    /// Whether the reader does little else, so that it is soon done with what is not there yet.
    package let isPrompt: Bool
    /// Whether the first marks are waited for as well.
    package let isAwaited: Bool

    /// Makes one that nobody writes to yet.
    ///
    /// - Parameters:
    ///   - isPrompt: Whether its reader does little else: else nobody waits for it.
    ///   - isAwaited: Whether the first marks are waited for, which come once the reader has opened the store.
    package init(isPrompt: Bool = true, isAwaited: Bool = false) {
        self.isPrompt = isPrompt
        self.isAwaited = isAwaited
    }

    /// Hands over the marks of the records behind those before, waiting for room.
    ///
    /// - Parameters:
    ///   - marks: The marks.
    ///   - areLast: Whether there are no more.
    /// - Returns: Whether anybody takes them.
    @discardableResult
    package func push(_ marks: TextMarks, areLast: Bool) -> Bool {
        let isTaken = queue.push(.marks(marks))
        return areLast ? isTaken && queue.push(.end) : isTaken
    }

    /// Has nobody take marks from here on, and nobody wait for any.
    package func close() { queue.close() }

    /// The next marks.
    ///
    /// - Parameter waits: Whether to wait for them.
    /// - Returns: The marks, `nil` within where there are no more; nil where they are not there, or nobody reads any more.
    package func next(waits: Bool) -> TextMarks?? {
        switch waits ? queue.pop() : queue.popNow() {
        case .marks(let marks): .some(marks)
        case .end: .some(nil)
        case nil: nil
        }
    }
}

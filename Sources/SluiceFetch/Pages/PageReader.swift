internal import Dispatch
package import SluiceReport
package import SluiceSystem
internal import Synchronization

/// Fetches pages on a thread of its own: the next one while the one before is merged, and no more.
package final class PageReader {
    private enum Output: Sendable {
        case progress(RunProgress)
        case step(FetchStep)
        case failure(any Error)
    }

    /// What the thread shares with whoever takes the pages.
    private final class Line: Sendable {
        let queue = BoundedQueue<Output>(capacity: 2)
        /// Raised for each page that was taken.
        let taken = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)
        let cancellation = Cancellation()
        /// Whether the queue holds a progress.
        let hasWaitingProgress = Mutex(false)

        /// Reports how far it has come; how much of a page was read only where nothing older waits to be told, so that
        /// reading a large page does not wait for whoever is busy with the page before.
        func report(_ progress: RunProgress) {
            let isWaiting = hasWaitingProgress.withLock { isWaiting in
                defer { isWaiting = true }
                return isWaiting
            }
            if isWaiting && progress.stage == .fetching { return }
            _ = queue.push(.progress(progress))
        }
    }

    private let line = Line()
    private let parent: Cancellation
    private let registration: Int
    private let onProgress: (RunProgress) -> Void
    private var isStopped = false

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - parent: What ends the reading from outside.
    ///   - onProgress: Is told, on the thread of whoever takes the pages, how far it has come.
    ///   - work: Reads all pages; it is called on the thread and gives them to its last argument.
    package init(
        parent: Cancellation, onProgress: @escaping (RunProgress) -> Void,
        work:
            @escaping @Sendable (
                Cancellation, @escaping (RunProgress) -> Void, (FetchStep) throws -> Void
            ) throws -> Void
    ) {
        self.parent = parent
        self.onProgress = onProgress
        let line = line
        registration = parent.onCancel { line.cancellation.cancel() }
        DispatchQueue(label: "sluice.fetch").async {
            Niceness.hold()
            defer { line.hasEnded.signal() }
            do {
                try work(line.cancellation) { progress in
                    line.report(progress)
                } _: { step in
                    guard line.queue.push(.step(step)) else { throw CancelledError() }
                    line.taken.wait()
                    try line.cancellation.check()
                }
            } catch {
                _ = line.queue.push(.failure(error))
            }
            line.queue.close()
        }
    }

    /// The next page, waiting for it.
    ///
    /// - Returns: Nil after the last one.
    /// - Throws: What fetching throws.
    package func next() throws -> FetchStep? {
        while let output = line.queue.pop() {
            switch output {
            case .progress(let progress):
                line.hasWaitingProgress.withLock { $0 = false }
                onProgress(progress)
            case .step(let step):
                line.taken.signal()
                return step
            case .failure(let error): throw error
            }
        }
        try parent.check()
        return nil
    }

    /// Ends the thread, early or not, and waits until it has ended.
    package func stop() {
        if isStopped { return }
        isStopped = true
        line.cancellation.cancel()
        line.queue.close()
        line.taken.signal()
        line.hasEnded.wait()
        parent.remove(registration)
    }
}

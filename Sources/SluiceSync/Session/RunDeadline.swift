internal import Dispatch
internal import SluiceDiagnostics
internal import SluiceHTTP
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSystem
internal import Synchronization

/// Ends a run that takes longer than it may.
package final class RunDeadline: Sendable {
    /// What stops the work: whoever asked for the run raises it too.
    let cancellation: Cancellation
    private let limit: Duration
    private let parent: Cancellation
    private let registration: Int
    private let hasPassed = Mutex(false)
    /// The requests that are tried again, which may be why it takes so long.
    let retries = PendingRetries()

    /// - Parameters:
    ///   - limit: How long the run may take.
    ///   - parent: What ends it from outside.
    init(_ limit: Duration, within parent: Cancellation) {
        let cancellation = Cancellation()
        (self.limit, self.parent, self.cancellation) = (limit, parent, cancellation)
        registration = parent.onCancel { cancellation.cancel() }
    }

    /// Begins to count.
    func start() {
        let time = DispatchTimeInterval.milliseconds(Int(clamping: limit.inMilliseconds))
        DispatchQueue.global().asyncAfter(deadline: .now() + time) { [weak self] in self?.pass() }
    }

    private func pass() {
        if parent.isCancelled { return }
        hasPassed.withLock { $0 = true }
        cancellation.cancel()
    }

    /// Lets whoever asked for the run go.
    func end() { parent.remove(registration) }

    /// Why the run was ended; nil where the deadline has not passed.
    var error: SyncError? {
        if !hasPassed.withLock({ $0 }) { return nil }
        let text = limit.inUnits
        return SyncError(
            .runTimedOut,
            "The run took longer than \(text), as `timeout: {run: \(text)}` of the source allows, and was ended. \(cause)"
        )
    }

    /// Why it took so long, as far as that is known, and what to do.
    private var cause: String {
        guard let pending = retries.worst else {
            return "Raise `timeout.run`, or find out why the source takes so long."
        }
        let tries = Plural.of(pending.failures, "try", "tries")
        return
            "A request was still without an answer after \(tries), the last of which failed: \(pending.statement) Run again when the source answers; with fewer tries (`retry.max_attempts`) or a shorter `retry.max_wait` a run says so sooner."
    }
}

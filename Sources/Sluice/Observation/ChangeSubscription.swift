internal import Synchronization

/// Listens to what a store's commits change, from when it is made until nobody holds it.
final class ChangeSubscription: Sendable {
    /// Wakes for each commit.
    let commits: AsyncStream<Void>
    /// By which the program's own commits are kept.
    let number: Int
    /// The state from which changes are told, or why it could not be read.
    let start: Result<StoreWriter.Mark, any Error>
    private let log: ChangeLog

    /// Begins to listen.
    init(_ signal: CommitSignal, _ writer: StoreWriter, on executor: StoreExecutor) {
        log = writer.log
        // In this order: what is committed in between is looked at, and told with what comes behind it.
        commits = signal.subscribe()
        number = log.subscribe()
        start = Result { try executor.wait { try writer.assumeIsolated { try $0.mark() } } }
    }

    deinit { log.end(number) }

    /// One that waits for whoever asks first.
    final class Waiting: Sendable {
        private let subscription: Mutex<ChangeSubscription?>

        init(_ subscription: ChangeSubscription) { self.subscription = Mutex(subscription) }

        /// It; nil where somebody has taken it.
        func take() -> ChangeSubscription? {
            subscription.withLock { subscription in
                defer { subscription = nil }
                return subscription
            }
        }
    }
}

internal import Synchronization

/// The requests that failed and are tried again, each with its last failure: what to tell where time is over before they end.
package final class PendingRetries: Sendable {
    /// A request that is tried again.
    package struct Entry: Sendable, Equatable {
        let request: String
        /// What was asked and what went wrong last, as full sentences.
        package let statement: String
        /// How often it failed.
        package let failures: Int
    }

    private let entries = Mutex<[Entry]>([])

    /// Makes a list without requests.
    package init() {}

    /// The request that failed most often; nil where none is tried again.
    package var worst: Entry? { entries.withLock { $0.max { $0.failures < $1.failures } } }

    /// Notes that a request is tried again.
    func add(_ request: String, _ error: HTTPError, failures: Int) {
        entries.withLock { entries in
            entries.removeAll { $0.request == request }
            entries.append(Entry(request: request, statement: error.statement, failures: failures))
        }
    }

    /// Forgets a request that was answered, or failed for good.
    func remove(_ request: String) { entries.withLock { $0.removeAll { $0.request == request } } }
}

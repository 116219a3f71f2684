internal import Dispatch

/// Runs what works with one connection, one after the other.
final class StoreExecutor: SerialExecutor {
    private let queue: DispatchQueue
    private let key = DispatchSpecificKey<Bool>()

    init(_ label: String) {
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: key, value: true)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// Runs work here while the caller waits.
    func wait<Result>(for body: () throws -> Result) rethrows -> Result {
        isCurrent ? try body() : try queue.sync(execute: body)
    }

    /// Whether the caller runs here.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

internal import Dispatch
internal import SluiceSystem

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

    /// Runs work here while the caller waits, unless what came before it takes too long.
    ///
    /// - Parameters:
    ///   - milliseconds: How long it waits for what came before it.
    ///   - body: The work.
    /// - Returns: What the work returns.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/busy`` where it did not get its turn, and what the work throws.
    func wait<Result>(atMost milliseconds: Int, for body: () throws -> Result) throws -> Result {
        if isCurrent { return try body() }
        let turn = MonotonicSemaphore()
        queue.async { turn.signal() }
        guard turn.wait(seconds: Double(milliseconds) / 1000) else {
            throw SluiceError(
                .busy, "The program itself is still using the store. Try again, or wait longer with `busyTimeout`.")
        }
        return try queue.sync(execute: body)
    }

    /// Whether the caller runs here.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

internal import Dispatch
package import SluiceStore
internal import SluiceSystem
internal import Synchronization

/// Reads a store beside a transaction that another connection writes in, on a thread and a connection of its own: it sees
/// the store as it was before that transaction.
package final class SideReading<Value: Sendable>: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        var value: Value?
        var isEnded = false
        var isStopped = false
        /// Breaks off the statement that runs.
        var interrupt: (@Sendable () -> Void)?
    }

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - backend: The store.
    ///   - wait: For how long locks are waited for, in milliseconds.
    ///   - name: What the thread is called.
    ///   - atEnd: Is called at the end, whether the store could be read or not.
    ///   - read: Reads; nil where it cannot tell.
    package init(
        of backend: any StoreBackend, busyMilliseconds wait: Int, name: String,
        atEnd: @escaping @Sendable () -> Void = {},
        _ read: @escaping @Sendable (any RecordStore) throws -> Value?
    ) {
        DispatchQueue(label: name).async { [self] in
            Niceness.hold()
            let value = try? value(of: backend, wait, read)
            state.withLock { $0.value = value }
            atEnd()
            done.signal()
        }
    }

    /// What was read, once that is done; nil where it could not be read so.
    package func value() -> Value? {
        end()
        return state.withLock { $0.value }
    }

    /// Gives up reading.
    package func stop() {
        let interrupt = state.withLock { state in
            state.isStopped = true
            return state.interrupt
        }
        interrupt?()
        end()
    }

    /// Whether it was given up.
    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Waits for the thread to end.
    private func end() {
        let isFirst = state.withLock { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
        if isFirst { done.wait() }
    }

    private func value(
        of backend: any StoreBackend, _ wait: Int, _ read: (any RecordStore) throws -> Value?
    ) throws -> Value? {
        guard !isStopped, let store = try backend.openBesidePlan(busyMilliseconds: wait), try store.prepareToScan()
        else {
            return nil
        }
        let isStopped = state.withLock { state in
            state.interrupt = store.makeInterrupt()
            return state.isStopped
        }
        // The store is closed behind this, and not to be interrupted any more.
        defer { state.withLock { $0.interrupt = nil } }
        return isStopped ? nil : try read(store)
    }
}

internal import Dispatch
package import SluiceReconcile
package import SluiceReport
internal import SluiceStore
internal import SluiceSystem
internal import Synchronization

/// Counts what people edited beside the work of a plan, on a thread and a connection of its own.
///
/// What a plan writes is rolled back and seen by nobody else, so it makes no difference when its rows are counted.
package final class EditCount: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        var counts: EditCounts?
        var isEnded = false
        var isStopped = false
        /// Breaks off the statement that runs.
        var interrupt: (@Sendable () -> Void)?
    }

    /// Begins to count.
    package init(of pipeline: String, _ options: StoreOptions) {
        let backend = options.backend
        let wait = options.busyMilliseconds
        DispatchQueue(label: "sluice.edits").async { [self] in
            Niceness.hold()
            let counts = try? count(pipeline, in: backend, wait)
            state.withLock { $0.counts = counts }
            done.signal()
        }
    }

    /// What was counted, once that is done; nil where it could not be counted so.
    package func counts() -> EditCounts? {
        end()
        return state.withLock { $0.counts }
    }

    /// Gives up counting.
    package func stop() {
        let interrupt = state.withLock { state in
            state.isStopped = true
            return state.interrupt
        }
        interrupt?()
        end()
    }

    /// Waits for the thread to end.
    private func end() {
        let isFirst = state.withLock { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
        if isFirst { done.wait() }
    }

    private func count(_ pipeline: String, in backend: any StoreBackend, _ wait: Int) throws -> EditCounts? {
        guard let store = try backend.openBesidePlan(busyMilliseconds: wait), try store.prepareToScan() else {
            return nil
        }
        let isStopped = state.withLock { state in
            state.interrupt = store.makeInterrupt()
            return state.isStopped
        }
        return isStopped ? nil : try EditReader(store: store).counts(pipelines: [pipeline], entity: nil)
    }
}

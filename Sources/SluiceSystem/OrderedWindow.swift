internal import Dispatch
internal import Synchronization

/// Does one task after the other; a window has several, each on a thread of its own.
package protocol WindowWorker: SendableMetatype {
    /// What is to be done.
    associatedtype Task: Sendable
    /// What is told while it is done.
    associatedtype Note: Sendable
    /// What comes of it.
    associatedtype Output: Sendable

    /// Does a task.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - cancellation: Raised where nobody wants the output any more.
    ///   - note: Tells something to whoever waits for the window.
    /// - Returns: What came of it.
    /// - Throws: Why nothing came of it; that is told in its turn.
    mutating func work(
        on task: Task, cancellation: Cancellation, note: @Sendable (Note) -> Void
    ) throws -> Output
}

/// Works on several tasks at a time and gives what comes of them in the order of the tasks.
///
/// ```
/// submit ──► [ a done │ b under way │ c done ] ──► next: a, then b, then c
/// ```
/// A task stays in the window until its output is taken, so no more outputs wait than the window is wide.
/// One thread submits and takes; a worker is made when its first task comes, and only ever does one task at a time.
package final class OrderedWindow<Worker: WindowWorker>: Sendable {
    private struct Entry {
        let number: Int
        let cancellation = Cancellation()
        var result: Result<Worker.Output, any Error>?
    }

    private struct State {
        var entries: [Entry] = []
        var notes: [Worker.Note] = []
        var idle: [Int]
        var submitted = 0
    }

    private let lanes: [WindowLane<Worker>]
    private let cancellation: Cancellation
    private let state: Mutex<State>
    private let changed = DispatchSemaphore(value: 0)
    private let running = DispatchGroup()

    /// Makes an empty window.
    ///
    /// - Parameters:
    ///   - width: How many tasks it takes at a time.
    ///   - cancellation: Cancels every task.
    ///   - makeWorker: Makes a worker, on the worker's own thread.
    package init(
        width: Int, cancellation: Cancellation, makeWorker: @escaping @Sendable () throws -> sending Worker
    ) {
        lanes = (0..<max(1, width)).map { _ in WindowLane(makeWorker) }
        self.cancellation = cancellation
        // The last one is taken first: few tasks need few threads.
        state = Mutex(State(idle: Array((0..<lanes.count).reversed())))
    }

    /// How many tasks it takes at a time.
    package var width: Int { lanes.count }

    /// Begins a task.
    ///
    /// - Returns: Whether there was room for it.
    @discardableResult
    package func submit(_ task: Worker.Task) -> Bool {
        let begun = state.withLock { state -> (lane: Int, entry: Entry)? in
            guard state.entries.count < lanes.count, let lane = state.idle.popLast() else { return nil }
            let entry = Entry(number: state.submitted)
            state.submitted += 1
            state.entries.append(entry)
            return (lane, entry)
        }
        guard let begun else { return false }
        let (number, token) = (begun.entry.number, begun.entry.cancellation)
        lanes[begun.lane].queue.async(group: running) { [self] in
            Niceness.hold()
            let registration = cancellation.onCancel { token.cancel() }
            let result = lanes[begun.lane].work(on: task, cancellation: token) { [self] note in
                state.withLock { $0.notes.append(note) }
                changed.signal()
            }
            cancellation.remove(registration)
            state.withLock { state in
                if let index = state.entries.firstIndex(where: { $0.number == number }) {
                    state.entries[index].result = result
                }
                state.idle.append(begun.lane)
            }
            changed.signal()
        }
        return true
    }

    /// Waits for the oldest task and takes it out.
    ///
    /// - Parameter onNote: Called on this thread with what workers tell meanwhile.
    /// - Returns: What came of it; nil where the window is empty.
    /// - Throws: Why nothing came of it.
    package func next(onNote: (Worker.Note) -> Void = { _ in }) throws -> Worker.Output? {
        while true {
            let (notes, isEmpty, result) = state.withLock { state in
                let notes = state.notes
                state.notes = []
                let isEmpty = state.entries.isEmpty
                let result = state.entries.first?.result
                if result != nil { state.entries.removeFirst() }
                return (notes, isEmpty, result)
            }
            notes.forEach(onNote)
            if let result { return try result.get() }
            if isEmpty { return nil }
            changed.wait()
        }
    }

    /// Cancels all tasks, and waits until nothing is under way any more.
    ///
    /// - Parameter onNote: Called on this thread with what workers have told.
    package func clear(onNote: (Worker.Note) -> Void = { _ in }) {
        for entry in state.withLock({ $0.entries }) { entry.cancellation.cancel() }
        running.wait()
        let notes = state.withLock { state in
            defer { (state.entries, state.notes) = ([], []) }
            return state.notes
        }
        notes.forEach(onNote)
    }
}

/// A thread of a window, and the worker on it.
private final class WindowLane<Worker: WindowWorker>: Sendable {
    let queue = DispatchQueue(label: "sluice.window")
    private let makeWorker: @Sendable () throws -> sending Worker
    /// Nobody waits for the lock: the queue has one task at a time.
    private let worker = Mutex<Worker?>(nil)

    init(_ makeWorker: @escaping @Sendable () throws -> sending Worker) { self.makeWorker = makeWorker }

    func work(
        on task: Worker.Task, cancellation: Cancellation, note: @Sendable (Worker.Note) -> Void
    ) -> Result<Worker.Output, any Error> {
        worker.withLock { worker in
            Result {
                if worker == nil { worker = try makeWorker() }
                guard let output = try worker?.work(on: task, cancellation: cancellation, note: note) else {
                    throw CancelledError()
                }
                return output
            }
        }
    }
}

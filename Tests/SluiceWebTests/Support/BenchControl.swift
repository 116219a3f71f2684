import Dispatch
import SluiceServeModel
import SluiceSystem
import Synchronization

/// A service that does what a test says. Runs are started by the test's own hands.
final class BenchControl: ServeControl {
    struct State {
        var status = ServeStatus(now: WallClock.seconds(), startedAt: WallClock.seconds() - 60, workers: 2)
        var runs: [ServedRun] = []
        var documents: [String: String] = [:]
        var handlers: [Int: @Sendable (ServeEvent) -> Void] = [:]
        var last = 0
        var asked: [String] = []
    }

    let state = Mutex(State())
    /// Is signalled for each that listens.
    let subscribed = DispatchSemaphore(value: 0)
    /// What a run that is asked for does.
    private let perform: @Sendable (BenchControl, ServedRun) -> Void

    init(perform: @escaping @Sendable (BenchControl, ServedRun) -> Void = { _, _ in }) { self.perform = perform }

    func status() -> ServeStatus { state.withLock { $0.status } }

    func change<Value: Sendable>(_ body: @Sendable (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

    func start(pipeline: String, _ kind: ServedRun.Kind, by who: String) throws(ServeRefusal) -> ServedRun.ID {
        guard status().pipeline(named: pipeline) != nil else {
            throw ServeRefusal(.unknown, "There is no pipeline `\(pipeline)`.")
        }
        let run = state.withLock { state in
            var run = ServedRun(id: Int64(state.runs.count + 1), pipeline: pipeline, kind: kind)
            run.who = who
            state.runs.append(run)
            state.asked.append("\(kind.rawValue) \(pipeline) \(who)")
            return run
        }
        perform(self, run)
        return run.id
    }

    func stop(_ run: ServedRun.ID, by who: String) throws(ServeRefusal) {
        guard let own = self.run(run), own.outcome == nil else { throw ServeRefusal(.ended, "Run \(run) has ended.") }
        state.withLock { $0.asked.append("stop \(run) \(who)") }
    }

    func reload() {}

    func runs(of pipeline: String?, before: ServedRun.ID?, limit: Int) -> [ServedRun] {
        let runs = state.withLock { $0.runs }
        return Array(
            runs.reversed().filter { run in
                (pipeline.map { $0 == run.pipeline } ?? true) && (before.map { run.id < $0 } ?? true)
            }.prefix(limit))
    }

    func run(_ id: ServedRun.ID) -> ServedRun? { state.withLock { $0.runs.first { $0.id == id } } }

    func run(ofStoreRun number: Int64, pipeline: String) -> ServedRun? {
        state.withLock { $0.runs.first { $0.storeRun == number && $0.pipeline == pipeline } }
    }

    func path(of document: ServedRun.Document, of run: ServedRun.ID) -> String? {
        state.withLock { $0.documents["\(run) \(document.rawValue)"] }
    }

    func subscribe(_ handler: @escaping @Sendable (ServeEvent) -> Void) -> ServeSubscription {
        state.withLock { state in
            state.last += 1
            state.handlers[state.last] = handler
            subscribed.signal()
            return ServeSubscription(number: state.last)
        }
    }

    func unsubscribe(_ subscription: ServeSubscription) {
        state.withLock { _ = $0.handlers.removeValue(forKey: subscription.number) }
    }

    func tell(_ event: ServeEvent) { for handler in state.withLock({ Array($0.handlers.values) }) { handler(event) } }

    func put(_ run: ServedRun) {
        state.withLock { state in
            if let index = state.runs.firstIndex(where: { $0.id == run.id }) {
                state.runs[index] = run
            } else {
                state.runs.append(run)
            }
        }
    }
}

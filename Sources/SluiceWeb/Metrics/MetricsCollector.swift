internal import Dispatch
internal import SluiceJSON
internal import SluiceServeModel
internal import SluiceSystem
internal import Synchronization

/// Counts what runs came to since the service was started.
final class MetricsCollector: Sendable {
    /// The counts of a pipeline.
    struct Counts: Sendable {
        var runs: [ServedRun.Outcome: Int] = [:]
        var plans: [ServedRun.Outcome: Int] = [:]
        var records: [String: Int] = [:]
        var seconds = 0.0
        var stageSeconds: [String: Double] = [:]
        var requests = 0
        var retries = 0
        var bytes = 0
        var limitedSeconds = 0.0
        var late = 0
        var skipped = 0
    }

    private struct State {
        var counts: [String: Counts] = [:]
        var subscription: ServeSubscription?
    }

    private let control: any ServeControl
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "sluice.metrics")

    init(control: any ServeControl) { self.control = control }

    /// Begins to count.
    func start() {
        let subscription = control.subscribe { [weak self] event in
            guard let self else { return }
            // The service's own thread must not wait for files.
            queue.async { self.count(event) }
        }
        state.withLock { $0.subscription = subscription }
    }

    /// Ends counting.
    func stop() {
        if let subscription = state.withLock({ $0.subscription }) { control.unsubscribe(subscription) }
    }

    /// The counts by the names of the pipelines, of all that was told so far.
    var counts: [String: Counts] { queue.sync { state.withLock { $0.counts } } }

    private func change(_ pipeline: String, _ body: (inout Counts) -> Void) {
        state.withLock { body(&$0.counts[pipeline, default: Counts()]) }
    }

    private func count(_ event: ServeEvent) {
        switch event {
        case .ended(let run): count(run)
        case .late(let pipeline, _): change(pipeline) { $0.late += 1 }
        case .skipped(let pipeline, _, _): change(pipeline) { $0.skipped += 1 }
        case .queued, .started, .progressed, .reloaded, .stopping: break
        }
    }

    private func count(_ run: ServedRun) {
        let outcome = run.outcome ?? .failed
        if run.kind == .plan { return change(run.pipeline) { $0.plans[outcome, default: 0] += 1 } }
        let extent = control.path(of: .json, of: run.id).map(Self.extent) ?? (requests: 0, retries: 0, bytes: 0)
        change(run.pipeline) { counts in
            counts.runs[outcome, default: 0] += 1
            counts.seconds += run.seconds
            counts.requests += extent.requests
            // The report has no stream that failed, and the log no request with new credentials.
            counts.retries += max(extent.retries, run.times.retries)
            counts.bytes += extent.bytes
            counts.limitedSeconds += run.times.limited
            for (stage, seconds) in run.times.stages { counts.stageSeconds[stage, default: 0] += seconds }
            guard let records = run.counts else { return }
            for (action, count) in records.byAction { counts.records[action, default: 0] += count }
        }
    }

    /// What the streams of a report asked for.
    private static func extent(_ path: String) -> (requests: Int, retries: Int, bytes: Int) {
        guard let text = text(path, most: 256 << 20), let root = (try? JSONDocument(text))?.root else {
            return (0, 0, 0)
        }
        var (requests, retries, bytes) = (0, 0, 0)
        for report in root.member(named: "pipelines")?.elements ?? [] {
            for stream in report.member(named: "streams")?.elements ?? [] {
                requests &+= Int(stream.member(named: "requests")?.integer ?? 0)
                retries &+= Int(stream.member(named: "retries")?.integer ?? 0)
                bytes &+= Int(stream.member(named: "bytes")?.integer ?? 0)
            }
        }
        return (requests, retries, bytes)
    }

    private static func text(_ path: String, most: Int) -> [UInt8]? {
        guard let file = try? ByteFile(reading: path), file.byteCount <= most else { return nil }
        return try? file.bytes(at: 0, count: file.byteCount)
    }
}

extension ServedCounts {
    /// The counts by the names of the actions.
    fileprivate var byAction: [(String, Int)] {
        [
            ("insert", inserted), ("update", updated), ("delete", deleted), ("unchanged", unchanged),
            ("kept_local", keptLocal), ("conflict", conflicts), ("quarantine", quarantined),
        ]
    }
}

internal import SluiceCommands
internal import SluiceServeModel
internal import SluiceStore

/// A run as the service knows it, or its pipeline's store, or both.
struct RunView: Sendable {
    let pipeline: ServedPipeline
    var served: ServedRun?
    var entry: RunEntry?

    /// What names it in addresses: the store's number where it has one, else the service's.
    var reference: String { entry.map { EntryReference(pipeline.name, $0.id).text } ?? "\(served?.id ?? 0)" }

    /// What people call it.
    var title: String {
        if let entry { return "Run \(entry.id)" }
        return served?.kind == .plan ? "Plan" : "Run"
    }

    var isPlan: Bool { served?.kind == .plan }
    var isRunning: Bool { served.map { $0.startedAt != nil && $0.outcome == nil } ?? false }
    var isWaiting: Bool { served.map { $0.startedAt == nil && $0.outcome == nil } ?? false }

    /// How it ended or how far it is, in one word.
    var state: String {
        if isWaiting { return "waiting" }
        if isRunning { return "running" }
        return served?.outcome?.rawValue ?? entry?.status ?? "unknown"
    }

    var startedAt: Int64? { served?.startedAt ?? entry.flatMap { MomentText.moment($0.startedAt) } }
    var seconds: Int? { entry?.seconds ?? served.map { Int(clamping: Int64($0.seconds)) } }
    var error: String? { entry?.error ?? served?.error }

    /// What a run did, or a plan would do, in words: with the streams' own records, and then with what stands within them,
    /// an entity each; empty where that is not known.
    var work: String {
        if let entry { return SummaryText.line(entry) }
        guard isPlan, let counts = served?.counts else { return "" }
        let within = counts.within.sorted { $0.key < $1.key }.filter { $0.value.hasNews }
            .map { "\($0.key): \(Self.planned($0.value))" }
        return ([Self.planned(counts)] + within).joined(separator: "; ")
    }

    private static func planned(_ counts: ServedCounts) -> String {
        let named = Dictionary(uniqueKeysWithValues: counts.told.map { ($0.name, $0.count) })
        return SummaryText.planned { named[$0] ?? 0 }.joined(separator: ", ")
    }

    /// Whether a person may take it back.
    var canBeUndone: Bool { entry.map { $0.changes == .kept && $0.undoneBy == nil && $0.finishedAt != nil } ?? false }
}

/// Looks runs up.
struct RunFinder {
    let site: WebSite

    /// The run that a reference names: the service's number, or `PIPELINE:NUMBER` of a store.
    ///
    /// - Throws: ``Refusal``.
    func run(_ text: String) throws -> RunView {
        let status = site.control.status()
        if let id = Int64(text), let served = site.control.run(id) {
            guard let pipeline = status.pipeline(named: served.pipeline) else {
                throw Refusal.notFound("The pipeline of run \(id) is not served any more.")
            }
            return try RunView(pipeline: pipeline, served: served, entry: entry(served.storeRun, of: pipeline))
        }
        if let id = Int64(text), status.pipelines.count != 1 {
            throw Refusal.notFound("The service has no run \(id). A run of a store is `PIPELINE:NUMBER`.")
        }
        let reference = try EntryReference(text, status, noun: "run")
        let pipeline = try site.pipeline(reference.pipeline)
        guard let entry = try entry(reference.number, of: pipeline) else {
            throw Refusal.notFound("The pipeline `\(pipeline.name)` has no run \(reference.number).")
        }
        let served = site.control.run(ofStoreRun: reference.number, pipeline: pipeline.name)
        return RunView(pipeline: pipeline, served: served, entry: entry)
    }

    private func entry(_ number: Int64?, of pipeline: ServedPipeline) throws -> RunEntry? {
        guard let number else { return nil }
        let entry = try site.stores.read(pipeline) { try $0.runs.entry(id: number) } ?? nil
        return entry?.pipeline == pipeline.name ? entry : nil
    }

    /// The newest runs of a pipeline or of all, newest first: those of the service and those of the stores.
    ///
    /// - Parameters:
    ///   - pipelines: The pipelines.
    ///   - isFailure: Only those that did not succeed.
    ///   - limit: The most of them.
    /// - Returns: The runs.
    /// - Throws: ``Refusal`` where a store cannot be read.
    func runs(of pipelines: [ServedPipeline], isFailure: Bool = false, limit: Int) throws -> [RunView] {
        var views: [RunView] = []
        for pipeline in pipelines {
            let filter = RunFilter(isFailure: isFailure)
            let entries =
                try site.stores.read(pipeline) {
                    try $0.runs.list(pipeline: pipeline.name, limit: limit, among: filter)
                } ?? []
            var served: [Int64: ServedRun] = [:]
            for run in site.control.runs(of: pipeline.name, before: nil, limit: limit) {
                if let number = run.storeRun {
                    served[number] = run
                } else if !isFailure || (run.outcome.map { $0 != .succeeded } ?? false) {
                    views.append(RunView(pipeline: pipeline, served: run))
                }
            }
            views += entries.map { RunView(pipeline: pipeline, served: served[$0.id], entry: $0) }
        }
        views.sort { ($0.startedAt ?? .max, $0.entry?.id ?? 0) > ($1.startedAt ?? .max, $1.entry?.id ?? 0) }
        return Array(views.prefix(limit))
    }
}

extension ServedCounts {
    /// Whether some record is not as it was.
    fileprivate var hasNews: Bool {
        Self.members.contains { $0.count != \ServedCounts.unchanged && self[keyPath: $0.count] > 0 }
    }
}

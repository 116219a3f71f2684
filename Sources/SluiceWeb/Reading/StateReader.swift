internal import SluiceCommands
internal import SluiceServeModel
internal import SluiceStore
internal import SluiceStores
internal import Synchronization

/// What the overview tells of a pipeline.
struct PipelineState: Sendable {
    let served: ServedPipeline
    /// What its store knows; nil where no run has written to it yet, or it cannot be read.
    var row: StatusRow?
    /// The newest runs that asked the source, newest first.
    var runs: [RunEntry] = []
    /// Why the store cannot be read.
    var trouble: String?

    init(_ served: ServedPipeline) { self.served = served }
}

/// Reads the states of pipelines, and keeps them until their stores change.
final class StateReader: Sendable {
    private struct Known: Sendable {
        let store: StoreAddress
        let version: [[Int]?]?
        let row: StatusRow?
        let runs: [RunEntry]
    }

    /// How many runs the charts show.
    static let runsShown = 30
    private let stores: StoreReader
    private let known = Mutex<[String: Known]>([:])

    init(stores: StoreReader) { self.stores = stores }

    /// The states of all pipelines of a service.
    func all(_ status: ServeStatus) -> [PipelineState] { status.pipelines.map { state(of: $0, now: status.now) } }

    /// The state of a pipeline.
    func state(of pipeline: ServedPipeline, now: Int64) -> PipelineState {
        var state = PipelineState(pipeline)
        let version = pipeline.store.backend.version
        let kept = known.withLock { $0[pipeline.name] }
        if let kept, kept.store == pipeline.store, version != nil, kept.version == version {
            (state.row, state.runs) = (kept.row, kept.runs)
        } else {
            do {
                try read(&state, now: now, version)
            } catch {
                state.trouble = (error as? Refusal)?.message ?? "The store cannot be read."
            }
        }
        if pipeline.running != nil, state.row?.mayBeAtWork == true { state.row?.markAtWork() }
        let age = state.row?.success?.end.map { Int(clamping: max(0, now - $0)) }
        state.row?.age = age
        return state
    }

    private func read(_ state: inout PipelineState, now: Int64, _ version: [[Int]?]?) throws {
        let pipeline = state.served
        let found = try stores.read(pipeline) { store in
            let rows = try StatusReader(store: store, now: now).rows(of: [pipeline.name], countsEdits: false)
            return (rows.first, try store.runs.latest(of: pipeline.name, limit: Self.runsShown))
        }
        (state.row, state.runs) = (found?.0, found?.1 ?? [])
        let kept = Known(store: pipeline.store, version: version, row: state.row, runs: state.runs)
        known.withLock { $0[pipeline.name] = kept }
    }
}

internal import SluiceServeModel
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem
internal import Synchronization

/// Opens the stores of pipelines for looking. A server that does not answer is waited for by one request, and the others are told
/// so for a while: they would wait as long.
final class StoreReader: Sendable {
    /// How long to wait for another program's lock.
    private static let busyMilliseconds = 5_000
    /// How many seconds a server may take to answer, and how many a look at its store.
    private static let (answerSeconds, lookSeconds) = (3.0, 60.0)
    /// How many seconds it must have taken to fail, to be told to others, and for how long that is.
    private static let (slowSeconds, silenceSeconds) = (1.0, 15.0)

    /// Why a store could not be opened.
    private struct Silence {
        let refusal: Refusal
        let until: Double
    }

    private let silences = Mutex<[StoreAddress: Silence]>([:])

    /// Reads something of a pipeline's store.
    ///
    /// - Returns: Nil where no run has written to it yet.
    /// - Throws: ``Refusal`` where it cannot be read, and what the body throws.
    func read<Value>(_ pipeline: ServedPipeline, _ body: (any RecordStore) throws -> Value) throws -> Value? {
        let limit = TimeLimit()
        guard let store = try open(pipeline, limit) else { return nil }
        return try told(pipeline, limit) { try limit.during(Self.lookSeconds) { try body(store) } }
    }

    /// How many bytes a pipeline's store takes; nil where that cannot be told.
    func bytes(_ pipeline: ServedPipeline) -> Int? {
        let limit = TimeLimit()
        // Of a file nobody need be asked.
        if pipeline.store.backend.traits.file != nil { return pipeline.store.backend.bytes }
        guard silence(pipeline.store) == nil else { return nil }
        return limit.during(Self.answerSeconds) { pipeline.store.backend.stoppable(by: limit.cancellation).bytes }
    }

    private func open(_ pipeline: ServedPipeline, _ limit: TimeLimit) throws -> (any RecordStore)? {
        let backend = pipeline.store.backend.stoppable(by: limit.cancellation)
        if let silence = silence(pipeline.store) { throw silence.refusal }
        let start = WallClock.monotonicSeconds()
        do {
            let store = try told(pipeline, limit) { () throws -> (any RecordStore)? in
                if let file = backend.traits.file {
                    guard FileSystem.kind(of: file) != nil else { return nil }
                    try backend.check(for: .reading)
                    return try backend.openToRead(busyMilliseconds: Self.busyMilliseconds)
                }
                return try limit.during(Self.answerSeconds) {
                    try backend.openToRead(busyMilliseconds: Self.busyMilliseconds)
                }
            }
            silences.withLock { $0[pipeline.store] = nil }
            return store
        } catch let refusal as Refusal {
            let end = WallClock.monotonicSeconds()
            if end - start >= Self.slowSeconds {
                let silence = Silence(refusal: refusal, until: end + Self.silenceSeconds)
                silences.withLock { $0[pipeline.store] = silence }
            }
            throw refusal
        }
    }

    private func silence(_ store: StoreAddress) -> Silence? {
        let now = WallClock.monotonicSeconds()
        return silences.withLock { silences in silences[store].flatMap { $0.until > now ? $0 : nil } }
    }

    private func told<Value>(
        _ pipeline: ServedPipeline, _ limit: TimeLimit, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            let message =
                limit.hasPassed && error.code == .interrupted
                ? "The server of the store `\(pipeline.store)` does not answer." : error.message
            throw Refusal(error.code == .locked ? 409 : 503, error.name, Self.hiding(pipeline, message))
        }
    }

    /// A message that may be told.
    static func hiding(_ pipeline: ServedPipeline, _ message: String) -> String {
        pipeline.hasSecretStore ? pipeline.store.hidden(in: message) : message
    }
}

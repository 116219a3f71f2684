internal import SluiceServeModel
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// Opens the stores of pipelines for looking.
struct StoreReader: Sendable {
    /// How long to wait for another program's lock.
    private static let busyMilliseconds = 5_000

    /// Reads something of a pipeline's store.
    ///
    /// - Returns: Nil where no run has written to it yet.
    /// - Throws: ``Refusal`` where it cannot be read, and what the body throws.
    func read<Value>(_ pipeline: ServedPipeline, _ body: (any RecordStore) throws -> Value) throws -> Value? {
        do {
            let backend = pipeline.store.backend
            if let file = backend.traits.file {
                guard FileSystem.kind(of: file) != nil else { return nil }
                try backend.check(for: .reading)
            }
            guard let store = try backend.openToRead(busyMilliseconds: Self.busyMilliseconds) else { return nil }
            return try body(store)
        } catch let error as StoreError {
            throw Refusal(
                error.code == .locked ? 409 : 503, error.name, Self.hiding(pipeline, error.message))
        }
    }

    /// A message that may be told.
    static func hiding(_ pipeline: ServedPipeline, _ message: String) -> String {
        pipeline.hasSecretStore ? pipeline.store.hidden(in: message) : message
    }
}

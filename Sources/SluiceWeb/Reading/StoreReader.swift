internal import SluiceSQLiteStore
internal import SluiceServeModel
internal import SluiceStore
internal import SluiceSystem

/// Opens the stores of pipelines for looking.
struct StoreReader: Sendable {
    /// How long to wait for another program's lock.
    private static let busyMilliseconds = 5_000

    /// Reads something of a pipeline's store.
    ///
    /// - Returns: Nil where no run has written to it yet.
    /// - Throws: ``Refusal`` where it cannot be read, and what the body throws.
    func read<Value>(_ pipeline: ServedPipeline, _ body: (SQLiteRecordStore) throws -> Value) throws -> Value? {
        do {
            let place = StorePlace(pipeline.storePath)
            guard place.exists else { return nil }
            try place.check(for: .reading)
            guard let store = try place.storeToRead(busyMilliseconds: Self.busyMilliseconds) else { return nil }
            return try body(store)
        } catch let error as StoreError {
            throw Refusal(
                error.code == .locked ? 409 : 503, error.name, Self.hiding(pipeline, error.message))
        }
    }

    /// A message that may be told.
    static func hiding(_ pipeline: ServedPipeline, _ message: String) -> String {
        pipeline.hasSecretStore ? message.replacing(pipeline.storePath, with: "***") : message
    }

    /// What changes whenever the store is written to.
    static func version(of path: String) -> [[Int]?] {
        [FileSystem.version(of: path), FileSystem.version(of: path + "-wal")]
    }

    /// How many bytes a store takes on its disk.
    static func bytes(of path: String) -> Int {
        (FileSystem.size(of: path) ?? 0) + (FileSystem.size(of: path + "-wal") ?? 0)
    }
}

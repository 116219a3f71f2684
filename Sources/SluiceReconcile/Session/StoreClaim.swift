internal import SluiceModel
internal import SluiceReport
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// The right to run one pipeline on one store, which one program has at a time.
package final class StoreClaim {
    private let options: StoreOptions
    private let pipeline: String
    private var held: Result<(file: StoreFile, lock: FileLock), any Error>?

    /// Prepares a claim; nothing is locked yet.
    ///
    /// - Parameters:
    ///   - options: The store, and how long to wait for it.
    ///   - pipeline: The pipeline's name.
    package init(options: StoreOptions, pipeline: String) {
        self.options = options
        self.pipeline = pipeline
    }

    /// Takes the pipeline's lock, once. The file of a store that is not there yet is made for it, so that of two first
    /// runs one comes after the other.
    ///
    /// - Throws: ``SyncError`` where another run holds it, `StoreError` where the place cannot serve; the same each time.
    package func hold() throws {
        if held == nil { held = Result { try take() } }
        _ = try held?.get()
    }

    /// Whether the file of the store was made for this claim.
    var hasMadeFile: Bool { (try? held?.get())?.file.isMade ?? false }

    /// Lets the lock go, and the file too where it was made for this and nothing stands in it.
    ///
    /// The store must be closed before: closing any other descriptor of the file would drop SQLite's own locks.
    package func release() {
        (try? held?.get())?.file.removeIfBlank()
        held = nil
    }

    deinit { release() }

    /// The byte of a store's file that whoever runs a pipeline locks.
    package static func place(of pipeline: String) -> Int64 {
        Int64(1) << 61 | Int64(FieldDigest.text(Array(pipeline.utf8)) & 0xFFFF_FFFF)
    }

    private func take() throws -> (StoreFile, FileLock) {
        // Before anything is fetched for a store that cannot take it.
        try StorePlace(options.path).check(for: .writing)
        let place = Self.place(of: pipeline)
        let deadline = WallClock.monotonicSeconds() + options.waitSeconds
        do {
            let file = try StoreFile(options.path, cancellation: options.cancellation)
            while true {
                if let lock = try file.lock(at: place) { return (file, lock) }
                try options.cancellation.check()
                if WallClock.monotonicSeconds() >= deadline { break }
                Pause.seconds(0.05)
            }
        } catch let error as SystemError {
            throw SyncError(
                .storeFailed,
                "The store cannot be locked: \(error). Check that its folder exists and that you may write there.")
        }
        throw SyncError(
            .locked,
            "Another run of `\(pipeline)` is at work on `\(options.path)`. Try again when it is done, or wait for it with `--wait 10m`."
        )
    }
}

internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// The right to run one pipeline on one store, which one program has at a time.
package final class StoreClaim {
    private let options: StoreOptions
    private let pipeline: String
    private var held: (presence: any StorePresence, lock: any StoreLock)?

    /// Prepares a claim; nothing is locked yet.
    ///
    /// - Parameters:
    ///   - options: The store, and how long to wait for it.
    ///   - pipeline: The pipeline's name.
    package init(options: StoreOptions, pipeline: String) {
        self.options = options
        self.pipeline = pipeline
    }

    /// Takes the pipeline's lock, once. A store that is not there yet is made for it, so that of two first runs one comes
    /// after the other.
    ///
    /// - Throws: ``SyncError`` where another run holds it, `StoreError` where the place cannot serve.
    package func hold() throws {
        if held == nil { held = try acquire() }
    }

    /// Refuses to go on where a server has let the lock go, so that another run may have begun. Unlike waiting for somebody
    /// else's lock in vain, that is a failure, which the history tells.
    ///
    /// - Throws: `StoreError`, with the code `superseded` where another worker has taken the run over.
    func check() throws {
        guard let lock = held?.lock, !lock.isHeld else { return }
        if let loss = lock.loss { throw loss }
        throw StoreError(
            .failed,
            "The connection that held the lock of `\(pipeline)` on `\(options.backend.name)` is gone, so another run may have begun meanwhile. Nothing was written. Run again."
        )
    }

    /// Whether the store was made for this claim.
    var hasMadeStore: Bool { held?.presence.isMade ?? wasMade }
    /// The same once the claim is let go.
    private var wasMade = false

    /// Lets the lock go, and the store too where it was made for this and nothing stands in it.
    ///
    /// The store must be closed before: closing any other descriptor of the file would drop SQLite's own locks.
    package func release() {
        wasMade = hasMadeStore
        held?.presence.removeIfBlank()
        held = nil
    }

    deinit { release() }

    private func acquire() throws -> (any StorePresence, any StoreLock) {
        // Before anything is fetched for a store that cannot take it.
        try options.backend.check(for: .writing)
        let deadline = WallClock.monotonicSeconds() + options.waitSeconds
        do {
            let presence = try options.backend.presence(cancellation: options.cancellation)
            while true {
                if let lock = try presence.lock(.pipeline(pipeline)) { return (presence, lock) }
                try options.cancellation.check()
                if WallClock.monotonicSeconds() >= deadline { break }
                Pause.seconds(options.backend.traits.lockPollSeconds)
            }
        } catch let error as SystemError {
            throw SyncError(
                .storeFailed,
                "The store cannot be locked: \(error). Check that its folder exists and that you may write there.")
        }
        throw SyncError(
            .locked,
            "Another run of `\(pipeline)` is using `\(options.backend.name)`. Try again when it is done, or wait for it with `--wait 10m`."
        )
    }
}

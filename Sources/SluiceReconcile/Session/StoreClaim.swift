internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// The right to run one pipeline on one store, which one program has at a time.
package final class StoreClaim {
    private let options: StoreOptions
    private let pipeline: String
    private let formerly: String?
    private var held: (presence: any StorePresence, locks: [any StoreLock])?

    /// Prepares a claim; nothing is locked yet.
    ///
    /// - Parameters:
    ///   - options: The store, and how long to wait for it.
    ///   - pipeline: The pipeline's name.
    ///   - formerly: The name under which the store may know it yet.
    package init(options: StoreOptions, pipeline: String, formerly: String? = nil) {
        self.options = options
        self.pipeline = pipeline
        self.formerly = formerly
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
        guard let lock = held?.locks.first(where: { !$0.isHeld }) else { return }
        if let loss = lock.loss { throw loss }
        throw StoreError(
            .failed,
            "The connection that held the lock of `\(pipeline)` on `\(options.backend.name)` is gone, so another run may have begun meanwhile. Run again."
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

    private func acquire() throws -> (any StorePresence, [any StoreLock]) {
        // Before anything is fetched for a store that cannot take it.
        try options.backend.check(for: .writing)
        let deadline = WallClock.monotonicSeconds() + options.waitSeconds
        do {
            let presence = try options.backend.presence(cancellation: options.cancellation)
            var locks = [try lock(pipeline, of: presence, until: deadline)]
            // A run under the former name, be it its first one, would go on with what this one takes over.
            if let formerly, (try? isKnown(pipeline)) != true {
                locks.append(try lock(formerly, of: presence, until: deadline))
            }
            return (presence, locks)
        } catch let error as SystemError {
            throw SyncError(
                .storeFailed,
                "The store cannot be locked: \(error). Check that its folder exists and that you may write there.")
        }
    }

    private func lock(_ name: String, of presence: any StorePresence, until deadline: Double) throws -> any StoreLock {
        var wasKnown: Bool?
        while true {
            if let lock = try presence.lock(.pipeline(name)) {
                if name == pipeline, wasKnown == true, try !isKnown(name) { throw renamed }
                return lock
            }
            // Whoever holds it may rename the pipeline. A look that fails says nothing, so it is repeated.
            if wasKnown == nil { wasKnown = try? isKnown(name) }
            try options.cancellation.check()
            if WallClock.monotonicSeconds() >= deadline { break }
            Pause.seconds(options.backend.traits.lockPollSeconds)
        }
        let words = name == pipeline ? "`\(name)`" : "`\(name)`, as `\(pipeline)` was called before,"
        throw SyncError(
            .locked,
            "Another run of \(words) is using `\(options.backend.name)`. Try again when it is done, or wait for it with `--wait 10m`."
        )
    }

    /// Whether the store has tables of a pipeline.
    ///
    /// - Throws: `StoreError` where it cannot be asked.
    private func isKnown(_ name: String) throws -> Bool {
        do {
            let store = try options.backend.openToRead(busyMilliseconds: options.busyMilliseconds)
            return try store?.mappings(pipeline: name, entity: nil).isEmpty == false
        } catch let error as StoreError where error.code == .notAStore { return false }
    }

    private var renamed: SyncError {
        SyncError(
            .renamedMeanwhile,
            "A run of another pipeline took over what `\(options.backend.name)` has of `\(pipeline)` (`renamed_from`), while this one waited for it. Do it again, by the new name."
        )
    }
}

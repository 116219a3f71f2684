internal import SluiceMerge
internal import SluiceStore
internal import SluiceSystem

/// A store while one run works on it: opened as late as possible, locked for the pipeline, and closed as one file.
final class StoreSession {
    private let options: SyncOptions
    private let pipeline: String
    private var lock: FileLock?
    private(set) var store: SQLiteRecordStore?
    /// Whether the file was made by this session and holds nothing yet.
    private var madeFile = false

    init(options: SyncOptions, pipeline: String) {
        self.options = options
        self.pipeline = pipeline
    }

    /// Why a run could not keep what a plan shows, nil where it could.
    var obstacle: String? {
        guard options.command == .plan else { return nil }
        do throws(StoreError) {
            try StorePlace(options.storePath).check(for: .writing)
            return nil
        } catch { return error.message }
    }

    /// Takes the pipeline's lock, where there is a file to lock.
    func lockIfPresent() throws {
        let place = StorePlace(options.storePath)
        // Before anything is fetched for a store that cannot take it.
        try place.check(for: options.command == .run ? .writing : .planning)
        if options.command == .run && place.exists { try takeLock() }
    }

    /// Opens the store: the file, or for a plan a copy of one that may only be read, and memory where there is none.
    func open() throws -> SQLiteRecordStore {
        let place = StorePlace(options.storePath)
        let exists = place.exists
        if options.command == .plan && exists && !place.isWritable { return try openCopy(of: place) }
        let mode: SQLiteRecordStore.Mode = options.command == .run ? .existing : exists ? .planned : .temporary
        if options.command == .run && lock == nil {
            // The lock comes before the database: whoever holds it is alone with the file that it made.
            try takeLock()
            madeFile = !exists && FileSystem.size(of: options.storePath) == 0
        }
        let opened = try SQLiteRecordStore(
            path: options.storePath, mode: mode, busyTimeoutMilliseconds: options.busyMilliseconds)
        store = opened
        return opened
    }

    /// What may only be read is planned on as a copy: the file is neither changed nor given companions.
    private func openCopy(of place: StorePlace) throws -> SQLiteRecordStore {
        let version = FileSystem.version(of: options.storePath)
        let isSealed = place.isSealed
        let opened: SQLiteRecordStore
        do {
            opened = try SQLiteRecordStore(
                path: options.storePath, mode: .copied, busyTimeoutMilliseconds: options.busyMilliseconds,
                isSealed: isSealed, isStopped: { options.cancellation.isCancelled })
        } catch let error as StoreError where error.code == .unavailable && !isSealed {
            throw place.unreadLog
        }
        // Without a look at its locks, only this tells whether somebody wrote it meanwhile.
        if isSealed && (version != FileSystem.version(of: options.storePath) || !place.isSealed) {
            throw StoreError(
                .locked, "The store `\(options.storePath)` was written while it was read. Plan again when that is done."
            )
        }
        store = opened
        return opened
    }

    /// Says that the file holds something that stays.
    func keepFile() { madeFile = false }

    /// Closes the store, then the lock: closing any other descriptor of the file first would drop SQLite's own locks.
    func close() {
        store?.rollback()
        store = nil
        if madeFile {
            for suffix in ["", "-wal", "-shm"] { FileSystem.remove(options.storePath + suffix) }
        }
        lock = nil
    }

    /// Takes the pipeline's lock; a missing file is made for it.
    private func takeLock() throws {
        // Far beyond what a database can reach, one place for each pipeline.
        let place = Int64(1) << 61 | Int64(FieldDigest.text(Array(pipeline.utf8)) & 0xFFFF_FFFF)
        let deadline = WallClock.monotonicSeconds() + options.waitSeconds
        while true {
            do throws(SystemError) {
                if let taken = try FileLock(path: options.storePath, position: place, isMade: true) {
                    lock = taken
                    return
                }
            } catch {
                throw SyncError(
                    .storeFailed,
                    "The store cannot be locked: \(error). Check that its folder exists and that you may write there.")
            }
            try options.cancellation.check()
            if WallClock.monotonicSeconds() >= deadline {
                throw SyncError(
                    .locked,
                    "Another run of `\(pipeline)` is at work on `\(options.storePath)`. Try again when it is done, or wait for it with `--wait 10m`."
                )
            }
            Pause.seconds(0.05)
        }
    }
}

internal import SluiceStore
internal import SluiceSystem
internal import Synchronization

/// The locks of sources that this program holds or held, by which a run of the same pipeline waits.
///
/// The files stay open: closing one would take away the locks that SQLite holds on it for this process.
final class SourceLocks: Sendable {
    /// Those of the program.
    static let shared = SourceLocks()

    private struct Entry {
        let lock: FileLock
        var isHeld: Bool
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// Runs work while nobody else runs a pipeline on a store.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - path: The store's file; nil for one that no other program can reach.
    ///   - body: The work.
    /// - Returns: What the work returns.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/locked`` where another has it, and what the work throws.
    func holding<Result>(_ pipeline: String, of path: String?, _ body: () throws -> Result) throws -> Result {
        guard let path else { return try body() }
        let place = StoreLockSubject.pipeline(pipeline).number
        let name = "\(place) \(path)"
        let isTaken: Bool
        do { isTaken = try take(name, path, place) } catch let error as SystemError {
            throw SluiceError(.ioFailed, "The store cannot be locked: \(error).")
        }
        if !isTaken {
            throw SluiceError(
                .locked,
                "Another sync or run of `\(pipeline)` is at work on `\(path)`. Try again when it is done.")
        }
        defer {
            entries.withLock { entries in
                entries[name]?.lock.letGo()
                entries[name]?.isHeld = false
            }
        }
        return try body()
    }

    private func take(_ name: String, _ path: String, _ place: Int64) throws -> Bool {
        try entries.withLock { entries in
            if let entry = entries[name], entry.lock.isOn(path) {
                guard !entry.isHeld, entry.lock.takeAgain() else { return false }
                entries[name]?.isHeld = true
                return true
            }
            guard let lock = try FileLock(path: path, position: place) else { return false }
            entries[name] = Entry(lock: lock, isHeld: true)
            return true
        }
    }
}

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
        let subject = StoreLockSubject.pipeline(pipeline)
        let isTaken: Bool
        do { isTaken = try acquire(subject, of: path) } catch let error as SystemError {
            throw SluiceError(.ioFailed, "The store cannot be locked: \(error).")
        }
        if !isTaken {
            throw SluiceError(
                .locked,
                "Another sync or run of `\(pipeline)` is at work on `\(path)`. Try again when it is done.")
        }
        defer { letGo(subject, of: path) }
        return try body()
    }

    private static func name(_ subject: StoreLockSubject, _ path: String) -> String { "\(subject.number) \(path)" }

    /// Lets a lock go.
    func letGo(_ subject: StoreLockSubject, of path: String) {
        entries.withLock { entries in
            let name = Self.name(subject, path)
            entries[name]?.lock.letGo()
            entries[name]?.isHeld = false
        }
    }

    /// Takes a lock; false where another holds it, of this program or of another one.
    ///
    /// - Throws: `SystemError`.
    func acquire(_ subject: StoreLockSubject, of path: String) throws -> Bool {
        let name = Self.name(subject, path)
        let place = subject.number
        return try entries.withLock { entries in
            if let entry = entries[name], entry.lock.isOn(path) {
                guard !entry.isHeld, entry.lock.reacquire() else { return false }
                entries[name]?.isHeld = true
                return true
            }
            guard let lock = try FileLock(path: path, position: place) else { return false }
            entries[name] = Entry(lock: lock, isHeld: true)
            return true
        }
    }
}

package import SluiceStore
internal import SluiceSystem

extension Store {
    /// The file; nil for a store that is gone with the program.
    package var file: String? { writer.path }

    /// Refuses to write where the program may only read.
    ///
    /// - Throws: ``SluiceError``.
    package func checkAccess() async throws { try await writer.checkAccess() }

    /// Reports those who watch the store that something was committed on another connection of this program.
    package func reportCommits() { signal.send() }
}

/// A lock of this program on a part of a store, such as a pipeline, for as long as this lives.
///
/// The file stays open afterwards: closing it would take away the locks that SQLite holds on it for this process.
package final class HeldSource: StoreLock {
    private let subject: StoreLockSubject
    private let path: String

    /// Takes a lock; nil where another holds it.
    ///
    /// - Parameters:
    ///   - subject: The part.
    ///   - path: The store's file.
    /// - Throws: `SystemError` where the file cannot be locked.
    package init?(_ subject: StoreLockSubject, of path: String) throws {
        // First of all: what was not taken is not let go.
        guard try SourceLocks.shared.acquire(subject, of: path) else { return nil }
        self.subject = subject
        self.path = path
    }

    /// Takes the lock of a pipeline; nil where another holds it.
    ///
    /// - Throws: `SystemError` where the file cannot be locked.
    package convenience init?(pipeline: String, of path: String) throws {
        try self.init(.pipeline(pipeline), of: path)
    }

    deinit { SourceLocks.shared.letGo(subject, of: path) }

    /// True: nothing takes it away.
    package var isHeld: Bool { true }
}

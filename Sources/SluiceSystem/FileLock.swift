#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A lock on one byte of a file, held by this object alone and gone with it or with the process.
///
/// It uses open file description locks, so that other locks of this process on the same file (SQLite's) stay apart.
/// See: `man 2 fcntl`, "Open file description locks".
package final class FileLock: Sendable {
    private let descriptor: Int32
    private let position: Int64

    /// Takes a lock if it is free; nil where another holds it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - position: Which byte; it may lie far beyond the end.
    ///   - isShared: Whether others may hold it too who also share it.
    ///   - isMade: Whether a missing file is made, empty, for its owner alone.
    /// - Throws: ``SystemError`` where the file cannot be opened or its file system knows no locks.
    package init?(
        path: String, position: Int64, isShared: Bool = false, isMade: Bool = false
    ) throws(SystemError) {
        let opened = unsafe open(path, O_RDWR | O_CLOEXEC | (isMade ? O_CREAT : 0), 0o600)
        if opened < 0 { throw SystemError("open", path) }
        if Self.set(isShared ? F_RDLCK : F_WRLCK, opened, position) != 0 {
            let number = errno
            close(opened)
            if number == EAGAIN || number == EACCES { return nil }
            throw SystemError("lock", path, number: number)
        }
        descriptor = opened
        self.position = position
    }

    /// Whether another process holds the lock on a byte; false where the file cannot be opened, or its file system knows no locks.
    ///
    /// It closes the file, and with that takes locks of this process away, those of SQLite among them: nothing of it is to have the
    /// file open. See: `man 2 fcntl`, "Record locks".
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - position: Which byte.
    /// - Returns: Whether one does.
    package static func isTaken(path: String, position: Int64) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return false }
        defer { close(descriptor) }
        var lock = request(F_WRLCK, position)
        return unsafe fcntl(descriptor, systemGetFileLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    /// A process that was started meanwhile has the descriptor too until its program begins, and the lock with it: so it
    /// is not left to `close`.
    deinit {
        _ = Self.set(F_UNLCK, descriptor, position)
        close(descriptor)
    }

    /// Whether a path still leads to the file of the lock, which may have been removed or replaced since.
    package func isOn(_ path: String) -> Bool {
        var (own, other) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe stat(path, &other) == 0 else { return false }
        return own.st_ino == other.st_ino && own.st_dev == other.st_dev
    }

    /// Has a shared lock be held by nobody else; false where others hold it, and then it stays shared.
    package func becomeExclusive() -> Bool { Self.set(F_WRLCK, descriptor, position) == 0 }

    /// Lets the byte go and keeps the file open: closing it would take all other locks of this process on the file away,
    /// those of SQLite among them. ``takeAgain()`` takes it back.
    package func letGo() { _ = Self.set(F_UNLCK, descriptor, position) }

    /// Takes a byte that was let go; false where another holds it by now.
    package func reacquire() -> Bool { Self.set(F_WRLCK, descriptor, position) == 0 }

    private static func set(_ kind: Int32, _ descriptor: Int32, _ position: Int64) -> Int32 {
        var lock = request(kind, position)
        return unsafe fcntl(descriptor, systemSetFileLock, &lock)
    }

    private static func request(_ kind: Int32, _ position: Int64) -> flock {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(position)
        lock.l_len = 1
        return lock
    }
}

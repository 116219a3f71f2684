#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file that is read piece by piece, by someone who can tell whether it was changed meanwhile.
package final class WatchedFile: Sendable {
    /// What changes with a file.
    private struct Stamp {
        let size: Int64
        let modified: [Int]
        let changed: [Int]
        /// Whether it has a name still. Losing the last one changes nothing of what it holds.
        let isNamed: Bool

        func isSame(as other: Stamp) -> Bool {
            size == other.size && modified == other.modified && (changed == other.changed || !isNamed)
        }
    }

    private let file: ByteFile
    private let stamp: Stamp

    /// How many bytes it had.
    package var byteCount: Int { Int(stamp.size) }

    /// Opens a file; nil where it was changed so lately that a further change need not show.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - age: How many seconds ago it has to be changed last: its time need not tell changes apart that follow each other at once.
    /// - Throws: ``SystemError``.
    package init?(reading path: String, unchangedFor age: Int) throws(SystemError) {
        file = try ByteFile(reading: path)
        guard let stamp = Self.stamp(of: file) else { return nil }
        self.stamp = stamp
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        if max(stamp.modified[0], stamp.changed[0]) > now.tv_sec - age { return nil }
    }

    private static func stamp(of file: ByteFile) -> Stamp? {
        guard let status = file.status else { return nil }
        let (modified, changed) = (systemWriteTime(status), systemChangeTime(status))
        return Stamp(
            size: Int64(status.st_size), modified: [modified.tv_sec, modified.tv_nsec],
            changed: [changed.tv_sec, changed.tv_nsec], isNamed: status.st_nlink > 0)
    }

    /// Whether nobody changed it since it was opened.
    package var isAsOpened: Bool { Self.stamp(of: file)?.isSame(as: stamp) ?? false }

    /// Reads bytes from a position.
    ///
    /// - Returns: How many; 0 at the end that it had.
    /// - Throws: ``SystemError``.
    @unsafe
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        let count = min(buffer.count, byteCount - offset)
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(max(0, count)))
        return try unsafe file.read(into: rest, at: offset)
    }
}

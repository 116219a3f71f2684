#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file that is read piece by piece, by someone who can tell whether it was changed meanwhile.
///
/// Two changes do not show: what others write through a mapping of the file that they wrote to before, and what they write before
/// it is settled, see ``secondsToSettle``.
package final class WatchedFile: Sendable {
    /// What changes with a file.
    private struct Stamp {
        let size: Int64
        /// When what it holds was changed last, in nanoseconds.
        let modified: Int64
        /// When that or anything else of it was changed last.
        let changed: Int64
        /// Whether it has a name still. Losing the last one changes nothing of what it holds.
        let isNamed: Bool

        func isSame(as other: Stamp) -> Bool {
            size == other.size && modified == other.modified && (changed == other.changed || !isNamed)
        }
    }

    private let file: ByteFile
    private let stamp: Stamp
    private static let second: Int64 = 1_000_000_000

    /// How many bytes it had.
    package var byteCount: Int { Int(stamp.size) }

    /// Opens a file.
    ///
    /// - Parameter path: The path.
    /// - Throws: ``SystemError``.
    package init(reading path: String) throws(SystemError) {
        file = try ByteFile(reading: path)
        guard let stamp = Self.stamp(of: file) else { throw SystemError("read", path) }
        self.stamp = stamp
    }

    private static func stamp(of file: ByteFile) -> Stamp? {
        guard let status = file.status else { return nil }
        func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec).multipliedReportingOverflow(by: second).partialValue &+ Int64(time.tv_nsec)
        }
        return Stamp(
            size: Int64(status.st_size), modified: nanoseconds(systemWriteTime(status)),
            changed: nanoseconds(systemChangeTime(status)), isNamed: status.st_nlink > 0)
    }

    /// In how many seconds a change will show in its times, which tell apart no changes that follow each other at once: 0 where
    /// it would show already.
    ///
    /// Linux takes the time of its last tick, ten milliseconds ago at most, and some file systems count whole seconds, or two at a
    /// time.
    package var secondsToSettle: Double {
        let latest = max(stamp.modified, stamp.changed)
        let isFine = stamp.modified % Self.second != 0 || stamp.changed % Self.second != 0
        return max(0, Double(latest) / Double(Self.second) + (isFine ? 0.02 : 2) - WallClock.exactSeconds())
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

internal import FoundationEssentials
internal import SluiceSystem

/// How files are read.
package struct FileReading: Sendable {
    /// Files of so many bytes are read piece by piece.
    private let leastBytes: Int
    /// Called once such a file is open.
    private let opened: @Sendable () -> Void
    /// For how long a file is waited for that was just written, until a further change of it shows.
    private static let longestWait = 0.05

    package init(leastBytes: Int = 4 << 20, opened: @escaping @Sendable () -> Void = {}) {
        (self.leastBytes, self.opened) = (leastBytes, opened)
    }

    /// A file that is read piece by piece; nil for one that is not: it is small, or not on a disk, or its times would not tell
    /// that it changes.
    ///
    /// - Throws: `CancellationError`.
    func watched(_ file: URL) async throws -> WatchedFile? {
        guard file.isFileURL, FileSystem.kind(of: file.path) == .file,
            let watched = try? WatchedFile(reading: file.path), watched.byteCount >= leastBytes
        else { return nil }
        let wait = watched.secondsToSettle
        if wait > Self.longestWait { return nil }
        if wait > 0 { try await Task.sleep(for: .seconds(wait)) }
        opened()
        return watched
    }
}

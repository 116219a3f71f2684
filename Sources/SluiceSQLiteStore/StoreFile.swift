internal import SluiceStore
package import SluiceSystem

/// The file of a store while somebody counts on it: made where it is missing, and gone again where nothing came of it.
///
/// Whoever counts on it shares a lock on one byte, so that a file which one of them has made is not removed under
/// another.
package final class StoreFile {
    /// Far beyond what a database can reach, as are the places of the other locks.
    private static let presencePlace = Int64(1) << 60

    private let path: String
    private let presence: FileLock
    /// Whether the file was not there before.
    package let isMade: Bool

    /// Counts on a store's file.
    ///
    /// - Throws: `SystemError` where the file cannot be opened, `CancelledError`.
    package init(_ path: String, cancellation: Cancellation) throws {
        self.path = path
        while true {
            let isMissing = FileSystem.kind(of: path) == nil
            let taken = try FileLock(path: path, position: Self.presencePlace, isShared: true, isMade: true)
            if let taken, taken.isOn(path) {
                (presence, isMade) = (taken, isMissing)
                return
            }
            // Somebody is removing it, or has just done so.
            try cancellation.check()
            Pause.seconds(0.01)
        }
    }

    /// Takes a lock on one of the file's bytes; nil where another holds it.
    ///
    /// - Throws: `SystemError`.
    package func lock(at place: Int64) throws(SystemError) -> FileLock? { try FileLock(path: path, position: place) }

    /// Removes a file that was made for this and that nobody has written to or counts on; to be called once the store
    /// is closed.
    package func removeIfBlank() {
        guard isMade, presence.becomeExclusive(), presence.isOn(path),
            FileSystem.size(of: path) == 0 || SQLiteRecordStore.isBlank(path)
        else { return }
        for suffix in ["", "-wal", "-shm"] { FileSystem.remove(path + suffix) }
    }
}

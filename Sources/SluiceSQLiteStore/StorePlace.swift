internal import SluiceDiagnostics
package import SluiceStore
internal import SluiceSystem

/// The place of a store, looked at before it is opened, so that what is wrong with it has a name.
package struct StorePlace {
    /// What the store is wanted for.
    package enum Purpose {
        case reading, planning, writing
    }

    private let path: String
    private var folder: String { FileSystem.folder(of: path) }

    /// The place that a path names.
    package init(_ path: String) { self.path = path }

    /// Whether the store's file is there.
    package var exists: Bool { FileSystem.kind(of: path) != nil }

    /// Whether nothing was ever written there: no file, or an empty one that another run has made for its lock.
    package var isBlank: Bool { FileSystem.size(of: path) ?? 0 == 0 }

    /// Whether this process may write the file and, as SQLite must, make others beside it.
    package var isWritable: Bool { FileSystem.isWritable(path) && FileSystem.isWritable(folder) }

    /// Whether no log or journal lies beside the file, so that all there is to read is in the file.
    package var isSealed: Bool {
        FileSystem.kind(of: path + "-wal") == nil && FileSystem.kind(of: path + "-journal") == nil
    }

    /// Refuses a place that cannot serve.
    ///
    /// - Throws: `StoreError` with the reason and what to do.
    package func check(for purpose: Purpose) throws(StoreError) {
        switch FileSystem.kind(of: path) {
        case .folder:
            let example = ShellWord.quoted("sqlite:" + FileSystem.resolve("shop.db", in: path))
            throw refusal("is a folder. Name a file, as in `--store \(example)`.")
        case .other: throw refusal("is no regular file. Name another with `--store sqlite:FILE`.")
        case .file:
            guard FileSystem.isReadable(path) else {
                throw forbidden("not read the store `\(path)`")
            }
            if purpose == .writing { try checkWriting() }
        case nil: if purpose == .writing { try checkMaking() }
        }
    }

    private func checkWriting() throws(StoreError) {
        if !FileSystem.isWritable(path) {
            throw forbidden("read the store `\(path)` but not write to it")
        }
        if !FileSystem.isWritable(folder) {
            throw refusal(
                "cannot be written: this user may not create files in its folder, where SQLite keeps its log. See the folder's permissions with `ls -ld \(ShellWord.quoted(folder))`."
            )
        }
    }

    private func checkMaking() throws(StoreError) {
        if FileSystem.kind(of: folder) != .folder {
            throw refusal(
                "cannot be created: there is no folder `\(folder)`. Create it with `mkdir -p \(ShellWord.quoted(folder))`, or name another file with `--store sqlite:FILE`."
            )
        }
        if !FileSystem.isWritable(folder) {
            throw refusal(
                "cannot be created: this user may not create files in its folder. See the folder's permissions with `ls -ld \(ShellWord.quoted(folder))`, or name another file with `--store sqlite:FILE`."
            )
        }
    }

    /// The store that is there, to be read and let go; nil where no run has written to it, which remembers nothing.
    package func storeToRead(busyMilliseconds: Int) throws -> SQLiteRecordStore? {
        if isBlank { return nil }
        if !isWritable && !isSealed { throw unreadLog }
        do {
            return try SQLiteRecordStore(
                path: path, mode: .reading, busyTimeoutMilliseconds: busyMilliseconds, isSealed: !isWritable)
        } catch let error as StoreError where error.code == .notAStore {
            return nil
        }
    }

    /// Why a store that may only be read cannot be, where a log lies beside it.
    package var unreadLog: StoreError {
        refusal(
            "has a write-ahead log or a journal beside it, from a run that is at work or was broken off. Only a user who may write to the store can read it. Run `sluice status` as that user, then plan again."
        )
    }

    private func refusal(_ reason: String) -> StoreError { StoreError(.unavailable, "The store `\(path)` \(reason)") }

    /// A refusal for want of a permission, which `ls` shows.
    private func forbidden(_ action: String) -> StoreError {
        StoreError(
            .unavailable,
            "This user may \(action). See its permissions with `ls -l \(ShellWord.quoted(path))`.")
    }
}

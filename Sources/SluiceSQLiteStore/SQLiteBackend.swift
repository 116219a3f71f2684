package import SluiceStore
package import SluiceSystem

/// A store in one SQLite file.
package struct SQLiteBackend: StoreBackend {
    let path: String
    private var cancellation: Cancellation?
    private var place: StorePlace { StorePlace(path) }

    /// The store in a file, which need not be there yet.
    package init(path: String) { self.path = path }

    package func stoppable(by cancellation: Cancellation) -> any StoreBackend {
        var backend = self
        backend.cancellation = cancellation
        return backend
    }

    package var name: String { path }

    package var traits: StoreTraits {
        StoreTraits(
            kind: "SQLite", file: path, pages: path, isReadBesideRuns: true, isDistant: false, hasLocksInTables: false,
            lockPollSeconds: 0.05,
            remedyWhereMissing: "Name it with `--store sqlite:FILE` or `SLUICE_STORE`.",
            remedyWhereDamaged:
                "Stop all runs, and go back to a backup; `sqlite3 FILE .recover` saves what can be read.")
    }

    package var exists: Bool { place.exists }
    package var isBlank: Bool { place.isBlank }

    package func check(for purpose: StorePurpose) throws(StoreError) {
        switch purpose {
        case .reading: try place.check(for: .reading)
        case .planning: try place.check(for: .planning)
        case .writing: try place.check(for: .writing)
        }
    }

    package func open(_ use: StoreUse, _ waiting: StoreWaiting) throws -> any RecordStore {
        switch use {
        case .running: return try open(.existing, waiting)
        case .planning:
            if place.exists && !place.isWritable { return try openCopy(waiting) }
            return try open(place.isBlank ? .temporary : .planned, waiting)
        case .reading, .settling:
            try place.check(for: use == .settling ? .writing : .reading)
            // Who may not write the store would leave files beside it that its owner could not write either.
            let store = try SQLiteRecordStore(
                path: path, mode: use == .settling ? .settling : .reading,
                busyTimeoutMilliseconds: waiting.busyMilliseconds, isSealed: !place.isWritable && place.isSealed)
            if use == .reading, let cancellation { store.end(with: cancellation) }
            return store
        }
    }

    private func open(_ mode: SQLiteRecordStore.Mode, _ waiting: StoreWaiting) throws -> any RecordStore {
        try SQLiteRecordStore(path: path, mode: mode, busyTimeoutMilliseconds: waiting.busyMilliseconds)
    }

    /// What may only be read is planned on as a copy: the file is neither changed nor given companions.
    private func openCopy(_ waiting: StoreWaiting) throws -> any RecordStore {
        let version = FileSystem.version(of: path)
        let isSealed = place.isSealed
        let opened: SQLiteRecordStore
        do {
            opened = try SQLiteRecordStore(
                path: path, mode: .copied, busyTimeoutMilliseconds: waiting.busyMilliseconds, isSealed: isSealed,
                isStopped: { waiting.cancellation?.isCancelled ?? false })
        } catch let error as StoreError where error.code == .unavailable && !isSealed {
            throw place.unreadLog
        }
        // Without a look at its locks, only this tells whether somebody wrote it meanwhile.
        if isSealed && (version != FileSystem.version(of: path) || !place.isSealed) {
            throw StoreError(
                .locked, "The store `\(path)` was written while it was read. Plan again when that is done.")
        }
        return opened
    }

    package func openToRead(busyMilliseconds: Int) throws -> (any RecordStore)? {
        try place.storeToRead(busyMilliseconds: busyMilliseconds)
    }

    package func openBesidePlan(busyMilliseconds: Int) throws -> (any RecordStore)? {
        // What may only be read is planned on as a copy, which is looked at by nobody else.
        guard place.exists, place.isWritable else { return nil }
        return try openToRead(busyMilliseconds: busyMilliseconds)
    }

    package func presence(cancellation: Cancellation) throws -> any StorePresence {
        FilePresence(try StoreFile(path, cancellation: cancellation))
    }

    package func adoptableTables(busyMilliseconds: Int) throws -> any AdoptableTables {
        try AdoptableTableReader(path: path, busyTimeoutMilliseconds: busyMilliseconds)
    }

    // Who may write a file may write all of it.
    package func missingGrants(filled: Set<String>, targets: Set<String>) -> [String] { [] }

    package func isTaken(_ subject: StoreLockSubject) -> Bool {
        FileLock.isTaken(path: path, position: subject.number)
    }

    package var bytes: Int? { (FileSystem.size(of: path) ?? 0) + (FileSystem.size(of: path + "-wal") ?? 0) }

    package var version: [[Int]?]? { [FileSystem.version(of: path), FileSystem.version(of: path + "-wal")] }
}

/// Counts on a file.
private final class FilePresence: StorePresence {
    private let file: StoreFile

    init(_ file: StoreFile) { self.file = file }

    var isMade: Bool { file.isMade }

    func lock(_ subject: StoreLockSubject) throws -> (any StoreLock)? {
        try file.lock(at: subject.number).map(HeldByte.init)
    }

    func removeIfBlank() { file.removeIfBlank() }
}

/// A lock on a byte of a file, which nothing takes away.
private final class HeldByte: StoreLock {
    private let lock: FileLock

    init(_ lock: FileLock) { self.lock = lock }

    var isHeld: Bool { true }
}

internal import Sluice
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// The file of a store that this program has open: what a run does with it otherwise, and locks that leave those of SQLite
/// alone.
struct OpenStoreBackend: StoreBackend {
    private let path: String
    private let file: SQLiteBackend

    init(path: String) {
        self.path = path
        file = SQLiteBackend(path: path)
    }

    var name: String { file.name }
    var traits: StoreTraits { file.traits }
    var exists: Bool { file.exists }
    var isBlank: Bool { file.isBlank }
    var bytes: Int? { file.bytes }
    var version: [[Int]?]? { file.version }

    func check(for purpose: StorePurpose) throws(StoreError) { try file.check(for: purpose) }

    func open(_ use: StoreUse, _ waiting: StoreWaiting) throws -> any RecordStore { try file.open(use, waiting) }

    func openToRead(busyMilliseconds: Int) throws -> (any RecordStore)? {
        try file.openToRead(busyMilliseconds: busyMilliseconds)
    }

    func openBesidePlan(busyMilliseconds: Int) throws -> (any RecordStore)? {
        try file.openBesidePlan(busyMilliseconds: busyMilliseconds)
    }

    func presence(cancellation: Cancellation) throws -> any StorePresence { OpenStore(path) }

    func adoptableTables(busyMilliseconds: Int) throws -> any AdoptableTables {
        try file.adoptableTables(busyMilliseconds: busyMilliseconds)
    }

    // What this program does in its file it knows itself.
    func isTaken(_ subject: StoreLockSubject) -> Bool { false }

    func missingGrants(filled: Set<String>, targets: Set<String>) throws -> [String] {
        file.missingGrants(filled: filled, targets: targets)
    }
}

/// A store that this program keeps open: nobody removes it.
private final class OpenStore: StorePresence {
    private let path: String

    init(_ path: String) { self.path = path }

    var isMade: Bool { false }

    func lock(_ subject: StoreLockSubject) throws -> (any StoreLock)? { try HeldSource(subject, of: path) }

    func removeIfBlank() {}
}

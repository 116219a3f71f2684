import SluiceSystem

@testable import SluiceModel
@testable import SluiceStore

/// A kind of store that another one is, whose calls are heard.
struct HeardBackend: StoreBackend {
    let backend: any StoreBackend
    /// Hears of each call of a store, of its tables and of its ledgers.
    let heard: @Sendable (String) -> Void
    /// Hears of each attempt to take a lock.
    var heardLock: @Sendable () -> Void = {}

    private func forwarding(_ store: any RecordStore) -> any RecordStore {
        ForwardingStore(store, heard: heard) { [heard] in ForwardingTable($0, heard: heard) }
    }

    var name: String { backend.name }
    var traits: StoreTraits { backend.traits }
    var exists: Bool { backend.exists }
    var isBlank: Bool { backend.isBlank }
    var bytes: Int? { backend.bytes }
    var version: [[Int]?]? { backend.version }

    func check(for purpose: StorePurpose) throws(StoreError) { try backend.check(for: purpose) }

    func open(_ use: StoreUse, _ waiting: StoreWaiting) throws -> any RecordStore {
        forwarding(try backend.open(use, waiting))
    }

    func openToRead(busyMilliseconds: Int) throws -> (any RecordStore)? {
        try backend.openToRead(busyMilliseconds: busyMilliseconds).map(forwarding)
    }

    func openBesidePlan(busyMilliseconds: Int) throws -> (any RecordStore)? {
        try backend.openBesidePlan(busyMilliseconds: busyMilliseconds)
    }

    func presence(cancellation: Cancellation) throws -> any StorePresence {
        HeardPresence(presence: try backend.presence(cancellation: cancellation), heardLock: heardLock)
    }

    func adoptableTables(busyMilliseconds: Int) throws -> any AdoptableTables {
        try backend.adoptableTables(busyMilliseconds: busyMilliseconds)
    }

    func isTaken(_ subject: StoreLockSubject) -> Bool { backend.isTaken(subject) }

    func missingGrants(filled: Set<String>, targets: Set<String>) throws -> [String] {
        try backend.missingGrants(filled: filled, targets: targets)
    }
}

/// A store while somebody counts on it, whose locks are heard.
private final class HeardPresence: StorePresence {
    private let presence: any StorePresence
    private let heardLock: @Sendable () -> Void

    init(presence: any StorePresence, heardLock: @escaping @Sendable () -> Void) {
        (self.presence, self.heardLock) = (presence, heardLock)
    }

    var isMade: Bool { presence.isMade }

    func lock(_ subject: StoreLockSubject) throws -> (any StoreLock)? {
        heardLock()
        return try presence.lock(subject)
    }

    func removeIfBlank() { presence.removeIfBlank() }
}

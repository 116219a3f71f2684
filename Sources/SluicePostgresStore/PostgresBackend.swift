internal import SluiceModel
internal import SluicePostgres
package import SluiceSchedule
package import SluiceStore
package import SluiceSystem

/// A store in a schema of a PostgreSQL database.
package struct PostgresBackend: StoreBackend {
    let address: PostgresStoreAddress
    /// The claim by which a run of a pool commits; nil for all else.
    private var ticket: PoolTicket?
    /// What ends waits for the server; nil where nothing does.
    private var cancellation: Cancellation?
    /// Where a connection waits between two uses of the store by one run; nil where nobody says whose they are.
    private var spare: SpareConnection?

    /// The store at an address, where nothing need be yet.
    package init(address: PostgresStoreAddress) { self.address = address }

    package func holding(_ ticket: PoolTicket) -> any StoreBackend {
        var backend = self
        backend.ticket = ticket
        // The server knows connections by their tickets.
        if spare != nil { backend.spare = SpareConnection() }
        return backend
    }

    package func stoppable(by cancellation: Cancellation) -> any StoreBackend {
        var backend = self
        backend.cancellation = cancellation
        backend.spare = SpareConnection()
        return backend
    }

    package var name: String { address.shown }

    package var traits: StoreTraits {
        StoreTraits(
            kind: "PostgreSQL", file: nil, pages: pages, isPooled: true, isReadBesideRuns: false,
            isDistant: true, hasLocksInTables: true, lockPollSeconds: 0.5,
            remedyWhereMissing: "Name it with `--store postgres://user@host/database` or `SLUICE_STORE`.",
            remedyWhereDamaged: "Stop all runs, and mend it or go back to a backup.")
    }

    /// A folder of the user's own: no file of this machine stands for the store.
    private var pages: String? {
        guard let folder = FileSystem.cacheFolder else { return nil }
        return "\(folder)/sluice/\(String(FieldDigest.text(Array(address.shown.utf8)), radix: 16))"
    }

    private func store(busyMilliseconds: Int) throws -> PostgresStore {
        // The server takes 0 for as long as it takes.
        try PostgresStore(
            address, lockTimeoutMilliseconds: max(1, busyMilliseconds), ticket: ticket, cancellation: cancellation,
            spare: spare)
    }

    /// How long to wait to learn whether there is a store.
    private static let briefWait = 1_000

    private var isUsed: Bool? { try? store(busyMilliseconds: Self.briefWait).isUsed() }
    package var exists: Bool { isUsed ?? false }
    // What cannot be reached is no blank place.
    package var isBlank: Bool { (try? !store(busyMilliseconds: Self.briefWait).hasTables()) ?? false }

    package func check(for purpose: StorePurpose) throws(StoreError) {
        var obstacle: StoreError?
        do {
            let store = try store(busyMilliseconds: Self.briefWait)
            if purpose == .writing { obstacle = try store.obstacle() }
        } catch let error as StoreError { obstacle = error } catch {
            obstacle = StoreError(.failed, "The store `\(address.shown)` cannot be read: \(error)")
        }
        if let obstacle { throw obstacle }
    }

    package func open(_ use: StoreUse, _ waiting: StoreWaiting) throws -> any RecordStore {
        let store = try store(busyMilliseconds: waiting.busyMilliseconds)
        switch use {
        case .running, .planning: return store
        case .reading, .settling:
            if try store.isUsed() { return store }
            throw StoreError(
                .notAStore,
                "The database `\(address.shown)` is no store yet: no run has written to its schema `\(address.schema)`. Run `sluice run` first, or name another with `--store`."
            )
        }
    }

    package func openToRead(busyMilliseconds: Int) throws -> (any RecordStore)? {
        let store = try store(busyMilliseconds: busyMilliseconds)
        return try store.isUsed() ? store : nil
    }

    package func openBesidePlan(busyMilliseconds: Int) throws -> (any RecordStore)? {
        try openToRead(busyMilliseconds: busyMilliseconds)
    }

    package func presence(cancellation: Cancellation) throws -> any StorePresence {
        var backend = self
        if self.cancellation !== cancellation { (backend.cancellation, backend.spare) = (cancellation, nil) }
        return SchemaPresence(try PostgresStorePresence { try backend.store(busyMilliseconds: 60_000) })
    }

    package func adoptableTables(busyMilliseconds: Int) throws -> any AdoptableTables {
        try store(busyMilliseconds: busyMilliseconds).adoptableTables()
    }

    package func missingGrants(filled: Set<String>, targets: Set<String>) throws -> [String] {
        try store(busyMilliseconds: Self.briefWait).missingGrants(filled: filled, targets: targets)
    }

    package func isTaken(_ subject: StoreLockSubject) -> Bool {
        (try? store(busyMilliseconds: Self.briefWait).isTaken(subject.number)) ?? false
    }

    package var bytes: Int? { try? store(busyMilliseconds: Self.briefWait).bytes() }

    package var version: [[Int]?]? { nil }
}

/// Counts on the tables of a schema.
private final class SchemaPresence: StorePresence {
    private let tables: PostgresStorePresence

    init(_ tables: PostgresStorePresence) { self.tables = tables }

    var isMade: Bool { tables.isMade }

    func lock(_ subject: StoreLockSubject) throws -> (any StoreLock)? {
        try tables.lock(number: subject.number).map(HeldRow.init)
    }

    func removeIfBlank() { tables.removeIfBlank() }
}

/// A lock on a row, which goes with its connection.
private final class HeldRow: StoreLock {
    private let lock: PostgresStoreLock

    init(_ lock: PostgresStoreLock) { self.lock = lock }

    var isHeld: Bool { lock.isHeld }
    var loss: StoreError? { lock.loss }
}

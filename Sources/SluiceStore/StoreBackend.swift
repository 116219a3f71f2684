package import SluiceSchedule
package import SluiceSystem

/// A kind of store at its place: what it can, and how it is looked at, counted on and opened.
package protocol StoreBackend: Sendable {
    /// How messages call the store: it shows no password.
    var name: String { get }

    /// What differs from kind to kind.
    var traits: StoreTraits { get }

    /// Whether something is there that was made for a store.
    var exists: Bool { get }

    /// Whether another program holds a lock at this moment; false where that cannot be told. Nothing of this program may have the
    /// store open.
    func isTaken(_ subject: StoreLockSubject) -> Bool

    /// Whether nothing was ever written there, neither by a run nor by others.
    var isBlank: Bool { get }

    /// Refuses a place that cannot serve.
    ///
    /// - Throws: `StoreError` with the reason and what to do.
    func check(for purpose: StorePurpose) throws(StoreError)

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - use: What for.
    ///   - waiting: How long to wait for others.
    /// - Returns: The store; nothing is written to it by that.
    /// - Throws: `StoreError`.
    func open(_ use: StoreUse, _ waiting: StoreWaiting) throws -> any RecordStore

    /// The store that is there, to be read and let go; nil where no run has written to it, which remembers nothing.
    ///
    /// - Throws: `StoreError`.
    func openToRead(busyMilliseconds: Int) throws -> (any RecordStore)?

    /// The store beside a run or plan that is under way on another connection, as it was before that began.
    ///
    /// Where ``StoreTraits/isReadBesideRuns`` says no, only beside one that changes no table.
    ///
    /// - Parameter busyMilliseconds: How long a statement waits for a lock; 0 for not at all.
    /// - Returns: Nil where there is none yet, or where one would disturb the other.
    /// - Throws: `StoreError`.
    func openBesidePlan(busyMilliseconds: Int) throws -> (any RecordStore)?

    /// Counts on the store: what is not there yet is made for it.
    ///
    /// - Throws: `SystemError`, `StoreError`, `CancelledError`.
    func presence(cancellation: Cancellation) throws -> any StorePresence

    /// The tables of the database, whether or not it is a store yet.
    ///
    /// - Throws: `StoreError` where it is missing or cannot be read.
    func adoptableTables(busyMilliseconds: Int) throws -> any AdoptableTables

    /// What the owner of tables that are there must let this program do, as statements.
    ///
    /// - Parameters:
    ///   - filled: The tables that pipelines fill; those that are not there are made.
    ///   - targets: The tables that these refer to.
    /// - Returns: The statements; none where nothing is missing or nobody may be kept from a table.
    /// - Throws: `StoreError` where that cannot be looked up.
    func missingGrants(filled: Set<String>, targets: Set<String>) throws -> [String]

    /// How many bytes it takes; nil where that cannot be told.
    var bytes: Int? { get }

    /// What changes whenever the store is written to; nil where nothing tells.
    var version: [[Int]?]? { get }

    /// The same store for a run that a worker of its pool has claimed: nothing is committed once the claim is another's.
    func holding(_ ticket: PoolTicket) -> any StoreBackend

    /// The same store, whose waits for a server end with a request to stop: statements are cancelled, and a server that does
    /// not answer to that is waited for a moment. Without a server, the statements end of who only reads.
    func stoppable(by cancellation: Cancellation) -> any StoreBackend
}

extension StoreBackend {
    /// A store without a pool gives no claims.
    package func holding(_ ticket: PoolTicket) -> any StoreBackend { self }

    /// A store without a server waits for none.
    package func stoppable(by cancellation: Cancellation) -> any StoreBackend { self }
}

/// What a store is wanted for.
package enum StorePurpose: Sendable {
    case reading, planning, writing
}

/// What a store is opened for.
package enum StoreUse: Sendable {
    /// A run that has claimed it.
    case running
    /// A plan: it sees all that a run sees, and what it writes is taken back.
    case planning
    /// Commands that only look; it must be a store.
    case reading
    /// Commands that settle what runs left open; it must be a store.
    case settling
}

/// How long to wait for others who use a store.
package struct StoreWaiting: Sendable {
    /// How long a statement waits for a lock.
    package let busyMilliseconds: Int
    /// What ends a longer preparation.
    package let cancellation: Cancellation?

    /// Says how long to wait.
    package init(busyMilliseconds: Int = 5_000, cancellation: Cancellation? = nil) {
        (self.busyMilliseconds, self.cancellation) = (busyMilliseconds, cancellation)
    }
}

/// What differs between kinds of stores.
package struct StoreTraits: Sendable {
    /// How the kind is called.
    package let kind: String
    /// The store's file, beside which other files may stand; nil where it is on no disk of this machine.
    package let file: String?
    /// Where pages are kept that are not in the store yet, as the beginning of a folder's path; nil for nowhere.
    package let pages: String?
    /// Whether several services share its due times.
    package let isPooled: Bool
    /// Whether its records are read on another connection beside a run, with neither waiting for the other, whatever the run
    /// does to the tables.
    package let isReadBesideRuns: Bool
    /// Whether each question is a message to a server and back, so that a few about many records cost less.
    package let isDistant: Bool
    /// Whether a pipeline's lock is in one of the store's tables, so that nobody writes that anew while it is held.
    package let hasLocksInTables: Bool
    /// How many seconds pass until a lock that somebody holds is tried again: at a server each try is a connection.
    package let lockPollSeconds: Double
    /// What helps where the store is not there, as a sentence.
    package let remedyWhereMissing: String
    /// What helps where the database is damaged, as a sentence.
    package let remedyWhereDamaged: String

    /// Describes a kind.
    package init(
        kind: String, file: String?, pages: String?, isPooled: Bool = false, isReadBesideRuns: Bool,
        isDistant: Bool, hasLocksInTables: Bool, lockPollSeconds: Double,
        remedyWhereMissing: String, remedyWhereDamaged: String
    ) {
        (self.kind, self.file, self.pages, self.lockPollSeconds) = (kind, file, pages, lockPollSeconds)
        (self.isPooled, self.isReadBesideRuns, self.isDistant) = (isPooled, isReadBesideRuns, isDistant)
        self.hasLocksInTables = hasLocksInTables
        (self.remedyWhereMissing, self.remedyWhereDamaged) = (remedyWhereMissing, remedyWhereDamaged)
    }
}

/// A lock that is held as long as this lives.
package protocol StoreLock: AnyObject {
    /// Whether it is held still: one of a server goes with the connection.
    var isHeld: Bool { get }
    /// Why it is held no longer; nil where that is not known.
    var loss: StoreError? { get }
}

extension StoreLock {
    package var loss: StoreError? { nil }
}

/// A store that somebody counts on while this lives.
package protocol StorePresence: AnyObject {
    /// Whether nothing was there before.
    var isMade: Bool { get }

    /// Takes a lock that goes with what is returned.
    ///
    /// - Returns: The lock; nil where another program holds it.
    /// - Throws: `SystemError`, `StoreError`.
    func lock(_ subject: StoreLockSubject) throws -> (any StoreLock)?

    /// Removes what was made for this and that nobody has written to or counts on; to be called once the store is closed.
    func removeIfBlank()
}

package import SluiceSchedule
internal import SluiceStore
package import SluiceSystem

/// A store while somebody counts on it: its tables are made where they are missing, and gone again where nothing came of
/// it.
package final class PostgresStorePresence {
    private let address: PostgresStoreAddress
    private let ticket: PoolTicket?
    private let cancellation: Cancellation?
    private weak var lock: PostgresStoreLock?
    /// The connection that found out whether the store is there, until the first lock takes it.
    private var store: PostgresStore?
    /// Whether nothing was there before.
    package let isMade: Bool
    private let isSchemaMade: Bool

    /// Counts on a store.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - ticket: The claim of the run that does; nil where it has none.
    ///   - cancellation: What ends waits for the server; nil for none.
    /// - Throws: `StoreError` where the server cannot be reached or the role may not make tables.
    package init(
        _ address: PostgresStoreAddress, ticket: PoolTicket? = nil, cancellation: Cancellation? = nil
    ) throws {
        (self.address, self.ticket, self.cancellation) = (address, ticket, cancellation)
        let store = try PostgresStore(
            address, lockTimeoutMilliseconds: 60_000, ticket: ticket, cancellation: cancellation)
        self.store = store
        isMade = try !store.isUsed()
        isSchemaMade = try isMade && !store.hasSchema()
        if isMade { try store.prepare() }
    }

    /// Takes a lock; nil where another program holds it.
    ///
    /// - Throws: `StoreError`.
    package func lock(number: Int64) throws -> PostgresStoreLock? {
        let store =
            try store.take()
            ?? PostgresStore(address, lockTimeoutMilliseconds: 60_000, ticket: ticket, cancellation: cancellation)
        let taken = try PostgresStoreLock(store, number: number)
        lock = taken
        return taken
    }

    /// Removes what was made for this and that nobody has written to or counts on.
    package func removeIfBlank() {
        if isMade { lock?.removeStoreIfBlank(isSchemaMade) }
    }
}

/// A store while somebody counts on it: its tables are made where they are missing, and gone again where nothing came of
/// it.
package final class PostgresStorePresence {
    private let open: () throws -> PostgresStore
    private weak var lock: PostgresStoreLock?
    /// The connection that found out whether the store is there, until the first lock takes it.
    private var store: PostgresStore?
    /// Whether nothing was there before.
    package let isMade: Bool
    private let isSchemaMade: Bool

    /// Counts on a store.
    ///
    /// - Parameter open: Opens it, on a connection of its own.
    /// - Throws: `StoreError` where the server cannot be reached or the role may not make tables.
    package init(_ open: @escaping () throws -> PostgresStore) throws {
        self.open = open
        let store = try open()
        self.store = store
        isMade = try !store.isUsed()
        isSchemaMade = try isMade && !store.hasSchema()
        if isMade { try store.prepare() }
    }

    /// Takes a lock; nil where another program holds it.
    ///
    /// - Throws: `StoreError`.
    package func lock(number: Int64) throws -> PostgresStoreLock? {
        let taken = try PostgresStoreLock(store.take() ?? open(), number: number)
        lock = taken
        return taken
    }

    /// Removes what was made for this and that nobody has written to or counts on.
    package func removeIfBlank() {
        if isMade { lock?.removeStoreIfBlank(isSchemaMade) }
    }
}

internal import SluicePostgres
package import SluiceSchedule
package import SluiceStore

/// A lock that no two programs hold at once: a row that a transaction of its own has locked. It goes with the connection,
/// however that ends.
package final class PostgresStoreLock {
    private let session: PostgresStoreSession
    /// How long the tables of a store may take to go.
    private static let longestRemoval = Duration.seconds(5)

    /// Takes a lock; nil where another connection holds it. The tables of the store are made where they are missing.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - number: The number of the lock.
    ///   - ticket: The claim of the run that takes it; nil where it has none.
    /// - Throws: ``StoreError``.
    package convenience init?(_ address: PostgresStoreAddress, number: Int64, ticket: PoolTicket? = nil) throws {
        try self.init(PostgresStore(address, lockTimeoutMilliseconds: 60_000, ticket: ticket), number: number)
    }

    /// Takes a lock with the connection of a store, which nothing else has; nil where another connection holds it.
    ///
    /// - Throws: ``StoreError``.
    init?(_ store: PostgresStore, number: Int64) throws {
        let session = store.session
        let name = PostgresValue(String(number))
        var isTaken = true
        try session.translated {
            let table = session["schema"]
            // Who has made the tables for nothing may remove them at this moment.
            for attempt in 1... {
                do {
                    try store.prepare()
                    try session.connection.run(
                        "INSERT INTO \(table) (kind, name, value) VALUES ('lock', $1, '') ON CONFLICT DO NOTHING",
                        [name])
                    break
                } catch let error as PostgresError {
                    if error.code != .undefinedTable || attempt == 3 { throw error }
                    session.hasTables = false
                }
            }
            try session.connection.begin()
            // It may be held for as long as a source takes to answer.
            try session.connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            do {
                try session.connection.run(
                    "SELECT 1 FROM \(table) WHERE kind = 'lock' AND name = $1 FOR UPDATE NOWAIT", [name])
            } catch let error as PostgresError where error.isLockNotAvailable { isTaken = false }
        }
        if !isTaken { return nil }
        self.session = session
    }

    /// Whether the connection is there still, and with it the lock.
    package var isHeld: Bool {
        session.connection.transactionState == .open && (try? session.connection.execute("SELECT 1")) != nil
    }

    /// Why it is held no longer, where another worker has taken the run over.
    package var loss: StoreError? { session.supersession() }

    /// Removes the tables, and the schema where nothing else is in it, if nobody has written to the store or counts on it.
    /// The lock is gone then.
    func removeStoreIfBlank(_ isSchemaMade: Bool) {
        guard session.connection.transactionState == .open else { return }
        session.connection.deadline = .now + Self.longestRemoval
        defer { session.connection.deadline = nil }
        PostgresStoreFormat.removeIfBlank(session, isSchemaMade: isSchemaMade)
    }

    deinit { session.letGo() }
}

extension PostgresStore {
    /// Whether a connection holds a lock: its row names the transaction that locked it, and that is open still. Nothing is locked to
    /// find out.
    ///
    /// - Parameter number: The number of the lock.
    /// - Returns: Whether one does.
    /// - Throws: ``StoreError``.
    func isTaken(_ number: Int64) throws -> Bool {
        try session.translated {
            try !session.connection.run(
                """
                SELECT 1 FROM \(session["schema"]) AS s JOIN pg_catalog.pg_locks AS l
                ON l.locktype = 'transactionid' AND l.transactionid = s.xmax AND l.granted
                WHERE s.kind = 'lock' AND s.name = $1
                """, [PostgresValue(String(number))]
            ).values.isEmpty
        }
    }
}

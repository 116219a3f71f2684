internal import SluicePostgres
internal import SluiceStore

/// A lock that no two programs hold at once: a row that a transaction of its own has locked. It goes with the connection,
/// however that ends.
package final class PostgresStoreLock {
    private let session: PostgresStoreSession

    /// Takes a lock; nil where another connection holds it. The tables of the store are made where they are missing.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - number: The number of the lock.
    /// - Throws: ``StoreError``.
    package init?(_ address: PostgresStoreAddress, number: Int64) throws {
        let store = try PostgresStore(address, lockTimeoutMilliseconds: 60_000)
        let session = store.session
        let name = PostgresValue(String(number))
        var isTaken = true
        try session.translated {
            if try !session.isUsed() {
                try store.begin()
                try store.commit()
            }
            let table = session["schema"]
            try session.connection.run(
                "INSERT INTO \(table) (kind, name, value) VALUES ('lock', $1, '') ON CONFLICT DO NOTHING", [name])
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

    deinit { try? session.connection.rollback() }
}

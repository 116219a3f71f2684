internal import SluicePostgres
package import SluiceStore

/// A store on PostgreSQL, in the making: it opens a schema, keeps runs, what is remembered of streams, unfinished scans and
/// credentials. It has no tables of records yet, no conflicts, no quarantine and no history, so it is no `RecordStore`,
/// and no program opens one.
package final class PostgresStore {
    private let session: PostgresStoreSession
    /// What was run, and how it ended.
    package let runs: any RunLedger
    /// How far streams were read.
    package let state: any StateLedger
    /// The scans that were broken off.
    package let scans: any ScanLedger
    /// What proves to sources who is asking.
    package let credentials: any CredentialLedger

    /// Opens a store. Nothing is written: its schema and its tables are made by the first transaction.
    ///
    /// - Parameters:
    ///   - address: Where it is.
    ///   - lockTimeoutMilliseconds: How long a statement waits for a lock of somebody else; 0 for as long as it takes.
    /// - Throws: ``StoreError``, with the code `newerFormat` where a newer program wrote it.
    package init(_ address: PostgresStoreAddress, lockTimeoutMilliseconds: Int = 0) throws {
        let connect = { () throws -> PostgresStoreSession in
            do {
                let connection = try PostgresConnection(address.database)
                try connection.execute("SET lock_timeout = \(max(0, lockTimeoutMilliseconds))")
                return PostgresStoreSession(connection, schema: address.schema)
            } catch let error as PostgresError { throw StoreError(error, place: address.description) }
        }
        session = try connect()
        try PostgresStoreFormat.check(session)
        (runs, state) = (PostgresRunLedger(session), PostgresStateLedger(session))
        (scans, credentials) = (PostgresScanLedger(session), PostgresCredentialLedger(session, connect: connect))
    }

    /// Starts a transaction that may write.
    ///
    /// - Throws: ``StoreError``.
    package func begin() throws {
        try session.translated {
            // Two programs may make the tables at once: who comes second finds them made.
            for attempt in 1... {
                do {
                    try session.connection.begin()
                    try PostgresStoreFormat.prepare(session)
                    return
                } catch let error as PostgresError {
                    rollback()
                    if !PostgresStoreFormat.wasMadeMeanwhile(error) || attempt == 3 { throw error }
                }
            }
        }
    }

    /// Makes the transaction's writes durable.
    ///
    /// - Throws: ``StoreError``.
    package func commit() throws { try session.translated { try session.connection.commit() } }

    /// Forgets the transaction's writes; does nothing where none is open.
    package func rollback() {
        switch session.connection.transactionState {
        case .open, .failed: try? session.connection.rollback()
        case .none, .lost: break
        }
    }
}

@available(*, unavailable)
extension PostgresStore: Sendable {}

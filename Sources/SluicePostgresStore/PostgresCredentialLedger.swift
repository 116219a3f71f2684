internal import SluicePostgres
internal import SluiceStore

/// The credentials of a store on PostgreSQL. They have a connection of their own: what is kept stays, whatever becomes of
/// the transaction that is open meanwhile.
final class PostgresCredentialLedger: CredentialLedger {
    private let connect: () throws -> PostgresStoreSession
    private let session: PostgresStoreSession

    init(_ session: PostgresStoreSession, connect: @escaping () throws -> PostgresStoreSession) {
        self.session = session
        self.connect = connect
    }

    func sealed(_ name: String) throws -> [UInt8]? {
        try session.rows("SELECT sealed FROM \(session["credentials"]) WHERE name = $1", [PostgresValue(name)])
            .first?.first?.blob
    }

    func keep(_ sealed: [UInt8], name: String, at time: String) throws {
        let own = try connect()
        try own.translated {
            try own.connection.inTransaction(attempts: 3) {
                // Of what cannot be asked for again, a commit that a power failure takes back is one too many.
                try own.connection.execute("SET LOCAL synchronous_commit = on")
                try PostgresStoreFormat.prepare(own)
                try own.connection.run(
                    """
                    INSERT INTO \(own["credentials"]) (name, sealed, given_at) VALUES ($1, $2, $3)
                    ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, given_at = excluded.given_at
                    """, [PostgresValue(name), .bytes(sealed), PostgresValue(time)])
            }
        }
    }
}

import SluicePostgres
import SluiceStore
import Testing

@testable import SluicePostgresStore

/// What a store does behind a pool that does not give each client a connection of its own.
@Suite struct PostgresPoolerTests {
    /// What is set for the connection is lost between transactions: nothing is written, and the message names the pool.
    @Test func aConnectionThatLosesItsSettings() throws {
        let place = try PostgresPlace()
        let store = try place.store()
        try store.begin()
        try store.runs.record(.sample(1))
        try store.commit()
        try store.session.connection.execute("RESET ALL")
        let error = #expect(throws: StoreError.self) { try store.begin() }
        #expect(error?.message.contains("`pool_mode = session`") == true, "\(error as Any)")
        #expect(error?.code == .failed)
        #expect(try place.rows(of: "_sluice_runs", ["id"]).count == 1)
    }

    /// Statements that are prepared on one connection and run on another one.
    @Test(arguments: ["42P05", "26000"])
    func preparedStatementsThatAreNotWhereTheyWere(_ code: String) throws {
        let place = try PostgresPlace()
        let error = #expect(throws: PostgresError.self) {
            try place.connect().execute(
                "DO $$ BEGIN RAISE EXCEPTION 'prepared statement' USING ERRCODE = '\(code)'; END $$")
        }
        #expect(error?.remedy?.contains("`pool_mode = session`") == true)
    }
}

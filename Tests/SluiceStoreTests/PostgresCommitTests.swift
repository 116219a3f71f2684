import Dispatch
import SluicePostgres
import SluicePostgresStore
import SluiceStore
import Synchronization
import TestSupport
import Testing

/// What a store says of a commit whose answer was lost.
@Suite struct PostgresCommitTests {
    private static func run() -> RunEntry {
        var run = RunEntry.sample(1)
        run.finishedAt = "2026-01-02T03:04:06.789Z"
        return run
    }

    /// The server kept the transaction, and the connection was cut before it said so.
    @Test func aCommitThatTheServerKept() throws {
        let cluster = try PostgresCluster()
        let server = try PostgresConnection(PostgresAddress(cluster.url))
        // Whoever wants it waits at the commit for a standby that does not exist; all others do not.
        try server.execute("ALTER ROLE postgres SET synchronous_commit = local")
        try server.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        try cluster.crash()
        try cluster.restart()
        let place = PostgresSchemaURL(server: cluster.url)
        try PostgresStore(PostgresStoreAddress(place.store)).prepare()

        let failure = Mutex<String?>(nil)
        let cutting = DispatchGroup()
        let url = cluster.url
        DispatchQueue(label: "cut").async(group: cutting) {
            do {
                try PostgresConnection(PostgresAddress(url)).execute(
                    """
                    SET statement_timeout = '60s';
                    DO $$ BEGIN LOOP
                        PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';
                        EXIT WHEN FOUND;
                        PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
                    END LOOP; END $$
                    """)
            } catch { failure.withLock { $0 = "\(error)" } }
        }
        let store = try PostgresStore(
            PostgresStoreAddress(place.store + "&options=-c%20synchronous_commit%3Don"))
        try store.begin()
        try store.runs.record(Self.run())
        // What was taken back says nothing of the rest.
        try store.beginSavepoint()
        try store.runs.record(.sample(2))
        try store.rollBackToSavepoint()
        try store.commit()
        cutting.wait()
        #expect(failure.withLock { $0 } == nil)
        // The store goes on with another connection.
        #expect(try store.runs.entry(id: 1) == Self.run())
        try store.begin()
        #expect(try store.runs.nextID() == 2)
        store.rollback()
    }

    /// Ends the connection within a commit, before anything is kept.
    private func cutCommits(of table: String, _ place: PostgresPlace) throws {
        let connection = try place.connect()
        try connection.execute(
            """
            CREATE FUNCTION \(place.table("cut"))() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON \(place.table(table)) DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION \(place.table("cut"))()
            """)
    }

    @Test func aCommitThatTheServerDidNotKeep() throws {
        let place = try PostgresPlace()
        try place.store().prepare()
        try cutCommits(of: "_sluice_runs", place)
        let store = try place.store()
        try store.begin()
        // What is checked before a commit is no part of it.
        _ = try store.settleReferences()
        try store.runs.record(Self.run())
        let error = try #require(throws: StoreError.self) { try store.commit() }
        #expect(error.code == .unavailable, "\(error)")
        #expect(try store.runs.entry(id: 1) == nil)
    }

    /// A run that is kept page by page writes the same entry with each page, so that it tells nothing of the last one.
    @Test(arguments: [false, true]) func aCommitBesideAnEntryThatWasKeptBefore(hasEntry: Bool) throws {
        let place = try PostgresPlace()
        try place.store().prepare()
        let store = try place.store()
        try store.begin()
        try store.runs.record(Self.run())
        try store.commit()
        try cutCommits(of: "_sluice_state", place)
        try store.begin()
        _ = try store.settleReferences()
        if hasEntry { try store.runs.record(Self.run()) }
        try store.state.set("1", pipeline: "p", stream: "s", name: "cursor")
        let error = try #require(throws: StoreError.self) { try store.commit() }
        #expect(error.code == .unavailable, "\(error)")
        #expect(try store.state.value(pipeline: "p", stream: "s", name: "cursor") == nil)
        #expect(try store.runs.entry(id: 1) == Self.run())
    }
}

import Dispatch
import Glibc
import SluicePostgres
import SluicePostgresStore
import SluiceStore
import Synchronization
import TestSupport
import Testing

/// A store whose server falls silent, or whose connection is gone.
@Suite struct PostgresSilenceTests {
    private func address(_ cluster: PostgresCluster) throws -> PostgresStoreAddress {
        // libpq's own limit is not what ends a wait here.
        try PostgresStoreAddress(PostgresSchemaURL(server: cluster.url + "&connect_timeout=300").store)
    }

    /// The connection that commits is gone, and the server takes others and says nothing on them.
    @Test(.timeLimit(.minutes(2))) func aLostCommitIsLookedForUntilADeadline() throws {
        let cluster = try PostgresCluster()
        let address = try address(cluster)
        let watcher = try PostgresConnection(PostgresAddress(cluster.url))
        let file = try watcher.run("SELECT pg_read_file('postmaster.pid')").string(0, 0)
        let postmaster = try #require(file?.split(separator: "\n").first.flatMap { pid_t($0) })
        let store = try PostgresStore(address)
        try store.prepare()
        try watcher.execute(
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_sleep(300); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON \(PostgresName.quoted("_sluice_runs", in: address.schema))
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()
            """)
        try store.begin()
        _ = try store.settleReferences()
        try store.runs.record(.sample(1))
        let failure = Mutex<String?>(nil)
        let cutting = DispatchGroup()
        let url = cluster.url
        defer { kill(postmaster, SIGCONT) }
        DispatchQueue(label: "cut").async(group: cutting) {
            do {
                let connection = try PostgresConnection(PostgresAddress(url))
                let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
                while try connection.integer(waiting) == 0 {}
                // From here on the system takes connections for the server, and nobody answers.
                kill(postmaster, SIGSTOP)
                try connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
            } catch { failure.withLock { $0 = "\(error)" } }
        }
        let error = try #require(throws: StoreError.self) { try store.commit() }
        cutting.wait()
        #expect(failure.withLock { $0 } == nil)
        #expect(error.code == .outcomeUnknown, "\(error)")
    }

    @Test(.timeLimit(.minutes(1))) func aLockIsLetGoOfWithoutAnAnswer() throws {
        let cluster = try PostgresCluster()
        var lock = try PostgresStoreLock(address(cluster), number: 5)
        #expect(lock?.isHeld == true)
        let watcher = try PostgresConnection(PostgresAddress(cluster.url))
        let holder = try #require(
            try watcher.integer("SELECT pid::int8 FROM pg_stat_activity WHERE state = 'idle in transaction'"))
        kill(pid_t(holder), SIGSTOP)
        defer { kill(pid_t(holder), SIGCONT) }
        lock = nil
    }

    /// What is done next, such as noting how a run ended, has a connection of its own.
    @Test func aTransactionBeginsWhereTheConnectionOfTheLastWasLost() throws {
        let place = try PostgresPlace()
        let store = try place.store()
        try store.prepare()
        try store.begin()
        try store.runs.record(.sample(1))
        // The statement by which its connection is found.
        _ = try store.runs.nextID()
        try place.connect().run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE state = 'idle in transaction' AND strpos(query, $1) > 0
            """, [PostgresValue(place.schema.replacing("\"", with: "\"\""))])
        let error = try #require(throws: StoreError.self) {
            while true { _ = try store.runs.nextID() }
        }
        #expect(error.code == .unavailable, "\(error)")
        store.rollback()
        try store.begin()
        #expect(try store.runs.nextID() == 1)
        try store.runs.record(.sample(1))
        try store.commit()
        #expect(try place.store().runs.entry(id: 1) == .sample(1))
    }

    /// Another program may wait as long as it likes for a lock, and not for ever where it is to wait for none.
    @Test(.timeLimit(.minutes(1))) func noTimeIsNoWait() throws {
        let place = try PostgresPlace()
        let store = try place.store()
        try store.prepare()
        try store.begin()
        let backend = PostgresBackend(address: try PostgresStoreAddress(place.url))
        let other = try backend.open(.running, StoreWaiting(busyMilliseconds: 0))
        let error = try #require(throws: StoreError.self) { try other.begin() }
        #expect(error.code == .locked && error.isBusy, "\(error)")
        store.rollback()
    }
}

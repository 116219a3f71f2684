import SluicePostgres
import SluicePostgresStore
import SluiceStore
import Testing

/// A store of PostgreSQL while programs count on it.
@Suite struct PostgresPresenceTests {
    private func presence(_ place: PostgresPlace) throws -> PostgresStorePresence {
        try PostgresStorePresence { try PostgresStore(PostgresStoreAddress(place.url)) }
    }

    private func exists(_ place: PostgresPlace) throws -> Bool {
        try place.connect().integer(
            "SELECT count(*) FROM pg_namespace WHERE nspname = $1", [PostgresValue(place.schema)]) == 1
    }

    @Test func whatWasMadeForNothingIsGoneAgain() throws {
        let place = try PostgresPlace()
        let presence = try presence(place)
        #expect(presence.isMade)
        let lock = try #require(try presence.lock(number: 7))
        #expect(try exists(place) && lock.isHeld)
        presence.removeIfBlank()
        #expect(try !exists(place))
        withExtendedLifetime(lock) {}
    }

    @Test func whatSomebodyHasWrittenStays() throws {
        let place = try PostgresPlace()
        let presence = try presence(place)
        let lock = try #require(try presence.lock(number: 7))
        let store = try place.store()
        try store.begin()
        try store.runs.record(.sample(1))
        try store.commit()
        presence.removeIfBlank()
        #expect(try place.store().runs.entry(id: 1) == .sample(1))
        withExtendedLifetime(lock) {}
    }

    @Test func whatAnotherCountsOnStays() throws {
        let place = try PostgresPlace()
        let (first, second) = (try presence(place), try presence(place))
        #expect(first.isMade && !second.isMade)
        let lock = try #require(try first.lock(number: 7))
        let other = try #require(try second.lock(number: 8))
        #expect(try second.lock(number: 7) == nil)
        first.removeIfBlank()
        #expect(try exists(place) && other.isHeld)
        withExtendedLifetime((lock, other)) {}
    }

    @Test func aTableOfSomebodyElseKeepsItsSchema() throws {
        let place = try PostgresPlace()
        try place.connect().execute(
            "CREATE SCHEMA \(PostgresName.quoted(place.schema)); CREATE TABLE \(place.table("theirs")) (id bigint)")
        let presence = try presence(place)
        let lock = try #require(try presence.lock(number: 7))
        presence.removeIfBlank()
        #expect(try exists(place) && place.rows(of: "theirs", ["id"]).isEmpty)
        #expect(try !place.store().isUsed())
        withExtendedLifetime(lock) {}
    }

    /// A server that ends the connection takes the lock with it, and that shows.
    @Test func aLockGoesWithItsConnection() throws {
        let place = try PostgresPlace()
        let presence = try presence(place)
        let lock = try #require(try presence.lock(number: 7))
        try place.connect().execute(
            """
            SELECT pg_terminate_backend(l.pid) FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
            JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = '\(place.schema)' AND l.pid <> pg_backend_pid()
            """)
        #expect(!lock.isHeld)
        #expect(try presence.lock(number: 7) != nil)
    }
}

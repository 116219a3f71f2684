import Dispatch
import SluicePostgres
import SluicePostgresStore
import SluiceStore
import Synchronization
import TestSupport
import Testing

@Suite("A store in a schema of PostgreSQL")
struct PostgresStoreTests {
    @Test(arguments: [
        ("postgres://bob:tops3cret@db/shop", "user=bob host=db dbname=shop schema=public"),
        ("postgres://bob@db/shop?schema=sales", "user=bob host=db dbname=shop schema=sales"),
        ("postgres://db/shop?schema=my%20sales&connect_timeout=5", "host=db dbname=shop schema=my sales"),
        ("postgres://db/shop?connect_timeout=5&schema=%C3%A9", "host=db dbname=shop schema=é"),
    ])
    func isNamedByAURL(_ text: String, _ shown: String) throws {
        #expect(try PostgresStoreAddress(text).description == shown)
    }

    @Test(arguments: [
        "postgres://db/shop?schema=", "postgres://db/shop?schema=a%00b", "postgres://db/shop?schema=%zz",
        "postgres://db/shop?schema=%f", "postgres://db/shop?schema=%ff", "postgres://bob:a@tops3cret@db/shop",
        "postgres://db/shop?schema=0123456789012345678901234567890123456789012345678901234567890123",
        "postgres://db/shop?schema=s&tops3cret",
    ])
    func otherURLsAreRefused(_ text: String) throws {
        let error = try #require(throws: StoreError.self) { _ = try PostgresStoreAddress(text) }
        #expect(error.code == .unavailable && !error.message.contains("tops3cret"), "\(error)")
    }

    @Test func isMadeByItsFirstTransactionAndNotBefore() throws {
        let place = try PostgresPlace()
        let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = $1"
        let store = try place.store()
        #expect(try store.runs.nextID() == 1)
        #expect(try place.connect().integer(schemas, [PostgresValue(place.schema)]) == 0)
        try store.begin()
        try store.state.set("1", pipeline: "p", stream: "s", name: "cursor")
        store.rollback()
        #expect(try place.connect().integer(schemas, [PostgresValue(place.schema)]) == 0)
        #expect(try store.state.value(pipeline: "p", stream: "s", name: "cursor") == nil)
        try store.begin()
        try store.state.set("1", pipeline: "p", stream: "s", name: "cursor")
        try store.commit()
        #expect(try place.store().state.value(pipeline: "p", stream: "s", name: "cursor") == "1")
    }

    @Test(arguments: [
        ("UPDATE _ SET value = '99'", StoreError.Code.newerFormat), ("UPDATE _ SET value = 'x'", .damaged),
        ("UPDATE _ SET value = '0'", .damaged), ("DELETE FROM _ WHERE true", .damaged),
        ("ALTER TABLE _ RENAME value TO other", .failed),
    ])
    func ofAnotherFormatIsRefused(_ change: String, _ code: StoreError.Code) throws {
        let place = try PostgresPlace()
        let store = try place.store()
        try store.begin()
        try store.commit()
        let table = place.table("_sluice_schema")
        try place.connect().execute(change.split(separator: "_ ", maxSplits: 1).joined(separator: table + " "))
        let error = try #require(throws: StoreError.self) { _ = try place.store() }
        #expect(error.code == code, "\(error)")
    }

    /// What a rule of a table stands against is refused, and the transaction goes on.
    @Test func aRefusedStatementChangesNothing() throws {
        let place = try PostgresPlace()
        let store = try place.store()
        try store.prepare()
        try place.connect().execute("ALTER TABLE \(place.table("_sluice_state")) ADD CHECK (value <> 'no')")
        try store.begin()
        try store.state.set("1", pipeline: "p", stream: "s", name: "a")
        let error = try #require(throws: StoreError.self) {
            try store.state.set("no", pipeline: "p", stream: "s", name: "b")
        }
        #expect(error.code == .rejected)
        try store.state.set("3", pipeline: "p", stream: "s", name: "c")
        try store.commit()
        #expect(try place.store().state.names("", pipeline: "p", stream: "s") == ["a", "c"])
    }

    @Test func textsForPeopleShowANULInsteadOfHavingIt() throws {
        let place = try PostgresPlace()
        let store = try place.store()
        var run = RunEntry.sample(1)
        run.error = "a\0b"
        run.warnings = [RunWarning(code: "w", message: "c\0")]
        try store.begin()
        try store.runs.record(run)
        try store.commit()
        let read = try #require(try place.store().runs.entry(id: 1))
        #expect(read.error == "a\u{2400}b" && read.warnings.map(\.message) == ["c\u{2400}"])
    }

    /// Each makes the tables where it finds none: one of them is first.
    @Test func severalProgramsMayMakeItAtOnce() throws {
        let place = try PostgresPlace()
        let url = place.url
        let failures = Mutex<[String]>([])
        // Threads of their own: the tasks of other tests may hold all that tasks have.
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            do {
                let store = try PostgresStore(PostgresStoreAddress(url))
                try store.begin()
                try store.state.set("v", pipeline: "p", stream: "s", name: "\(number)")
                try store.commit()
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try place.store().state.names("", pipeline: "p", stream: "s") == ["0", "1", "2", "3"])
    }

    /// No more is needed than a role that owns the schema.
    @Test func aRoleThatOwnsTheSchemaSuffices() throws {
        let place = try PostgresPlace()
        let connection = try place.connect()
        let (role, schema) = (PostgresName.quoted("owner of \(place.schema)"), PostgresName.quoted(place.schema))
        try connection.execute(
            "CREATE ROLE \(role); GRANT \(role) TO current_user; CREATE SCHEMA \(schema) AUTHORIZATION \(role)")
        defer {
            try? connection.execute(
                "SET client_min_messages = warning; DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)")
        }
        let name = "owner of \(place.schema)".replacing(" ", with: "%20").replacing("\"", with: "%22")
        // Sessions become that role by their own settings.
        let options = "&options=-c%20role%3D" + name.replacing("%20", with: "%5C%20")
        let store = try PostgresStore(PostgresStoreAddress(place.url + options))
        try store.begin()
        try store.runs.record(.sample(1))
        try store.commit()
        #expect(try store.runs.entry(id: 1) == .sample(1))
        let owner = try connection.run(
            "SELECT tableowner::text FROM pg_tables WHERE schemaname = $1", [PostgresValue(place.schema)])
        #expect(owner.rowCount > 0 && owner.values.allSatisfy { $0 == [PostgresValue("owner of \(place.schema)")] })
    }
}

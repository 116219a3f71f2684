import SluicePostgres
import SluicePostgresStore
import SluiceStore
import SluiceSystem
import TestSupport
import Testing

/// Stores of one run on PostgreSQL that come one after the other: the server makes a process for each connection.
@Suite struct SpareConnectionTests {
    private let place: PostgresPlace

    init() throws { place = try PostgresPlace() }

    @Test func theNextOneTakesTheConnection() throws {
        let spare = SpareConnection()
        #expect(spare.take("SELECT 1") == nil)
        let first = try place.connect()
        try first.run("SELECT $1::text", [PostgresValue("x")])
        first.deadline = .now + .seconds(60)
        spare.leave(first)
        let next = try #require(spare.take("SET lock_timeout = 1234"))
        #expect(next.processID == first.processID && next.keptCount == 0 && next.deadline == nil)
        #expect(try next.run("SHOW lock_timeout").string(0, 0) == "1234ms")
        #expect(spare.take("SELECT 1") == nil, "It was taken.")
    }

    /// What the next one could not use, or would wonder at.
    @Test(arguments: [false, true]) func isNotLeftToTheNextOne(isInterrupted: Bool) throws {
        let spare = SpareConnection()
        let connection = try place.connect()
        if isInterrupted {
            connection.makeInterrupt()()
        } else {
            try place.connect().run(
                "SELECT pg_catalog.pg_terminate_backend($1::int8::int4)", [.integer(Int64(connection.processID))])
        }
        spare.leave(connection)
        #expect(spare.take("SELECT 1") == nil)
    }

    @Test(arguments: [false, true]) func aTransactionIsTakenBack(isFailed: Bool) throws {
        let spare = SpareConnection()
        let connection = try place.connect()
        try connection.begin()
        try connection.execute("CREATE TABLE never (a int)")
        if isFailed { #expect(throws: PostgresError.self) { try connection.execute("SELECT 1/0") } }
        spare.leave(connection)
        let next = try #require(spare.take("SELECT 1"))
        #expect(next.processID == connection.processID && next.transactionState == .none)
        #expect(throws: PostgresError.self) { try next.execute("SELECT 1 FROM never") }
    }

    @Test func aSecondOneIsEnded() throws {
        let spare = SpareConnection()
        let (first, second) = (try place.connect(), try place.connect())
        let process = first.processID
        spare.leave(first)
        spare.leave(second)
        #expect(spare.take("SELECT 1")?.processID == process)
        #expect(spare.take("SELECT 1") == nil)
    }

    /// What a run does one after the other: a look at the place, a lock, a note, a question, and the store itself.
    @Test func oneRunNeedsTwoConnections() throws {
        let name = "spare-" + place.schema.filter(\.isNumber)
        let address = try PostgresStoreAddress(place.url + "&application_name=" + name)
        let cancellation = Cancellation()
        let backend = PostgresBackend(address: address).stoppable(by: cancellation)
        var processes: Set<Int64> = []
        func look() throws {
            let found = try place.connect().run(
                "SELECT pid::int8 FROM pg_stat_activity WHERE application_name = $1", [PostgresValue(name)])
            processes.formUnion((0..<found.rowCount).compactMap { found.integer($0, 0) })
        }
        try backend.check(for: .writing)
        try look()
        let presence = try backend.presence(cancellation: cancellation)
        let lock = try presence.lock(.pipeline("shop"))
        try look()
        for _ in 0..<3 {
            #expect(try backend.openToRead(busyMilliseconds: 100) != nil)
            try look()
        }
        let store = try backend.open(.running, StoreWaiting())
        try store.begin()
        try look()
        try store.commit()
        #expect(processes.count == 2 && lock?.isHeld == true)

        // Where nobody says that the uses are of one run, each has its own.
        let free = PostgresBackend(address: address)
        for _ in 0..<3 {
            let looking = try free.openToRead(busyMilliseconds: 100)
            try look()
            withExtendedLifetime(looking) {}
        }
        #expect(processes.count == 5)
    }
}

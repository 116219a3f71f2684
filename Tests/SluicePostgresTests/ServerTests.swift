import Dispatch
import Foundation
import SluicePostgres
import TestSupport
import Testing

/// What a server does to its connections, with a server of their own.
@Suite("A PostgreSQL server that goes away", .serialized, .timeLimit(.minutes(2)))
struct ServerTests {
    private static let started = Result { try PostgresCluster() }

    @Test func endsARunningStatementWithAClearError() throws {
        let cluster = try Self.started.get()
        let address = try PostgresAddress(cluster.url)
        let connection = try PostgresConnection(address)
        try connection.execute("CREATE TABLE t (a int8); INSERT INTO t VALUES (1)")
        try connection.begin()
        try connection.run("INSERT INTO t VALUES (2)")
        let crashed = Gate()
        let watcher = try PostgresConnection(address)
        DispatchQueue(label: "crash").async {
            // Once the statement runs.
            let running = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(60)'"
            while (try? PostgresConnection(address).integer(running)) == 0 {}
            try? cluster.crash()
            crashed.open()
        }
        let error = try #require(throws: PostgresError.self) { try connection.run("SELECT pg_sleep(60)") }
        crashed.wait()
        #expect(error.isConnectionLost && !error.isRetriable && error.sql == "SELECT pg_sleep(60)")
        #expect("\(error)".contains("What was not committed is undone."), "\(error)")
        #expect(connection.transactionState == .lost)

        // Whatever is done with a connection that is gone says so; also one that did nothing meanwhile.
        for gone in [connection, watcher] {
            let attempts: [() throws -> Void] = [
                { try gone.execute("SELECT 1") }, { try gone.run("SELECT 1") },
                { try gone.copy(into: "t", columns: ["a"]) { $0.row([.integer(1)]) } },
                { try gone.inTransaction { _ = try gone.run("SELECT 1") } },
            ]
            for attempt in attempts {
                let error = try #require(throws: PostgresError.self) { try attempt() }
                #expect(error.isConnectionLost, "\(error)")
            }
        }
        let refused = try #require(throws: PostgresError.self) { _ = try PostgresConnection(address) }
        #expect(refused.code == .cannotConnect && "\(refused)".contains("Check host, port"))

        try cluster.restart()
        #expect(try PostgresConnection(address).run("SELECT a FROM t").values == [[.integer(1)]])
    }

    @Test func endsACopyWithAClearError() throws {
        let cluster = try Self.started.get()
        let connection = try PostgresConnection(PostgresAddress(cluster.url))
        try connection.execute("CREATE TABLE texts (a text)")
        let text = PostgresValue(String(repeating: "x", count: 10_000))
        let error = try #require(throws: PostgresError.self) {
            try connection.copy(into: "texts", columns: ["a"]) { copy in
                for row in 0..<5_000 {
                    if row == 100 { try cluster.crash() }
                    copy.row([text])
                }
            }
        }
        #expect(error.isConnectionLost, "\(error)")
        try cluster.restart()
    }

    @Test func anotherConnectionEndsThisOne() throws {
        let connection = try connected()
        let identity = try #require(try connection.integer("SELECT pg_backend_pid()::int8"))
        try connected().run("SELECT pg_terminate_backend($1::int8::int4)", [.integer(identity)])
        let error = try #require(throws: PostgresError.self) {
            while true { try connection.run("SELECT 1") }
        }
        #expect(error.isConnectionLost)
    }

    /// Whether its words come while a statement waits for them or with an answer of before, which this program reads only when it is back.
    @Test(arguments: [false, true]) func aTimeoutOfTheServerEndsTheConnection(late: Bool) throws {
        let proxy = try LateProxy(to: Self.started.get().socketPath)
        let address = "postgres://postgres@127.0.0.1:\(proxy.port)/postgres?sslmode=disable"
        let connection = try PostgresConnection(PostgresAddress(address))
        let identity = try #require(try connection.integer("SELECT pg_backend_pid()::int8"))
        if late { proxy.beLate() }
        try connection.execute("SET idle_in_transaction_session_timeout = 1; BEGIN")
        // Until the server's process is gone: what it closes while a statement is on its way to it says only that the connection is lost.
        while kill(pid_t(identity), 0) == 0 || errno == EPERM { sched_yield() }
        let error = try #require(throws: PostgresError.self) { try connection.run("SELECT 1") }
        #expect(error.isConnectionLost && error.isTimedOut, "\(error)")
        #expect(error.remedy?.hasSuffix("Repeat it.") == true)
    }

    @Test func asksForPasswordsThatNoErrorShows() throws {
        let cluster = try Self.started.get()
        let open = try PostgresConnection(PostgresAddress(cluster.url(user: "locked", password: "open%20sesame")))
        #expect(try open.run("SELECT current_user::text").string(0, 0) == "locked")
        #expect(!open.place.contains("sesame") && open.place.hasPrefix("postgres on /"))

        let wrong = try #require(throws: PostgresError.self) {
            _ = try PostgresConnection(PostgresAddress(cluster.url(user: "locked", password: "tops3cret")))
        }
        #expect("\(wrong)".contains("password authentication failed for user \"locked\""), "\(wrong)")
        #expect(!"\(wrong)".contains("tops3cret"))

        let none = try #require(throws: PostgresError.self) {
            _ = try PostgresConnection(PostgresAddress(cluster.url(user: "locked") + "&passfile=/nowhere/at/all"))
        }
        #expect("\(none)".contains("PGPASSWORD"), "\(none)")
    }
}

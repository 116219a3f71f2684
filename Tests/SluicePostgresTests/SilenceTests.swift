import Dispatch
import Glibc
import SluicePostgres
import SluiceSystem
import TestSupport
import Testing

/// Whatever waits for a server ends by a request to stop or at a deadline, also where the server never says another word.
@Suite("A PostgreSQL server that says nothing", .serialized, .timeLimit(.minutes(1)))
struct SilenceTests {
    private static let started = Result { try PostgresCluster() }

    private static func address() throws -> PostgresAddress { try PostgresAddress(started.get().url) }

    /// The address of a server that takes connections and never says a word on them.
    private static func address(_ server: SilentServer) throws -> PostgresAddress {
        try PostgresAddress("postgres://postgres@127.0.0.1:\(server.port)/shop?sslmode=disable")
    }

    /// Has the server say nothing more on a connection.
    private func silence(_ connection: PostgresConnection, _ body: () throws -> Void) rethrows {
        let process = connection.processID
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        try body()
    }

    /// What ends a wait.
    enum End {
        case deadline, cancellation, cancellationBefore, interrupt
    }

    /// What waits.
    enum Wait: CaseIterable {
        case statements, execute, copy, copyAside
    }

    /// All that waits, and each way to end that: a request to stop leaves the server some seconds.
    static let waits: [(End, Wait)] =
        Wait.allCases.map { (.deadline, $0) } + [
            (.cancellation, .copyAside), (.cancellationBefore, .execute), (.interrupt, .statements),
        ]

    @Test(arguments: waits) func anAnswer(_ end: End, _ wait: Wait) throws {
        let cancellation = Cancellation()
        let connection = try PostgresConnection(Self.address(), cancellation: cancellation)
        try connection.execute("CREATE TEMPORARY TABLE t (a text)")
        let text = String(repeating: "x", count: 10_000)
        var rows = PostgresRows(columnCount: 1)
        for _ in 0..<2_000 {
            rows.begin()
            rows.fields.append(text: text)
        }
        func begin() {
            switch end {
            case .deadline: connection.deadline = .now + .milliseconds(200)
            case .cancellation:
                DispatchQueue(label: "stop").asyncAfter(deadline: .now() + 0.2) { cancellation.cancel() }
            case .cancellationBefore: cancellation.cancel()
            case .interrupt:
                let interrupt = connection.makeInterrupt()
                DispatchQueue(label: "stop").asyncAfter(deadline: .now() + 0.2) { interrupt() }
            }
        }
        let error = try #require(throws: PostgresError.self) {
            switch wait {
            case .statements, .execute:
                try silence(connection) {
                    begin()
                    if wait == .execute { try connection.execute("SELECT 1") } else { try connection.run("SELECT 1") }
                }
            // More than fits into the buffers on the way.
            case .copy:
                try connection.copy(into: "t", columns: ["a"]) { copy in
                    silence(connection) {
                        begin()
                        for _ in 0..<2_000 { copy.row([PostgresValue(text)]) }
                    }
                }
            case .copyAside:
                try connection.copyAside(into: "t", columns: ["a"], rows, 0..<1)
                try connection.settle()
                try silence(connection) {
                    begin()
                    try connection.copyAside(into: "t", columns: ["a"], rows, 0..<rows.count)
                    try connection.settle()
                }
            }
        }
        #expect(error.isConnectionLost && error.message == "the server gave no answer", "\(error)")
        #expect(connection.transactionState == .lost)
        // What comes behind does not wait again.
        #expect(throws: PostgresError.self) { try connection.rollback() }
    }

    /// A connection that goes while rows are on their way waits for nobody.
    @Test func aConnectionThatGoes() throws {
        var connection: PostgresConnection? = try PostgresConnection(Self.address())
        let process = try #require(connection?.processID)
        try connection?.execute("CREATE TEMPORARY TABLE t (a text)")
        var rows = PostgresRows(columnCount: 1)
        for _ in 0..<2_000 {
            rows.begin()
            rows.fields.append(text: String(repeating: "x", count: 10_000))
        }
        try connection?.copyAside(into: "t", columns: ["a"], rows, 0..<rows.count)
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        connection = nil
    }

    @Test(arguments: [End.deadline, .cancellation, .cancellationBefore]) func aNewConnection(_ end: End) throws {
        let server = try SilentServer()
        let cancellation = Cancellation()
        var deadline: ContinuousClock.Instant?
        switch end {
        case .deadline: deadline = .now + .milliseconds(200)
        case .cancellationBefore: cancellation.cancel()
        default: DispatchQueue(label: "stop").asyncAfter(deadline: .now() + 0.2) { cancellation.cancel() }
        }
        let start = ContinuousClock.now
        let error = try #require(throws: PostgresError.self) {
            _ = try PostgresConnection(Self.address(server), cancellation: cancellation, deadline: deadline)
        }
        #expect(error.code == .cannotConnect && error.message == "the server gave no answer", "\(error)")
        #expect(ContinuousClock.now - start < .seconds(14), "libpq itself gives up after 15 s")
    }

    /// A request to stop leaves what is answered as it is: a store is told how a run ended.
    @Test func aServerThatAnswersGoesOn() throws {
        let cancellation = Cancellation()
        let connection = try PostgresConnection(Self.address(), cancellation: cancellation)
        cancellation.cancel()
        #expect(try connection.integer("SELECT 7::int8") == 7)
        let next = try PostgresConnection(Self.address(), cancellation: cancellation)
        #expect(try next.integer("SELECT 7::int8") == 7)
        #expect(connection.wasInterrupted && next.wasInterrupted)
    }
}

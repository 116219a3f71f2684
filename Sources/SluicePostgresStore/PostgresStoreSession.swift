internal import SluicePostgres
internal import SluiceSchedule
internal import SluiceStore
internal import SluiceSystem
internal import Synchronization

/// The connection of a store, and the names of its tables.
final class PostgresStoreSession {
    private(set) var connection: PostgresConnection
    /// What cancels the running statement from another thread, whichever connection the session has.
    let interrupt: SessionInterrupt
    let schema: String
    /// How errors call the store.
    let place: String
    /// Whether our tables are known to be there: what was made in a transaction may be taken back with it.
    var hasTables = false

    private let address: PostgresAddress
    /// The claim by which a run commits; nil where none is needed.
    private let ticket: PoolTicket?
    /// What ends waits for the server; nil where nothing does.
    private let cancellation: Cancellation?
    /// Where the connection goes in the end; nil where it ends.
    private let spare: SpareConnection?
    private let connect: (_ deadline: ContinuousClock.Instant?) throws(PostgresError) -> PostgresConnection
    /// For how long a question beside the work is waited for.
    private static let briefWait = Duration.seconds(5)

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - schema: The schema of the store.
    ///   - ticket: The claim by which a run commits; nil where none is needed.
    ///   - cancellation: What ends waits for the server; nil where nothing does.
    ///   - spare: Where the connection goes in the end; nil where it ends.
    ///   - connect: Makes a connection whose values have the forms that a store reads, and whose answers are waited for until a
    ///     deadline.
    /// - Throws: ``PostgresError``.
    init(
        _ address: PostgresAddress, schema: String, ticket: PoolTicket? = nil, cancellation: Cancellation? = nil,
        spare: SpareConnection? = nil,
        connect: @escaping (_ deadline: ContinuousClock.Instant?) throws(PostgresError) -> PostgresConnection
    ) throws(PostgresError) {
        (self.address, self.ticket, self.cancellation, self.spare) = (address, ticket, cancellation, spare)
        self.connect = connect
        connection = try connect(nil)
        interrupt = SessionInterrupt(connection)
        self.schema = schema
        place = "\(connection.place), schema \(schema)"
    }

    deinit { spare?.leave(connection) }

    /// Whether the work is to end.
    var isCancelled: Bool { cancellation?.isCancelled ?? false }

    /// Makes a new connection in the place of one that was lost.
    ///
    /// - Parameter deadline: Until when answers are waited for; nil for as long as the server takes.
    /// - Throws: ``PostgresError``.
    func reconnect(until deadline: ContinuousClock.Instant? = nil) throws(PostgresError) {
        connection = try connect(deadline)
        interrupt.lead(to: connection)
    }

    /// Takes back what is open, and waits for it no longer than a moment: a server that does not answer takes it back by itself
    /// once the connection is gone.
    func letGo() {
        connection.deadline = .now + Self.briefWait
        try? connection.rollback()
    }

    /// The table `_sluice_…` as statements name it.
    subscript(_ table: String) -> String { PostgresName.quoted("_sluice_" + table, in: schema) }

    /// Whether a run has used the store yet: one that was only opened has no tables, and all that is asked of it is empty.
    func isUsed() throws(PostgresError) -> Bool {
        if hasTables { return true }
        let found = try connection.integer(
            "SELECT \(PostgresDatabase.relation(kinds: "'r', 'p'"))::bigint",
            [PostgresValue(schema), PostgresValue("_sluice_schema")])
        // In a transaction they may be its own.
        hasTables = found != nil && connection.transactionState == .none
        return found != nil
    }

    /// The rows of a query; none where there are no tables yet.
    func rows(_ sql: @autoclosure () -> String, _ values: [PostgresValue] = []) throws -> [[PostgresValue]] {
        try translated {
            guard try isUsed() else { return [] }
            return try connection.run(sql(), values).values
        }
    }

    /// Runs statements that write, all of them or none: where one is refused, an open transaction goes on as it was.
    ///
    /// - Returns: The result of each.
    /// - Throws: ``StoreError``.
    @discardableResult
    func write(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
        try translated {
            guard connection.transactionState == .open else { return try connection.run(together: statements) }
            let guarded =
                [PostgresStatement("SAVEPOINT sluice_write")] + statements + [
                    PostgresStatement("RELEASE SAVEPOINT sluice_write")
                ]
            do {
                return Array(try connection.run(together: guarded).dropFirst().dropLast())
            } catch {
                if connection.transactionState == .failed { try? connection.rollBack(to: "sluice_write") }
                throw error
            }
        }
    }

    /// Runs one statement that writes.
    @discardableResult
    func write(_ sql: String, _ values: [PostgresValue]) throws -> PostgresResult {
        let results = try write([PostgresStatement(sql, PostgresParameters(values))])
        guard let result = results.first else { throw StoreError(.failed, "The store `\(place)` gave no answer.") }
        return result
    }

    /// Runs a body whose errors of PostgreSQL become those of a store.
    func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PostgresError { throw failure(error) }
    }

    /// What an error of PostgreSQL means for the store.
    func failure(_ error: PostgresError) -> StoreError {
        if error.code == .cancelled && !connection.wasInterrupted { return StoreError(cutOff: error, place: place) }
        // Who takes a run over ends its connections.
        if error.isConnectionLost, let error = supersession() { return error }
        if error.code == .insufficientPrivilege, !error.isOfRowSecurity, let problem = access()?.problem(of: place) {
            return StoreError(.unavailable, problem)
        }
        return StoreError(error, place: place, holder: error.isLockNotAvailable ? holder()?.sentence : nil)
    }

    /// Why a run keeps nothing whose claim another worker has; nil where it has its claim still, or needs none, or the server
    /// cannot be asked.
    func supersession() -> StoreError? {
        guard let ticket, let asking = asking() else { return nil }
        return try? PostgresSchedulePool.supersession(ticket, self, asking)
    }

    /// What the role may do with the store's own tables; nil where that cannot be asked.
    private func access() -> PostgresAccess? {
        // The transaction in which something was refused can ask for nothing.
        guard let asking = asking() else { return nil }
        return PostgresAccess(asking, schema: schema)
    }

    /// Who has locked tables of the store, or rows of them, for the longest time; nil where nobody has any more.
    private func holder() -> PostgresLockHolder? {
        // The transaction that waited in vain can ask for nothing.
        guard let asking = asking() else { return nil }
        return PostgresLockHolder.longest(in: schema, besides: connection.processID, asking)
    }

    /// Another connection for a few questions; nil where the server does not answer.
    private func asking() -> PostgresConnection? {
        try? PostgresConnection(address, cancellation: cancellation, deadline: .now + Self.briefWait)
    }
}

/// Cancels what the connection of a session runs, also after it was replaced.
final class SessionInterrupt: Sendable {
    private let current: Mutex<@Sendable () -> Void>

    init(_ connection: PostgresConnection) { current = Mutex(connection.makeInterrupt()) }

    func lead(to connection: PostgresConnection) {
        let interrupt = connection.makeInterrupt()
        current.withLock { $0 = interrupt }
    }

    func callAsFunction() { current.withLock { $0 }() }
}

extension PostgresValue {
    /// A text that people read, or null. PostgreSQL has no NUL in texts: its picture takes its place.
    init(shown text: String?) {
        guard let text, text.utf8.contains(0) else {
            self.init(text)
            return
        }
        self.init(String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 })))
    }

    /// An integer, or null.
    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }

    /// The number of an integer column; nil for null.
    var number: Int64? {
        if case .integer(let value) = self { return value }
        return nil
    }

    /// The text of a text column; nil for null.
    var string: String? {
        if case .text(let bytes) = self { return String(decoding: bytes, as: UTF8.self) }
        return nil
    }

    /// The bytes of a `bytea`; none for null.
    var blob: [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        return []
    }
}

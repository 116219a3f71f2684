internal import CSluicePostgres
package import SluiceSystem

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A connection to one PostgreSQL database, for one thread at a time.
@safe
package final class PostgresConnection {
    let handle: OpaquePointer
    /// What ends waits for the server: whatever waits for it does so through this.
    let waits: ServerWaits
    /// What the connection is ended by, and its entry there.
    private let stop: (cancellation: Cancellation, registration: Int)?
    private let notices = NoticeBox()
    /// Passwords, which no error shows.
    private let secrets: [String]
    var statements = PreparedNames()
    /// The rows that are on their way, see ``copyAside(into:columns:_:_:)``.
    var sending: SendingCopy?
    /// How often the server was asked and its answer waited for.
    package internal(set) var roundTrips = 0
    /// How many statements were sent.
    package internal(set) var sentStatements = 0

    /// Connects. Texts are UTF-8 in both directions, whatever the environment says.
    ///
    /// - Parameters:
    ///   - address: Where to; its `connect_timeout`, or that of the environment, bounds the time, which else is 15 seconds a
    ///     host.
    ///   - cancellation: Cancels what runs, and ends what waits for a server that does not answer to that. Where it is raised
    ///     already, each answer is waited for a moment.
    ///   - deadline: Until when answers are waited for at first, see ``deadline``.
    /// - Throws: ``PostgresError`` with the code `cannotConnect`.
    package init(
        _ address: PostgresAddress, cancellation: Cancellation? = nil, deadline: ContinuousClock.Instant? = nil
    ) throws(PostgresError) {
        // What stands behind the address holds over it, and what stands before it is a default.
        var options = [
            ("fallback_application_name", "sluice"), ("dbname", address.text), ("client_encoding", "UTF8"),
        ]
        // Without a limit a host that answers nothing is waited for as long as the system does: minutes.
        if unsafe getenv("PGCONNECT_TIMEOUT") == nil { options.insert(("connect_timeout", "15"), at: 0) }
        let opened = unsafe try ConnectionAttempt(options).result(until: deadline, cancellation)
        var secrets = address.secrets
        if let password = unsafe PQpass(opened) { secrets.append(unsafe String(cString: password)) }
        self.secrets = secrets
        guard unsafe PQstatus(opened) == CONNECTION_OK, let request = unsafe CancelRequest(opened),
            let waits = unsafe ServerWaits(socket: PQsocket(opened), request)
        else {
            var message = unsafe ErrorText.line(String(cString: PQerrorMessage(opened)))
            if unsafe PQconnectionNeedsPassword(opened) == 1 {
                message += "; give one in PGPASSWORD or a password file"
            }
            unsafe PQfinish(opened)
            throw PostgresError(code: .cannotConnect, message: ErrorText.redacted(message, secrets))
        }
        unsafe handle = opened
        self.waits = waits
        waits.deadline = deadline
        if cancellation?.isCancelled == true {
            waits.hurry()
            stop = nil
        } else {
            stop = cancellation.map { ($0, $0.onCancel { waits.interrupt() }) }
        }
        let context = unsafe Unmanaged.passUnretained(notices).toOpaque()
        _ = unsafe PQsetNoticeReceiver(
            handle,
            { context, result in
                guard let context = unsafe context, let result = unsafe result else { return }
                unsafe Unmanaged<NoticeBox>.fromOpaque(context).takeUnretainedValue().receive(result)
            }, context)
    }

    deinit {
        if let stop { stop.cancellation.remove(stop.registration) }
        // Rows that are on their way are of no interest any more.
        if sending != nil { waits.shut() }
        abandonSending()
        waits.end()
        unsafe PQfinish(handle)
    }

    /// Until when answers are waited for; nil for as long as the server takes. A connection whose answer does not come in time
    /// is ended.
    package var deadline: ContinuousClock.Instant? {
        get { waits.deadline }
        set { waits.deadline = newValue }
    }

    /// Runs one statement with values, prepared unless it is there from before: one round trip in either case.
    ///
    /// - Parameters:
    ///   - sql: One statement, with `$1`, `$2`, … for its values.
    ///   - values: The values.
    /// - Returns: The rows of a query, none for other statements.
    /// - Throws: ``PostgresError`` with the text of the statement.
    @discardableResult
    package func run(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) -> PostgresResult {
        try run(PostgresStatement(sql, PostgresParameters(values)))
    }

    /// Runs statements without values and ignores their rows: several that semicolons separate are one transaction, unless
    /// one is open.
    ///
    /// - Throws: ``PostgresError``.
    package func execute(_ sql: String) throws(PostgresError) {
        try settle()
        try Self.check(sql)
        roundTrips += 1
        sentStatements += 1
        guard let result = unsafe waits.during({ unsafe PQexec(handle, sql) }) else { throw failure(sql: sql) }
        let finished = unsafe PostgresResult(result)
        if !finished.isSuccess { throw error(of: finished, sql: sql) }
    }

    /// The first column of a query's first row as an integer, or nil where there is no row or it is null.
    ///
    /// - Throws: ``PostgresError``.
    package func integer(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) -> Int64? {
        let result = try run(sql, values)
        return result.rowCount == 0 ? nil : result.integer(0, 0)
    }

    /// A statement ends for libpq at a NUL: what follows would be left out in silence.
    static func check(_ sql: String) throws(PostgresError) {
        guard sql.utf8.contains(0) else { return }
        let shown = String(decoding: sql.utf8.prefix { $0 != 0 }, as: UTF8.self)
        throw PostgresError(code: .syntax, message: "the statement has a NUL in it", sql: shown)
    }

    /// Whether a transaction is open.
    package var transactionState: TransactionState {
        // Another thread has the connection.
        if sending != nil { return .open }
        return switch unsafe PQtransactionStatus(handle) {
        case PQTRANS_IDLE: .none
        case PQTRANS_ACTIVE, PQTRANS_INTRANS: .open
        case PQTRANS_INERROR: .failed
        default: .lost
        }
    }

    /// What a connection knows of its transaction.
    package enum TransactionState: Sendable {
        /// None is open.
        case none
        /// One is open.
        case open
        /// One is open, and a statement of it failed: it can only be taken back, whole or to a savepoint.
        case failed
        /// The connection is gone.
        case lost
    }

    /// The version of libpq, such as `15.18`.
    package static var libraryVersion: String {
        let version = Int(PQlibVersion())
        return "\(version / 10_000).\(version % 10_000)"
    }

    /// The encoding of the database, such as `UTF8`. What it has no character for cannot be stored.
    package var serverEncoding: String {
        unsafe PQparameterStatus(handle, "server_encoding").map { unsafe String(cString: $0) } ?? ""
    }

    /// The number of the server's process that serves this connection.
    package var processID: Int32 { unsafe PQbackendPID(handle) }

    /// The server's version: 150018 is 15.18.
    package var serverVersion: Int { unsafe Int(PQserverVersion(handle)) }

    /// Where the connection goes, for people: `shop on db.example.com:5432`.
    package var place: String {
        let host = unsafe PQhost(handle).map { unsafe String(cString: $0) } ?? ""
        let port = unsafe PQport(handle).map { unsafe String(cString: $0) } ?? ""
        let database = unsafe PQdb(handle).map { unsafe String(cString: $0) } ?? ""
        return ErrorText.redacted("\(database) on \(host):\(port)", secrets)
    }

    /// What the server said beside its answers since this was asked last.
    ///
    /// - Returns: The first notices, and how many there were in all.
    package func takeNotices() -> (notices: [PostgresNotice], count: Int) {
        defer { (notices.notices, notices.count) = ([], 0) }
        return (notices.notices, notices.count)
    }

    /// What cancels this connection's running statement from another thread; it does nothing once the connection is gone.
    /// Where no statement runs it cancels none, unless one begins meanwhile. Where the server does not answer to it within a
    /// moment, the connection is ended.
    package func makeInterrupt() -> @Sendable () -> Void {
        let waits = waits
        return { waits.interrupt() }
    }

    /// Whether this program wanted something to end. Else the server or somebody else ended a statement that
    /// counts as cancelled.
    package var wasInterrupted: Bool { waits.wasInterrupted }

    /// What went wrong where libpq gave no result.
    func failure(_ code: PostgresError.Code? = nil, sql: String?, position: Int? = nil) -> PostgresError {
        let isLost = unsafe PQstatus(handle) != CONNECTION_OK
        if isLost, let farewell = notices.farewell {
            return PostgresError(
                code: farewell.code, message: ErrorText.redacted(farewell.message, secrets), sql: sql,
                position: position)
        }
        let message =
            waits.isGivenUp
            ? "the server gave no answer" : unsafe ErrorText.line(String(cString: PQerrorMessage(handle)))
        return PostgresError(
            code: code ?? (isLost ? .connectionLost : .protocolViolation),
            message: ErrorText.redacted(message.isEmpty ? "the connection is gone" : message, secrets), sql: sql,
            position: position)
    }

    /// What a result says went wrong.
    func error(of result: PostgresResult, sql: String?, position: Int? = nil) -> PostgresError {
        let fields = result.fields
        guard let code = fields.code else {
            // Only libpq itself gives no code: where the connection broke, also before its state says so.
            return failure(.connectionLost, sql: sql, position: position)
        }
        var message = ErrorText.withoutValue(ErrorText.line(fields.message ?? ""), code)
        // What depends on an object is named there alone; of other errors the detail quotes values.
        if code == .dependentObjects, let detail = fields.detail {
            message += ": " + ErrorText.lines(detail).joined(separator: ", ")
        }
        return PostgresError(
            code: code, message: ErrorText.redacted(message, secrets), schema: fields.schema, table: fields.table,
            column: fields.column, constraint: fields.constraint,
            routine: fields.context.flatMap { ErrorText.routine(of: $0) },
            isRaised: fields.context.map { ErrorText.isRaised(in: $0, by: fields.origin) } ?? false,
            isOfRowSecurity: fields.origin == "check_enable_rls", sql: sql, position: position)
    }
}

@available(*, unavailable)
extension PostgresConnection: Sendable {}

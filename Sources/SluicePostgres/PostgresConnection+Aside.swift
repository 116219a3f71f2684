internal import CSluicePostgres
internal import Dispatch

extension PostgresConnection {
    private static let queue = DispatchQueue(label: "sluice.postgres.copy", attributes: .concurrent)

    /// Adds rows by `COPY` while the program goes on. Whatever is asked of the connection next waits for them, and throws what
    /// went wrong with them; a transaction in which that happens can only be taken back.
    ///
    /// - Parameters:
    ///   - table: The table, quoted.
    ///   - columns: The columns that each row has, in this order, not quoted.
    ///   - all: Rows, which stay as they are meanwhile.
    ///   - rows: Which of them are added.
    /// - Throws: ``PostgresError`` where the server does not begin.
    package func copyAside(
        into table: String, columns: [String], _ all: PostgresRows, _ rows: Range<Int>
    ) throws(PostgresError) {
        let sql = try beginCopy(into: table, columns: columns)
        let sending = unsafe SendingCopy(handle, waits, columnCount: columns.count, sql: sql, count: rows.count)
        self.sending = sending
        Self.queue.async { sending.send(all, rows) }
    }

    /// Adds rows by `COPY`, and has something else done while they are on their way.
    ///
    /// - Parameters:
    ///   - table: The table, quoted.
    ///   - columns: The columns that each row has, in this order, not quoted.
    ///   - all: Rows.
    ///   - rows: Which of them are added.
    ///   - meanwhile: What is done; it asks nothing of the connection.
    /// - Returns: The number of rows that were added.
    /// - Throws: ``PostgresError``; no row is added then.
    package func copy(
        into table: String, columns: [String], _ all: PostgresRows, _ rows: Range<Int>, meanwhile: () -> Void
    ) throws(PostgresError) -> Int {
        let sql = try beginCopy(into: table, columns: columns)
        let copy = unsafe SendingCopy(handle, waits, columnCount: columns.count, sql: sql, count: rows.count)
        Self.queue.async { copy.send(all, rows) }
        meanwhile()
        copy.hasSent.wait()
        return try endCopy(sql, copy.isEnded ? nil : failure(sql: sql))
    }

    /// Waits for rows that are on their way.
    ///
    /// - Throws: ``PostgresError`` that says what went wrong with them.
    package func settle() throws(PostgresError) {
        guard let sending else { return }
        sending.hasSent.wait()
        self.sending = nil
        let count = try endCopy(sending.sql, sending.isEnded ? nil : failure(sql: sending.sql))
        if count != sending.count {
            throw PostgresError(
                code: .protocolViolation, message: "\(count) of \(sending.count) rows were added", sql: sending.sql)
        }
    }

    /// Waits until nothing uses the connection but its own thread. What was on its way is not asked for.
    func abandonSending() {
        sending?.hasSent.wait()
        sending = nil
    }
}

/// A `COPY` whose rows another thread sends. The connection's own thread looks at it again once all are sent.
@safe
final class SendingCopy: @unchecked Sendable {
    let sql: String
    let count: Int
    let hasSent = DispatchSemaphore(value: 0)
    private(set) var isEnded = false
    private let handle: OpaquePointer
    private let waits: ServerWaits
    private let columnCount: Int

    init(_ handle: OpaquePointer, _ waits: ServerWaits, columnCount: Int, sql: String, count: Int) {
        unsafe self.handle = handle
        self.waits = waits
        self.columnCount = columnCount
        self.sql = sql
        self.count = count
    }

    func send(_ all: PostgresRows, _ rows: Range<Int>) {
        var copy = unsafe PostgresCopy(handle, waits, columnCount: columnCount)
        copy.append(all, rows)
        copy.finish()
        isEnded = waits.during { unsafe PQputCopyEnd(handle, nil) == 1 }
        hasSent.signal()
    }
}

internal import CSluicePostgres

extension PostgresConnection {
    /// Adds rows to a table by `COPY`, the fastest way there is.
    ///
    /// - Parameters:
    ///   - table: The table, quoted.
    ///   - columns: The columns that each row has, in this order, not quoted.
    ///   - body: Writes the rows.
    /// - Returns: The number of rows that were added.
    /// - Throws: ``PostgresError``, or what the body throws; no row is added then.
    @discardableResult
    package func copy(
        into table: String, columns: [String], _ body: (inout PostgresCopy) throws -> Void
    ) throws -> Int {
        let sql = try beginCopy(into: table, columns: columns)
        var rows = unsafe PostgresCopy(handle, waits, columnCount: columns.count)
        do {
            try body(&rows)
            rows.finish()
        } catch {
            _ = try? end(sql, reason: "the program gave up")
            throw error
        }
        return try end(sql, reason: nil)
    }

    /// Begins a COPY.
    ///
    /// - Returns: Its statement.
    func beginCopy(into table: String, columns: [String]) throws(PostgresError) -> String {
        try settle()
        let sql = "COPY \(table) (\(PostgresName.list(columns))) FROM STDIN (FORMAT binary)"
        try Self.check(sql)
        roundTrips += 1
        guard let answer = unsafe waits.during({ unsafe PQexec(handle, sql) }) else { throw failure(sql: sql) }
        let begun = unsafe PostgresResult(answer)
        guard begun.status == PGRES_COPY_IN else { throw error(of: begun, sql: sql) }
        return sql
    }

    /// Ends a COPY and reads what became of it.
    private func end(_ sql: String, reason: String?) throws(PostgresError) -> Int {
        let isEnded = waits.during { unsafe PQputCopyEnd(handle, reason) == 1 }
        return try endCopy(sql, isEnded ? nil : failure(sql: sql))
    }

    /// Reads what became of a COPY whose rows are all sent.
    ///
    /// - Parameters:
    ///   - sql: Its statement.
    ///   - problem: What went wrong as they were sent.
    /// - Returns: The number of rows that were added.
    /// - Throws: ``PostgresError``.
    func endCopy(_ sql: String, _ problem: PostgresError?) throws(PostgresError) -> Int {
        roundTrips += 1
        var problem = problem
        var count = 0
        while let next = unsafe waits.during({ unsafe PQgetResult(handle) }) {
            let result = unsafe PostgresResult(next)
            if result.isSuccess {
                count = result.changes
            } else if problem == nil {
                problem = error(of: result, sql: sql)
            }
            if unsafe PQstatus(handle) != CONNECTION_OK { break }
        }
        if let problem { throw problem }
        if unsafe PQstatus(handle) != CONNECTION_OK { throw failure(sql: sql) }
        return count
    }
}

/// The rows of a running `COPY`. See: postgresql.org/docs/current/sql-copy.html, Binary Format
@safe
package struct PostgresCopy {
    /// How much is collected before it is sent.
    private static let chunk = 1 << 16

    private let handle: OpaquePointer
    private let waits: ServerWaits
    private let columnCount: Int
    private var fields = PostgresFields()

    init(_ handle: OpaquePointer, _ waits: ServerWaits, columnCount: Int) {
        unsafe self.handle = handle
        self.waits = waits
        self.columnCount = columnCount
        fields.bytes.append(contentsOf: "PGCOPY\n".utf8)
        fields.bytes.append(contentsOf: [0xFF, 0x0D, 0x0A, 0x00])
        fields.bytes.append(contentsOf: [UInt8](repeating: 0, count: 8))
    }

    /// Adds a row.
    ///
    /// - Parameter write: Adds one value for each column, of the column's type: the server converts nothing. A row with
    ///   more or fewer ends the `COPY` with an error.
    package mutating func row(_ write: (inout PostgresFields) -> Void) {
        fields.bytes.appendBigEndian(Int16(truncatingIfNeeded: columnCount))
        write(&fields)
        if fields.byteCount >= Self.chunk { send() }
    }

    /// Adds a row of values.
    package mutating func row(_ values: [PostgresValue]) {
        row { fields in for value in values { fields.append(value) } }
    }

    /// Adds rows that are in this form already.
    package mutating func append(_ all: PostgresRows, _ rows: Range<Int>) {
        if fields.byteCount > 0 { send() }
        unsafe all.bytes(of: rows).withUnsafeBytes { bytes in
            var rest = unsafe bytes[...]
            while unsafe !rest.isEmpty {
                unsafe put(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.chunk)))
                unsafe rest = rest.dropFirst(Self.chunk)
            }
        }
    }

    mutating func finish() {
        fields.bytes.appendBigEndian(Int16(-1))
        send()
    }

    private mutating func send() {
        unsafe fields.bytes.withUnsafeBytes { bytes in unsafe put(bytes) }
        fields.bytes.removeAll(keepingCapacity: true)
    }

    private func put(_ bytes: UnsafeRawBufferPointer) {
        // What goes wrong here is told at the end.
        _ = waits.during {
            unsafe PQputCopyData(
                handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: bytes.count))
        }
    }
}

internal import CSluicePostgres

/// The rows that a statement gave, all of them in memory. Rows and columns count from 0.
///
/// It needs its connection no longer.
@safe
package final class PostgresResult {
    private let handle: OpaquePointer
    /// The number of rows.
    package let rowCount: Int
    /// The number of columns.
    package let columnCount: Int
    private let types: [PostgresType]

    /// Owns a result of libpq.
    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
        rowCount = unsafe Int(PQntuples(handle))
        columnCount = unsafe Int(PQnfields(handle))
        types = unsafe (0..<PQnfields(handle)).map { unsafe PostgresType(rawValue: PQftype(handle, $0)) }
    }

    deinit { unsafe PQclear(handle) }

    /// The number of rows that the statement inserted, updated, deleted, copied or selected.
    package var changes: Int { unsafe Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// The names of the columns.
    package var columns: [String] {
        (0..<columnCount).map { unsafe String(cString: PQfname(handle, Int32(truncatingIfNeeded: $0))) }
    }

    /// The first word of what was done, such as `INSERT 0 1` or `ROLLBACK`.
    var command: String { unsafe String(cString: PQcmdStatus(handle)) }

    var status: ExecStatusType { unsafe PQresultStatus(handle) }

    var isSuccess: Bool {
        status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY
    }

    var fields: ResultFields { unsafe ResultFields(handle) }

    /// Whether a value is null; also where there is no such row or column.
    package func isNull(_ row: Int, _ column: Int) -> Bool { unsafe borrowed(row, column) == nil }

    /// The bytes of a value where they lie, in its type's binary form; nil for null. They are there as long as the result.
    @unsafe
    package func borrowed(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        guard (0..<rowCount).contains(row), (0..<columnCount).contains(column) else { return nil }
        let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
        if unsafe PQgetisnull(handle, row, column) == 1 { return nil }
        return unsafe UnsafeRawBufferPointer(
            start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
    }

    /// The type of a column.
    package func type(_ column: Int) -> PostgresType { types.indices.contains(column) ? types[column] : .inferred }

    /// A value of an integer type; nil for null and for other types.
    package func integer(_ row: Int, _ column: Int) -> Int64? {
        if case .integer(let value) = value(row, column) { return value }
        return nil
    }

    /// Whether a `boolean` is true; false for null and for other types.
    package func isTrue(_ row: Int, _ column: Int) -> Bool { value(row, column) == .bool(true) }

    /// A copy of a value that is text or JSON; nil for null and for other types.
    package func string(_ row: Int, _ column: Int) -> String? {
        switch value(row, column) {
        case .text(let bytes), .json(let bytes): String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }

    /// A copy of a value.
    package func value(_ row: Int, _ column: Int) -> PostgresValue {
        guard let bytes = unsafe borrowed(row, column) else { return .null }
        let type = type(column)
        return unsafe PostgresValue(reading: bytes, type) ?? .other(type, Array(bytes))
    }

    /// Copies of all values.
    package var values: [[PostgresValue]] {
        (0..<rowCount).map { row in (0..<columnCount).map { value(row, $0) } }
    }
}

@available(*, unavailable)
extension PostgresResult: Sendable {}

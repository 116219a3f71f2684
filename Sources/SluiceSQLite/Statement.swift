internal import CSluiceSQLite

/// A prepared statement that one caller uses. Once the value is gone, the connection has the statement back, reset and
/// without bindings, for whoever needs it next.
///
/// It keeps its connection alive and belongs to the connection's thread.
@safe
package final class Statement {
    private let handle: OpaquePointer
    private let prepared: PreparedStatement
    private let connection: Connection
    /// The text of the statement.
    package var sql: String { prepared.sql }

    init(_ prepared: PreparedStatement, of connection: Connection) {
        unsafe handle = prepared.handle
        self.prepared = prepared
        self.connection = connection
    }

    deinit { connection.giveBack(prepared) }

    // MARK: Binding. Indexes count from 1, as in SQLite.

    /// Binds null.
    package func bindNull(at index: Int) { _ = unsafe sqlite3_bind_null(handle, Int32(truncatingIfNeeded: index)) }

    /// Binds an integer.
    package func bind(_ value: Int64, at index: Int) {
        _ = unsafe sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index), value)
    }

    /// Binds a double.
    package func bind(_ value: Double, at index: Int) {
        _ = unsafe sqlite3_bind_double(handle, Int32(truncatingIfNeeded: index), value)
    }

    /// Binds a copy of a text, or null.
    package func bind(_ value: String?, at index: Int) {
        guard var value else { return bindNull(at: index) }
        value.withUTF8 { bytes in
            _ = unsafe sluice_sqlite_bind_text_copy(
                handle, Int32(truncatingIfNeeded: index), bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count))
        }
    }

    /// Binds text without copying it: the bytes must stay until the statement is reset.
    @unsafe
    package func bindBorrowed(text: UnsafeRawBufferPointer, at index: Int) {
        _ = unsafe sluice_sqlite_bind_text_static(
            handle, Int32(truncatingIfNeeded: index), text.baseAddress, Int32(truncatingIfNeeded: text.count))
    }

    /// Binds a blob without copying it: the bytes must stay until the statement is reset.
    @unsafe
    package func bindBorrowed(blob: UnsafeRawBufferPointer, at index: Int) {
        _ = unsafe sluice_sqlite_bind_blob_static(
            handle, Int32(truncatingIfNeeded: index), blob.baseAddress, Int32(truncatingIfNeeded: blob.count))
    }

    /// Binds a copy of a value.
    package func bind(_ value: SQLiteValue, at index: Int) {
        let position = Int32(truncatingIfNeeded: index)
        switch value {
        case .null: bindNull(at: index)
        case .integer(let value): bind(value, at: index)
        case .real(let value): bind(value, at: index)
        case .text(let bytes):
            _ = unsafe bytes.withUnsafeBytes { bytes in
                unsafe sluice_sqlite_bind_text_copy(
                    handle, position, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count))
            }
        case .blob(let bytes):
            _ = unsafe bytes.withUnsafeBytes { bytes in
                unsafe sluice_sqlite_bind_blob_copy(
                    handle, position, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count))
            }
        }
    }

    // MARK: Running

    /// Whether it leaves the database as it is.
    package var isReading: Bool { prepared.isReading }

    /// Runs the statement to its next row.
    ///
    /// - Returns: Whether there is a row.
    /// - Throws: ``SQLiteError``; the statement is reset then.
    package func step() throws(SQLiteError) -> Bool {
        connection.recordTableUse(of: prepared)
        let code = connection.lifeline.isStopped ? SQLITE_INTERRUPT : unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            connection.recordForeignKeys()
            return false
        }
        let error = connection.error(code: code, sql: sql)
        reset()
        throw error
    }

    /// Makes the statement ready to run again; bindings stay.
    package func reset() { _ = unsafe sqlite3_reset(handle) }

    /// Forgets all bindings.
    package func clearBindings() { _ = unsafe sqlite3_clear_bindings(handle) }

    /// Runs the statement once, to its end, and resets it.
    ///
    /// - Throws: ``SQLiteError``.
    package func run() throws(SQLiteError) {
        while try step() {}
        reset()
    }

    /// Binds values, runs the statement to its end and resets it.
    ///
    /// - Throws: ``SQLiteError``.
    package func run(_ values: [SQLiteValue]) throws(SQLiteError) {
        for (index, value) in values.enumerated() { bind(value, at: index + 1) }
        try run()
        clearBindings()
    }

    // MARK: Columns. Indexes count from 0, as in SQLite.

    /// The number of columns of a row.
    package var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

    /// The name of a column.
    package func columnName(_ column: Int) -> String {
        let name = unsafe sqlite3_column_name(handle, Int32(truncatingIfNeeded: column))
        return unsafe name.map { unsafe String(cString: $0) } ?? ""
    }

    /// Whether a column is null.
    package func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    /// A column as an integer.
    package func integer(_ column: Int) -> Int64 {
        unsafe sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }

    /// The integer that a column holds; nil where it holds something else.
    package func heldInteger(_ column: Int) -> Int64? {
        // Found once, as all values; see ``borrowed(_:)``.
        let value = unsafe sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
        return unsafe sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
    }

    /// A copy of the text that a column holds; nil where it holds something else. Bytes that are no UTF-8 are repaired.
    package func heldText(_ column: Int) -> String? {
        let value = unsafe sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
        guard unsafe sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
        let start = unsafe sqlite3_value_text(value)
        let count = unsafe start == nil ? 0 : Int(sqlite3_value_bytes(value))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column as text, or nil where it is null. Bytes that are no UTF-8 are repaired.
    package func string(_ column: Int) -> String? {
        switch value(column) {
        case .null: nil
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let bytes), .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    /// A copy of a column's value.
    package func value(_ column: Int) -> SQLiteValue {
        switch unsafe borrowed(column) {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let text): unsafe .text(Array(text))
        case .blob(let blob): unsafe .blob(Array(blob))
        }
    }

    /// A column's value where it lies: valid until the statement goes on or is reset.
    @unsafe
    package func borrowed(_ column: Int) -> BorrowedValue {
        // The value is found once, not for each question. A connection is of one thread, so that nothing has to protect it.
        // See: sqlite.org/c3ref/value.html
        let value = unsafe sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER: return unsafe .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return unsafe .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let start = unsafe UnsafeRawPointer(sqlite3_value_text(value))
            let count = unsafe start == nil ? 0 : Int(sqlite3_value_bytes(value))
            return unsafe .text(UnsafeRawBufferPointer(start: start, count: count))
        case SQLITE_BLOB:
            let start = unsafe sqlite3_value_blob(value)
            let count = unsafe start == nil ? 0 : Int(sqlite3_value_bytes(value))
            return unsafe .blob(UnsafeRawBufferPointer(start: start, count: count))
        default: return unsafe .null
        }
    }
}

@available(*, unavailable)
extension Statement: Sendable {}

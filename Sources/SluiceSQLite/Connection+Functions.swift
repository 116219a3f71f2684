internal import CSluiceSQLite

/// How texts are compared, and functions that statements may call.
extension Connection {
    /// Makes an order of texts known by a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - compare: Gives less than zero, zero or more.
    /// - Throws: ``SQLiteError``.
    package func define(
        collation name: String, _ compare: @escaping @Sendable ([UInt8], [UInt8]) -> Int
    ) throws(SQLiteError) {
        let context = unsafe Unmanaged.passRetained(TextOrder(compare)).toOpaque()
        let code = unsafe sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, context,
            { context, leftCount, left, rightCount, right in
                guard let context = unsafe context else { return 0 }
                let order = unsafe Unmanaged<TextOrder>.fromOpaque(context).takeUnretainedValue()
                let first = unsafe Array(UnsafeRawBufferPointer(start: left, count: Int(leftCount)))
                let second = unsafe Array(UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
                return Int32(clamping: order.compare(first, second))
            },
            { context in
                if let context = unsafe context { unsafe Unmanaged<TextOrder>.fromOpaque(context).release() }
            })
        if code != SQLITE_OK {
            unsafe Unmanaged<TextOrder>.fromOpaque(context).release()
            throw error(code: code, sql: nil)
        }
    }

    /// Makes a function of one value known by a name. It always gives the same for the same value.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - body: The function.
    /// - Throws: ``SQLiteError``.
    package func define(
        function name: String, _ body: @escaping @Sendable (SQLiteValue) -> SQLiteValue
    ) throws(SQLiteError) {
        try define(name, ValueFunction(1) { body($0.first ?? .null) })
    }

    /// Makes a function of two values known by a name. It always gives the same for the same values.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - body: The function.
    /// - Throws: ``SQLiteError``.
    package func define(
        functionOfTwo name: String, _ body: @escaping @Sendable (SQLiteValue, SQLiteValue) -> SQLiteValue
    ) throws(SQLiteError) {
        try define(name, ValueFunction(2) { $0.count == 2 ? body($0[0], $0[1]) : .null })
    }

    private func define(_ name: String, _ function: ValueFunction) throws(SQLiteError) {
        let context = unsafe Unmanaged.passRetained(function).toOpaque()
        // What fails gives the context back by itself. See: sqlite.org/c3ref/create_function.html
        let code = unsafe sqlite3_create_function_v2(
            handle, name, Int32(function.count), SQLITE_UTF8 | SQLITE_DETERMINISTIC, context,
            { call, count, arguments in
                guard let context = unsafe sqlite3_user_data(call) else { return }
                let function = unsafe Unmanaged<ValueFunction>.fromOpaque(context).takeUnretainedValue()
                let values = (0..<Int(count)).map { unsafe SQLiteValue(copying: arguments?[$0]) }
                unsafe function.body(values).become(resultOf: call)
            }, nil, nil,
            { context in
                if let context = unsafe context { unsafe Unmanaged<ValueFunction>.fromOpaque(context).release() }
            })
        if code != SQLITE_OK { throw error(code: code, sql: nil) }
    }
}

private final class TextOrder: Sendable {
    let compare: @Sendable ([UInt8], [UInt8]) -> Int
    init(_ compare: @escaping @Sendable ([UInt8], [UInt8]) -> Int) { self.compare = compare }
}

private final class ValueFunction: Sendable {
    /// How many values it takes.
    let count: Int
    let body: @Sendable ([SQLiteValue]) -> SQLiteValue

    init(_ count: Int, _ body: @escaping @Sendable ([SQLiteValue]) -> SQLiteValue) {
        self.count = count
        self.body = body
    }
}

extension SQLiteValue {
    init(copying value: OpaquePointer?) {
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = unsafe .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = unsafe .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let start = unsafe sqlite3_value_text(value)
            let count = unsafe Int(sqlite3_value_bytes(value))
            self = unsafe .text(Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
        case SQLITE_BLOB:
            let start = unsafe sqlite3_value_blob(value)
            let count = unsafe Int(sqlite3_value_bytes(value))
            self = unsafe .blob(Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
        default: self = .null
        }
    }

    func become(resultOf call: OpaquePointer?) {
        switch self {
        case .null: unsafe sqlite3_result_null(call)
        case .integer(let value): unsafe sqlite3_result_int64(call, value)
        case .real(let value): unsafe sqlite3_result_double(call, value)
        case .text(let bytes):
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe sluice_sqlite_result_text_copy(
                    call, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count))
            }
        case .blob(let bytes):
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe sluice_sqlite_result_blob_copy(
                    call, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count))
            }
        }
    }
}

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Values in binary form one after the other, each behind its length: the fields of `COPY` and the elements of arrays.
/// See: postgresql.org/docs/current/sql-copy.html
///
/// What adds values is no generic function: those are eight times as slow for callers in other modules.
package struct PostgresFields: Sendable {
    var bytes: [UInt8] = []

    /// Makes room for no value yet.
    package init() {}

    /// The number of bytes so far.
    package var byteCount: Int { bytes.count }

    /// Adds null.
    package mutating func appendNull() { bytes.appendBigEndian(Int32(-1)) }

    /// Adds a `boolean`.
    package mutating func append(_ value: Bool) {
        bytes.appendBigEndian(Int32(1))
        bytes.append(value ? 1 : 0)
    }

    /// Adds a `bigint`.
    package mutating func append(_ value: Int64) {
        bytes.appendBigEndian(Int32(8))
        bytes.appendBigEndian(value)
    }

    /// Adds a `double precision`.
    package mutating func append(_ value: Double) {
        bytes.appendBigEndian(Int32(8))
        bytes.appendBigEndian(value.bitPattern)
    }

    /// Adds a `uuid`.
    package mutating func append(_ value: PostgresUUID) {
        bytes.appendBigEndian(Int32(16))
        bytes.appendBigEndian(value.high)
        bytes.appendBigEndian(value.low)
    }

    /// Adds a `timestamptz`.
    package mutating func append(_ value: PostgresTimestamp) {
        bytes.appendBigEndian(Int32(8))
        bytes.appendBigEndian(value.microseconds)
    }

    /// Adds a `date`.
    package mutating func append(_ value: PostgresDate) {
        bytes.appendBigEndian(Int32(4))
        bytes.appendBigEndian(value.days)
    }

    /// Adds a `numeric`.
    package mutating func append(_ value: PostgresNumeric) {
        bytes.appendBigEndian(Int32(8 + value.groups.count * 2))
        bytes.appendBigEndian(UInt16(value.groups.count))
        bytes.appendBigEndian(value.weight)
        bytes.appendBigEndian(value.kind.rawValue)
        bytes.appendBigEndian(value.scale)
        for group in value.groups { bytes.appendBigEndian(group) }
    }

    /// Adds a `text`, as UTF-8.
    package mutating func append(text: [UInt8]) { append(raw: text) }

    /// Adds a `text`, as UTF-8.
    package mutating func append(text: String) {
        var text = text
        text.withUTF8 { unsafe append(borrowed: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a `text` that is a part of other bytes.
    ///
    /// - Returns: False where it has a NUL, which no text of PostgreSQL may hold; nothing is added then.
    package mutating func append(text: ArraySlice<UInt8>) -> Bool {
        let hasNUL = unsafe text.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe memchr($0, 0, bytes.count) != nil } ?? false
        }
        if hasNUL { return false }
        bytes.appendBigEndian(Int32(truncatingIfNeeded: text.count))
        bytes.append(contentsOf: text)
        return true
    }

    /// Adds a `bytea`.
    package mutating func append(bytes: [UInt8]) { append(raw: bytes) }

    /// Adds a `text` or `bytea` from where it lies, and copies it.
    @unsafe
    package mutating func append(borrowed: UnsafeRawBufferPointer) {
        bytes.appendBigEndian(Int32(truncatingIfNeeded: borrowed.count))
        unsafe bytes.append(contentsOf: borrowed)
    }

    /// Adds a `jsonb`, as JSON text.
    package mutating func append(json: [UInt8]) {
        bytes.appendBigEndian(Int32(truncatingIfNeeded: json.count + 1))
        // The version of the form. See: src/backend/utils/adt/jsonb.c, jsonb_recv
        bytes.append(1)
        bytes.append(contentsOf: json)
    }

    /// Adds a value.
    package mutating func append(_ value: PostgresValue) {
        switch value {
        case .null: appendNull()
        case .bool(let value): append(value)
        case .integer(let value): append(value)
        case .double(let value): append(value)
        case .numeric(let value): append(value)
        case .text(let text): append(text: text)
        case .uuid(let value): append(value)
        case .timestamp(let value): append(value)
        case .date(let value): append(value)
        case .bytes(let bytes): append(bytes: bytes)
        case .json(let text): append(json: text)
        case .other(_, let bytes): append(raw: bytes)
        }
    }

    private mutating func append(raw: [UInt8]) {
        bytes.appendBigEndian(Int32(truncatingIfNeeded: raw.count))
        bytes.append(contentsOf: raw)
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: value.bigEndian) { bytes in unsafe append(contentsOf: bytes) }
    }
}

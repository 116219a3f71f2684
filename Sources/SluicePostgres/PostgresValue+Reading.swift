extension PostgresValue {
    /// Reads a value from its type's binary form; nil where the type is none of ours, or the bytes are none of the type's.
    init?(reading bytes: UnsafeRawBufferPointer, _ type: PostgresType) {
        var reader = unsafe BigEndianReader(bytes)
        switch type {
        case .text, .varchar, .bpchar, .name, .unknown: self = unsafe .text(Array(bytes))
        case .bytea: self = unsafe .bytes(Array(bytes))
        case .json: self = unsafe .json(Array(bytes))
        case .jsonb:
            guard unsafe bytes.first == 1 else { return nil }
            self = unsafe .json(Array(bytes.dropFirst()))
        case .bool:
            guard let byte = reader.read(UInt8.self) else { return nil }
            self = .bool(byte != 0)
        case .int8:
            guard let value = reader.read(Int64.self) else { return nil }
            self = .integer(value)
        case .int4:
            guard let value = reader.read(Int32.self) else { return nil }
            self = .integer(Int64(value))
        case .int2:
            guard let value = reader.read(Int16.self) else { return nil }
            self = .integer(Int64(value))
        case .oid:
            guard let value = reader.read(UInt32.self) else { return nil }
            self = .integer(Int64(value))
        case .float8:
            guard let bits = reader.read(UInt64.self) else { return nil }
            self = .double(Double(bitPattern: bits))
        case .float4:
            guard let bits = reader.read(UInt32.self) else { return nil }
            self = .double(Double(Float(bitPattern: bits)))
        case .uuid:
            guard let high = reader.read(UInt64.self), let low = reader.read(UInt64.self) else { return nil }
            self = .uuid(PostgresUUID(high: high, low: low))
        case .timestamptz:
            guard let count = reader.read(Int64.self) else { return nil }
            self = .timestamp(PostgresTimestamp(counted: count))
        case .date:
            guard let count = reader.read(Int32.self) else { return nil }
            self = .date(PostgresDate(counted: count))
        case .numeric:
            guard let number = reader.readNumeric() else { return nil }
            self = .numeric(number)
        default: return nil
        }
        if !reader.isDone { return nil }
    }
}

/// Reads numbers as they are sent.
@safe
private struct BigEndianReader {
    private let bytes: UnsafeRawBufferPointer
    private let size: Int
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
        size = bytes.count
    }

    mutating func read<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let length = MemoryLayout<Number>.size
        guard offset + length <= size else { return nil }
        defer { offset += length }
        return unsafe Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    mutating func readNumeric() -> PostgresNumeric? {
        guard let count = read(UInt16.self), let weight = read(Int16.self), let kind = read(UInt16.self),
            let scale = read(UInt16.self)
        else { return nil }
        var groups: [UInt16] = []
        groups.reserveCapacity(min(Int(count), size / 2))
        for _ in 0..<count {
            guard let group = read(UInt16.self) else { return nil }
            groups.append(group)
        }
        return PostgresNumeric(kind: kind, weight: weight, scale: scale, groups: groups)
    }

    /// Whether all bytes were read, or none, as those of texts.
    var isDone: Bool { offset == 0 || offset == size }
}

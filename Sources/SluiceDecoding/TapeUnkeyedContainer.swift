internal import SluiceJSON

/// The elements of an array.
struct TapeUnkeyedContainer: UnkeyedDecodingContainer {
    private let decoding: TapeReference
    private let array: JSONElement
    /// Stands at the element before the next one.
    private var cursor: JSONElementCursor
    private let total: Int
    private(set) var currentIndex = 0

    init(decoding: TapeReference, array: JSONElement) {
        self.decoding = decoding
        self.array = array
        cursor = array.elements()
        total = array.count
    }

    var count: Int? { total }
    var isAtEnd: Bool { currentIndex >= total }
    var codingPath: [any CodingKey] { (try? decoding.with { $0.path(of: array) }) ?? [] }

    /// Decodes the next element and goes on behind it; an element that cannot be decoded stays the next.
    @inline(__always)
    private mutating func next<Value>(_ type: Value.Type, _ decode: (TapeDecoding, JSONElement) throws -> Value) throws
        -> Value
    {
        var following = cursor
        guard following.next() else { throw atEnd(type) }
        let value = try decoding.with { try decode($0, following.value) }
        cursor = following
        currentIndex &+= 1
        return value
    }

    private func atEnd(_ type: any Any.Type) -> DecodingError {
        .valueNotFound(
            type,
            .init(
                codingPath: codingPath + [TapeKey(index: currentIndex)],
                debugDescription: "Unkeyed container is at end."))
    }

    mutating func decodeNil() throws -> Bool {
        var following = cursor
        guard following.next() else { throw atEnd(Never.self) }
        guard following.value.isNull else { return false }
        cursor = following
        currentIndex &+= 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.boolean($1) } }
    mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.string($1) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.float(type, $1) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.float(type, $1) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type) { try $0.integer(type, $1) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.integer(type, $1) } }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next(type) { try $0.decode(type, $1) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next(KeyedDecodingContainer<NestedKey>.self) { try $0.container(of: $1) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer(of: $1) }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next((any Decoder).self) { $0.branch(at: $1) }
    }
}

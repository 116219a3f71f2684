internal import SluiceJSON

/// The members of an object.
struct TapeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoding: TapeReference
    let object: JSONElement
    let isDictionary: Bool

    var codingPath: [any CodingKey] { (try? decoding.with { $0.path(of: object) }) ?? [] }

    var allKeys: [Key] {
        let names = try? decoding.with { $0.names(of: object, isDictionary: isDictionary) }
        return (names ?? []).compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { (try? find(key) { _, _ in }) != nil }

    /// Calls a closure with the decoding and the value of a member, null or not; nil if there is none.
    @inline(__always)
    private func find<Value>(
        _ key: Key, _ body: (TapeDecoding, JSONElement) throws -> Value
    ) throws -> Value? {
        try decoding.with { decoding in
            guard let value = decoding.find(key.stringValue, in: object, isDictionary: isDictionary) else { return nil }
            return try body(decoding, value)
        }
    }

    /// The same for a value that is not null.
    @inline(__always)
    private func ifPresent<Value>(
        _ key: Key, _ body: (TapeDecoding, JSONElement) throws -> Value
    ) throws -> Value? {
        try decoding.with { decoding in
            guard let value = decoding.find(key.stringValue, in: object, isDictionary: isDictionary), !value.isNull
            else { return nil }
            return try body(decoding, value)
        }
    }

    /// The same for a value that must be there.
    @inline(__always)
    private func require<Value>(
        _ key: Key, _ body: (TapeDecoding, JSONElement) throws -> Value
    ) throws -> Value {
        try decoding.with { decoding in
            guard let value = decoding.find(key.stringValue, in: object, isDictionary: isDictionary) else {
                throw notFound(key)
            }
            return try body(decoding, value)
        }
    }

    private func notFound(_ key: Key) -> DecodingError {
        .keyNotFound(
            key,
            .init(
                codingPath: codingPath,
                debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
    }

    func decodeNil(forKey key: Key) throws -> Bool { try require(key) { $1.isNull } }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try require(key) { try $0.boolean($1) } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try require(key) { try $0.string($1) } }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try require(key) { try $0.float(type, $1) } }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try require(key) { try $0.float(type, $1) } }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try require(key) { try $0.integer(type, $1) } }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try require(key) { try $0.integer(type, $1) }
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try require(key) { try $0.decode(type, $1) }
    }

    // Without these each would look for the member three times.

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try ifPresent(key) { try $0.boolean($1) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try ifPresent(key) { try $0.string($1) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try ifPresent(key) { try $0.float(type, $1) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try ifPresent(key) { try $0.float(type, $1) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try ifPresent(key) { try $0.integer(type, $1) }
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try ifPresent(key) { try $0.decode(type, $1) }
    }

    // MARK: Containers

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try require(key) { try $0.container(of: $1) }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try require(key) { try $0.unkeyedContainer(of: $1) }
    }

    func superDecoder() throws -> any Decoder { try superDecoder(named: "super", key: TapeKey("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(named: key.stringValue, key: key) }

    private func superDecoder(named name: String, key: any CodingKey) throws -> any Decoder {
        try decoding.with { decoding in
            if let value = decoding.find(name, in: object, isDictionary: isDictionary) {
                return decoding.branch(at: value)
            }
            return TapeDecoding(options: decoding.options, prefix: decoding.path(of: object) + [key])
        }
    }
}

internal import SluiceJSON

extension TapeDecoding: Decoder {
    var codingPath: [any CodingKey] { path(of: present) }

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try container(of: present)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try unkeyedContainer(of: present) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    @inline(__always)
    func container<Key: CodingKey>(of element: JSONElement) throws -> KeyedDecodingContainer<Key> {
        guard element.kind == .object else { throw mismatch([String: Any].self, element) }
        let isDictionary = unsafe slot.pointee.dictionary == element.identity
        return KeyedDecodingContainer(
            TapeKeyedContainer<Key>(decoding: TapeReference(self), object: element, isDictionary: isDictionary))
    }

    func unkeyedContainer(of element: JSONElement) throws -> TapeUnkeyedContainer {
        guard element.kind == .array else { throw mismatch([Any].self, element) }
        return TapeUnkeyedContainer(decoding: TapeReference(self), array: element)
    }
}

extension TapeDecoding: SingleValueDecodingContainer {
    func decodeNil() -> Bool { present.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try boolean(present) }
    func decode(_ type: String.Type) throws -> String { try string(present) }
    func decode(_ type: Double.Type) throws -> Double { try float(type, present) }
    func decode(_ type: Float.Type) throws -> Float { try float(type, present) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type, present) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type, present) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type, present) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type, present) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type, present) }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type, present) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type, present) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type, present) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type, present) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type, present) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type, present) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type, present) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decode(type, present) }
}

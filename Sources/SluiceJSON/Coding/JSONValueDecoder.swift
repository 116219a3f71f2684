/// Decodes values that are `Codable` from JSON that ``JSONValueEncoder`` wrote.
package enum JSONValueDecoder {
    /// Decodes a value.
    ///
    /// - Throws: `DecodingError` where the JSON is not that of such a value.
    package static func decode<Value: Decodable>(_ type: Value.Type, from json: JSONValue) throws -> Value {
        try Reader(json: json).decode(type)
    }
}

private struct Reader: Decoder {
    let json: JSONValue
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    static let unfit = DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "The JSON is not that of such a value."))

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == [UInt8].self, let text = json.string, let bytes = Array(text.utf8) as? Value { return bytes }
        return try Value(from: self)
    }

    func string() throws -> String {
        guard let text = json.string else { throw Self.unfit }
        return text
    }

    func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard let text = json.numberText ?? json.string, let number = Number(text) else { throw Self.unfit }
        return number
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard json.kind == .object else { throw Self.unfit }
        return KeyedDecodingContainer(MemberReader<Key>(json: json))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard json.kind == .array else { throw Self.unfit }
        return ElementReader(elements: json.elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { ScalarReader(reader: self) }
}

private struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let json: JSONValue
    let codingPath: [any CodingKey] = []
    var allKeys: [Key] { json.members.compactMap { Key(stringValue: $0.name) } }

    private func reader(_ key: Key) throws -> Reader {
        guard let value = json.member(named: key.stringValue) else { throw Reader.unfit }
        return Reader(json: value)
    }

    func contains(_ key: Key) -> Bool { json.member(named: key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try reader(key).json.isNull }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try reader(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try reader(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try reader(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { Reader(json: json) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try reader(key) }
}

private struct ElementReader: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey] = []
    private(set) var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(elements: [JSONValue]) { self.elements = elements }

    private mutating func next() throws -> Reader {
        if isAtEnd { throw Reader.unfit }
        defer { currentIndex += 1 }
        return Reader(json: elements[currentIndex])
    }

    mutating func decodeNil() throws -> Bool {
        if isAtEnd || !elements[currentIndex].isNull { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct ScalarReader: SingleValueDecodingContainer {
    let reader: Reader
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { reader.json.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        if reader.json.kind != .bool { throw Reader.unfit }
        return reader.json.boolean
    }

    func decode(_ type: String.Type) throws -> String { try reader.string() }

    func decode(_ type: Double.Type) throws -> Double {
        guard let number = Double(try reader.string()) else { throw Reader.unfit }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float {
        guard let number = Float(try reader.string()) else { throw Reader.unfit }
        return number
    }

    func decode(_ type: Int.Type) throws -> Int { try reader.number(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try reader.number(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try reader.number(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try reader.number(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try reader.number(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try reader.number(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try reader.number(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try reader.number(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try reader.number(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try reader.number(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try reader.decode(type) }
}

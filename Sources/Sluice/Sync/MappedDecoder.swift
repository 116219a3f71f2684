internal import SluiceJSON

/// A value that JSON may have as a text, where `Decodable` knows another form alone.
protocol TextDecodable {
    /// The value of a text; nil where it is none.
    init?(jsonText text: String)
}

/// A list of records that a property holds by value.
private protocol RecordList {
    /// No records.
    init()
    /// Decodes records where their model says that JSON has their properties.
    init(within decoder: any Decoder) throws
}

extension Array: RecordList where Element: PersistentModel & Decodable {
    init(within decoder: any Decoder) throws {
        self = try [MappedRecord<Element>](from: decoder).map(\.value)
    }
}

/// A record by value.
private struct MappedRecord<M: PersistentModel & Decodable>: Decodable {
    let value: M

    init(from decoder: any Decoder) throws { value = try M(from: MappedDecoder(decoder, M.model.description)) }
}

/// A decoder that finds each property of a model where the model says that JSON has it, as a sync does that makes no values:
/// at the paths of `@Attribute(json:)` and under the names of the model. Decimals and times may be texts.
struct MappedDecoder: Decoder {
    private let base: any Decoder
    private let description: ModelDescription
    private let met: MetFields

    /// Makes a decoder.
    ///
    /// - Parameters:
    ///   - base: Decodes the JSON.
    ///   - description: The model.
    ///   - met: Takes the fields that are met.
    init(_ base: any Decoder, _ description: ModelDescription, noting met: MetFields = MetFields()) {
        (self.base, self.description, self.met) = (base, description, met)
    }

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(
            MappedContainer<Key>(
                base: try base.container(keyedBy: MappedKey.self), spelling: description.spelling, met: met))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { try base.singleValueContainer() }
}

/// The fields that the initialiser of a type asked JSON for.
final class MetFields {
    /// The positions of those that are there, null or not.
    fileprivate(set) var fields = PositionSet()
    /// The positions of those that are not there.
    fileprivate(set) var absent = PositionSet()
    /// The position of the field that is likely to be asked for next: most types ask for their properties in their order.
    fileprivate var next = 0
}

/// A name in JSON.
private struct MappedKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// The members of a model's JSON object, by the keys of its `Decodable`.
private struct MappedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    typealias Place = (container: KeyedDecodingContainer<MappedKey>, key: MappedKey)

    let base: KeyedDecodingContainer<MappedKey>
    let spelling: JSONSpelling
    let met: MetFields

    var codingPath: [any CodingKey] { base.codingPath }

    var allKeys: [Key] {
        let names = Set(base.allKeys.map(\.stringValue)).union(spelling.codingKeys)
        return names.sorted().compactMap { Key(stringValue: $0) }.filter { contains($0) }
    }

    /// Where a property is; nil where what it stands in is not there. What is no property with one path has its own name.
    private func place(_ key: Key) throws -> Place? {
        let own = key.stringValue
        guard let names = spelling.place(of: own, near: &met.next)?.names, let last = names.last else {
            return (base, MappedKey(own))
        }
        return names.count == 1 ? (base, found(last, or: own)) : try place(names, last)
    }

    /// The name that a property has here: that in JSON, or its own where a decoder gives names of its own to what JSON has, as
    /// `convertFromSnakeCase` does.
    private func found(_ name: String, or own: String) -> MappedKey {
        let isOwn = name != own && !base.contains(MappedKey(name)) && base.contains(MappedKey(own))
        return MappedKey(isOwn ? own : name)
    }

    /// Where names lead that stand one within the other; nil where what the last one stands in is not there.
    private func place(_ names: [String], _ last: String) throws -> Place? {
        var container = base
        for name in names.dropLast() {
            let key = MappedKey(name)
            guard container.contains(key), try !container.decodeNil(forKey: key) else { return nil }
            container = try container.nestedContainer(keyedBy: MappedKey.self, forKey: key)
        }
        return (container, MappedKey(last))
    }

    private func at<Value>(
        _ key: Key, _ body: (KeyedDecodingContainer<MappedKey>, MappedKey) throws -> Value
    ) throws -> Value {
        if let place = try place(key) { return try body(place.container, place.key) }
        throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "It is not there."))
    }

    /// A value, which has to be there.
    private func required<Value>(
        _ key: Key, _ body: (KeyedDecodingContainer<MappedKey>, MappedKey) throws -> Value
    ) throws -> Value {
        let own = key.stringValue
        guard let known = spelling.place(of: own, near: &met.next), let last = known.names.last else {
            return try body(base, MappedKey(own))
        }
        let value: Value
        if known.names.count > 1 {
            guard let place = try place(known.names, last) else { return try at(key, body) }
            value = try body(place.container, place.key)
        } else {
            value = try body(base, found(last, or: own))
        }
        note(known, isThere: true)
        return value
    }

    /// The same for a value that may be null or absent.
    private func ifPresent<Value>(
        _ key: Key, _ body: (KeyedDecodingContainer<MappedKey>, MappedKey) throws -> Value?
    ) throws -> Value? {
        let own = key.stringValue
        guard let known = spelling.place(of: own, near: &met.next), let last = known.names.last else {
            return try body(base, MappedKey(own))
        }
        var value: Value?
        if known.names.count > 1 {
            if let place = try? place(known.names, last) { value = try body(place.container, place.key) }
            note(known, isThere: value != nil || base.contains(MappedKey(known.names[0])))
            return value
        }
        let name = found(last, or: own)
        value = try body(base, name)
        note(known, isThere: value != nil || base.contains(name))
        return value
    }

    /// Notes whether JSON has a field.
    private func note(_ place: JSONSpelling.Place, isThere: Bool) {
        guard let field = place.field else { return }
        if isThere { met.fields.insert(field) } else { met.absent.insert(field) }
    }

    func contains(_ key: Key) -> Bool {
        guard let place = try? place(key) else { return false }
        return place.container.contains(place.key)
    }

    /// A list of records. One that is absent says nothing, and no record is known of it.
    private func records(_ type: any RecordList.Type, _ key: Key) throws -> any RecordList {
        if !contains(key) { return type.init() }
        return try at(key) { try type.init(within: try $0.superDecoder(forKey: $1)) }
    }

    private static func record<M: PersistentModel & Decodable>(_ type: M.Type, _ decoder: any Decoder) throws -> M {
        try MappedRecord<M>(from: decoder).value
    }

    func decodeNil(forKey key: Key) throws -> Bool { try at(key) { try $0.decodeNil(forKey: $1) } }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try required(key) { try $0.decode(type, forKey: $1) }
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try required(key) { try $0.decode(type, forKey: $1) }
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try ifPresent(key) { try $0.decodeIfPresent(type, forKey: $1) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if let model = type as? any (PersistentModel & Decodable).Type,
            let value = try at(key, { try Self.record(model, try $0.superDecoder(forKey: $1)) }) as? Value
        {
            return value
        }
        if let list = type as? any RecordList.Type, let value = try records(list, key) as? Value {
            return value
        }
        return try required(key) { container, key in
            guard let texts = type as? any TextDecodable.Type else { return try container.decode(type, forKey: key) }
            do { return try container.decode(type, forKey: key) } catch {
                guard let text = try? container.decode(String.self, forKey: key),
                    let value = texts.init(jsonText: text) as? Value
                else { throw error }
                return value
            }
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { try at(key) { try $0.nestedContainer(keyedBy: type, forKey: $1) } }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try at(key) { try $0.nestedUnkeyedContainer(forKey: $1) }
    }

    func superDecoder() throws -> any Decoder { try base.superDecoder() }
    func superDecoder(forKey key: Key) throws -> any Decoder { try at(key) { try $0.superDecoder(forKey: $1) } }
}

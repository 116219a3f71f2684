/// Encodes values that are `Codable` as JSON text, for ``JSONValueDecoder`` to read again.
///
/// Bytes are a text where they are UTF-8, and else an array; unsigned integers are texts, since readers of JSON may round
/// large ones.
package enum JSONValueEncoder {
    /// The text of a value.
    ///
    /// - Throws: What the value throws.
    package static func text(_ value: some Encodable) throws -> String {
        let node = Node()
        try node.encode(value)
        return node.text
    }
}

/// A value that is being encoded.
private final class Node: Encoder {
    private enum Content {
        case scalar(String)
        case array([Node])
        case object([(name: String, node: Node)])
    }

    private var content = Content.scalar("null")
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    var text: String {
        switch content {
        case .scalar(let text): text
        case .array(let nodes): "[\(nodes.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { Self.quoted($0.name) + ":" + $0.node.text }.joined(separator: ","))}"
        }
    }

    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func set(_ text: String) { content = .scalar(text) }

    func encode<Value: Encodable>(_ value: Value) throws {
        // Any array without elements can be taken for one of bytes.
        if Value.self == [UInt8].self, let bytes = value as? [UInt8],
            let text = String(validating: bytes, as: UTF8.self)
        {
            set(Self.quoted(text))
        } else {
            try value.encode(to: self)
        }
    }

    func member(_ name: String) -> Node {
        let node = Node()
        if case .object(let members) = content {
            content = .object(members + [(name, node)])
        } else {
            content = .object([(name, node)])
        }
        return node
    }

    func element() -> Node {
        let node = Node()
        if case .array(let nodes) = content { content = .array(nodes + [node]) } else { content = .array([node]) }
        return node
    }

    func beginObject() { if case .scalar = content { content = .object([]) } }

    var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }

    // MARK: Encoder

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        beginObject()
        return KeyedEncodingContainer(Members<Key>(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .scalar = content { content = .array([]) }
        return Elements(node: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Scalar(node: self) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    let codingPath: [any CodingKey] = []

    func encodeNil(forKey key: Key) throws { node.member(key.stringValue).set("null") }
    func encode(_ value: some Encodable, forKey key: Key) throws { try node.member(key.stringValue).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { node.member(key.stringValue).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        node.member(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { node.member("super") }
    func superEncoder(forKey key: Key) -> any Encoder { node.member(key.stringValue) }
}

private struct Elements: UnkeyedEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey] = []
    var count: Int { node.count }

    func encodeNil() throws { node.element().set("null") }
    func encode(_ value: some Encodable) throws { try node.element().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        node.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.element().unkeyedContainer() }
    func superEncoder() -> any Encoder { node.element() }
}

private struct Scalar: SingleValueEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey] = []

    func encodeNil() throws { node.set("null") }
    func encode(_ value: Bool) throws { node.set(value ? "true" : "false") }
    func encode(_ value: String) throws { node.set(Node.quoted(value)) }
    func encode(_ value: Double) throws { node.set(Node.quoted(String(value))) }
    func encode(_ value: Float) throws { node.set(Node.quoted(String(value))) }
    func encode(_ value: Int) throws { node.set(String(value)) }
    func encode(_ value: Int8) throws { node.set(String(value)) }
    func encode(_ value: Int16) throws { node.set(String(value)) }
    func encode(_ value: Int32) throws { node.set(String(value)) }
    func encode(_ value: Int64) throws { node.set(String(value)) }
    func encode(_ value: UInt) throws { node.set(Node.quoted(String(value))) }
    func encode(_ value: UInt8) throws { node.set(String(value)) }
    func encode(_ value: UInt16) throws { node.set(String(value)) }
    func encode(_ value: UInt32) throws { node.set(String(value)) }
    func encode(_ value: UInt64) throws { node.set(Node.quoted(String(value))) }
    func encode(_ value: some Encodable) throws { try node.encode(value) }
}

internal import FoundationEssentials
internal import SluiceJSON
internal import SluiceModel

/// It is coded as the JSON value that it holds, not as a text with it.
///
/// What comes back is the same value in another text: without white space, the members of objects in the order of their names, and
/// numbers as the coder writes them.
extension JSONText: Codable {
    /// Reads any value.
    public init(from decoder: any Decoder) throws { self.init(stored: try CodedJSON(from: decoder).text) }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        guard let root = try? JSONDocument(text).root else {
            throw EncodingError.invalidValue(
                text, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "The text is no JSON."))
        }
        try CodedJSON.Writing(value: root).encode(to: encoder)
    }
}

/// A value of JSON between a coder and its text.
private struct CodedJSON: Decodable {
    let text: String

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Name.self) {
            let names = object.allKeys.sorted { $0.stringValue < $1.stringValue }
            let members = try names.map { name in
                FieldJSON.quoted(name.stringValue) + ":" + (try object.decode(CodedJSON.self, forKey: name).text)
            }
            text = "{" + members.joined(separator: ",") + "}"
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [String] = []
            while !list.isAtEnd { elements.append(try list.decode(CodedJSON.self).text) }
            text = "[" + elements.joined(separator: ",") + "]"
        } else {
            text = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ value: any SingleValueDecodingContainer) throws -> String {
        if value.decodeNil() { return "null" }
        if let truth = try? value.decode(Bool.self) { return truth ? "true" : "false" }
        if let number = try? value.decode(Int64.self) { return String(number) }
        if let number = try? value.decode(UInt64.self) { return String(number) }
        if let string = try? value.decode(String.self) { return FieldJSON.quoted(string) }
        // Every digit is kept, where there are no more than a decimal has.
        if let number = try? value.decode(Decimal.self), !number.isNaN { return number.description }
        return String(try value.decode(Double.self))
    }

    /// A value that is written.
    struct Writing: Encodable {
        let value: JSONValue

        func encode(to encoder: any Encoder) throws {
            switch value.kind {
            case .object:
                var object = encoder.container(keyedBy: Name.self)
                for member in value.members {
                    try object.encode(Writing(value: member.value), forKey: Name(stringValue: member.name))
                }
            case .array:
                var list = encoder.unkeyedContainer()
                for element in value.elements { try list.encode(Writing(value: element)) }
            case .null, .bool, .integer, .number, .string:
                var single = encoder.singleValueContainer()
                try encode(into: &single)
            }
        }

        private func encode(into container: inout any SingleValueEncodingContainer) throws {
            if let string = value.string { return try container.encode(string) }
            if value.kind == .bool { return try container.encode(value.boolean) }
            guard let token = value.numberText else { return try container.encodeNil() }
            if let number = Int64(token) { return try container.encode(number) }
            if let number = UInt64(token) { return try container.encode(number) }
            let exact = Decimal(string: token)
            let double = Double(token) ?? 0
            // A double that is written with the same digits is what every coder has.
            if let exact, exact != Decimal(string: "\(double)") { return try container.encode(exact) }
            try container.encode(double)
        }
    }
}

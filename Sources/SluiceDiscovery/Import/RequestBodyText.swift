internal import SluiceJSON
package import SluicePipeline

extension StreamDefinition.Body {
    /// The body of a JSON text.
    ///
    /// - Parameter json: The text.
    /// - Returns: The body; nil where the text is no JSON.
    package static func json(text json: [UInt8]) -> StreamDefinition.Body? {
        (try? JSONDocument(json)).map { .json(StreamDefinition.BodyValue($0.root)) }
    }

    /// The scalars of a JSON object by their places: `variables.after`.
    package var places: [(name: String, value: String)] {
        guard case .json(let value) = self else { return [] }
        return value.places(below: [])
    }
}

extension StreamDefinition.BodyValue {
    fileprivate init(_ value: JSONValue) {
        switch value.kind {
        case .string: self = .text(ConfigurationText(value.string ?? ""))
        case .object:
            self = .object(
                value.members.map {
                    StreamDefinition.BodyMember(name: $0.name, value: StreamDefinition.BodyValue($0.value))
                })
        case .array: self = .array(value.elements.map { StreamDefinition.BodyValue($0) })
        case .null, .bool, .integer, .number:
            self = .literal(ConfigurationText(String(decoding: value.json, as: UTF8.self)))
        }
    }

    fileprivate func places(below names: [String]) -> [(name: String, value: String)] {
        switch self {
        case .object(let members): members.flatMap { $0.value.places(below: names + [$0.name]) }
        case .text(let text), .literal(let text): names.isEmpty ? [] : [(names.joined(separator: "."), text.revealed)]
        case .array: []
        }
    }
}

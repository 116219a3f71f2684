internal import SluiceJSON
package import SluicePipeline

extension StreamDefinition.Body {
    /// The body of a JSON text.
    ///
    /// - Parameter json: The text.
    /// - Returns: The body; nil where the text is no JSON.
    package static func json(text json: [UInt8]) -> StreamDefinition.Body? {
        let parser = JSONParser()
        // The elements read the parser's memory.
        return withExtendedLifetime(parser) {
            (try? unsafe parser.parse(json)).map { .json(StreamDefinition.BodyValue($0)) }
        }
    }

    /// The scalars of a JSON object by their places: `variables.after`.
    package var places: [(name: String, value: String)] {
        guard case .json(let value) = self else { return [] }
        return value.places(below: [])
    }
}

extension StreamDefinition.BodyValue {
    fileprivate init(_ element: JSONElement) {
        switch element.kind {
        case .string: self = .text(ConfigurationText(element.string ?? ""))
        case .object:
            var members: [StreamDefinition.BodyMember] = []
            var cursor = element.members()
            while cursor.next() {
                members.append(
                    StreamDefinition.BodyMember(name: cursor.name, value: StreamDefinition.BodyValue(cursor.value)))
            }
            self = .object(members)
        case .array:
            var values: [StreamDefinition.BodyValue] = []
            var cursor = element.elements()
            while cursor.next() { values.append(StreamDefinition.BodyValue(cursor.value)) }
            self = .array(values)
        case .null, .bool, .integer, .number:
            var json: [UInt8] = []
            JSONWriter.append(element, to: &json)
            self = .literal(ConfigurationText(String(decoding: json, as: UTF8.self)))
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

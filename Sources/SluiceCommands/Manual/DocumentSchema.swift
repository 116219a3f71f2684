internal import SluiceJSON
internal import SluiceModel

/// The JSON Schema of a document, made of a table of its keys.
struct DocumentSchema: Sendable {
    /// Its name and version, as in `urn:sluice:report:1`.
    let id: String
    let title: String
    let help: String
    /// The keys of the document.
    let document: [Key]
    /// The objects within it, by name.
    let shapes: [(name: String, keys: [Key])]

    /// What a value looks like.
    indirect enum Shape: Sendable {
        /// Any value, such as that of a field.
        case value
        case text
        /// RFC 3339 in UTC.
        case time
        /// A whole number from 0.
        case count
        case flag
        /// An object whose members are others in each pipeline.
        case object
        case constant(String)
        case choice([String])
        case list(Shape)
        /// An object of a shape.
        case one(String)
        /// An object of a shape for each name, such as an entity's.
        case byName(String)
        /// The shape, or null.
        case optional(Shape)
    }

    /// A member of an object.
    struct Key: Sendable {
        let name: String
        let shape: Shape
        let help: String
        let isRequired: Bool

        /// A key that is always there.
        static func always(_ name: String, _ shape: Shape, _ help: String) -> Key {
            Key(name: name, shape: shape, help: help, isRequired: true)
        }

        /// A key that is left out where it says nothing.
        static func sometimes(_ name: String, _ shape: Shape, _ help: String) -> Key {
            Key(name: name, shape: shape, help: help, isRequired: false)
        }
    }

    /// The schema as indented JSON (JSON Schema 2020-12), with a line break at its end.
    var json: String {
        var schema = JSONObject()
        schema.add("$schema", "https://json-schema.org/draft/2020-12/schema")
        schema.add("$id", id)
        schema.add("title", title)
        schema.add("description", help)
        Self.addMembers(of: document, to: &schema)
        var definitions = JSONObject()
        for (name, keys) in shapes {
            var definition = JSONObject()
            Self.addMembers(of: keys, to: &definition)
            definitions.add(name, json: definition.text)
        }
        schema.add("$defs", json: definitions.text)
        return Self.indented(schema.text)
    }

    private static func indented(_ text: String) -> String {
        guard let document = try? JSONDocument(text) else { return text + "\n" }
        return String(decoding: document.root.indentedJSON, as: UTF8.self) + "\n"
    }

    private static func addMembers(of keys: [Key], to object: inout JSONObject) {
        object.add("type", "object")
        var properties = JSONObject()
        for key in keys {
            var property = JSONObject()
            property.add("description", key.help)
            add(key.shape, to: &property)
            properties.add(key.name, json: property.text)
        }
        object.add("properties", json: properties.text)
        object.add("required", json: texts(keys.filter(\.isRequired).map(\.name)))
    }

    /// Adds the keywords of a shape.
    private static func add(_ shape: Shape, to object: inout JSONObject) {
        switch shape {
        case .value: break
        case .text: object.add("type", "string")
        case .time:
            object.add("type", "string")
            object.add("format", "date-time")
        case .count:
            object.add("type", "integer")
            object.add("minimum", 0)
        case .flag: object.add("type", "boolean")
        case .object: object.add("type", "object")
        case .constant(let text): object.add("const", text)
        case .choice(let texts): object.add("enum", json: Self.texts(texts))
        case .list(let element):
            object.add("type", "array")
            var items = JSONObject()
            add(element, to: &items)
            object.add("items", json: items.text)
        case .one(let name): object.add("$ref", "#/$defs/\(name)")
        case .byName(let name):
            object.add("type", "object")
            object.add("additionalProperties", json: reference(name))
        case .optional(let shape):
            var some = JSONObject()
            add(shape, to: &some)
            object.add("anyOf", json: "[\(some.text),{\"type\":\"null\"}]")
        }
    }

    private static func reference(_ name: String) -> String {
        var object = JSONObject()
        object.add("$ref", "#/$defs/\(name)")
        return object.text
    }

    private static func texts(_ texts: [String]) -> String {
        "[" + texts.map { FieldJSON.quoted($0) }.joined(separator: ",") + "]"
    }
}

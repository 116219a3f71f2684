internal import SluiceCommands

/// A JSON Schema, as OpenAPI 3.1 takes it, put together as JSON text.
struct Schema: Sendable {
    let json: String

    init(json: String) { self.json = json }

    private static func object(_ build: (inout JSONObject) -> Void) -> Schema {
        var object = JSONObject()
        build(&object)
        return Schema(json: object.text)
    }

    private static func simple(_ type: String) -> Schema { object { $0.add("type", type) } }

    static let text = simple("string")
    static let integer = simple("integer")
    /// A number within bounds.
    static func integer(_ range: ClosedRange<Int>, standard: Int? = nil) -> Schema {
        object {
            $0.add("type", "integer")
            $0.add("minimum", range.lowerBound)
            $0.add("maximum", range.upperBound)
            if let standard { $0.add("default", standard) }
        }
    }
    static let number = simple("number")
    static let flag = simple("boolean")
    /// Any JSON.
    static let any = Schema(json: "{}")
    static let moment = object {
        $0.add("type", "string")
        $0.add("description", "RFC 3339 in UTC")
    }

    /// A text that fits a regular expression.
    static func text(_ pattern: String) -> Schema {
        object {
            $0.add("type", "string")
            $0.add("pattern", pattern)
        }
    }

    /// One of some texts.
    static func choice(_ texts: [String]) -> Schema {
        object {
            $0.add("type", "string")
            $0.add("enum", json: "[" + texts.map { JSONText.quoted($0) }.joined(separator: ",") + "]")
        }
    }

    static func constant(_ text: String) -> Schema { object { $0.add("const", text) } }

    static func array(_ element: Schema) -> Schema {
        object {
            $0.add("type", "array")
            $0.add("items", json: element.json)
        }
    }

    /// The schema, or null.
    static func optional(_ schema: Schema) -> Schema {
        object { $0.add("anyOf", json: "[\(schema.json),{\"type\":\"null\"}]") }
    }

    /// The schema, with exactly one of some of its members.
    func having(oneOf names: [String]) -> Schema {
        let choices = names.map { "{\"required\":[\(JSONText.quoted($0))]}" }
        return Schema(json: json.dropLast() + ",\"oneOf\":\(JSONText.array(choices))}")
    }

    /// A schema by its name among the components.
    static func named(_ name: String) -> Schema { object { $0.add("$ref", "#/components/schemas/\(name)") } }

    /// An object; further members may come with later versions.
    static func object(_ required: [(String, Schema)], optional: [(String, Schema)] = []) -> Schema {
        object {
            $0.add("type", "object")
            var members = JSONObject()
            for (name, schema) in required + optional { members.add(name, json: schema.json) }
            $0.add("properties", json: members.text)
            $0.add("required", json: "[" + required.map { JSONText.quoted($0.0) }.joined(separator: ",") + "]")
        }
    }
}

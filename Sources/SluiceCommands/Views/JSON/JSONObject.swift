internal import SluiceModel

/// A JSON object as it is put together, its members in the order in which they are added.
package struct JSONObject {
    private var members = ""

    /// Makes an empty object.
    package init() {}

    /// The text of the object.
    package var text: String { "{" + members + "}" }

    /// Adds a member whose JSON text is given.
    package mutating func add(_ name: String, json: String) {
        if !members.isEmpty { members += "," }
        members += FieldJSON.quoted(name) + ":" + json
    }

    /// Adds a string, or null.
    package mutating func add(_ name: String, _ text: String?) {
        add(name, json: text.map { FieldJSON.quoted($0) } ?? "null")
    }

    /// Adds a number.
    package mutating func add(_ name: String, _ number: Int) { add(name, json: String(number)) }

    /// Adds a number, or null.
    package mutating func add(_ name: String, _ number: Int64?) { add(name, json: number.map { String($0) } ?? "null") }

    /// Adds a truth value.
    package mutating func add(_ name: String, _ flag: Bool) { add(name, json: flag ? "true" : "false") }

    /// JSON text that a store kept, which a hand may have spoilt: it is given as a string then.
    package static func kept(_ json: String) -> String { FieldJSON.text(.text(Array(json.utf8)), type: .json) }
}

extension JSONObject {
    /// An array, each element on a line of its own.
    package static func array(_ elements: [String]) -> String {
        elements.isEmpty ? "[]" : "[\n" + elements.joined(separator: ",\n") + "\n]"
    }
}

internal import SluiceJSON
internal import SluiceModel

/// The members of a JSON object, each with its text.
struct ObjectText {
    var members: [(name: String, json: String)]

    /// Reads an object; nil where the text is none.
    init?(_ json: String) {
        guard let root = try? JSONDocument(json).root, root.kind == .object else { return nil }
        members = root.members.map { ($0.name, String(decoding: $0.value.json, as: UTF8.self)) }
    }

    var text: String { "{" + members.map { FieldJSON.quoted($0.name) + ":" + $0.json }.joined(separator: ",") + "}" }

    /// The elements of a JSON array, each with its text; nil where the text is none.
    static func elements(_ json: String) -> [String]? {
        guard let root = try? JSONDocument(json).root, root.kind == .array else { return nil }
        return root.elements.map { String(decoding: $0.json, as: UTF8.self) }
    }
}

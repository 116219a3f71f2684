internal import SluiceJSON

/// What a value looks like in a report. Values are JSON text.
package enum ValueText {
    /// Whether two values are better compared word by word than shown side by side.
    static func areLong(_ old: String, _ new: String) -> Bool {
        guard old != "null" && new != "null" && (isLong(old) || isLong(new)) else { return false }
        // Of two digests or keys, a comparison would only say that one word stands for another.
        return ![old, new].allSatisfy { WordSplitter.isWord(plain($0)) }
    }

    /// Whether a value does not fit into a line. A text of several lines may, with its breaks escaped.
    package static func isLong(_ json: String) -> Bool {
        json.index(json.startIndex, offsetBy: ShortText.width + 1, limitedBy: json.endIndex) != nil
    }

    /// The text of a JSON string; other JSON as it is.
    package static func plain(_ json: String) -> String {
        guard json.hasPrefix("\"") else { return json }
        return (try? JSONDocument(json))?.root.string ?? json
    }

    /// The members of a JSON object as JSON text, nil where the text is none.
    package static func members(of json: String) -> [(name: String, value: String)]? {
        guard let root = try? JSONDocument(json).root, root.kind == .object else { return nil }
        return root.members.map { ($0.name, text($0.value)) }
    }

    /// The elements of a JSON array as JSON text, none for null; nil where the text is no array.
    package static func elements(of json: String) -> [String]? {
        if json == "null" { return [] }
        guard let root = try? JSONDocument(json).root, root.kind == .array else { return nil }
        return root.elements.map(text)
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.json, as: UTF8.self) }
}

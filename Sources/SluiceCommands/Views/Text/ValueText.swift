internal import SluiceJSON

/// What a value looks like in a report. Values are JSON text.
enum ValueText {
    /// Whether two values are better compared word by word than shown side by side.
    static func areLong(_ old: String, _ new: String) -> Bool {
        old != "null" && new != "null" && (isLong(old) || isLong(new))
    }

    /// Whether a value does not fit into a line, or is a text of several lines.
    static func isLong(_ json: String) -> Bool {
        if json.index(json.startIndex, offsetBy: ShortText.width + 1, limitedBy: json.endIndex) != nil { return true }
        return json.hasPrefix("\"") && plain(json).contains(where: \.breaksLine)
    }

    /// The text of a JSON string; other JSON as it is.
    static func plain(_ json: String) -> String {
        guard json.hasPrefix("\"") else { return json }
        let parser = JSONParser()
        return withExtendedLifetime(parser) {
            guard let element = try? unsafe parser.parse(Array(json.utf8)), element.kind == .string else { return json }
            return unsafe String(decoding: element.utf8, as: UTF8.self)
        }
    }

    /// The members of a JSON object as JSON text, nil where the text is none.
    static func members(of json: String) -> [(name: String, value: String)]? {
        let parser = JSONParser()
        return withExtendedLifetime(parser) {
            guard let root = try? unsafe parser.parse(Array(json.utf8)), root.kind == .object else { return nil }
            var members: [(name: String, value: String)] = []
            var cursor = root.members()
            while cursor.next() {
                members.append((unsafe String(decoding: cursor.key, as: UTF8.self), text(cursor.value)))
            }
            return members
        }
    }

    /// The elements of a JSON array as JSON text, none for null; nil where the text is no array.
    static func elements(of json: String) -> [String]? {
        if json == "null" { return [] }
        let parser = JSONParser()
        return withExtendedLifetime(parser) {
            guard let root = try? unsafe parser.parse(Array(json.utf8)), root.kind == .array else { return nil }
            var elements: [String] = []
            var cursor = root.elements()
            while cursor.next() { elements.append(text(cursor.value)) }
            return elements
        }
    }

    private static func text(_ element: JSONElement) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(element, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

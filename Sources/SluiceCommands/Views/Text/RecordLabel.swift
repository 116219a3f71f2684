internal import SluiceJSON

/// How a record is called: `Book 17`, or `Match round="1", team="A"`.
enum RecordLabel {
    /// The label of a record.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - key: The key as a JSON object, nil where it could not be read.
    /// - Returns: The entity's name and what its key holds, long texts shortened.
    static func of(entity: String, key: String?) -> String {
        guard let key else { return "\(entity) without a readable key" }
        let name = ShortText.of(entity)
        let parser = JSONParser()
        guard let root = try? unsafe parser.parse(Array(key.utf8)), root.kind == .object else {
            return "\(name) \(ShortText.of(key))"
        }
        var parts: [(name: String, value: String)] = []
        var members = root.members()
        while members.next() {
            parts.append((text(members.keyElement), text(members.value)))
        }
        if parts.count == 1 { return "\(name) \(ShortText.of(bare(parts[0].value)))" }
        return name + " "
            + parts.map { "\(ShortText.of(bare($0.name)))=\(ShortText.of($0.value))" }.joined(separator: ", ")
    }

    private static func text(_ element: JSONElement) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(element, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A string without its quotes, where they are not needed to see its ends.
    private static func bare(_ json: String) -> String {
        guard json.utf8.count > 2, json.hasPrefix("\""), json.hasSuffix("\"") else { return json }
        let inner = json.dropFirst().dropLast()
        return inner.contains { $0 == "\\" || $0 == "\"" || $0.isWhitespace } ? json : String(inner)
    }
}

internal import SluiceJSON
package import SluiceModel

/// Reads back the JSON text that conflicts and people give for values.
package struct StoredJSON {
    /// Makes a reader.
    package init() {}

    /// The value that JSON text stands for in a type.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - type: The type.
    ///   - isKey: Whether the value identifies a record, so that its spelling must not matter.
    /// - Returns: The value; nil where it does not fit.
    package func value(_ json: String, type: FieldType, isKey: Bool = false) -> FieldValue? {
        guard let value = try? JSONDocument(json).root else { return nil }
        if value.isNull { return .null }
        return try? ValueConverter(type: type, isKey: isKey).value(of: value).value
    }

    /// The value that a person's text stands for in a type.
    ///
    /// `null` is null and what stands in double quotes is the string within them. Else text is itself, and for types
    /// that are no text JSON; a value of type `json` is always written as JSON.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - type: The type.
    ///   - isKey: Whether the value identifies a record, so that its spelling must not matter.
    /// - Returns: The value; nil where it does not fit.
    package func value(typed text: String, type: FieldType, isKey: Bool = false) -> FieldValue? {
        let isText = type == .string || type == .enumeration || type == .url
        // Spreadsheets write TRUE.
        if type == .bool { return value(text.lowercased(), type: type, isKey: isKey) }
        // A text is a value of this type too, so that half an object would be one.
        if type == .json { return value(text, type: type, isKey: isKey) }
        if !isText || text == "null" || text.hasPrefix("\""), let value = value(text, type: type, isKey: isKey) {
            return value
        }
        return value(FieldJSON.quoted(text), type: type, isKey: isKey)
    }

    /// The members of an object, each with its JSON text; nil where the text is no object.
    package func members(_ json: String) -> [(name: String, json: String)]? {
        guard let root = try? JSONDocument(json).root, root.kind == .object else { return nil }
        return root.members.map { ($0.name, String(decoding: $0.value.json, as: UTF8.self)) }
    }

    /// The elements of an array, each with its JSON text; nil where the text is no array.
    package func elements(_ json: String) -> [String]? {
        guard let root = try? JSONDocument(json).root, root.kind == .array else { return nil }
        return root.elements.map { String(decoding: $0.json, as: UTF8.self) }
    }

    /// The values of an object whose members are fields, by the field's position; nil where one does not fit.
    package func record(_ json: String, schema: RecordSchema) -> [Int: FieldValue]? {
        guard let members = members(json) else { return nil }
        var values: [Int: FieldValue] = [:]
        for member in members {
            guard let field = schema.fields.firstIndex(where: { $0.name == member.name }),
                let value = value(member.json, type: schema.fields[field].type, isKey: schema.identifies(field))
            else { return nil }
            values[field] = value
        }
        return values
    }

    /// A record's key from the object that names it.
    package func key(_ json: String, schema: RecordSchema) -> RecordKey? {
        guard let values = record(json, schema: schema) else { return nil }
        let key = schema.keyFields.compactMap { values[$0] }
        return key.count == schema.keyFields.count && !key.contains(.null) ? RecordKey(key) : nil
    }

    /// Whether two JSON texts say the same, whatever the order of members and the spelling of numbers.
    package func same(_ left: String?, _ right: String?) -> Bool {
        if left == right { return true }
        guard let left = left.flatMap(canonical), let right = right.flatMap(canonical) else { return false }
        return left == right
    }

    private func canonical(_ json: String) -> [UInt8]? { try? JSONDocument(json).root.canonicalJSON }
}

internal import SluiceJSON

/// Stored values as JSON in their field's type.
package enum FieldJSON {
    /// The JSON text of a value; a value that is not valid in the type is given as text.
    package static func text(_ value: FieldValue, type: FieldType) -> String {
        switch (type, value) {
        case (_, .null): return "null"
        case (.bool, .integer(0)): return "false"
        case (.bool, .integer(1)): return "true"
        case (_, .integer(let value)): return String(value)
        case (_, .real(let value)):
            guard value.isFinite else { return quoted(Array(String(value).utf8)) }
            return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) + ".0" : String(value)
        case (.json, .text(let bytes)):
            if (try? JSONDocument(bytes)) != nil { return String(decoding: bytes, as: UTF8.self) }
            return quoted(bytes)
        case (_, .text(let bytes)): return quoted(bytes)
        case (_, .blob(let bytes)): return quoted(Array(Base64.encode(bytes).utf8))
        }
    }

    /// A record's key as a JSON object, its members in the order of the primary key.
    package static func object(key: RecordKey, schema: RecordSchema) -> String {
        let members = zip(schema.keyFields, key.values).map { index, value in
            let field = schema.fields[index]
            return quoted(Array(field.name.utf8)) + ":" + text(value, type: field.type)
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// A string in JSON's quotes.
    package static func quoted(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        // Bytes that are no UTF-8, which only a hand can have put into a store, are repaired.
        JSONWriter.append(String(decoding: bytes, as: UTF8.self), to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// A string in JSON's quotes.
    package static func quoted(_ text: String) -> String { quoted(Array(text.utf8)) }
}

extension RecordKey {
    /// The values as JSON, with commas between.
    package var words: String { values.map { FieldJSON.text($0, type: .string) }.joined(separator: ", ") }

    /// The values for people, with commas between.
    package var text: String {
        values.map { value in
            if case .text(let bytes) = value { return String(decoding: bytes, as: UTF8.self) }
            return FieldJSON.text(value, type: .string)
        }.joined(separator: ", ")
    }
}

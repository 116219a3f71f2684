package import SluiceModel
internal import SluiceStore

/// Why a record that a person names cannot be looked up.
package enum KeyProblem: Error {
    /// No stream fills such an entity; these are known.
    case entity(known: [RecordMapping])
    /// The key has other fields, or values of other types: what is expected, and the key of a record that is there, as a person
    /// gives it; nil where there is none.
    case key(expected: String, example: String? = nil)
}

/// Reads a key as a person gives it: `42`, `"a b"`, or `field=value,field=value` where several fields identify a record, with
/// blanks after the commas as reports have them;
/// and as reports for programs give it: a JSON object.
package struct KeyText {
    package let schema: RecordSchema
    package let json: StoredJSON

    /// Makes a value of its parts.
    package init(schema: RecordSchema, json: StoredJSON) {
        self.schema = schema
        self.json = json
    }

    private var fields: [RecordSchema.Field] { schema.keyFields.map { schema.fields[$0] } }

    /// The keys that a text may name: the one by which records are compared and, where the text spells it in another way, the
    /// one as it is spelled, which a person may have put into a table.
    ///
    /// - Throws: ``KeyProblem/key(expected:example:)``.
    package func keys(_ text: String) throws -> [RecordKey] {
        let keys = [try key(text, isCompared: true), try key(text, isCompared: false)]
        return keys[0] == keys[1] ? [keys[0]] : keys
    }

    /// How a person gives a key: the text from which ``keys(_:)`` makes it, with quotes only where they are needed.
    package func text(_ key: RecordKey) -> String {
        let values = zip(fields, key.values).map { field, value in FieldJSON.text(value, type: field.type) }
        let bare = joined(values.map { $0.count > 2 && $0.hasPrefix("\"") ? String($0.dropFirst().dropLast()) : $0 })
        return (try? keys(bare))?.contains(key) ?? false ? bare : joined(values)
    }

    private func joined(_ values: [String]) -> String {
        fields.count == 1
            ? values.joined() : zip(fields, values).map { "\($0.name)=\($1)" }.joined(separator: ",")
    }

    private func key(_ text: String, isCompared: Bool) throws -> RecordKey {
        if text.hasPrefix("{"), let key = json.key(text, schema: schema) { return key }
        let parts = Self.parts(text).map { String($0.drop { $0 == " " }) }
        let named = fields.map { field in
            parts.first { $0.hasPrefix(field.name + "=") }.map { String($0.dropFirst(field.name.count + 1)) }
        }
        let isNamed = named.allSatisfy { $0 != nil } && parts.count == fields.count
        let values = zip(fields, isNamed ? named.compactMap { $0 } : [text]).map { field, text in
            json.value(typed: text, type: field.type, isKey: isCompared)
        }
        let key = values.compactMap { $0 == .null ? nil : $0 }
        guard isNamed || fields.count == 1, key.count == fields.count else {
            throw KeyProblem.key(expected: expectation)
        }
        return RecordKey(key)
    }

    private var expectation: String {
        fields.count == 1
            ? "\(fields.first?.type.rawValue ?? "value"), the `\(fields.first?.name ?? "")`"
            : "`" + fields.map { "\($0.name)=VALUE" }.joined(separator: ",") + "`"
    }

    /// The parts between commas that are not in double quotes.
    private static func parts(_ text: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == "\"" && !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isEscaped
            if character == "," && !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}

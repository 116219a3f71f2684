internal import SluiceDecode
package import SluiceModel
package import SluiceStore

/// Which sides of a conflict a field can have: a type or the values of an `enum` that it had before may have left others.
package struct WritableSides {
    private let field: RecordSchema.Field
    private let json = StoredJSON()

    /// Judges the sides of a field.
    package init(_ field: RecordSchema.Field) { self.field = field }

    /// The value of a side.
    ///
    /// - Parameter text: The side as JSON.
    /// - Returns: Nil where the field cannot have it.
    package func value(_ text: String) -> FieldValue? {
        json.value(text, type: field.type).flatMap { isAllowed($0) ? $0 : nil }
    }

    /// A base's value as the column takes it; nil where the field cannot have it.
    func value(_ value: FieldValue) -> FieldValue? {
        if value.isNull || field.redaction != nil { return value }
        guard isAllowed(value), let read = json.value(FieldJSON.text(value, type: field.type), type: field.type) else {
            return nil
        }
        switch (value, read) {
        case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): return value
        default: return read
        }
    }

    /// What a base keeps of a side that is no value of the field.
    func earlier(_ text: String) -> BaseEntry { .value(FieldValue(untyped: text)) }

    private func isAllowed(_ value: FieldValue) -> Bool {
        guard field.type == .enumeration, !field.allowed.isEmpty, case .text(let bytes) = value else { return true }
        return field.allowed.contains(bytes)
    }
}

extension ConflictEntry {
    /// Which sides of a conflict over a field a decision can write.
    ///
    /// - Parameter schema: What the store knows of the table; nil where it knows nothing.
    /// - Returns: Whether it can write that of the source, and that of before.
    package func writable(_ schema: RecordSchema?) -> (remote: Bool, base: Bool) {
        guard let field = schema?.fields.first(where: { $0.name == self.field }), field.redaction == nil else {
            return (remote != nil, base != nil)
        }
        let sides = WritableSides(field)
        return (remote.map { sides.value($0) != nil } ?? false, base.map { sides.value($0) != nil } ?? false)
    }

    /// Whether somebody may give a value: of a field that is redacted, it would be stored in clear.
    ///
    /// - Parameter schema: What the store knows of the table; nil where it knows nothing.
    /// - Returns: Whether `--set` writes one.
    package func takesValue(_ schema: RecordSchema?) -> Bool {
        schema?.fields.first { $0.name == self.field }?.redaction == nil
    }
}

extension RecordSchema.Field {
    /// Whether a value can stand in the field's column, as its type and its list of values are now. What stands for a redacted
    /// value can.
    package func canHold(_ value: FieldValue) -> Bool {
        if redaction != nil { return true }
        if case .text(let text) = value, type == .enumeration, !allowed.isEmpty { return allowed.contains(text) }
        return CanonicalValue().isValid(value, type: type)
    }
}

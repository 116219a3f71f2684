extension RecordSchema.Field {
    /// Whether a value can stand in the field's column, as its type and its list of values are now.
    package func canHold(_ value: FieldValue) -> Bool {
        if case .text(let text) = value, type == .enumeration, !allowed.isEmpty { return allowed.contains(text) }
        return CanonicalValue().isValid(value, type: type)
    }
}

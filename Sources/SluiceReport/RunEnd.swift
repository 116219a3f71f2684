/// The rules by which one record ends a run.
package enum RunEnd {
    /// `on_type_mismatch` of a field.
    case field
    /// `types` of the stream's contract.
    case types
    /// `fields` of the stream's contract.
    case keys
    /// `on_cursor_missing` of the stream.
    case cursor

    private var rule: String {
        switch self {
        case .field: "The field's `on_type_mismatch` is `fail`"
        case .types: "`schema_contract.types` is `fail`"
        case .keys: "`schema_contract.fields` is `freeze`"
        case .cursor: "`on_cursor_missing` is `fail`"
        }
    }

    private var remedy: String {
        switch self {
        case .field: "Correct the source, or set it to `quarantine`, `set_null` or `keep`."
        case .types:
            "Correct the source or the field's `type`, or set the rule to `coerce`, `quarantine` or `set_null`."
        case .cursor: "Correct the source, or set the rule to `include` or `exclude`."
        case .keys: "Add a field for the key, or set the rule to `report` or `ignore`."
        }
    }

    /// The error that ends the run.
    ///
    /// - Parameters:
    ///   - place: Where the record stands.
    ///   - failure: What is wrong with it.
    /// - Returns: An error that names the place, what is wrong, the rule and the remedy.
    package func error(at place: String, _ failure: DecodeFailure) -> SyncError {
        let pointer = failure.pointer.isEmpty ? "" : ", \(failure.pointer)"
        return SyncError(
            self == .field || self == .cursor ? .invalidDocument : .contractBroken,
            "\(place)\(pointer): \(failure.message) \(rule), which ends the run. \(remedy)")
    }
}

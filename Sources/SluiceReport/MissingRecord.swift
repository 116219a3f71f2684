package import SluiceModel

/// A record that a scan did not see, and what its source said of it last.
package struct MissingRecord: Sendable {
    package let key: RecordKey
    /// For each field what is known.
    package let values: [FieldValue?]

    /// Makes a value of its parts.
    package init(key: RecordKey, values: [FieldValue?]) {
        self.key = key
        self.values = values
    }

    /// The value of a field; nil where it is not known.
    package func value(of field: Int) -> FieldValue? { values.indices.contains(field) ? values[field] : nil }
}

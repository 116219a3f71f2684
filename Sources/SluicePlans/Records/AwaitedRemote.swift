package import SluiceModel

/// What a source said of a record in a conflict that waits for a decision.
package struct AwaitedRemote {
    /// The field of the conflict; nil where it is about the whole record.
    package let field: String?
    /// The values by the positions of their fields.
    package let values: [Int: FieldValue]

    /// Makes a value of its parts.
    package init(field: String?, values: [Int: FieldValue]) { (self.field, self.values) = (field, values) }
}

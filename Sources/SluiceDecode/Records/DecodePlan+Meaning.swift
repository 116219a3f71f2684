internal import SluiceJSON
package import SluiceModel

extension DecodePlan {
    /// What the source means by a value that it said before its field had its type: as the field's `format`, `timezone` and
    /// type read it.
    ///
    /// - Parameters:
    ///   - said: The value in no type, see `FieldValue.init(untyped:)`.
    ///   - field: The field.
    /// - Returns: The value; nil where it is none, and where the field takes what its source says through a `map`, a
    ///   reference or a redaction.
    package func meaning(of said: FieldValue, field: Int) -> FieldValue? {
        let field = fields[field]
        guard field.isPlain, field.redaction == nil, let json = said.untypedJSON,
            let value = try? JSONDocument(json).root, !value.isNull
        else { return nil }
        return try? field.converter.value(of: value).value
    }
}

/// What a source said of a field when it was last settled.
///
/// Mostly only equality needs the base, so a long value is kept as its digest, see ``BaseKeeping``.
package enum BaseEntry: Sendable, Hashable {
    /// This source never gave the field.
    case none
    case null
    /// A value, as it was stored.
    case value(FieldValue)
    /// The digest of a value too long to keep.
    case digest(UInt64)

    /// The entry for a value: the value itself where it is to be kept, else its digest.
    ///
    /// - Parameters:
    ///   - value: The value as it is stored.
    ///   - digest: The digest of its canonical form.
    ///   - keeping: How long a value may be to be kept.
    package init(value: FieldValue, digest: UInt64, keeping: BaseKeeping = .short) {
        switch value {
        case .null: self = .null
        case .integer, .real: self = .value(value)
        case .text(let bytes), .blob(let bytes):
            self = bytes.count <= keeping.longestBytes ? .value(value) : .digest(digest)
        }
    }

    /// The value, where it is known.
    package var value: FieldValue? {
        switch self {
        case .null: .null
        case .value(let value): value
        case .none, .digest: nil
        }
    }
}

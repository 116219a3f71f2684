/// What a source said of a field when it was last settled.
///
/// Mostly only equality needs the base, so a long value is kept as its digest unless its field says otherwise.
public enum BaseEntry: Sendable, Hashable {
    /// This source never gave the field.
    case none
    case null
    /// A value, as it was stored.
    case value(FieldValue)
    /// The digest of a value too long to keep.
    case digest(UInt64)

    /// Text and blobs up to this many bytes are kept as they are in any case.
    public static let longestInlineBytes = 24

    /// The entry for a value: the value itself where it is short or is to be kept in full, else its digest.
    ///
    /// - Parameters:
    ///   - value: The value as it is stored.
    ///   - digest: The digest of its canonical form.
    ///   - keepsFull: Whether the value is kept however long it is.
    public init(value: FieldValue, digest: UInt64, keepsFull: Bool = false) {
        switch value {
        case .null: self = .null
        case .integer, .real: self = .value(value)
        case .text(let bytes), .blob(let bytes):
            self = keepsFull || bytes.count <= Self.longestInlineBytes ? .value(value) : .digest(digest)
        }
    }

    /// The value, where it is known.
    public var value: FieldValue? {
        switch self {
        case .null: .null
        case .value(let value): value
        case .none, .digest: nil
        }
    }
}

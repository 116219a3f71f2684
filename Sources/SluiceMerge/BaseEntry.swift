/// What a source said of a field when it was last settled.
///
/// Only equality needs the base, so a long value is kept as its digest.
public enum BaseEntry: Sendable, Hashable {
    /// This source never gave the field.
    case none
    case null
    /// A short value, as it was stored.
    case value(FieldValue)
    /// The digest of a value too long to keep.
    case digest(UInt64)

    /// Text and blobs up to this many bytes are kept as they are.
    public static let longestInlineBytes = 24

    /// The entry for a value: the value itself where it is short, else its digest.
    ///
    /// - Parameters:
    ///   - value: The value as it is stored.
    ///   - digest: The digest of its canonical form.
    public init(value: FieldValue, digest: UInt64) {
        switch value {
        case .null: self = .null
        case .integer, .real: self = .value(value)
        case .text(let bytes), .blob(let bytes):
            self = bytes.count <= Self.longestInlineBytes ? .value(value) : .digest(digest)
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

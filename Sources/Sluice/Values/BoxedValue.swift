/// A value as the store keeps it.
public enum BoxedValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// The value as it is stored.
    ///
    /// - Parameter value: The value.
    /// - Throws: ``BoxError`` where the store cannot hold it.
    public init(_ value: some StoredValue) throws(BoxError) { self = try value.boxed() }

    /// Whether it is null.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// Two texts are one value only if their bytes are: `String` compares by canonical equivalence.
    public static func == (left: BoxedValue, right: BoxedValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): left.hasBytes(of: right)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .blob(let value): hasher.combine(value)
        }
    }
}

extension String {
    /// Whether it has the same bytes as another one, and not only the same characters.
    fileprivate func hasBytes(of other: String) -> Bool {
        let (left, right) = (utf8Span.span, other.utf8Span.span)
        if left.isIdentical(to: right) { return true }
        return left.count == right.count && left.indices.allSatisfy { left[$0] == right[$0] }
    }
}

/// What is kept of a field's values, which must not appear in clear.
package enum FieldRedaction: String, Sendable, CaseIterable {
    /// SHA-256 as hexadecimal digits, without salt: equal values can be told, and guessed by who can try them all.
    case hash
    /// Nothing: the field is null.
    case drop
    /// `***`, and behind it the last four characters of a text of at least twelve.
    case mask

    /// What stands for a value that is not shown at all.
    package static let hidden = "***"

    private static let shownTail = 4
    private static let shortestWithTail = 12

    /// What is kept of a value that a source gave.
    ///
    /// - Parameters:
    ///   - value: The value in clear.
    ///   - comparison: Where case makes no difference, the hash is that of the folded text.
    /// - Returns: What may be stored; null stays null.
    package func kept(_ value: FieldValue, comparison: FieldComparison) -> FieldValue {
        if value.isNull { return .null }
        guard self != .drop else { return .null }
        guard case .text(let bytes) = value else { return FieldValue(Self.hidden) }
        if self == .mask { return FieldValue(Self.hidden + Self.tail(of: bytes)) }
        if comparison != .ignoringCase { return .text(SHA256.hexadecimal(of: bytes)) }
        return unsafe .text(SHA256.hexadecimal(of: bytes.withUnsafeBytes { unsafe CaseFolding.folded($0) }))
    }

    /// What may be shown of a value that the table holds, which a person may have written there.
    ///
    /// - Parameters:
    ///   - value: The value as the table holds it.
    ///   - comparison: See ``kept(_:comparison:)``.
    /// - Returns: The value itself where it is what is kept of another, else what is kept of it.
    package func shown(_ value: FieldValue, comparison: FieldComparison) -> FieldValue {
        isKept(value) ? value : self == .drop ? FieldValue(Self.hidden) : kept(value, comparison: comparison)
    }

    /// What may be stored of a value that is stored somewhere already, which may be older than the redaction.
    ///
    /// - Parameters:
    ///   - value: The value as it is stored.
    ///   - comparison: See ``kept(_:comparison:)``.
    /// - Returns: The value itself where it is what is kept of another, else what is kept of it.
    package func stored(_ value: FieldValue, comparison: FieldComparison) -> FieldValue {
        isKept(value) ? value : kept(value, comparison: comparison)
    }

    /// Whether a value looks like what is kept of another.
    private func isKept(_ value: FieldValue) -> Bool {
        guard case .text(let bytes) = value else { return value.isNull }
        switch self {
        case .hash:
            return bytes.count == 64 && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        case .drop: return false
        case .mask:
            let text = String(decoding: bytes, as: UTF8.self)
            return text.hasPrefix(Self.hidden) && text.count <= Self.hidden.count + Self.shownTail
        }
    }

    private static func tail(of bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.count < shortestWithTail ? "" : String(text.suffix(shownTail))
    }
}

extension Optional where Wrapped == FieldRedaction {
    /// What becomes of a column's values, to stand behind its name: "has `redact: drop`".
    package var words: String { map { "has `redact: \($0.rawValue)`" } ?? "is kept in clear" }
}

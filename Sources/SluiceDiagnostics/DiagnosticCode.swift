/// What kind of problem a diagnostic is about, as a stable word such as `unknown_key`.
///
/// A struct rather than an enum, so that a new code breaks no switch in other modules.
public struct DiagnosticCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The word, in lower-case letters and underscores.
    public let rawValue: String

    /// Makes a code of a word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The word.
    public var description: String { rawValue }
}

extension DiagnosticCode: ExpressibleByStringLiteral {
    /// Makes a code of a literal.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

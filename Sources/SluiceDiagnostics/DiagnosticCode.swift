/// What kind of problem a diagnostic is about, as a stable word such as `unknown_key`.
///
/// A struct rather than an enum, so that a new code breaks no switch in other modules.
package struct DiagnosticCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The word, in lower-case letters and underscores.
    package let rawValue: String

    /// Makes a code of a word.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The word.
    package var description: String { rawValue }
}

extension DiagnosticCode: ExpressibleByStringLiteral {
    /// Makes a code of a literal.
    package init(stringLiteral value: String) { self.init(rawValue: value) }
}

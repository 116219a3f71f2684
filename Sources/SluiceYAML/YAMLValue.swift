/// What a scalar means under the core schema of YAML 1.2.
package enum YAMLValue: Sendable, Hashable {
    /// `null`, `~` or nothing.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number within 64 bits.
    case int(Int)
    /// Any other number; an integer outside 64 bits is here too, its digits stay in the scalar's text.
    case double(Double)
    /// Text, which is the scalar's own.
    case string
}

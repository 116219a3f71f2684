/// What the values of a property have to be, as `@Attribute(check:)` says it. Null is none of them: whether there is a value
/// is for the type to say.
///
/// ```swift
/// @Attribute(check: .length(1...200)) var title: String
/// @Attribute(check: .range(1...5)) var stars: Int?
/// ```
///
/// Saving a value that breaks it throws ``SluiceError/Code/check``, and a record of a source that breaks it is kept aside.
/// What stands in a table already is read as it is. The macro reads all arguments, which are literals.
public struct AttributeCheck: Sendable {
    private init() {}

    /// A number within a range, such as `1...5`, `0..<9.5` or `0...`.
    public static func range<Bound: Comparable>(_ range: some RangeExpression<Bound>) -> AttributeCheck {
        AttributeCheck()
    }

    /// A text of as many characters, or as many bytes.
    public static func length(_ range: some RangeExpression<Int>) -> AttributeCheck { AttributeCheck() }

    /// A text that a regular expression matches as a whole.
    public static func pattern(_ pattern: String) -> AttributeCheck { AttributeCheck() }

    /// One of some texts or numbers.
    public static func values<Value: Equatable>(_ values: Value...) -> AttributeCheck { AttributeCheck() }
}

/// What the value of a key may be.
package indirect enum ValueSpec: Sendable {
    /// `true` or `false`.
    case boolean
    /// A whole number.
    case integer(ClosedRange<Int>)
    /// A time span such as `10s`, within these milliseconds.
    case duration(ClosedRange<Int>)
    /// A number of bytes such as `64MiB`.
    case size(ClosedRange<Int>)
    /// A number of rows, or a share of them such as `10%`.
    case rowLimit
    /// A status of HTTP such as `404`, or a hundred of them such as `5xx`.
    case status
    /// Text that is written as text: a number or `true` needs quotes.
    case string(StringRule)
    /// A single value taken as text: a number or `true` will do.
    case text(StringRule)
    /// A single value of any type, null included.
    case scalar
    /// Anything: single values, lists and mappings, which become JSON.
    case json
    /// A word out of a few.
    case choice(ChoiceSpec)
    /// A list of values alike.
    case list(ValueSpec, minimumCount: Int)
    /// Names of the author's own choice, each with a value alike.
    case mapping(keys: StringRule, values: ValueSpec, minimumCount: Int)
    /// A mapping with known keys.
    case section(SectionSpec)
    /// A mapping whose `type` decides the other keys.
    case variants(VariantSpec)
    /// One of several forms, told apart by whether they are a single value, a list or a mapping.
    case anyOf([ValueSpec])
}

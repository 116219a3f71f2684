/// What a text must look like.
package enum StringRule: Sendable {
    /// Any text, even an empty one.
    case anything
    /// Any text, in which `{{ … }}` is filled in.
    case anyTemplate
    /// Any text without control characters that is not empty.
    case name
    /// A text of a simple shape.
    case pattern(TextPattern)
    /// Where a source lives: `http:`, `https:` or `file:`.
    case baseURL
    /// Where the store lives.
    case storeURL
    /// A header's value with `{{ token }}`.
    case tokenTemplate
    /// An absolute `http:` or `https:` URL.
    case endpoint
    /// The part of a URL after the base, in which `{{ … }}` is filled in.
    case requestPath
    /// The same for one record, in which `{{ key.… }}` is filled in.
    case recordPath
    /// A header or parameter value: one line, sent as it is.
    case sentText
    /// The same, in which `{{ … }}` is filled in.
    case sentTemplate
    /// A host with an optional port.
    case host
    /// The name of a link relation, see RFC 8288.
    case relation
    /// A path to one value within a record.
    case valuePath
    /// A path to the records of a page, which is followed while the page streams past.
    case recordsPath
    /// A text with `{{ file.stem }}`.
    case template
    /// How a date is written.
    case dateFormat
    /// An offset from UTC.
    case utcOffset
    /// When something is due.
    case cron
    /// A time zone by its IANA name.
    case timeZone
    /// A jq program, which is compiled where it is used.
    case program
    /// Where a proxy is.
    case proxyURL
    /// Where a notice goes.
    case webhook
}

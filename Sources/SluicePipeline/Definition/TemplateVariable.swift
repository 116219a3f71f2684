/// What stands between `{{` and `}}` in a text that goes into a request.
public struct TemplateVariable: Sendable, Hashable {
    /// What is filled in.
    public enum Name: String, Sendable, CaseIterable {
        /// When the run began.
        case runStartedAt = "run.started_at"
        /// Where a run begins to read, see ``IncrementalRule``.
        case cursorStart = "cursor.start"
        /// Where it ends.
        case cursorEnd = "cursor.end"
        /// The token that a login gave.
        case token
        /// A field of the identifier of one record, see ``TemplateVariable/field``.
        case key

        /// Whether it depends on what earlier runs have read.
        public var isOfCursor: Bool { self == .cursorStart || self == .cursorEnd }
        /// Whether it is a time, which filters write in other ways.
        var isTime: Bool { self != .token && self != .key }
        /// How it is written where one may choose a field.
        var example: String { self == .key ? "key.FIELD" : rawValue }
    }

    /// How a moment is written, where not as RFC 3339 in UTC.
    public enum Filter: String, Sendable, CaseIterable {
        /// Seconds since 1970.
        case unix
        /// Milliseconds since 1970.
        case unixMilliseconds = "unix_ms"
        /// `YYYY-MM-DD`.
        case date
    }

    /// What is filled in.
    public var name: Name
    /// How it is written; nil for its usual form.
    public var filter: Filter?
    /// The field that is meant, for ``Name/key``.
    public var field: String?

    /// Makes a variable.
    public init(_ name: Name, filter: Filter? = nil, field: String? = nil) {
        self.name = name
        self.filter = filter
        self.field = field
    }
}

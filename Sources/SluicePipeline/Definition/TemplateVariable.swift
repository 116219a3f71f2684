/// What stands between `{{` and `}}` in a text that goes into a request.
public struct TemplateVariable: Sendable, Hashable {
    /// What is filled in.
    public enum Name: String, Sendable, CaseIterable {
        /// When the run began.
        case runStartedAt = "run.started_at"
        /// The token that a login gave.
        case token
    }

    /// How a moment is written, where not as RFC 3339 in UTC.
    public enum Filter: String, Sendable, CaseIterable {
        /// Seconds since 1970.
        case unix
        /// `YYYY-MM-DD`.
        case date
    }

    /// What is filled in.
    public var name: Name
    /// How it is written; nil for its usual form.
    public var filter: Filter?

    /// Makes a variable.
    public init(_ name: Name, filter: Filter? = nil) {
        self.name = name
        self.filter = filter
    }
}

/// What stands between `{{` and `}}` in a text that goes into a request.
package struct TemplateVariable: Sendable, Hashable {
    /// What is filled in.
    package enum Name: String, Sendable, CaseIterable {
        /// When the run began.
        case runStartedAt = "run.started_at"
        /// Where a run begins to read, see ``IncrementalRule``.
        case cursorStart = "cursor.start"
        /// Where it ends.
        case cursorEnd = "cursor.end"
        /// The token that a login gave.
        case token
        /// A field of the identifier of one record, by ``TemplateVariable/member``.
        case key
        /// A field of one record, by ``TemplateVariable/member``.
        case record
        /// A field of the record of the parent stream, by ``TemplateVariable/member``.
        case parent
        /// The text of `for_each`, of the list that ``TemplateVariable/member`` names where lists have names.
        case item

        /// Whether it depends on what earlier runs have read.
        package var isOfCursor: Bool { self == .cursorStart || self == .cursorEnd }
        /// Whether it means nothing without a stream.
        package var isOfStream: Bool { isOfCursor || hasMembers }
        /// Whether something may follow it behind a dot.
        package var hasMembers: Bool { self == .item || needsMember }
        /// Whether something must.
        package var needsMember: Bool { self == .parent || self == .key || self == .record }
        /// It as it is written.
        package var example: String { needsMember ? "\(rawValue).id" : rawValue }
        /// Whether it is a time, which filters write in other ways.
        package var isTime: Bool { self == .runStartedAt || isOfCursor }
    }

    /// How a moment is written, where not as RFC 3339 in UTC.
    package enum Filter: String, Sendable, CaseIterable {
        /// Seconds since 1970.
        case unix
        /// Milliseconds since 1970.
        case unixMilliseconds = "unix_ms"
        /// `YYYY-MM-DD`.
        case date
    }

    /// What is filled in.
    package var name: Name
    /// How it is written; nil for its usual form.
    package var filter: Filter?
    /// What stands behind `parent.`, `item.`, `key.` or `record.`; nil for all others.
    package var member: String?

    /// Makes a variable.
    package init(_ name: Name, filter: Filter? = nil, member: String? = nil) {
        self.name = name
        self.filter = filter
        self.member = member
    }

    /// What stands between the braces, without the filter.
    package var path: String { member.map { "\(name.rawValue).\($0)" } ?? name.rawValue }
}

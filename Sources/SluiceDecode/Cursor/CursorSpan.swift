package import SluiceModel
package import SluicePipeline

/// The records for which a stream asks at most, by its cursor: of others a scan tells nothing, be it of everything.
package struct CursorSpan: Sendable, Equatable {
    /// The position of the cursor's field.
    package let field: Int
    private let start: CursorPoint?
    private let end: CursorPoint?
    /// Whether records without a cursor are asked for as well.
    private let takesUndated: Bool

    /// Nil where a stream asks for everything.
    ///
    /// - Parameters:
    ///   - rule: The stream's rule.
    ///   - field: The cursor's field.
    ///   - position: The position of the field in its schema.
    ///   - startedAt: When the run began, RFC 3339.
    /// - Throws: What the rule says of the first point, where it cannot be read.
    package init?(_ rule: IncrementalRule, field: FieldDefinition, at position: Int, startedAt: String) throws {
        start = try rule.initialJSON.flatMap { CursorPoint(try CursorRange.stated($0, of: field)) }
        end = rule.asksForEnd && field.type != .int ? CursorPoint(FieldValue(startedAt)) : nil
        if start == nil && end == nil { return nil }
        self.field = position
        takesUndated = rule.onMissing == .include
    }

    /// Whether a scan would have shown a record that is still there.
    ///
    /// - Parameter cursor: What the source said last of its cursor; nil where that is not known.
    /// - Returns: Whether it would.
    package func covers(_ cursor: FieldValue?) -> Bool {
        guard let cursor else { return false }
        guard let point = CursorPoint(cursor) else { return takesUndated }
        if let start, point < start { return false }
        if let end, end < point { return false }
        return true
    }
}

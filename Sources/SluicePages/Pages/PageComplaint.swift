package import SluiceDecode
package import SluiceJSON
package import SluiceReport
internal import SluiceSystem

/// What a page that has no records says of the reason, as APIs do that answer errors with status 200.
enum PageComplaint {
    /// More than this is no error message.
    private static let longestPage = 64 << 10
    private static let longestText = 300
    /// The members that hold it, beginning with those of GraphQL. See: spec.graphql.org, section 7.1.
    private static let places = ["errors", "error", "fault", "message", "detail"]
    private static let texts = ["message", "detail", "description", "title", "error", "reason", "code"]

    /// The sentence that quotes a page's error, with a blank before it; empty where the page has none that can be quoted.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - showsValues: Whether it may be quoted.
    /// - Returns: The sentence.
    static func sentence(of page: Page, showsValues: Bool) -> String {
        // A pipe cannot be read twice.
        if case .file(let path) = page.content, FileSystem.kind(of: path) != .file { return "" }
        guard showsValues, let bytes = try? PageBytes(page).all(maximum: longestPage, page.name),
            let body = try? PageBody(bytes), let root = body.element(at: JSONPath(steps: [])), root.kind == .object
        else { return "" }
        defer { withExtendedLifetime(body) {} }
        for place in places {
            guard let value = root.member(named: place), let text = text(of: value) else { continue }
            let isWhole = text.count <= longestText
            return " Its `\(place)` says \"\(isWhole ? text : String(text.prefix(longestText)) + "…")\"."
        }
        return ""
    }

    private static func text(of value: JSONElement) -> String? {
        switch value.kind {
        case .string: return value.string.flatMap { $0.isEmpty ? nil : $0 }
        case .object: return texts.lazy.compactMap { value.member(named: $0).flatMap(text) }.first
        case .array:
            var elements = value.elements()
            guard elements.next(), let first = text(of: elements.value) else { return nil }
            return value.count > 1 ? "\(first) (and \(value.count - 1) more)" : first
        case .null, .bool, .integer, .number: return nil
        }
    }
}

extension SyncError {
    /// A page that has nothing where its records should be.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - name: How messages name it.
    ///   - path: Where they should be; nil for the page itself.
    ///   - showsValues: Whether the page may be quoted.
    ///   - consequence: What follows from it, as a sentence of its own.
    /// - Returns: The error.
    package static func noRecords(
        in page: Page, _ name: String, at path: JSONPath?, showsValues: Bool, consequence: String = ""
    ) -> SyncError {
        SyncError(
            .invalidDocument,
            "\(name) has nothing at the path `\(path?.text ?? "$")` where its records should be."
                + PageComplaint.sentence(of: page, showsValues: showsValues)
                + (consequence.isEmpty ? "" : " " + consequence))
    }
}

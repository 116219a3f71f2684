package import SluiceDecode
package import SluiceJSON
package import SluiceReport
internal import SluiceSystem

/// What a page that has no records says of the reason, as APIs do that answer errors with status 200.
package enum PageComplaint {
    /// More than this is no error message.
    private static let longestPage = 64 << 10
    private static let longestText = 300
    /// The members that hold it, beginning with those of GraphQL. See: spec.graphql.org, section 7.1.
    private static let places = ["errors", "error", "fault", "message", "detail"]
    /// Those of them that name nothing but errors.
    private static let errors: Set<String> = ["errors", "error", "fault"]
    /// The members that stand beside an error, without marks between their words. One with another member may be a record.
    private static let besides: Set<String> = [
        "code", "correlationid", "data", "description", "detail", "details", "docs", "documentationurl", "error",
        "errorcode", "errordescription", "errormessage", "errors", "errortype", "extensions", "fault", "help",
        "helpurl", "hint", "instance", "message", "method", "moreinfo", "ok", "path", "reason", "requestid", "result",
        "results", "status", "statuscode", "success", "timestamp", "title", "traceid", "type",
    ]
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
        return showsValues ? read(page) { sentence(of: $0) } ?? "" : ""
    }

    /// The sentence that quotes a page which is an error as a whole: it has nothing else, and says that it is one.
    ///
    /// - Parameter page: The page.
    /// - Returns: The sentence with a blank before it; nil where the page may be a record, or has some.
    package static func ofError(_ page: Page) -> String? {
        if case .file(let path) = page.content, FileSystem.kind(of: path) != .file { return nil }
        return read(page) { root in
            let sentence = isError(root) ? sentence(of: root) : ""
            return sentence.isEmpty ? nil : sentence
        }
    }

    /// Gives the object that a page is; nil where it is none, or longer than errors are.
    private static func read<Result>(_ page: Page, _ body: (JSONElement) -> Result?) -> Result? {
        guard let bytes = try? PageBytes(page).all(maximum: longestPage, page.name),
            let text = try? PageBody(bytes), let root = text.element(at: JSONPath(steps: [])), root.kind == .object
        else { return nil }
        defer { withExtendedLifetime(text) {} }
        return body(root)
    }

    private static func isError(_ root: JSONElement) -> Bool {
        var (hasError, failed) = (false, false)
        var members = root.members()
        while members.next() {
            let (name, value) = (members.name, members.value)
            let word = name.lowercased().filter { $0 != "_" && $0 != "-" }
            if !besides.contains(word) { return false }
            switch word {
            // What would be the records is not there.
            case "data", "result", "results":
                if value.kind != .null, value.count > 0 || isScalar(value) { return false }
            case "success", "ok": failed = failed || value.kind == .bool && !value.boolean
            case "code", "status", "statuscode":
                failed =
                    failed || (400..<600).contains(value.integer)
                    || ["error", "fail", "failed"].contains(value.string?.lowercased())
            default:
                hasError = hasError || errors.contains(name) && text(of: value) != nil
                failed = failed || word == "error" && value.boolean
            }
        }
        return hasError || failed
    }

    private static func isScalar(_ value: JSONElement) -> Bool {
        switch value.kind {
        case .object, .array: false
        default: true
        }
    }

    private static func sentence(of root: JSONElement) -> String {
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

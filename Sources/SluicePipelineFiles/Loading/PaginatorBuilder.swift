internal import SluiceJSON
internal import SluicePipeline

/// Makes the definition of a stream's `paginator`.
struct PaginatorBuilder {
    /// The paginator, or nil where there is none.
    let node: ConfigNode?
    let source: SourceDefinition?
    /// What the stream's requests send, which a paginator may add to.
    var body: StreamDefinition.Body?
    /// How a page is read.
    var format = StreamDefinition.Format.json
    let reporter: Reporter

    func build() -> StreamDefinition.Paginator {
        guard let node, let type = node.member("type")?.string, type != "none" else { return .none }
        if source?.base.isFile == true { reportFiles(type, at: node.start) }
        if format.hasLines { checkLines(node, type) }
        switch type {
        case "header_link": return .headerLink(relation: node.member("rel")?.string ?? "next")
        case "json_link": return path("path").map { .jsonLink(path: $0) } ?? .none
        case "page_number":
            var pages = StreamDefinition.PageNumber()
            if let parameter = node.member("page_param")?.string { pages.parameter = parameter }
            if let start = node.member("start")?.int { pages.start = start }
            pages.totalPath = path("total_pages_path")
            return .pageNumber(pages)
        case "offset":
            var offset = StreamDefinition.Offset()
            if let parameter = node.member("offset_param")?.string { offset.parameter = parameter }
            if let parameter = node.member("limit_param")?.string { offset.limitParameter = parameter }
            offset.totalPath = path("total_path")
            return .offset(offset)
        case "cursor": return .cursor(cursor(node))
        default: return .none
        }
    }

    private func cursor(_ node: ConfigNode) -> StreamDefinition.Cursor {
        var cursor = StreamDefinition.Cursor()
        cursor.origin = node.member("cursor_from")?.choice(StreamDefinition.Cursor.Origin.self) ?? .body
        cursor.parameter = node.member("cursor_param")?.string ?? ""
        cursor.hasMorePath = path("has_more_path")
        guard let place = node.member("cursor_path"), let text = place.string else { return cursor }
        if cursor.origin == .header {
            cursor.header = text
            check("cursor_path", .pattern(.token), at: place)
        } else {
            cursor.path = path("cursor_path")
            check("cursor_path", .valuePath, at: place)
        }
        return cursor
    }

    /// Refuses a text that does not fit what the other keys make of it.
    private func check(_ key: String, _ rule: StringRule, at node: ConfigNode) {
        // What is empty, or holds control characters, is refused already.
        guard let text = node.string, StringRule.name.problem(in: text) == nil, let problem = rule.problem(in: text)
        else { return }
        let detail = "`paginator.\(key)` is not valid. \(problem.message)"
        reporter.report(.invalidValue, detail, at: node.start, help: problem.help)
    }

    func buildLimits() -> StreamDefinition.PageLimits {
        var limits = StreamDefinition.PageLimits()
        guard let node else { return limits }
        limits.size = node.member("page_size")?.int
        limits.sizeParameter = node.member("page_size_param")?.string
        limits.maximumPages = node.member("max_pages")?.int
        limits.stopWhen = node.member("stop_when")?.string
        limits.place = node.member("in")?.choice(StreamDefinition.PagePlace.self) ?? .query
        checkPlace(limits.place)
        if node.member("type")?.string == "offset" { return limits }
        let pair = ["page_size", "page_size_param"]
        for (key, other) in zip(pair, pair.reversed()) where node.member(other) == nil {
            guard let value = node.member(key) else { continue }
            let detail = "`\(key)` needs `\(other)` beside it: the size is sent as the parameter's value."
            reporter.report(.conflictingKeys, detail, at: value.start)
        }
        return limits
    }

    /// Lines are no one value that a path could lead into.
    private func checkLines(_ node: ConfigNode, _ type: String) {
        var keys = ["has_more_path", "total_pages_path", "total_path"]
        if type == "json_link" { keys.append("path") }
        if type == "cursor", node.member("cursor_from")?.string ?? "body" == "body" { keys.append("cursor_path") }
        for key in keys {
            guard let value = node.member(key) else { continue }
            let page =
                format.hasRows ? "a `\(format.rawValue)` page has rows" : "a `jsonl` page has one on each line"
            let detail = "`paginator.\(key)` is a path into one JSON value, but \(page)."
            reporter.report(
                .conflictingKeys, detail, at: value.start,
                help: "Pages of lines are found by a header, by the last record (`cursor`), or by counting.")
        }
    }

    private func checkPlace(_ place: StreamDefinition.PagePlace) {
        if place == .header {
            for key in ["cursor_param", "page_param", "offset_param", "limit_param", "page_size_param"] {
                if let value = node?.member(key) { check(key, .pattern(.token), at: value) }
            }
        }
        guard place == .body, let node = node?.member("in") else { return }
        switch body {
        case .json(.object), .form: return
        case .json, .text, nil:
            reporter.report(
                .conflictingKeys, "`paginator.in: body` needs a `body` of `json` or `form` that it can add to.",
                at: node.start, help: "For example: `body: {json: {}}`")
        }
    }

    /// A path of the page that leads to one value.
    private func path(_ key: String) -> JSONPath? {
        guard let value = node?.member(key), let path = value.string.flatMap({ try? JSONPath(parsing: $0) }) else {
            return nil
        }
        if !path.isSingular {
            let detail = "`paginator.\(key)` must lead to one value, but `*` selects several."
            reporter.report(.conflictingKeys, detail, at: value.start, help: "Name one element, such as `[0]`.")
        }
        return path
    }

    private func reportFiles(_ type: String, at place: SourcePlace) {
        let reason =
            type == "header_link"
            ? "has no headers, so `header_link` finds no next page" : "is asked for no pages, so `\(type)` cannot hold"
        reporter.report(
            .conflictingKeys, "A `file:` source \(reason).", at: place,
            help: "Leave `paginator` out: each file that `path` matches is a page.")
    }
}

internal import SluiceHTTP
internal import SluiceJSON
internal import SluicePipeline

/// Finds page after page of a stream: what to ask for first, and what next.
struct Pagination {
    /// What follows a page.
    enum Step {
        case next(HTTPURL)
        /// The page said that it is the last one.
        case end
        /// Pages are left unread, for this reason.
        case stop(String)
    }

    private let stream: StreamDefinition
    private let first: HTTPURL
    private var pages = 0
    private var records = 0

    /// Begins with the URL of the stream, its own parameters included.
    init(stream: StreamDefinition, first: HTTPURL) {
        self.stream = stream
        self.first = first
    }

    /// Whether the body of a page must be known to find the next one.
    var readsBody: Bool {
        switch stream.paginator {
        case .none, .headerLink: false
        case .jsonLink, .pageNumber, .offset: true
        }
    }

    /// Whether a record that goes while the pages are read can shift another one past the reader.
    var canShift: Bool {
        switch stream.paginator {
        case .none, .headerLink, .jsonLink: false
        case .pageNumber, .offset: pages > 1
        }
    }

    /// The first page.
    var start: HTTPURL {
        var parameters: [HTTPField] = []
        if let size = stream.pageLimits.size, let name = sizeParameter {
            parameters.append(HTTPField(name, String(size)))
        }
        switch stream.paginator {
        case .none, .headerLink, .jsonLink: break
        case .pageNumber(let rule): parameters.append(HTTPField(rule.parameter, String(rule.start)))
        case .offset(let rule): parameters.append(HTTPField(rule.parameter, "0"))
        }
        return parameters.isEmpty ? first : first.setting(parameters: parameters)
    }

    private var sizeParameter: String? {
        if case .offset(let rule) = stream.paginator { return rule.limitParameter }
        return stream.pageLimits.sizeParameter
    }

    /// What follows a page.
    ///
    /// - Parameters:
    ///   - head: The page's response.
    ///   - body: Its body, where ``readsBody``.
    /// - Returns: The next page, or that there is none.
    /// - Throws: ``HTTPError`` where a link cannot be followed.
    mutating func step(after head: HTTPResponseHead, body: PageBody?) throws -> Step {
        pages += 1
        let found = body?.recordCount(of: stream) ?? 0
        records += found
        let step = try next(head, body, found: found)
        if case .next = step, let limit = stream.pageLimits.maximumPages, pages >= limit {
            return .stop("only \(limit) pages were read, as `max_pages` says")
        }
        return step
    }

    private func next(_ head: HTTPResponseHead, _ body: PageBody?, found: Int) throws -> Step {
        switch stream.paginator {
        case .none: return .end
        case .headerLink(let relation):
            return try head.links.target(of: relation, from: head.url).map(Step.next) ?? .end
        case .jsonLink(let path):
            return try body?.text(at: path).map { .next(try head.url.resolving($0)) } ?? .end
        case .pageNumber(let rule):
            let total = rule.totalPath.flatMap { body?.integer(at: $0) }
            if let total { if pages >= total { return .end } } else if found == 0 { return .end }
            let page = rule.start.addingReportingOverflow(pages)
            if page.overflow { return .end }
            return .next(start.setting(parameters: [HTTPField(rule.parameter, String(page.partialValue))]))
        case .offset(let rule):
            let total = rule.totalPath.flatMap { body?.integer(at: $0) }
            if let total { if records >= total { return .end } }
            if found == 0 { return total == nil ? .end : .stop("a page was empty before the total was reached") }
            return .next(start.setting(parameters: [HTTPField(rule.parameter, String(records))]))
        }
    }
}

package import SluiceDecode
package import SluiceHTTP
package import SluiceJSON
package import SluicePipeline
package import SluiceReport

/// Finds page after page of a stream: what to ask for first, and what next.
package struct Pagination {
    /// What follows a page.
    package enum Step {
        case next(PageRequest)
        /// The page is the last one, as the paginator reads it.
        case end
        /// What follows was read before.
        case known
        /// Pages are left unread, for this reason.
        case stop(String, warning: FetchWarning? = nil)
    }

    private let stream: StreamDefinition
    private let first: PageRequest
    private let stopCheck: PageStopCheck?
    private let age: CursorAge?
    private var pages = 0
    private var records = 0
    /// Whether the records of each page are counted, since the first one says how many there are.
    var countsRecords = false
    /// Whether the reading began with the first page.
    private var isWhole = true
    /// What leads to the next page.
    private var lead = PageToken.Lead.start
    /// The records of the page that was read last.
    private var pageRecords = 0
    /// How many pages or records there are, as the page says that was read last.
    private var total: Int?
    /// Set where a page was as full as it can be and yet said that it is the last one.
    private(set) var endedFull = false

    /// Begins with the URL of the stream, its own parameters included.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - url: The URL.
    ///   - showsValues: Whether messages may quote pages.
    ///   - age: Tells where the rest was read before; nil where nothing does.
    /// - Throws: ``SyncError`` where the program of `stop_when` is not one.
    package init(stream: StreamDefinition, first url: HTTPURL, showsValues: Bool, age: CursorAge? = nil) throws {
        self.stream = stream
        self.age = age
        first = PageRequest(url: url, body: stream.body.map { RequestBody($0) })
        stopCheck = try stream.pageLimits.stopWhen.map {
            try PageStopCheck($0, stream: stream.name, showsValues: showsValues)
        }
    }

    /// What must be known of a page to find the next one.
    private var needs: PageView.Needs {
        var needs: PageView.Needs = stream.pageLimits.size == nil || !endsByLink ? [] : [.count]
        switch stream.paginator {
        case .none: needs = []
        case .headerLink: break
        case .jsonLink: needs.insert(.body)
        case .cursor(let cursor):
            if cursor.origin == .body || cursor.hasMorePath != nil { needs.insert(.body) }
            if cursor.origin == .lastRecord { needs.insert(.lastRecord) }
        case .pageNumber(let rule): needs.insert(rule.totalPath == nil ? .count : .body)
        case .offset(let rule): needs.formUnion(rule.totalPath == nil ? [.count] : [.body, .count])
        }
        if age != nil { needs.insert(.lastRecord) }
        if stream.syncToken != nil { needs.insert(.body) }
        if countsRecords { needs.insert(.count) }
        if stopCheck != nil { needs.formUnion(stream.format == .json ? [.body, .records] : [.records]) }
        return needs
    }

    /// What must be known besides, now that ``needs`` are: records are counted only where a page does not say its number.
    private func furtherNeeds(_ page: PageView) -> PageView.Needs {
        guard case .pageNumber(let rule) = stream.paginator, let path = rule.totalPath else { return [] }
        return page.body?.integer(at: path) == nil && needs.isDisjoint(with: [.count, .lastRecord, .records])
            ? [.count] : []
    }

    /// Reads of a page what must be known of it.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - reading: How its records are found.
    ///   - showsValues: Whether messages may quote it.
    ///   - parser: What parses it; it is used for nothing else as long as the view is.
    /// - Returns: What ``step(after:_:name:)`` takes.
    /// - Throws: ``SyncError`` where the page is no JSON.
    package func view(
        of page: Page, reading: RecordsReading, showsValues: Bool, parser: JSONParser = JSONParser()
    ) throws -> PageView {
        if needs.isEmpty { return PageView() }
        var view = try PageView(page, needs, reading: reading, showsValues: showsValues, parser: parser)
        let further = furtherNeeds(view)
        if !further.isEmpty { try view.add(page, further, reading: reading, showsValues: showsValues) }
        return view
    }

    /// Whether a record that goes while the pages are read can shift another one past the reader.
    package var canShift: Bool {
        switch stream.paginator {
        case .none, .headerLink, .jsonLink, .cursor: false
        case .pageNumber, .offset: pages > 1
        }
    }

    /// The first page.
    package var start: PageRequest {
        switch stream.paginator {
        case .none, .headerLink, .jsonLink, .cursor: request()
        case .pageNumber(let rule): request((rule.parameter, PageValue(rule.start)))
        case .offset(let rule): request((rule.parameter, PageValue(0)))
        }
    }

    /// The request with the page's size and another value.
    private func request(_ value: (name: String, value: PageValue)? = nil) -> PageRequest {
        var values: [(name: String, value: PageValue)] = []
        if let size = stream.pageLimits.size, let name = sizeParameter { values.append((name, PageValue(size))) }
        if let value { values.append(value) }
        return values.isEmpty ? first : first.setting(values, in: stream.pageLimits.place)
    }

    private var sizeParameter: String? {
        if case .offset(let rule) = stream.paginator { return rule.limitParameter }
        return stream.pageLimits.sizeParameter
    }

    /// What follows a page.
    ///
    /// - Parameters:
    ///   - head: The page's response.
    ///   - page: What it holds, as ``view(of:reading:showsValues:parser:)`` gives it.
    ///   - name: Its name for messages.
    /// - Returns: The next page, or that there is none.
    /// - Throws: ``HTTPError`` where a link cannot be followed, ``SyncError`` where `stop_when` fails.
    package mutating func step(after head: HTTPResponseHead, _ page: PageView, name: String) throws -> Step {
        pages += 1
        records += page.recordCount
        pageRecords = page.recordCount
        let step = try next(head, page)
        switch step {
        case .next(let request):
            lead = lead(to: request, head, page)
            if age?.isOld(page) == true { return .known }
            if let limit = stream.pageLimits.maximumPages, pages >= limit {
                return .stop("only \(limit) pages were read, as `max_pages` says")
            }
            if stream.pageLimits.maximumPages == nil, pages >= stream.pageLimits.mostPages {
                let warning = FetchWarning.pageLimit(pages, of: stream)
                return .stop("only \(pages) pages were read, the most without `max_pages`", warning: warning)
            }
            if let stopCheck, try stopCheck.isTrue(head, page, name: name) {
                return .stop("`stop_when` was true after \(pages) \(pages == 1 ? "page" : "pages")")
            }
        case .end:
            endedFull = endsByLink && page.recordCount > 0 && page.recordCount >= stream.pageLimits.size ?? .max
        case .known, .stop: break
        }
        return step
    }

    /// Whether no page was read yet.
    package var isAtStart: Bool { pages == 0 }

    /// How many pages were read; nil where the reading began behind the first one.
    var pagesRead: Int? { isWhole ? pages : nil }

    /// How many records were read; nil where they were not all counted.
    var recordsRead: Int? {
        if case .offset = stream.paginator { return records }
        return isWhole && countsRecords ? records : nil
    }

    /// What a page that did not change says of being the last one.
    package enum Unchanged {
        /// It still is.
        case isLast
        /// Another one follows.
        case isNotLast
        /// The header that would lead on is not there, which a response without a body need not repeat.
        case isSilent
    }

    /// Whether the page that was the last one still is, as its headers say: its body is what it was, and no more.
    ///
    /// - Parameters:
    ///   - head: The response, of status 304.
    ///   - pages: How many pages there were.
    /// - Returns: What is known.
    package func end(unchanged head: HTTPResponseHead, pages: Int) -> Unchanged {
        if PageEnd(stream: stream, head: head, pages: pages).contradiction != nil { return .isNotLast }
        switch stream.paginator {
        case .headerLink(let relation):
            if head.links.first(relation, from: head.url) != nil { return .isNotLast }
            return head.links.links.isEmpty ? .isSilent : .isLast
        case .cursor(let cursor) where cursor.origin == .header:
            guard let value = head.headers.first(cursor.header) else { return .isSilent }
            return value.isEmpty ? .isLast : .isNotLast
        case .none, .jsonLink, .cursor, .pageNumber, .offset: return .isLast
        }
    }

    /// Whether a page that did not change leads elsewhere than it did, as far as its headers say that.
    func leadsElsewhere(unchanged head: HTTPResponseHead, than next: PageRequest) throws -> Bool {
        guard case .headerLink(let relation) = stream.paginator, !head.links.links.isEmpty else { return false }
        return try head.links.target(of: relation, from: head.url)?.text != next.url.text
    }

    /// Where the reading goes on.
    package var token: PageToken { PageToken(pages: pages, records: records, lead: lead) }

    /// Goes on where a reading was broken off.
    ///
    /// - Parameter token: What was ``token`` then.
    /// - Returns: The next page.
    /// - Throws: ``HTTPError`` where its link is no URL.
    package mutating func resume(at token: PageToken) throws -> PageRequest {
        (pages, records, lead) = (token.pages, token.records, token.lead)
        isWhole = pages > 0 || lead == .start
        countsRecords = pages > 0 && records > 0
        switch (lead, stream.paginator) {
        case (.link(let text), _):
            var request = request()
            request.url = try HTTPURL(text)
            return request
        case (.value(let value), .cursor(let cursor)): return request((cursor.parameter, value))
        case (.value(let value), .pageNumber(let rule)): return request((rule.parameter, value))
        case (.value(let value), .offset(let rule)): return request((rule.parameter, value))
        case (.value, _), (.start, _): return start
        }
    }

    private func lead(to request: PageRequest, _ head: HTTPResponseHead, _ page: PageView) -> PageToken.Lead {
        switch stream.paginator {
        case .none: .start
        case .headerLink, .jsonLink: .link(request.url.text)
        case .cursor(let cursor): value(of: cursor, head, page).map { .value($0) } ?? .start
        case .pageNumber(let rule): .value(PageValue(rule.start &+ pages))
        case .offset: .value(PageValue(records))
        }
    }

    /// Whether the last page is told by what it does not have.
    private var endsByLink: Bool {
        switch stream.paginator {
        case .headerLink, .jsonLink, .cursor: true
        case .none, .pageNumber, .offset: false
        }
    }

    private mutating func next(_ head: HTTPResponseHead, _ page: PageView) throws -> Step {
        switch stream.paginator {
        case .none: return .end
        case .headerLink(let relation):
            return try head.links.target(of: relation, from: head.url).map { linked($0) } ?? .end
        case .jsonLink(let path):
            return try page.body?.text(at: path).map { linked(try head.url.resolving($0)) } ?? .end
        case .cursor(let cursor):
            if let path = cursor.hasMorePath, page.body?.isFalse(at: path) == true { return .end }
            guard let value = value(of: cursor, head, page) else { return .end }
            return .next(request((cursor.parameter, value)))
        case .pageNumber(let rule):
            total = rule.totalPath.flatMap { page.body?.integer(at: $0) }
            if let total { if pages >= total { return .end } } else if page.recordCount == 0 { return .end }
            let number = rule.start.addingReportingOverflow(pages)
            if number.overflow { return .end }
            return .next(request((rule.parameter, PageValue(number.partialValue))))
        case .offset(let rule):
            total = rule.totalPath.flatMap { page.body?.integer(at: $0) }
            if let total { if records >= total { return .end } }
            if page.recordCount == 0 {
                return total == nil ? .end : .stop("a page was empty before the total was reached")
            }
            return .next(request((rule.parameter, PageValue(records))))
        }
    }

    /// A link is followed as it stands; what is sent goes along.
    private func linked(_ url: HTTPURL) -> Step {
        var request = request()
        request.url = url
        return .next(request)
    }

    /// The pages that follow the one that ``step(after:_:name:)`` gave, unless a page says otherwise.
    ///
    /// - Parameter count: The most that are wanted.
    /// - Returns: Those before the end that the total tells; none where nothing tells where the end is.
    package func ahead(_ count: Int) -> [PageRequest] {
        guard let total, count > 0 else { return [] }
        let left = stream.pageLimits.maximumPages.map { $0 - pages - 1 } ?? count
        var requests: [PageRequest] = []
        for index in 1...count where index <= left {
            switch stream.paginator {
            case .none, .headerLink, .jsonLink, .cursor: return []
            case .pageNumber(let rule):
                let number = rule.start.addingReportingOverflow(pages + index)
                if number.overflow || pages + index >= total { return requests }
                requests.append(request((rule.parameter, PageValue(number.partialValue))))
            case .offset(let rule):
                let skipped = pageRecords.multipliedReportingOverflow(by: index)
                let offset = records.addingReportingOverflow(skipped.partialValue)
                if skipped.overflow || offset.overflow || offset.partialValue >= total { return requests }
                requests.append(request((rule.parameter, PageValue(offset.partialValue))))
            }
        }
        return requests
    }

    private func value(
        of cursor: StreamDefinition.Cursor, _ head: HTTPResponseHead, _ page: PageView
    ) -> PageValue? {
        switch cursor.origin {
        case .header:
            guard let text = head.headers.first(cursor.header), !text.isEmpty else { return nil }
            return .text(text)
        case .body: return cursor.path.flatMap { page.body?.value(at: $0) }
        case .lastRecord: return cursor.path.flatMap { page.lastRecord?.value(at: $0) }
        }
    }
}

package import SluiceDecode
internal import SluiceHTTP
package import SluiceJSON
package import SluicePipeline
package import SluiceReport
package import SluiceSystem

/// Fetches the pages of a stream over HTTP into a spool.
package struct HTTPPages {
    private let asking: PageAsking
    private let source: SourceDefinition
    private let cancellation: Cancellation
    private let onProgress: (RunProgress) -> Void
    /// Whether messages may quote pages.
    private let showsValues: Bool
    /// How many pages may be asked for at a time.
    private let width: Int
    /// The paths to what identifies a record; none where its whole text does.
    private let keys: [JSONPath]
    private var stream: StreamDefinition { asking.stream }

    /// - Parameters:
    ///   - asking: How pages are asked for.
    ///   - source: Where they come from.
    ///   - keys: The paths to what identifies a record; none where its whole text does.
    ///   - showsValues: Whether messages may quote pages.
    ///   - width: How many pages may be asked for at a time; nil for as many as the source permits.
    ///   - cancellation: Ends the reading.
    ///   - onProgress: Is told of each page.
    package init(
        _ asking: PageAsking, source: SourceDefinition, keys: [JSONPath] = [], showsValues: Bool = true,
        width: Int? = nil,
        cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void
    ) {
        self.width = width ?? source.rateLimit.concurrency
        self.asking = asking
        self.source = source
        self.keys = keys
        self.showsValues = showsValues
        self.cancellation = cancellation
        self.onProgress = onProgress
    }

    /// Fetches all pages.
    ///
    /// - Parameters:
    ///   - age: Tells where the rest was read before; nil where nothing does.
    ///   - kept: What the pages of the last run said of their version; none to fetch all.
    ///   - since: What asks for changes alone; nil to ask for everything.
    ///   - start: Where the reading begins.
    ///   - reader: Gets the pages one by one, so that none of them is returned; nil where nobody does.
    /// - Returns: The pages; where one of several changed all of them, where none did none.
    /// - Throws: ``HTTPError``, ``SyncError`` or `CancelledError`.
    package func fetch(
        age: CursorAge? = nil, kept: [PageValidators.Page] = [], since: PageToken? = nil,
        start: PageStart = .first, reader: FetchStep.Reader? = nil
    ) throws -> FetchedPages {
        var fetched = FetchedPages()
        var expected = kept[...]
        fetched.isPaginated = stream.paginator != .none
        let marks = SecretMarks(stream.secrets(base: asking.base))
        let since = since?.shown(marks)
        if since != nil { fetched.coverage.filter() }
        var pagination = try Pagination(
            stream: stream, first: try stream.url(base: asking.base, since: since), showsValues: showsValues, age: age)
        let reading = try RecordsReading(
            stream: stream, maximumRecordBytes: source.maximumRecordBytes, showsValues: showsValues)
        let place =
            try start.token(marks, stream.url(base: asking.base)) ?? since.flatMap { $0.isLink ? $0 : nil }
        var following: PageRequest? = try place.map { try pagination.resume(at: $0) } ?? pagination.start
        var visited: Set<UInt64> = start.requests
        var bodies: Set<UInt64> = []
        var totals =
            place == nil ? PageTotals() : start.isResumed ? place?.totals ?? PageTotals() : PageTotals(listed: nil)
        var bareInARow = 0
        var circle = PageCircle(keys: keys, reading: reading)
        let parser = JSONParser()
        var asking = asking
        asking.origin = pagination.start.url.origin
        var fetcher = PageFetcher(asking, width: width, cancellation: cancellation)
        defer { fetcher.clear() }
        while let page = following {
            try cancellation.check()
            let mark = page.digest
            guard visited.insert(mark).inserted else {
                let name = asking.request(for: PageQuestion(page: page), try asking.login.credentials()).shownURL
                throw SyncError(
                    .paginationLoop,
                    "The pages of the stream `\(stream.name)` lead in a circle: \(name) was fetched before. Nothing was written; the source's next links are wrong, or \(start.paginatorKey) does not fit them."
                )
            }
            let known = expected.first.flatMap { $0.url == page.url.text ? $0 : nil }
            let mayBeginAnew = since != nil && !start.isResumed && visited.count == 1
            let answer: PageAnswer
            do {
                answer = try fetcher.answer(
                    PageQuestion(page: page, validators: known?.headers ?? []),
                    following: fetched.notModified > 0
                        ? try expected.dropFirst().prefix(fetcher.reach).map { try PageQuestion($0) }
                        : pagination.ahead(fetcher.reach).map { PageQuestion(page: $0) }
                ) { delay, reason in report(delay, reason, fetched) }
            } catch let error as HTTPError where mayBeginAnew && error.status == Self.gone {
                let warning = FetchWarning.tokenExpired("It answered 410 (Gone).", of: stream)
                return try fetchAnew(age, &fetcher, retries: fetched.retries, reader, warning: warning)
            }
            let (exchange, name, count) = (answer.exchange, answer.name, answer.byteCount)
            fetched.head = fetched.head ?? exchange.head
            fetched.retries += exchange.retries + answer.renewals
            fetched.requests = fetcher.sent
            if let known, exchange.head.status == 304 {
                expected.removeFirst()
                fetched.notModified += 1
                following = try expected.first.map { try PageQuestion($0) }?.page
                if let following {
                    if try !pagination.paginator.leadsElsewhere(unchanged: exchange.head, than: following.url) {
                        continue
                    }
                } else if try !isFollowed(page, known, exchange.head, pagination, reading, &fetcher, &fetched) {
                    continue
                }
            }
            if fetched.notModified > 0 {
                // What leads to the pages behind one that changed may have changed as well.
                return try fetchAnew(age, &fetcher, retries: fetched.retries, reader)
            }
            expected = []
            let action = exchange.verdict?.action
            if action == .restart {
                let reason = refusal(name, exchange)
                guard mayBeginAnew else {
                    throw SyncError(
                        .placeGone,
                        "\(reason) But the reading did not begin at a token of `incremental`, so there is nothing to leave. Nothing was written; let the `action` be `fail` for such a response."
                    )
                }
                let warning = FetchWarning.tokenExpired(reason, of: stream)
                return try fetchAnew(age, &fetcher, retries: fetched.retries, reader, warning: warning)
            }
            if action == .ignore || action == .stop {
                fetched.coverage.lose(unread(name, exchange), leavesPages: true)
            }
            // Nothing is a page without records; as the only one it is no list, and says nothing of what there is.
            let isSilent = exchange.head.hasNoContent && action != .empty
            if isSilent, pagination.isAtStart, fetched.coverage.reason == nil {
                fetched.coverage.lose(
                    "\(name) answered \(exchange.head.status) (no content), which is no list. If the source answers so where it has nothing, let `action` of `on_response` be `empty` for it"
                )
            }
            let isEmpty =
                isSilent || action == .ignore || action == .empty || !exchange.head.isSuccess
                || count == 0 && stream.format.hasRows && !pagination.isAtStart
            if !isEmpty, count == 0, let nothing = exchange.head.status == 304 ? "`[]`" : stream.format.nothing {
                throw SyncError(
                    .invalidDocument,
                    "\(name) answered \(exchange.head.status) without a body, where \(stream.format.kind) was expected; a list of nothing is \(nothing). Check the stream's `path` and `params`. Nothing was written."
                )
            }
            let content = Page(
                content: answer.content, name: name, fileStem: "", maximumBytes: source.maximumResponseBytes)
            let index = PageIndex(content, reading: reading, keeping: pagination.needs)
            var view = PageView()
            let isFirst = pagination.isAtStart
            if !isEmpty {
                view = try pagination.view(of: index, showsValues: showsValues, parser: parser)
                if reader == nil { fetched.pages.append(content) }
            }
            fetched.bytes += count
            if let validator = PageValidators.Page(url: page.url.text, exchange.head, source.conditional),
                page.headers.isEmpty
            {
                fetched.validators?.append(validator)
            } else {
                fetched.validators = nil
            }
            if exchange.head.status == 206 {
                fetched.coverage.lose("\(name) is a part of a larger answer (status 206)")
            }
            if let what = pagination.paginator.unreadable(in: exchange.head) {
                fetched.coverage.lose("\(what) of \(name) cannot be read, so pages may be missing")
            }
            if !exchange.head.isBodyDelimited && stream.format.hasLines {
                fetched.coverage.lose("the end of \(name) was not announced, so lines may be missing")
            }
            following = nil
            let step = action == .stop ? .end : try pagination.step(after: exchange.head, view, name: name)
            var outline: PageOutline?
            // Pages that nobody keeps are counted as they come. Others can be counted at the end, where a total is told.
            if !isEmpty,
                isFirst || step.isEnd || reader != nil && stream.isOneList || totals.tellsRecords
                    || PageOutline.isCheap(index, view.body, stream)
            {
                outline = try PageOutline(index, body: view.body, stream: stream)
            }
            var end = PageEnd(
                stream: stream, head: exchange.head, outline: outline ?? PageOutline(isList: stream.isOneList),
                parameters: page.parameters)
            for total in end.totals { totals.note(total) }
            totals.add(isEmpty ? 0 : outline?.recordCount)
            switch step {
            case .next(let next):
                following = next
                bareInARow = try isBare(index, outline, isEmpty: isEmpty) ? bareInARow + 1 : 0
                if bareInARow >= Self.mostBarePages, stream.pageLimits.maximumPages == nil {
                    throw loop(
                        name,
                        "is the \(bareInARow)th page in a row without a record (`max_pages` allows more)",
                        start)
                }
                // Pages without content are alike, and prove nothing.
                if isEmpty { break }
                if !bodies.insert(answer.digest).inserted { throw loop(name, "is the same as a page before it", start) }
                // Pages that are merged one by one are compared with all that was merged.
                if reader == nil, try circle.closes(with: index) {
                    throw loop(name, "has no record that an earlier page did not have", start)
                }
            case .end:
                // What was not read to its end says so already.
                if fetched.coverage.reason != nil { break }
                if totals.listed == nil, totals.tellsRecords, place == nil, reader == nil {
                    totals.listed = try listed(in: fetched.pages, reading)
                }
                end.pages = pagination.pagesRead
                end.records = totals.listed ?? pagination.recordsRead
                end.told = totals
                if let sign = end.contradiction { fetched.note(sign, on: name, of: stream) }
                fetched.token = try token(view, exchange.head).flatMap { token in
                    token.hidden(
                        marks, credentials: Set(try asking.login.credentials().parameters.map(\.name)),
                        passing: asking.login.secrets)
                }
            case .known: break
            case .stop(let reason, let warning):
                fetched.coverage.lose(reason, leavesPages: true)
                fetched.warning = warning
            }
            onProgress(
                RunProgress(
                    stage: .fetching, stream: stream.name, pages: fetched.pages.count, bytes: fetched.bytes))
            if following == nil {
                fetcher.clear()
                fetched.requests = fetcher.sent
                conclude(&fetched, pagination, last: name)
            }
            guard let reader else { continue }
            var token = following == nil ? nil : pagination.token
            token?.totals = totals
            let credentials = Set(try asking.login.credentials().parameters.map(\.name))
            try reader.onStep(
                FetchStep(
                    page: isEmpty ? nil : content, fetched: fetched, isEnd: following == nil,
                    token: token?.hidden(marks, credentials: credentials, passing: asking.login.secrets),
                    request: mark, isAlone: fetcher.isIdle))
        }
        if fetched.notModified > 0 {
            fetcher.clear()
            fetched.requests = fetcher.sent
            fetched.coverage.end(isCounted: false)
            try reader?.onStep(FetchStep(fetched: fetched, isEnd: true, request: 0))
        }
        return fetched
    }

    /// Whether something follows the page that was the last one, none of them having changed. Where the answer without a
    /// body does not say it, the page is asked for as a whole.
    private func isFollowed(
        _ page: PageRequest, _ known: PageValidators.Page, _ head: HTTPResponseHead, _ pagination: Pagination,
        _ reading: RecordsReading, _ fetcher: inout PageFetcher, _ fetched: inout FetchedPages
    ) throws -> Bool {
        let count = fetched.notModified
        switch pagination.end(unchanged: head, known: known, pages: count) {
        case .isLast: return false
        case .isNotLast: return true
        case .isSilent: break
        }
        let soFar = fetched
        let answer = try fetcher.answer(PageQuestion(page: page), following: []) { report($0, $1, soFar) }
        fetched.retries += answer.exchange.retries + answer.renewals
        fetched.bytes += answer.byteCount
        let whole = answer.exchange.head
        guard PageValidators.Page(url: page.url.text, whole, source.conditional) == known else { return true }
        let content = Page(
            content: answer.content, name: answer.name, fileStem: "", maximumBytes: source.maximumResponseBytes)
        let index = PageIndex(content, reading: reading, keeping: pagination.needs)
        return try pagination.leadsOn(page, whole, index, pages: count, showsValues: showsValues)
    }

    private static let gone = 410
    /// A source that filters may give some pages without a record; more of them are a circle.
    private static let mostBarePages = 100

    /// Whether a page lists no record; where records are picked out of it, that none was picked says nothing.
    private func isBare(_ index: PageIndex, _ outline: PageOutline?, isEmpty: Bool) throws -> Bool {
        if isEmpty { return true }
        if let outline, outline.isList { return outline.recordCount == 0 }
        if stream.mayPickNothing { return false }
        do {
            if try index.firstRecord() != nil { return false }
            return try !stream.isSearched || PageOutline(index, stream: stream).recordCount == 0
        } catch let error as SystemError {
            throw error
        } catch {
            // Decoding says what is wrong with it.
            return false
        }
    }

    /// How many records pages list that were not counted when they came; nil where that cannot be known.
    private func listed(in pages: [Page], _ reading: RecordsReading) throws -> Int? {
        var totals = PageTotals()
        for page in pages {
            totals.add(try PageOutline(PageIndex(page, reading: reading, keeping: []), stream: stream).recordCount)
        }
        return totals.listed
    }

    /// Fetches all pages, whatever earlier runs know of them, and counts what was spent before.
    private func fetchAnew(
        _ age: CursorAge?, _ fetcher: inout PageFetcher, retries: Int, _ reader: FetchStep.Reader?,
        warning: FetchWarning? = nil
    ) throws -> FetchedPages {
        fetcher.clear()
        let requests = fetcher.sent
        func add(to fetched: inout FetchedPages) {
            fetched.requests += requests
            fetched.retries += retries
            fetched.warning = fetched.warning ?? warning
        }
        let onward = reader.map { reader in
            FetchStep.Reader { step in
                var step = step
                add(to: &step.fetched)
                try reader.onStep(step)
            }
        }
        var all = try fetch(age: age, reader: onward)
        add(to: &all)
        return all
    }

    /// What the last page gives to ask for changes with; nil where it gives nothing.
    private func token(_ view: PageView, _ head: HTTPResponseHead) throws -> PageToken? {
        guard let rule = stream.syncToken, let value = view.body?.value(at: rule.path) else { return nil }
        if rule.parameter != nil { return PageToken(lead: .value(value)) }
        guard case .text(let link) = value else { return nil }
        return PageToken(lead: .link(try head.url.resolving(link).text))
    }

    private func refusal(_ name: String, _ exchange: HTTPExchange) -> String {
        let words = exchange.verdict?.message.map { " \($0)" } ?? ""
        return "\(name) answered \(exchange.head.status), upon which `on_response` begins anew.\(words)"
    }

    private func loop(_ page: String, _ reason: String, _ start: PageStart) -> SyncError {
        SyncError(
            .paginationLoop,
            "The pages of the stream `\(stream.name)` repeat themselves: \(page) \(reason), and leads on. Nothing was written; the source's next links are wrong, or \(start.paginatorKey) does not fit them."
        )
    }

    /// Says how the reading ended.
    private func conclude(_ fetched: inout FetchedPages, _ pagination: Pagination, last: String) {
        fetched.coverage.end(isCounted: pagination.canShift)
        if pagination.endedFull, fetched.warning == nil { fetched.warning = .fullLastPage(last, of: stream) }
    }

    private func unread(_ name: String, _ exchange: HTTPExchange) -> String {
        let what = exchange.verdict?.action == .ignore ? "is ignored" : "ends the reading"
        let words = exchange.verdict?.message.map { ": \($0)" } ?? ""
        return "the answer \(exchange.head.status) of \(name) \(what), as `on_response` says\(words)"
    }

    private func report(_ delay: Duration, _ reason: String, _ fetched: FetchedPages) {
        let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
        onProgress(
            RunProgress(
                stage: .waiting(seconds: seconds, until: WallClock.now(plus: delay), reason: reason),
                stream: stream.name, pages: fetched.pages.count, bytes: fetched.bytes))
    }
}

extension FetchedPages {
    /// Notes that there are further pages.
    fileprivate mutating func note(_ sign: PageSign, on page: String, of stream: StreamDefinition) {
        coverage.lose("\(page) \(sign.words), so there are further pages", leavesPages: true)
        warning = FetchWarning(sign, on: page, of: stream)
    }
}

extension Pagination.Step {
    /// Whether nothing follows, as the paginator reads it.
    fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}

extension HTTPResponseHead {
    /// Whether it says that there is no body: 204 (no content) and 205 (reset content).
    fileprivate var hasNoContent: Bool { status == 204 || status == 205 }
}

extension StreamDefinition {
    /// The URL of the first page, with a value that asks for changes alone.
    fileprivate func url(base: ConfigurationText, since token: PageToken?) throws -> HTTPURL {
        let url = try url(base: base)
        guard case .value(let value)? = token?.lead, let name = syncToken?.parameter else { return url }
        return url.setting(parameters: [HTTPField(name, value.plain)])
    }
}

extension PageToken {
    /// Whether it is a URL.
    fileprivate var isLink: Bool { if case .link = lead { true } else { false } }
}

extension PageQuestion {
    /// Asks for a page of the last run, if it changed.
    fileprivate init(_ known: PageValidators.Page) throws(HTTPError) {
        self.init(page: PageRequest(url: try HTTPURL(known.url)), validators: known.headers)
    }
}

extension HTTPConfiguration {
    /// The client's settings for a pipeline's source.
    package init(_ source: SourceDefinition, version: String) {
        self.init(userAgent: "sluice/\(version)")
        timeout = HTTPTimeout(
            connect: source.timeout.connect, idle: source.timeout.idle, total: source.timeout.total)
        retry = HTTPRetry(
            maximumAttempts: source.retry.maximumAttempts, base: source.retry.base,
            maximumDelay: source.retry.maximumDelay, maximumWait: source.retry.maximumWait)
        allowedHosts = source.allowedHosts.map {
            HTTPAllowedHost(host: $0.host, port: $0.port, sendsCredentials: $0.sendsCredentials)
        }
        maximumResponseBytes = source.maximumResponseBytes
        tls.authorityFile = source.tls.trustedCertificates
        tls.clientCertificateFile = source.tls.clientCertificate
        tls.clientKeyFile = source.tls.clientKey
        rateLimit.limit = source.rateLimit.limit
        rateLimit.interval = source.rateLimit.interval
        rateLimit.remainingHeader = source.rateLimit.remainingHeader
        rateLimit.resetHeader = source.rateLimit.resetHeader
        rateLimit.resetUnit = source.rateLimit.resetUnit == .epoch ? .epoch : .seconds
        rateLimit.reserve = source.rateLimit.reserve
        if let url = source.proxy { proxy = .url(url.revealed) }
    }
}

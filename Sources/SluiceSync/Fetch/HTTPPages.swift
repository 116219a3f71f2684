internal import SluiceHTTP
internal import SluiceJSON
internal import SluiceMerge
internal import SluicePipeline
internal import SluiceSystem

/// Fetches the pages of a stream over HTTP into a spool.
struct HTTPPages {
    private let asking: PageAsking
    private let source: SourceDefinition
    private let cancellation: Cancellation
    private let onProgress: (RunProgress) -> Void
    /// Whether messages may quote pages.
    private let showsValues: Bool
    /// How many pages may be asked for at a time.
    private let width: Int
    private var stream: StreamDefinition { asking.stream }

    /// - Parameters:
    ///   - asking: How pages are asked for.
    ///   - source: Where they come from.
    ///   - showsValues: Whether messages may quote pages.
    ///   - width: How many pages may be asked for at a time; nil for as many as the source permits.
    ///   - cancellation: Ends the reading.
    ///   - onProgress: Is told of each page.
    init(
        _ asking: PageAsking, source: SourceDefinition, showsValues: Bool = true, width: Int? = nil,
        cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void
    ) {
        self.width = width ?? source.rateLimit.concurrency
        self.asking = asking
        self.source = source
        self.showsValues = showsValues
        self.cancellation = cancellation
        self.onProgress = onProgress
    }

    /// Fetches all pages.
    ///
    /// - Parameters:
    ///   - age: Tells where the rest was read before; nil where nothing does.
    ///   - kept: What the pages of the last run said of their version; none to fetch all.
    ///   - start: Where the reading begins; nil for the first page.
    ///   - reader: Gets the pages one by one, so that none of them is returned; nil where nobody does.
    /// - Returns: The pages; where one of several changed all of them, where none did none.
    /// - Throws: ``HTTPError``, ``SyncError`` or `CancelledError`.
    func fetch(
        age: CursorAge? = nil, kept: [PageValidators.Page] = [], start: PageToken? = nil,
        reader: FetchStep.Reader? = nil
    ) throws -> FetchedPages {
        var fetched = FetchedPages()
        var expected = kept[...]
        fetched.isPaginated = stream.paginator != .none
        var pagination = try Pagination(
            stream: stream, first: try stream.url(base: asking.base), showsValues: showsValues, age: age)
        let reading = try RecordsReading(
            stream: stream, maximumRecordBytes: source.maximumRecordBytes, showsValues: showsValues)
        let marks = SecretMarks(stream.secrets(base: asking.base))
        var following: PageRequest? =
            try (start ?? reader?.token?.shown(marks)).map { try pagination.resume(at: $0) } ?? pagination.start
        var visited: Set<UInt64> = reader?.requests ?? []
        var bodies: Set<UInt64> = []
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
                    "The pages of the stream `\(stream.name)` lead in a circle: \(name) was fetched before. Nothing was written; the source's next links are wrong, or `paginator` does not fit them."
                )
            }
            let known = expected.first.flatMap { $0.url == page.url.text ? $0 : nil }
            let answer = try fetcher.answer(
                PageQuestion(page: page, validators: known?.headers ?? []),
                following: fetched.notModified > 0
                    ? try expected.dropFirst().prefix(fetcher.reach).map { try PageQuestion($0) }
                    : pagination.ahead(fetcher.reach).map { PageQuestion(page: $0) }
            ) { delay, reason in report(delay, reason, fetched) }
            let (exchange, name, count) = (answer.exchange, answer.name, answer.byteCount)
            fetched.head = fetched.head ?? exchange.head
            fetched.retries += exchange.retries + answer.renewals
            fetched.requests = fetcher.sent
            if known != nil, exchange.head.status == 304 {
                expected.removeFirst()
                fetched.notModified += 1
                following = try expected.first.map { try PageQuestion($0) }?.page
                continue
            }
            if fetched.notModified > 0 {
                // What leads to the pages behind one that changed may have changed as well.
                fetcher.clear()
                let (requests, retries) = (fetcher.sent, fetched.retries)
                let onward = reader.map { reader in
                    FetchStep.Reader { step in
                        var step = step
                        step.fetched.requests += requests
                        step.fetched.retries += retries
                        try reader.onStep(step)
                    }
                }
                var all = try fetch(age: age, reader: onward)
                all.requests += requests
                all.retries += retries
                return all
            }
            expected = []
            let action = exchange.verdict?.action
            if action == .ignore || action == .stop {
                (fetched.incompleteReason, fetched.isTruncated) = (unread(name, exchange), true)
            }
            // "No content" is a page without records, and no JSON.
            let isEmpty = exchange.head.status == 204 || action == .ignore || !exchange.head.isSuccess
            if !isEmpty, count == 0, stream.format == .json || exchange.head.status == 304 {
                throw SyncError(
                    .invalidDocument,
                    "\(name) answered \(exchange.head.status) without a body, where JSON was expected; a list of nothing is `[]`. Check the stream's `path` and `params`. Nothing was written."
                )
            }
            let content = Page(
                content: answer.content, name: name, fileStem: "", maximumBytes: source.maximumResponseBytes)
            var view = PageView()
            if !isEmpty {
                view = try pagination.view(of: content, reading: reading, showsValues: showsValues, parser: parser)
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
                fetched.incompleteReason = "\(name) is a part of a larger answer (status 206)"
            }
            if case .headerLink = stream.paginator, !exchange.head.headers.all("Link").isEmpty,
                exchange.head.links.links.isEmpty
            {
                fetched.incompleteReason = "the Link header of \(name) cannot be read, so pages may be missing"
            }
            if !exchange.head.isBodyDelimited && stream.format.hasLines {
                fetched.incompleteReason = "the end of \(name) was not announced, so lines may be missing"
            }
            following = nil
            switch action == .stop ? .end : try pagination.step(after: exchange.head, view, name: name) {
            case .next(let next):
                following = next
                // Pages without content are alike, and prove nothing.
                guard isEmpty || bodies.insert(answer.digest).inserted else {
                    throw SyncError(
                        .paginationLoop,
                        "The pages of the stream `\(stream.name)` repeat themselves: \(name) is the same as a page before it, and leads on. Nothing was written; the source's next links are wrong, or `paginator` does not fit them."
                    )
                }
            case .end: break
            case .stop(let reason): (fetched.incompleteReason, fetched.isTruncated) = (reason, true)
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
            let token = following == nil ? nil : pagination.token
            let credentials = Set(try asking.login.credentials().parameters.map(\.name))
            try reader.onStep(
                FetchStep(
                    page: isEmpty ? nil : content, fetched: fetched, isEnd: following == nil,
                    token: token?.hidden(marks, credentials: credentials, passing: asking.login.secrets),
                    request: mark, isAlone: fetcher.isIdle))
        }
        if fetched.notModified > 0 {
            fetcher.clear()
            (fetched.requests, fetched.isComplete) = (fetcher.sent, true)
            try reader?.onStep(FetchStep(fetched: fetched, isEnd: true, request: 0))
        }
        return fetched
    }

    /// Says how the reading ended.
    private func conclude(_ fetched: inout FetchedPages, _ pagination: Pagination, last: String) {
        fetched.canShift = pagination.canShift
        if pagination.endedFull {
            fetched.warning =
                "The last page of `\(stream.name)`, \(last), is full and says nothing of a next one. If there is one, `paginator` does not find it."
        }
        fetched.isComplete = fetched.incompleteReason == nil
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

extension PageQuestion {
    /// Asks for a page of the last run, if it changed.
    fileprivate init(_ known: PageValidators.Page) throws(HTTPError) {
        self.init(page: PageRequest(url: try HTTPURL(known.url)), validators: known.headers)
    }
}

extension HTTPConfiguration {
    /// The client's settings for a pipeline's source.
    init(_ source: SourceDefinition, version: String) {
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

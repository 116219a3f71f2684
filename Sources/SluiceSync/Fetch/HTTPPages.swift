internal import SluiceHTTP
internal import SluiceMerge
internal import SluicePipeline
internal import SluiceSystem

/// Fetches the pages of a stream over HTTP into a spool.
struct HTTPPages {
    private let client: HTTPClient
    private let login: SourceLogin
    private let source: SourceDefinition
    private let stream: StreamDefinition
    private let cancellation: Cancellation
    private let rules: ResponseRules?
    private let onProgress: (RunProgress) -> Void
    /// Whether messages may quote pages.
    private let showsValues: Bool

    init(
        client: HTTPClient, login: SourceLogin, source: SourceDefinition, stream: StreamDefinition,
        showsValues: Bool = true, cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void
    ) throws {
        self.showsValues = showsValues
        self.client = client
        self.login = login
        self.source = source
        self.stream = stream
        self.cancellation = cancellation
        rules = try ResponseRules(source.responseRules)
        self.onProgress = onProgress
    }

    /// Fetches all pages.
    ///
    /// - Parameters:
    ///   - base: The source's base URL.
    ///   - spool: Where the pages go.
    ///   - age: Tells where the rest was read before; nil where nothing does.
    ///   - kept: What the pages of the last run said of their version; none to fetch all.
    ///   - reader: Gets the pages one by one, so that none of them is returned; nil where nobody does.
    /// - Returns: The pages; where one of several changed all of them, where none did none.
    /// - Throws: ``HTTPError``, ``SyncError`` or `CancelledError`.
    func fetch(
        base: ConfigurationText, into spool: inout Spool, age: CursorAge? = nil, kept: [PageValidators.Page] = [],
        reader: FetchStep.Reader? = nil
    ) throws -> FetchedPages {
        var fetched = FetchedPages()
        var expected = kept[...]
        fetched.isPaginated = stream.paginator != .none
        var pagination = try Pagination(
            stream: stream, first: try stream.url(base: base), showsValues: showsValues, age: age)
        let reading = try RecordsReading(
            stream: stream, maximumRecordBytes: source.maximumRecordBytes, showsValues: showsValues)
        let marks = SecretMarks(stream.secrets(base: base))
        var following: PageRequest? =
            try reader?.token.map { try pagination.resume(at: $0.shown(marks)) }
            ?? pagination.start
        var visited: Set<UInt64> = reader?.requests ?? []
        var bodies: Set<UInt64> = []
        let origin = following?.url.origin
        while let page = following {
            try cancellation.check()
            let credentials = try login.credentials()
            var request = makeRequest(page, credentials, origin: origin, base: base)
            let known = expected.first.flatMap { $0.url == page.url.text ? $0 : nil }
            request.headers += known?.headers ?? []
            let name = request.shownURL
            let mark = page.digest
            guard visited.insert(mark).inserted else {
                throw SyncError(
                    .paginationLoop,
                    "The pages of the stream `\(stream.name)` lead in a circle: \(name) was fetched before. Nothing was written; the source's next links are wrong, or `paginator` does not fit them."
                )
            }
            let exchange = try send(request, into: &spool, &fetched) { renewed in
                var request = makeRequest(page, renewed, origin: origin, base: base)
                request.headers += known?.headers ?? []
                return request
            }
            if known != nil, exchange.head.status == 304 {
                spool.restart()
                expected.removeFirst()
                fetched.requests += 1
                fetched.retries += exchange.retries
                fetched.notModified += 1
                following = try expected.first.map { PageRequest(url: try HTTPURL($0.url)) }
                continue
            }
            if fetched.notModified > 0 {
                // What leads to the pages behind one that changed may have changed as well.
                spool.restart()
                let (requests, retries) = (fetched.requests + 1, fetched.retries + exchange.retries)
                let onward = reader.map { reader in
                    FetchStep.Reader { step in
                        var step = step
                        step.fetched.requests += requests
                        step.fetched.retries += retries
                        try reader.onStep(step)
                    }
                }
                var all = try fetch(base: base, into: &spool, age: age, reader: onward)
                all.requests += requests
                all.retries += retries
                return all
            }
            expected = []
            let action = exchange.verdict?.action
            if action == .ignore || action == .stop {
                (fetched.incompleteReason, fetched.isTruncated) = (unread(name, exchange), true)
            }
            if action == .ignore { spool.restart() }
            // "No content" is a page without records, and no JSON.
            let isEmpty = exchange.head.status == 204 || action == .ignore || !exchange.head.isSuccess
            if !isEmpty, spool.start == spool.end, stream.format == .json || exchange.head.status == 304 {
                throw SyncError(
                    .invalidDocument,
                    "\(name) answered \(exchange.head.status) without a body, where JSON was expected; a list of nothing is `[]`. Check the stream's `path` and `params`. Nothing was written."
                )
            }
            // Only a page that leads on can be part of a circle.
            let digest = fetched.isPaginated ? try spool.bodyDigest() : 0
            let (content, count) = spool.finishBody()
            let answer = Page(
                content: content, name: name, fileStem: "", maximumBytes: source.maximumResponseBytes)
            let needs = pagination.needs
            var view = PageView()
            if !isEmpty {
                if !needs.isEmpty {
                    view = try PageView(answer, needs, reading: reading, showsValues: showsValues)
                }
                if reader == nil { fetched.pages.append(answer) }
            }
            fetched.requests += 1
            fetched.retries += exchange.retries
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
            if !exchange.head.isBodyDelimited && stream.format == .jsonl {
                fetched.incompleteReason = "the end of \(name) was not announced, so lines may be missing"
            }
            following = nil
            switch action == .stop ? .end : try pagination.step(after: exchange.head, view, name: name) {
            case .next(let next):
                following = next
                // Pages without content are alike, and prove nothing.
                guard isEmpty || bodies.insert(digest).inserted else {
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
            if following == nil { conclude(&fetched, pagination, last: name) }
            guard let reader else { continue }
            let token = following == nil ? nil : pagination.token
            try reader.onStep(
                FetchStep(
                    page: isEmpty ? nil : answer, fetched: fetched, isEnd: following == nil,
                    token: token?.hidden(
                        marks, credentials: Set(credentials.parameters.map(\.name)), passing: login.secrets),
                    request: mark))
            // What was taken needs no room any more.
            spool = try Spool()
        }
        if fetched.notModified > 0 {
            fetched.isComplete = true
            try reader?.onStep(FetchStep(fetched: fetched, isEnd: true, request: 0))
        }
        return fetched
    }

    /// Says how the reading ended.
    private func conclude(_ fetched: inout FetchedPages, _ pagination: Pagination, last: String) {
        if pagination.canShift {
            fetched.incompleteReason =
                fetched.incompleteReason ?? "a record can slip past while counted pages are read"
        }
        if pagination.endedFull {
            fetched.warning =
                "The last page of `\(stream.name)`, \(last), is full and says nothing of a next one. If there is one, `paginator` does not find it."
        }
        fetched.isComplete = fetched.incompleteReason == nil
    }

    /// Sends a request; where its credentials are refused, once more with new ones.
    private func send(
        _ request: HTTPRequest, into spool: inout Spool, _ fetched: inout FetchedPages,
        renewing: (Credentials) -> HTTPRequest
    ) throws -> HTTPExchange {
        let before = fetched
        func send(_ request: HTTPRequest, into spool: inout Spool) throws -> HTTPExchange {
            try client.fetch(request, into: &spool, judge: rules, cancellation: cancellation) { report($0, before) }
        }
        var refusal: HTTPError?
        do {
            let exchange = try send(request, into: &spool)
            if exchange.verdict?.action != .refreshCredentials { return exchange }
        } catch let error as HTTPError where error.status == 401 && error.code == .status {
            refusal = error
        }
        guard let credentials = try login.renew() else {
            throw refusal ?? SyncError(.loginFailed, "`refresh_auth` has nobody to ask for new credentials.")
        }
        fetched.retries += 1
        spool.restart()
        let note = "A new token was asked for in between, and it was refused like the old one."
        do {
            let exchange = try send(renewing(credentials), into: &spool)
            if exchange.verdict?.action != .refreshCredentials { return exchange }
            let words = exchange.verdict?.message.map { " \($0)" } ?? ""
            throw SyncError(
                .loginFailed, "\(request): the server answered \(exchange.head.status).\(words)\n\(note)")
        } catch let error as HTTPError where error.status == 401 && error.code == .status {
            throw SyncError(SyncError.Code(error.code.rawValue), "\(error.message)\n\(note)")
        }
    }

    private func unread(_ name: String, _ exchange: HTTPExchange) -> String {
        let what = exchange.verdict?.action == .ignore ? "is ignored" : "ends the reading"
        let words = exchange.verdict?.message.map { ": \($0)" } ?? ""
        return "the answer \(exchange.head.status) of \(name) \(what), as `on_response` says\(words)"
    }

    private func makeRequest(
        _ page: PageRequest, _ credentials: Credentials, origin: HTTPOrigin?, base: ConfigurationText
    ) -> HTTPRequest {
        var request = page.httpRequest(of: stream)
        request.origin = origin
        // Lines have no end of their own, so a compressed body that was cut could pass for a complete one.
        request.acceptsCompression = stream.format != .jsonl || stream.deleteMissing.mode == .ignore
        request.credentialHeaders = credentials.headers
        request.credentialParameters = credentials.parameters
        request.secrets = (credentials.secrets + stream.secrets(base: base) + login.secrets).filter { !$0.isEmpty }
        return request
    }

    private func report(_ event: HTTPEvent, _ fetched: FetchedPages) {
        let (delay, reason): (Duration, String)
        switch event {
        case .retrying(let time, let error): (delay, reason) = (time, error.message)
        case .waiting(let time, let words): (delay, reason) = (time, words)
        case .started, .redirected, .finished: return
        }
        let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
        onProgress(
            RunProgress(
                stage: .waiting(seconds: seconds, until: WallClock.now(plus: delay), reason: reason),
                stream: stream.name, pages: fetched.pages.count, bytes: fetched.bytes))
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

internal import SluiceHTTP
internal import SluiceMerge
internal import SluicePipeline
internal import SluiceSystem

/// Fetches the pages of a stream over HTTP into a spool.
struct HTTPPages {
    private let client: HTTPClient
    private let source: SourceDefinition
    private let stream: StreamDefinition
    private let cancellation: Cancellation
    private let onProgress: (RunProgress) -> Void
    /// Whether messages may quote pages.
    private let showsValues: Bool

    init(
        client: HTTPClient, source: SourceDefinition, stream: StreamDefinition, showsValues: Bool = true,
        cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void
    ) {
        self.showsValues = showsValues
        self.client = client
        self.source = source
        self.stream = stream
        self.cancellation = cancellation
        self.onProgress = onProgress
    }

    /// Fetches all pages.
    ///
    /// - Throws: ``HTTPError``, ``SyncError`` or `CancelledError`.
    func fetch(base: ConfigurationText) throws -> FetchedPages {
        var fetched = FetchedPages()
        fetched.isPaginated = stream.paginator != .none
        var spool = try Spool()
        var pagination = try Pagination(stream: stream, first: try firstURL(base), showsValues: showsValues)
        let reading = try RecordsReading(
            stream: stream, maximumRecordBytes: source.maximumRecordBytes, showsValues: showsValues)
        var following: PageRequest? = pagination.start
        var visited: Set<PageRequest> = []
        var bodies: Set<UInt64> = []
        let origin = following?.url.origin
        while let page = following {
            try cancellation.check()
            let request = makeRequest(page, origin: origin, base: base)
            let name = request.shownURL
            guard visited.insert(page).inserted else {
                throw SyncError(
                    .paginationLoop,
                    "The pages of the stream `\(stream.name)` lead in a circle: \(name) was fetched before. Nothing was written; the source's next links are wrong, or `paginator` does not fit them."
                )
            }
            let exchange = try client.fetch(request, into: &spool, cancellation: cancellation) { event in
                report(event, fetched)
            }
            // "No content" is a page without records, and no JSON.
            let isEmpty = exchange.head.status == 204
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
                fetched.pages.append(answer)
            }
            fetched.requests += 1
            fetched.retries += exchange.retries
            fetched.bytes += count
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
            switch try pagination.step(after: exchange.head, view, name: name) {
            case .next(let next):
                following = next
                guard bodies.insert(digest).inserted else {
                    throw SyncError(
                        .paginationLoop,
                        "The pages of the stream `\(stream.name)` repeat themselves: \(name) is the same as a page before it, and leads on. Nothing was written; the source's next links are wrong, or `paginator` does not fit them."
                    )
                }
            case .end: break
            case .stop(let reason): fetched.incompleteReason = reason
            }
            onProgress(
                RunProgress(
                    stage: .fetching, stream: stream.name, pages: fetched.pages.count, bytes: fetched.bytes))
        }
        if pagination.canShift {
            fetched.incompleteReason =
                fetched.incompleteReason ?? "a record can slip past while counted pages are read"
        }
        if pagination.endedFull, let page = fetched.pages.last {
            fetched.warning =
                "The last page of `\(stream.name)`, \(page.name), is full and says nothing of a next one. If there is one, `paginator` does not find it."
        }
        fetched.isComplete = fetched.incompleteReason == nil
        return fetched
    }

    private func firstURL(_ base: ConfigurationText) throws -> HTTPURL {
        var url = try HTTPURL(base.revealed)
        if let path = stream.path { url = try url.appending(path: path.revealed) }
        return url.adding(parameters: stream.parameters.map { HTTPField($0.name, $0.value.revealed) })
    }

    private func makeRequest(_ page: PageRequest, origin: HTTPOrigin?, base: ConfigurationText) -> HTTPRequest {
        var headers = stream.headers.map { HTTPField($0.name, $0.value.revealed) }
        headers.removeAll { header in page.headers.contains { $0.isNamed(header.name) } }
        headers += page.headers
        if let type = page.body?.contentType, !headers.contains(where: { $0.isNamed("Content-Type") }) {
            headers.append(HTTPField("Content-Type", type))
        }
        var request = HTTPRequest(
            method: stream.method.rawValue, url: page.url.text, headers: headers, body: page.body?.bytes)
        request.origin = origin
        // Lines have no end of their own, so a compressed body that was cut could pass for a complete one.
        request.acceptsCompression = stream.format != .jsonl || stream.deleteMissing.mode == .ignore
        switch source.authentication {
        case .none: break
        case .bearer(let token):
            request.credentialHeaders = [HTTPField("Authorization", "Bearer \(token.revealed)")]
            request.secrets.append(token.revealed)
        case .basic(let username, let password):
            let pair = Base64.encode(Array("\(username.revealed):\(password.revealed)".utf8))
            request.credentialHeaders = [HTTPField("Authorization", "Basic \(pair)")]
            request.secrets += [password.revealed, pair]
        case .apiKey(.header, let name, let value):
            request.credentialHeaders = [HTTPField(name, value.revealed)]
            request.secrets.append(value.revealed)
        case .apiKey(.cookie, let name, let value):
            request.credentialHeaders = [HTTPField("Cookie", "\(name)=\(value.revealed)")]
            request.secrets.append(value.revealed)
        case .apiKey(.query, let name, let value):
            request.credentialParameters = [HTTPField(name, value.revealed)]
            request.secrets.append(value.revealed)
        }
        let texts =
            stream.parameters.map(\.value) + stream.headers.map(\.value) + [base, stream.path ?? base]
            + (stream.body?.texts ?? [])
        request.secrets += texts.flatMap(\.parts).filter(\.isSecret).map(\.text)
        request.secrets.removeAll(where: \.isEmpty)
        return request
    }

    private func report(_ event: HTTPEvent, _ fetched: FetchedPages) {
        guard case .retrying(let delay, let reason) = event else { return }
        let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
        onProgress(
            RunProgress(
                stage: .waiting(seconds: seconds, reason: reason.message), stream: stream.name,
                pages: fetched.pages.count, bytes: fetched.bytes))
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
        if let url = source.proxy { proxy = .url(url.revealed) }
    }
}

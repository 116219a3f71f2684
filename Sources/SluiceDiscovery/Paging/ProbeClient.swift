internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSync
internal import SluiceSystem

/// An answer of a source.
struct ProbeAnswer {
    let head: HTTPResponseHead
    let page: Page
    let byteCount: Int
}

/// Asks a source for pages, and for no more of them than it may.
final class ProbeClient {
    private let client: HTTPClient
    private let source: ProbeSource
    private let cancellation: Cancellation
    private let onProgress: (RunProgress) -> Void
    private let most: Int
    private var spool: Spool
    private var origin: HTTPOrigin?
    private var bytes = 0
    /// How many requests were made.
    private(set) var requests = 0

    /// Whether another request may be made.
    var hasMore: Bool { requests < most }

    init(
        _ source: ProbeSource, most: Int, options: SyncOptions, onProgress: @escaping (RunProgress) -> Void
    ) throws {
        self.source = source
        self.most = most
        self.onProgress = onProgress
        cancellation = options.cancellation
        var definition = source.definition
        // What may pass, such as a limit of requests or a server in trouble, is tried again as in a run, and waited for, though
        // not for long: a request that fails tells something too.
        definition.retry.maximumAttempts = 3
        definition.retry.maximumWait = .seconds(60)
        definition.maximumResponseBytes = ProbeSource.maximumResponseBytes
        client = HTTPClient(
            configuration: HTTPConfiguration(definition, version: options.version),
            environment: options.httpEnvironment)
        spool = try Spool()
    }

    deinit { client.shutDown() }

    /// The longest time without a byte of an answer to a guess.
    private static let guessIdle = Duration.seconds(10)

    /// Asks for a page whose request is a guess: what is wrong with it may show in any way, so it is not waited for as long
    /// as for others, and sent once, unless the server says that it is asked too fast.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - time: How long all of it may take.
    /// - Returns: The answer.
    /// - Throws: ``HTTPError``, `SystemError` or `CancelledError`.
    func ask(guess page: PageRequest, within time: Duration) throws -> ProbeAnswer {
        var terms = HTTPRequestTerms()
        (terms.idleTimeout, terms.totalTimeout) = (Self.guessIdle, max(time, .seconds(1)))
        terms.retriesRateLimitsAlone = true
        return try ask(page, terms)
    }

    /// Asks for a page.
    ///
    /// - Throws: ``HTTPError``, `SystemError` or `CancelledError`.
    func ask(_ page: PageRequest, _ terms: HTTPRequestTerms = HTTPRequestTerms()) throws -> ProbeAnswer {
        try cancellation.check()
        let stream = source.stream()
        origin = origin ?? page.url.origin
        var request = page.httpRequest(of: stream)
        request.origin = origin
        request.secrets = source.secrets
        request.terms = terms
        requests += 1
        spool.restart()
        let exchange = try client.fetch(request, into: &spool, cancellation: cancellation) { event in
            guard let stage = RunProgress.Stage(waiting: event) else { return }
            onProgress(RunProgress(stage: stage, stream: stream.name, pages: requests - 1, bytes: bytes))
        }
        let (content, count) = spool.finishBody()
        bytes += count
        onProgress(RunProgress(stage: .fetching, stream: stream.name, pages: requests, bytes: bytes))
        return ProbeAnswer(
            head: exchange.head,
            page: Page(
                content: content, name: request.shownURL, fileStem: "",
                maximumBytes: ProbeSource.maximumResponseBytes),
            byteCount: count)
    }
}

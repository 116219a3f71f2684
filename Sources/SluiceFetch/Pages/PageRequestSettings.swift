internal import SluiceDecode
package import SluiceHTTP
package import SluicePipeline
internal import SluiceReport

/// How the pages of a stream are asked for.
package struct PageRequestSettings: Sendable {
    package let client: HTTPClient
    package let login: SourceLogin
    package let stream: StreamDefinition
    /// The source's base URL.
    package let base: ConfigurationText
    /// What becomes of responses.
    package let rules: [SourceDefinition.ResponseRule]
    /// Where credentials may go; nil for wherever a request does.
    package var origin: HTTPOrigin?
    package let spools: SpoolPool

    /// Makes a value of its parts.
    package init(
        client: HTTPClient, login: SourceLogin, stream: StreamDefinition, base: ConfigurationText,
        rules: [SourceDefinition.ResponseRule], origin: HTTPOrigin? = nil, spools: SpoolPool
    ) {
        self.client = client
        self.login = login
        self.stream = stream
        self.base = base
        self.rules = rules
        self.origin = origin
        self.spools = spools
    }

    /// What is sent for a page.
    ///
    /// - Parameters:
    ///   - question: The page.
    ///   - credentials: What proves who is asking.
    /// - Returns: The request.
    package func request(for question: PageQuestion, _ credentials: Credentials) -> HTTPRequest {
        var request = question.page.httpRequest(of: stream)
        request.headers += question.validators
        request.origin = origin
        // Lines have no end of their own, so a compressed body that was cut could pass for a complete one.
        request.acceptsCompression = !stream.format.hasLines || stream.deleteMissing.mode == .ignore
        request.credentialHeaders = credentials.headers
        request.credentialParameters = credentials.parameters
        request.secrets = (credentials.secrets + stream.secrets(base: base) + login.secrets).filter { !$0.isEmpty }
        return request
    }
}

/// A page that is asked for.
package struct PageQuestion: Hashable, Sendable {
    var page: PageRequest
    /// What asks for the page only if it changed.
    var validators: [HTTPField] = []
}

/// What came of a request for a page.
struct PageAnswer: Sendable {
    /// The page's place for messages.
    var name: String
    var exchange: HTTPExchange
    var content: Page.Content
    var byteCount: Int
    /// By which pages that are alike are told.
    var digest: UInt64
    /// How often new credentials were asked for.
    var renewals = 0
}

/// What happens while a page is asked for.
enum PageNote: Sendable {
    /// The request goes out.
    case sent
    /// It waits, for this reason.
    case waiting(Duration, reason: String, RunProgress.WaitCause)
    /// So many bytes of its answer have come.
    case receiving(bytes: Int)

    init?(_ event: HTTPEvent) {
        switch event {
        case .retrying(let time, let error):
            self = .waiting(time, reason: error.statement, error.isRateLimit ? .refusal : .retry)
        case .waiting(let time, let reason): self = .waiting(time, reason: reason, .rateLimit)
        case .receiving(let bytes): self = .receiving(bytes: bytes)
        case .started, .redirected, .finished: return nil
        }
    }
}

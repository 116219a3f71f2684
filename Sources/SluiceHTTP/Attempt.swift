import SluiceSystem

/// One try of a fetch: the request itself and those that its redirects ask for.
struct Attempt {
    /// Why a try brought no answer.
    enum Failure: Error {
        case http(HTTPError, retryAfter: Duration? = nil)
        case sink(any Error)
        case cancelled
    }

    /// A complete successful response.
    struct Answer {
        var head: HTTPResponseHead
        var bytes = 0
        /// What was said of it, where somebody judged it.
        var verdict: HTTPVerdict?
    }

    /// Each so many bytes of a body are told of.
    private static let noticed = 1 << 20
    let fetch: Fetch
    /// How many redirects were followed.
    private(set) var redirects = 0
    /// Whether the sink was told of a response.
    private(set) var hasBegunSink = false
    private var method: String
    private var body: [UInt8]?

    /// Its number among all tries, from 1.
    private let number: Int

    init(fetch: Fetch, number: Int) {
        self.fetch = fetch
        self.number = number
        method = fetch.request.method
        body = fetch.request.body
    }

    mutating func run(
        into sink: inout some HTTPBodySink, onEvent: (HTTPEvent) -> Void
    ) throws(Failure) -> Answer {
        var url = fetch.url
        while true {
            let context = context(url)
            let ticket = try waitForTurn(url.origin, context, onEvent)
            if redirects == 0 { onEvent(.started(displayURL: fetch.display(url), attempt: number)) }
            let response: Response
            do throws(Failure) {
                response = try transfer(url, context, into: &sink, onEvent)
            } catch {
                endTurn(ticket, nil, url.origin)
                throw error
            }
            endTurn(ticket, response.head, url.origin)
            switch response {
            case .success(let answer): return try judged(answer, context, into: &sink)
            case .failure(let head, let body):
                if let answer = try judged(head, body, context) { return answer }
                guard Redirect.isRedirect(head), let location = head.headers.first("Location") else {
                    let error = HTTPError(status: head.status, body: body, rateRefusal(head), context)
                    throw .http(error, retryAfter: askedDelay(head))
                }
                url = try follow(location, from: head, context)
                onEvent(.redirected(status: head.status, displayURL: fetch.display(url)))
            }
        }
    }

    private func context(_ url: HTTPURL) -> FailureContext {
        FailureContext(
            subject: "\(method) \(fetch.display(url))", origin: url.origin,
            configuration: fetch.configuration, redactor: fetch.redactor)
    }

    /// Where a redirect leads; changes method and body as it asks.
    private mutating func follow(
        _ location: String, from head: HTTPResponseHead, _ context: FailureContext
    ) throws(Failure) -> HTTPURL {
        redirects += 1
        let limit = fetch.configuration.maximumRedirects
        if redirects > limit {
            let message =
                limit == 0
                ? "\(context.prefix)the answer is a redirect, and none is followed. Name the URL that it leads to."
                : "\(context.prefix)the request was redirected more than \(limit) times. Check `base_url`."
            throw .http(HTTPError(.tooManyRedirects, message))
        }
        let target: HTTPURL
        do throws(HTTPError) {
            target = try head.url.resolving(location)
        } catch {
            let reason = fetch.redactor.plain(error.message)
            throw .http(HTTPError(error.code, "\(context.prefix)the redirect cannot be followed. \(reason)"))
        }
        if Redirect.becomesGet(status: head.status, method: method) {
            method = "GET"
            body = nil
        }
        let answer = fetch.policy.answer(for: target.origin)
        switch answer {
        case .trusted:
            return target
        case .withoutCredentials where body == nil:
            return target
        case .withoutCredentials:
            let host = target.origin.hostAndPort
            let message =
                "\(context.prefix)the redirect would send the request's body to \(host), which gets no credentials. "
                + "If it may see the body, allow it with `{host: \(host), credentials: true}` in `allow_hosts`."
            throw .http(HTTPError(.hostNotAllowed, message))
        case .notAllowed, .downgrade:
            throw .http(
                fetch.policy.refusal(
                    answer, of: target.origin, subject: "the server redirects", prefix: context.prefix))
        }
    }

    private enum Response {
        case success(Answer)
        case failure(HTTPResponseHead, body: [UInt8])

        var head: HTTPResponseHead {
            switch self {
            case .success(let answer): answer.head
            case .failure(let head, _): head
            }
        }
    }

    /// Sends one request and receives its response.
    private mutating func transfer(
        _ url: HTTPURL, _ context: FailureContext, into sink: inout some HTTPBodySink, _ onEvent: (HTTPEvent) -> Void
    ) throws(Failure) -> Response {
        guard let transport = fetch.client.transport else {
            throw .http(HTTPError(.transferFailed, "\(context.prefix)libcurl cannot be set up on this machine."))
        }
        let response = transport.begin(outgoing(url))
        let registration = fetch.cancellation.onCancel { response.cancel() }
        defer { fetch.cancellation.remove(registration) }
        do throws(Failure) {
            return try receive(response, url, context, into: &sink, onEvent)
        } catch {
            response.abandon()
            throw error
        }
    }

    private func outgoing(_ url: HTTPURL) -> TransferRequest {
        let compresses = fetch.request.acceptsCompression
        let privacy = RequestPrivacy(fetch.request)
        guard fetch.policy.answer(for: url.origin) == .trusted else {
            return TransferRequest(
                method: method, url: url, headers: [], body: nil, acceptsCompression: compresses, privacy: privacy,
                configuration: fetch.configuration)
        }
        let parameters = fetch.request.credentialParameters
        return TransferRequest(
            method: method, url: parameters.isEmpty ? url : url.setting(parameters: parameters),
            headers: fetch.request.headers + fetch.request.credentialHeaders, body: body,
            acceptsCompression: compresses, privacy: privacy, configuration: fetch.configuration)
    }

    private mutating func receive(
        _ response: any IncomingResponse, _ url: HTTPURL, _ context: FailureContext, into sink: inout some HTTPBodySink,
        _ onEvent: (HTTPEvent) -> Void
    ) throws(Failure) -> Response {
        var answer: Answer?
        var refusal = RefusalBody(kept: fetch.judge == nil ? 4096 : 1 << 20)
        var spare: [UInt8] = []
        while true {
            switch response.next(spare: &spare) {
            case .cancelled:
                throw .cancelled
            case .head(let head):
                let head = HTTPResponseHead(
                    status: head.status, httpVersion: head.httpVersion, headers: head.headers, url: url)
                refusal.head = head
                guard head.isSuccess else { continue }
                if let length = head.announcedBodyBytes, length > context.configuration.maximumResponseBytes,
                    let error = HTTPError(.bodyTooLarge, context)
                {
                    throw .http(error)
                }
                hasBegunSink = true
                try perform { try sink.begin(head) }
                answer = Answer(head: head)
            case .bytes(let bytes, let resumes):
                if resumes { response.resume() }
                if answer != nil {
                    try perform { try sink.write(bytes.span) }
                    let before = answer?.bytes ?? 0
                    answer?.bytes += bytes.count
                    if (before + bytes.count) / Self.noticed > before / Self.noticed {
                        onEvent(.receiving(bytes: before + bytes.count))
                    }
                } else if !refusal.add(bytes), let head = refusal.head {
                    // Nobody reads that much of an error: the connection is worth less than the rest of it.
                    response.abandon()
                    return .failure(head, body: refusal.bytes)
                }
                spare = bytes
            case .ended(let outcome):
                if let error = HTTPError(outcome, context) { throw .http(error) }
                if let answer { return .success(answer) }
                if let head = refusal.head { return .failure(head, body: refusal.bytes) }
                throw .http(HTTPError(.protocolViolation, "\(context.prefix)the server sent no response."))
            }
        }
    }

    private func perform(_ body: () throws -> Void) throws(Failure) {
        do { try body() } catch { throw .sink(error) }
    }
}

/// The body of a response that is no success: its beginning is kept for the message, the rest is read for the sake of the
/// connection, within limits.
private struct RefusalBody {
    /// How much of it is kept.
    let kept: Int
    var head: HTTPResponseHead?
    private(set) var bytes: [UInt8] = []
    private var received = 0

    init(kept: Int) { self.kept = kept }

    /// Takes a piece; false where more is not worth reading.
    mutating func add(_ piece: [UInt8]) -> Bool {
        bytes += piece.prefix(kept - bytes.count)
        received += piece.count
        return received <= max(kept, 64 << 10)
    }
}

/// What a redirect status asks for (RFC 9110, section 15.4).
private enum Redirect {
    static func isRedirect(_ head: HTTPResponseHead) -> Bool {
        [301, 302, 303, 307, 308].contains(head.status)
    }

    /// Whether the next request is a GET without a body: always after 303, after 301 and 302 what POST has become.
    static func becomesGet(status: Int, method: String) -> Bool {
        switch status {
        case 303: method != "GET" && method != "HEAD"
        case 301, 302: method == "POST"
        default: false
        }
    }
}

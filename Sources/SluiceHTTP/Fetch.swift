import SluiceSystem

/// One call of ``HTTPClient/fetch(_:into:cancellation:onEvent:)``: tries until an answer is final.
struct Fetch {
    let request: HTTPRequest
    let client: HTTPClient
    let judge: (any HTTPJudge)?
    let cancellation: Cancellation
    let url: HTTPURL
    let policy: OriginPolicy
    /// How to talk to the source for this request.
    let configuration: HTTPConfiguration
    let redactor: Redactor
    private var schedule: RetrySchedule

    init(
        _ request: HTTPRequest, client: HTTPClient, judge: (any HTTPJudge)?, cancellation: Cancellation
    ) throws(HTTPError) {
        self.request = request
        self.client = client
        self.judge = judge
        self.cancellation = cancellation
        redactor = Redactor(request)
        do throws(HTTPError) {
            url = try HTTPURL(request.url)
        } catch {
            throw HTTPError(error.code, redactor.scrub(error.message))
        }
        configuration = client.configuration.narrowed(by: request.terms)
        policy = OriginPolicy(source: request.origin ?? url.origin, allowedHosts: configuration.allowedHosts)
        schedule = RetrySchedule(configuration.retry)
        try check()
    }

    /// The URL as messages show it.
    func display(_ url: HTTPURL) -> String {
        if url == self.url, let display = request.displayURL { return redactor.plain(display) }
        let parameters = Set(request.credentialParameters.map(\.name))
        return redactor.plain(url.redacted(parameters: parameters))
    }

    mutating func run(into sink: inout some HTTPBodySink, onEvent: (HTTPEvent) -> Void) throws -> HTTPExchange {
        // What is stopped stays among them.
        let (pending, name) = (client.environment.pendingRetries, "\(request.method) \(display(url))")
        while true {
            try cancellation.check()
            var attempt = Attempt(fetch: self, number: schedule.failures + 1)
            do throws(Attempt.Failure) {
                let answer = try attempt.run(into: &sink, onEvent: onEvent)
                pending?.remove(name)
                onEvent(.finished(status: answer.head.status, bytes: answer.bytes))
                return HTTPExchange(
                    head: answer.head, bytes: answer.bytes, retries: schedule.failures, redirects: attempt.redirects,
                    verdict: answer.verdict)
            } catch {
                switch error {
                case .cancelled: throw CancelledError()
                case .sink(let error): throw error
                case .http(let error, let retryAfter):
                    let asked: Duration
                    do throws(HTTPError) {
                        asked = try delay(after: error, retryAfter: retryAfter)
                    } catch {
                        pending?.remove(name)
                        throw error
                    }
                    pending?.add(name, error, failures: schedule.failures)
                    // What was waited for when it was recorded is over.
                    let delay = client.environment.traffic.isReplayed ? .zero : asked
                    if error.status == 429, delay > .zero {
                        // The others would only hear the same.
                        client.environment.rates.hold(url.origin, until: client.environment.monotonicNow() + delay)
                    }
                    if attempt.hasBegunSink { try sink.restart() }
                    onEvent(.retrying(after: delay, reason: error))
                    if delay > .zero { client.environment.sleep(delay, cancellation) }
                }
            }
        }
    }

    /// How long to wait before the next try; throws the error where there is to be none.
    private mutating func delay(after error: HTTPError, retryAfter: Duration?) throws(HTTPError) -> Duration {
        guard error.isTransient, error.isRateLimit || !request.terms.retriesRateLimitsAlone else { throw error }
        var final = error
        switch schedule.decide(retryAfter: retryAfter, random: client.environment.random()) {
        case .wait(let delay):
            return delay
        case .attemptsUsedUp:
            if schedule.failures > 1 { final.statement += "\nIt was tried \(schedule.failures) times." }
        case .retryAfterTooLong(let asked, let left):
            final.statement +=
                "\nThe server asks to wait \(asked.inWords) before the next try, and `retry.max_wait` leaves "
                + "\(left.inWords)."
        case .waitUsedUp:
            final.statement +=
                "\nIt was tried \(schedule.failures) times, and all of `retry.max_wait` was spent waiting."
        }
        throw final
    }

    private func check() throws(HTTPError) {
        let subject = "\(redactor.plain(request.method)) \(display(url))"
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(\.isHTTPToken) else {
            throw HTTPError(.invalidRequest, "\(subject): the method is no HTTP method.")
        }
        for header in request.headers + request.credentialHeaders where !header.isWellFormed {
            let name = redactor.plain(header.name)
            throw HTTPError(
                .invalidRequest,
                "\(subject): the header \"\(name)\" cannot be sent. Its name must be a token, its value one line.")
        }
        let answer = policy.answer(for: url.origin)
        if answer == .notAllowed || answer == .downgrade {
            throw policy.refusal(answer, of: url.origin, subject: "this link leads", prefix: "\(subject): ")
        }
    }
}

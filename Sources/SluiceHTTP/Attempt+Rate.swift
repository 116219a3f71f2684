import SluiceSystem

extension Attempt {
    /// Waits until the host may be asked.
    ///
    /// - Returns: What to end the turn with; nil where nobody is asked.
    func waitForTurn(
        _ origin: HTTPOrigin, _ context: FailureContext, _ onEvent: (HTTPEvent) -> Void
    ) throws(Failure) -> HTTPRates.Ticket? {
        let client = fetch.client
        // Nobody is asked, so nobody is asked too fast.
        if client.environment.traffic.isReplayed { return nil }
        let longest = client.configuration.retry.maximumWait
        while true {
            if fetch.cancellation.isCancelled { throw .cancelled }
            let delay: Duration
            let reason: String
            switch client.environment.rates.begin(
                origin, client.configuration.rateLimit, now: client.environment.monotonicNow())
            {
            case .now(let ticket): return ticket
            case .busy:
                client.environment.rates.waitForEnd(origin, fetch.cancellation)
                continue
            case .limit(let time):
                delay = time
                reason = "\(origin.hostAndPort) is asked no faster than `rate_limit` says"
            case .held(let time):
                delay = time
                reason = "\(origin.hostAndPort) accepts no further request before that"
                if time > longest {
                    throw .http(
                        HTTPError(
                            .rateLimited,
                            "\(context.prefix)the server accepts no further request for \(time.inWords), and "
                                + "`retry.max_wait` is \(longest.inWords). Run again then, or raise `retry.max_wait`."))
                }
            }
            onEvent(.waiting(for: delay, reason: reason))
            client.environment.sleep(delay, fetch.cancellation)
        }
    }

    /// Remembers what a response says of further requests, if there is one.
    func endTurn(_ ticket: HTTPRates.Ticket?, _ head: HTTPResponseHead?, _ origin: HTTPOrigin) {
        guard let ticket else { return }
        let environment = fetch.client.environment
        let rule = fetch.client.configuration.rateLimit
        // Whoever waits for the end of this request must find the pause that it brings.
        defer { environment.rates.end(origin, ticket, left: head.flatMap { rule.left($0.headers) }) }
        guard let head else { return }
        let now = environment.wallClockNow()
        var pause = rule.pause(after: head.headers, now: now)
        let isRefusal = head.status == 429 || head.status == 503 || rateRefusal(head) == .passes
        if isRefusal, let asked = RetryAfter.tolerantDelay(head.headers, now: now) {
            pause = max(pause ?? .zero, asked)
        }
        guard let pause, pause > .zero else { return }
        environment.rates.hold(origin, until: environment.monotonicNow() + pause)
    }

    /// How long a server that refuses wants to be left alone; nil where it does not say so.
    func askedDelay(_ head: HTTPResponseHead) -> Duration? {
        let now = fetch.client.environment.wallClockNow()
        if let delay = RetryAfter.tolerantDelay(head.headers, now: now) { return delay }
        let rule = fetch.client.configuration.rateLimit
        return rule.isUsedUp(head.headers) ? rule.reset(head.headers, now: now) : nil
    }

    /// What a refusal says of too many requests.
    func rateRefusal(_ head: HTTPResponseHead) -> RateRefusal? {
        RateRefusal(head, fetch.client.configuration.rateLimit, now: fetch.client.environment.wallClockNow())
    }
}

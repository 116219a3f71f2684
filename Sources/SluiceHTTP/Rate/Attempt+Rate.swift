import SluiceSystem

extension Attempt {
    /// Waits until the host may be asked.
    func waitForTurn(
        _ origin: HTTPOrigin, _ context: FailureContext, _ onEvent: (HTTPEvent) -> Void
    ) throws(Failure) {
        let client = fetch.client
        let longest = client.configuration.retry.maximumWait
        while true {
            if fetch.cancellation.isCancelled { throw .cancelled }
            let delay: Duration
            let reason: String
            switch client.environment.rates.begin(
                origin, client.configuration.rateLimit, now: client.environment.monotonicNow())
            {
            case nil: return
            case .limit(let time):
                delay = time
                reason = "\(origin.hostAndPort) is asked no faster than `rate_limit` says"
            case .held(let time):
                delay = time
                reason = "\(origin.hostAndPort) takes no further request before that"
                if time > longest {
                    throw .http(
                        HTTPError(
                            .rateLimited,
                            "\(context.prefix)the server takes no further request for \(time.inWords), and "
                                + "`retry.max_wait` is \(longest.inWords). Run again then, or raise `retry.max_wait`."))
                }
            }
            onEvent(.waiting(for: delay, reason: reason))
            client.environment.sleep(delay, fetch.cancellation)
        }
    }

    /// Remembers what a response says of further requests.
    func noteRate(_ head: HTTPResponseHead, _ origin: HTTPOrigin) {
        let environment = fetch.client.environment
        let now = environment.wallClockNow()
        let rule = fetch.client.configuration.rateLimit
        var pause = rule.pause(after: head.headers, now: now)
        if head.status == 429 || head.status == 503, let asked = RetryAfter.delay(head.headers, now: now) {
            pause = max(pause ?? .zero, asked)
        }
        guard let pause, pause > .zero else { return }
        environment.rates.hold(origin, until: environment.monotonicNow() + pause)
    }

    /// How long a server that refuses wants to be left alone; nil where it does not say so.
    func askedDelay(_ head: HTTPResponseHead) -> Duration? {
        let now = fetch.client.environment.wallClockNow()
        if let delay = RetryAfter.delay(head.headers, now: now) { return delay }
        let rule = fetch.client.configuration.rateLimit
        return rule.isUsedUp(head.headers) ? rule.reset(head.headers, now: now) : nil
    }

    /// Whether a refusal says no more than that there were too many requests: some servers answer 403 then.
    func isRateRefusal(_ head: HTTPResponseHead) -> Bool {
        head.status == 403 && fetch.client.configuration.rateLimit.isUsedUp(head.headers)
    }
}

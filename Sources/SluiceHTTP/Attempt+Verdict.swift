extension Attempt {
    /// A successful response, unless somebody says that it is none.
    func judged(
        _ answer: Answer, _ context: FailureContext, into sink: inout some HTTPBodySink
    ) throws(Failure) -> Answer {
        guard let judge = fetch.judge else { return answer }
        let verdict: HTTPVerdict?
        do {
            verdict = try judge.verdict(answer.head) { try sink.received() }
        } catch { throw .sink(error) }
        if let verdict { try act(verdict, answer.head, [], context) }
        var answer = answer
        answer.verdict = verdict
        return answer
    }

    /// An answer, where somebody says that a refusal is one; nil where nobody does.
    func judged(_ head: HTTPResponseHead, _ body: [UInt8], _ context: FailureContext) throws(Failure) -> Answer? {
        guard let judge = fetch.judge else { return nil }
        let verdict: HTTPVerdict?
        do {
            verdict = try judge.verdict(head) { body }
        } catch { throw .sink(error) }
        guard let verdict else { return nil }
        try act(verdict, head, body, context)
        return Answer(head: head, verdict: verdict)
    }

    /// Throws where a verdict ends the try.
    private func act(
        _ verdict: HTTPVerdict, _ head: HTTPResponseHead, _ body: [UInt8], _ context: FailureContext
    ) throws(Failure) {
        guard verdict.action == .retry || verdict.action == .fail else { return }
        let isRetry = verdict.action == .retry
        let reason = verdict.reason ?? "which `on_response` \(isRetry ? "tries again" : "takes for a failure")"
        var message = "\(context.prefix)the server answered \(head.status), \(reason)."
        if let words = verdict.message { message += " \(context.redactor.plain(words))" }
        let excerpt = context.redactor.excerpt(of: body)
        if !excerpt.isEmpty { message += " It said: \"\(excerpt)\"." }
        throw .http(
            HTTPError(.status, message, status: head.status, isTransient: isRetry), retryAfter: askedDelay(head))
    }
}

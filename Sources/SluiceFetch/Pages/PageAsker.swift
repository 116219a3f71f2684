internal import SluiceHTTP
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSystem

/// Asks for one page after the other; several of them share a window.
struct PageAsker: WindowWorker {
    private let settings: PageRequestSettings
    private let judge: any HTTPJudge

    /// - Parameters:
    ///   - settings: How pages are asked for.
    ///   - mayBeAbsent: Whether it is an answer that there is nothing at a place.
    /// - Throws: ``SyncError`` where a condition of `on_response` is no program.
    init(_ settings: PageRequestSettings, mayBeAbsent: Bool = false) throws {
        self.settings = settings
        let rules = try ResponseRules(settings.rules)
        judge = ReadyRules(others: mayBeAbsent ? ExistenceRules(others: rules) : rules)
    }

    /// Fetches a page; where the credentials are refused, once more with new ones.
    func work(
        on question: PageQuestion, cancellation: Cancellation, note: @Sendable (PageNote) -> Void
    ) throws -> PageAnswer {
        try cancellation.check()
        let credentials = try settings.login.credentials()
        let request = settings.request(for: question, credentials)
        var spool = try settings.spools.take()
        defer { settings.spools.give(spool) }
        note(.sent)
        let response = try send(request, into: &spool, cancellation, note)
        if case .answered(let exchange) = response { return try answer(request, exchange, &spool) }
        guard let renewed = try settings.login.renew(credentials) else {
            if case .refused(let error) = response { throw error }
            throw SyncError(.loginFailed, "`refresh_auth` has nobody to ask for new credentials.")
        }
        spool.restart()
        let again = settings.request(for: question, renewed)
        let exchange = try Self.accepted(send(again, into: &spool, cancellation, note), again)
        return try answer(again, exchange, &spool, renewals: 1)
    }

    private enum Response {
        case answered(HTTPExchange)
        /// The credentials do not hold, as the server says.
        case refused(HTTPError)
        /// They do not hold, as `on_response` says.
        case judged(HTTPExchange)
    }

    private func send(
        _ request: HTTPRequest, into spool: inout Spool, _ cancellation: Cancellation, _ note: (PageNote) -> Void
    ) throws -> Response {
        do {
            let exchange = try settings.client.fetch(
                request, into: &spool, judge: judge, cancellation: cancellation
            ) { event in PageNote(event).map(note) }
            return exchange.verdict?.action == .refreshCredentials ? .judged(exchange) : .answered(exchange)
        } catch let error as HTTPError where error.status == 401 && error.code == .status {
            return .refused(error)
        }
    }

    private static func accepted(_ response: Response, _ request: HTTPRequest) throws -> HTTPExchange {
        let note = "A new token was asked for in between, and it was refused like the old one."
        switch response {
        case .answered(let exchange): return exchange
        case .refused(let error): throw SyncError(.refusedAgain, "\(error.message)\n\(note)")
        case .judged(let exchange):
            let words = exchange.verdict?.message.map { " \($0)" } ?? ""
            throw SyncError(
                .loginFailed, "\(request): the server answered \(exchange.head.status).\(words)\n\(note)")
        }
    }

    private func answer(
        _ request: HTTPRequest, _ exchange: HTTPExchange, _ spool: inout Spool, renewals: Int = 0
    ) throws -> PageAnswer {
        if [.ignore, .empty].contains(exchange.verdict?.action) { spool.restart() }
        // Only a page that leads on can be part of a circle.
        let digest = settings.stream.paginator == .none ? 0 : try spool.bodyDigest()
        let (content, count) = spool.finishBody()
        return PageAnswer(
            name: request.shownURL, exchange: exchange, content: content, byteCount: count, digest: digest,
            renewals: renewals)
    }
}

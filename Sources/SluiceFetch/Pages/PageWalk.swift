internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceHTTP
internal import SluiceJSON
internal import SluicePages
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSystem

/// The way from page to page of one stream: what is known of the pages that were read, and which one follows.
struct PageWalk {
    /// How it ended.
    enum End {
        /// All that can be read was read.
        case done
        /// What was known before is of no use: everything is to be read.
        case anew(FetchWarning?)
    }

    /// The status by which a source says that it does not know a token any more.
    private static let gone = 410

    private let pages: HTTPPages
    private let start: PageStart
    private let reader: FetchStep.Reader?
    private let marks: SecretMarks
    private let reading: RecordsReading
    private let parser = JSONParser()
    /// Whether it asks for changes alone.
    private let asksForChanges: Bool
    /// Whether it begins with the first page.
    private let isFromStart: Bool
    /// What was read.
    private(set) var fetched = FetchedPages()
    /// What pages of the last run said of their version, as far as they were not asked for yet.
    private var expected: ArraySlice<PageValidators.Page>
    private var pagination: Pagination
    /// The page that comes next; nil at the end.
    private var following: PageRequest?
    private var totals: PageTotals
    private var repetition: PageRepetition
    /// What the page before says of a further one, and that page; nil where none was read yet.
    private var before: (end: PageEnd?, head: HTTPResponseHead, request: PageRequest)?
    private var fetcher: PageFetcher
    private var stream: StreamDefinition { pages.stream }

    /// - Parameters:
    ///   - pages: How pages are fetched.
    ///   - age: Tells where the rest was read before; nil where nothing does.
    ///   - kept: What the pages of the last run said of their version; none to fetch all.
    ///   - since: What asks for changes alone; nil to ask for everything.
    ///   - start: Where the reading begins.
    ///   - reader: Gets the pages one by one; nil where nobody does.
    /// - Throws: ``HTTPError`` and ``SyncError``.
    init(
        _ pages: HTTPPages, age: CursorAge?, kept: [PageValidators.Page], since: PageToken?, start: PageStart,
        reader: FetchStep.Reader?
    ) throws {
        (self.pages, self.start, self.reader) = (pages, start, reader)
        expected = kept[...]
        let (stream, settings) = (pages.stream, pages.settings)
        marks = SecretMarks(stream.secrets(base: settings.base))
        let since = since?.shown(marks)
        asksForChanges = since != nil
        fetched.isPaginated = stream.paginator != .none
        if since != nil { fetched.coverage.filter() }
        var pagination = try Pagination(
            stream: stream, first: try stream.url(base: settings.base, since: since), showsValues: pages.showsValues,
            age: age)
        reading = try RecordsReading(
            stream: stream, maximumRecordBytes: pages.source.maximumRecordBytes, showsValues: pages.showsValues)
        let place =
            try start.token(marks, stream.url(base: settings.base)) ?? since.flatMap { $0.isLink ? $0 : nil }
        isFromStart = place == nil
        if let place { following = try pagination.resume(at: place) } else { following = pagination.start }
        self.pagination = pagination
        totals =
            place == nil ? PageTotals() : start.isResumed ? place?.totals ?? PageTotals() : PageTotals(listed: nil)
        repetition = PageRepetition(stream, start: start, keys: pages.keys, reading: reading)
        // The source's own, wherever a token leads.
        var first = settings
        first.origin = try stream.url(base: settings.base).origin
        fetcher = PageFetcher(first, width: pages.width, cancellation: pages.cancellation)
    }

    /// Reads page after page.
    ///
    /// - Returns: How it ended.
    /// - Throws: ``HTTPError``, ``SyncError`` or `CancelledError`.
    mutating func perform() throws -> End {
        defer { stop() }
        while let page = following {
            try pages.cancellation.check()
            try visit(page)
            let known = expected.first.flatMap { $0.url == page.url.text ? $0 : nil }
            let received: PageAnswer?
            do {
                received = try answer(to: page, known)
            } catch let error as HTTPError where known != nil && fetched.notModified > 0 && error.isRefusal {
                // That the page is there is known from the last run alone: what leads to it may have gone.
                return .anew(nil)
            }
            guard let answer = received else { return .anew(.tokenExpired("It answered 410 (Gone).", of: stream)) }
            if let known, answer.exchange.head.status == 304 {
                if try passes(page, known, answer) { continue }
                return .anew(nil)
            }
            // What leads to the pages behind one that changed may have changed as well.
            if fetched.notModified > 0 { return .anew(nil) }
            expected = []
            if answer.exchange.verdict?.action == .restart { return .anew(try expired(answer)) }
            try accept(answer, to: page)
        }
        if fetched.notModified > 0 {
            stop()
            fetched.coverage.end(isCounted: false)
            try reader?.onStep(FetchStep(fetched: fetched, isEnd: true, request: 0))
        }
        return .done
    }

    /// Drops what is under way.
    private mutating func stop() {
        fetcher.clear()
        fetched.requests = fetcher.sent
    }

    // MARK: Asking

    private mutating func visit(_ page: PageRequest) throws {
        let settings = pages.settings
        try repetition.record(
            page,
            shownURL: settings.request(for: PageQuestion(page: page), try settings.login.credentials()).shownURL)
    }

    /// Whether nothing was read yet that a reading of everything would read again.
    private var mayBeginAnew: Bool { asksForChanges && !start.isResumed && repetition.requests.count == 1 }

    /// Asks for a page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - known: What it said of its version in the last run.
    /// - Returns: The answer; nil where what asks for changes is not known to the source any more.
    /// - Throws: ``HTTPError``, ``SyncError`` or `CancelledError`.
    private mutating func answer(to page: PageRequest, _ known: PageValidators.Page?) throws -> PageAnswer? {
        let ahead =
            fetched.notModified > 0
            ? try expected.dropFirst().prefix(fetcher.reach).map { try PageQuestion($0) }
            : pagination.ahead(fetcher.reach).map { PageQuestion(page: $0) }
        let (pages, count, bytes) = (pages, fetched.pages.count, fetched.bytes)
        do {
            let answer = try fetcher.answer(
                PageQuestion(page: page, validators: known?.headers ?? []), following: ahead
            ) { pages.report($0, pages: count, bytes: bytes) }
            fetched.head = fetched.head ?? answer.exchange.head
            fetched.retries += answer.exchange.retries + answer.renewals
            fetched.requests = fetcher.sent
            return answer
        } catch let error as HTTPError where mayBeginAnew && error.status == Self.gone {
            return nil
        }
    }

    // MARK: Pages that did not change

    /// Goes on behind a page that did not change.
    ///
    /// - Returns: Whether the pages behind it are as they were; if not, all have to be read.
    private mutating func passes(
        _ page: PageRequest, _ known: PageValidators.Page, _ answer: PageAnswer
    ) throws -> Bool {
        // An answer without a body speaks with its own headers.
        if let total = total(in: answer.exchange.head), total != known.total { return false }
        expected.removeFirst()
        fetched.notModified += 1
        following = try expected.first.map { try PageQuestion($0) }?.page
        if let following {
            return try !pagination.paginator.leadsElsewhere(unchanged: answer.exchange.head, than: following.url)
        }
        return try !isFollowed(page, known, answer.exchange.head)
    }

    /// Whether something follows the page that was the last one, none of them having changed. Where the answer without a
    /// body does not say it, the page is asked for as a whole.
    private mutating func isFollowed(
        _ page: PageRequest, _ known: PageValidators.Page, _ head: HTTPResponseHead
    ) throws -> Bool {
        switch pagination.end(unchanged: head, known: known, pages: fetched.notModified) {
        case .isLast: return false
        case .isNotLast: return true
        case .isSilent: break
        }
        let (pages, bytes) = (pages, fetched.bytes)
        let answer = try fetcher.answer(PageQuestion(page: page), following: []) {
            pages.report($0, pages: 0, bytes: bytes)
        }
        fetched.retries += answer.exchange.retries + answer.renewals
        fetched.bytes += answer.byteCount
        let whole = answer.exchange.head
        guard validators(of: page, whole) == known else { return true }
        let index = PageIndex(content(of: answer), reading: reading, keeping: pagination.needs)
        return try pagination.leadsOn(
            page, whole, index, pages: fetched.notModified, showsValues: pages.showsValues)
    }

    // MARK: Pages with content

    private func content(of answer: PageAnswer) -> Page {
        Page(
            content: answer.content, name: answer.name, fileStem: "", maximumBytes: pages.source.maximumResponseBytes)
    }

    /// Takes what a page holds, and finds what follows it.
    private mutating func accept(_ answer: PageAnswer, to request: PageRequest) throws {
        let (head, action) = (answer.exchange.head, answer.exchange.verdict?.action)
        let isEmpty = try isEmpty(answer)
        let content = content(of: answer)
        let index = PageIndex(content, reading: reading, keeping: pagination.needs)
        let isFirst = pagination.isAtStart
        var view = PageView()
        if !isEmpty {
            view = try pagination.view(of: index, showsValues: pages.showsValues, parser: parser)
            if reader == nil { fetched.pages.append(content) }
        }
        fetched.bytes += answer.byteCount
        keepValidators(of: request, head)
        recordUnread(answer)
        var step = action == .stop ? .end : try pagination.step(after: head, view, name: answer.name)
        // Some sources give a cursor on every page: behind the last record it leads to where it came from.
        let uncounted = PageRepetition.ReadPage(answer: answer, index: index, outline: nil, isEmpty: isEmpty)
        if case .next(let next) = step, next.digest == request.digest, try repetition.isBare(uncounted) { step = .end }
        var outline: PageOutline?
        // Pages that nobody keeps are counted as they come. Others can be counted at the end, where a total is told.
        if !isEmpty,
            isFirst || step.isEnd || reader != nil || totals.tellsRecords || stream.hasInnerLists
                || PageOutline.isCheap(index, view.body, stream)
        {
            outline = try PageOutline(index, body: view.body, stream: stream)
        }
        if outline?.envelope.isInError == true {
            fetched.coverage.markIncomplete(
                "\(answer.name) has `errors` beside its `data`, so records may be missing", leavesPages: true)
            fetched.warning = fetched.warning ?? .pageErrors(answer.name, of: stream)
        }
        if let rest = outline?.rest { fetched.record(rest, on: answer.name, of: stream) }
        let end = PageEnd(
            stream: stream, head: head, outline: outline ?? PageOutline(),
            parameters: request.parameters)
        for total in end.totals { totals.record(total) }
        totals.add(isEmpty ? 0 : outline?.recordCount)
        before = (isEmpty || outline != nil ? end : nil, head, request)
        following = nil
        let read = PageRepetition.ReadPage(answer: answer, index: index, outline: outline, isEmpty: isEmpty)
        switch step {
        case .next(let next):
            following = next
            if try repetition.record(read, isKept: reader == nil) { fetched.coverage.suspect() }
        case .end:
            try repetition.checkLast(read)
            // What was not read to its end says so already.
            if fetched.coverage.reason == nil { try finish(end, view, answer) }
        case .known: break
        case .stop(let reason, let warning):
            fetched.coverage.markIncomplete(reason, leavesPages: true)
            fetched.warning = warning
        }
        let extent = extent
        pages.onProgress(
            RunProgress(
                stage: .fetching, stream: stream.name, pages: fetched.pages.count, bytes: fetched.bytes,
                records: extent.records, total: extent.total,
                pageTotal: pagination.pagesLeft.map { fetched.pages.count + $0 }))
        if following == nil { conclude(last: answer.name) }
        try handOn(isEmpty ? nil : content, request)
    }

    /// How many records were read, and how many there are as far as the source says it.
    private var extent: (records: Int, total: Int?) {
        if let listed = totals.listed, let total = totals.records { return (listed, total) }
        if let read = pagination.recordsRead, let total = pagination.recordTotal { return (read, total) }
        return (totals.listed ?? 0, nil)
    }

    /// Whether an answer is a page without content. Nothing is a page without records; as the only one it is no list, and
    /// says nothing of what there is.
    ///
    /// - Throws: ``SyncError`` where something was expected.
    private mutating func isEmpty(_ answer: PageAnswer) throws -> Bool {
        let (head, name, action) = (answer.exchange.head, answer.name, answer.exchange.verdict?.action)
        if action == .ignore || action == .stop {
            fetched.coverage.markIncomplete(Self.unread(name, answer.exchange), leavesPages: true)
        }
        let isSilent = head.hasNoContent && action != .empty
        if isSilent, fetched.coverage.reason == nil, try saidMore() {
            fetched.coverage.markIncomplete(
                "\(name) answered \(head.status) (no content), though the page before says that there is more. If the source ends its lists so, let `action` of `on_response` be `empty` for it",
                leavesPages: true)
        }
        if isSilent, pagination.isAtStart, fetched.coverage.reason == nil {
            fetched.coverage.markIncomplete(
                "\(name) answered \(head.status) (no content), which is no list. If the source answers so where it has nothing, let `action` of `on_response` be `empty` for it"
            )
        }
        if isSilent || action == .ignore || action == .empty || !head.isSuccess { return true }
        if answer.byteCount > 0 { return false }
        if stream.format.hasRows && !pagination.isAtStart { return true }
        if head.status == 304, stream.headers.contains(where: { $0.name.lowercased().hasPrefix("if-") }) {
            throw SyncError(
                .invalidDocument,
                "\(name) answered 304 (not modified), as a header of the stream asks. Add `on_response: [{status: 304, action: ignore}]` to `source`: then nothing is new, and nothing counts as gone."
            )
        }
        if let nothing = head.status == 304 ? "`[]`" : stream.format.nothing {
            throw SyncError(
                .invalidDocument,
                "\(name) answered \(head.status) without a body, where \(stream.format.kind) was expected; a list of nothing is \(nothing). Check the stream's `path` and `params`."
            )
        }
        return false
    }

    /// Whether the page before said itself that another one follows, rather than that the paginator counts on.
    private func saidMore() throws -> Bool {
        guard let before else { return start.isResumed && pagination.paginator.isLedByWord }
        if pagination.paginator.isLedByWord { return true }
        if let end = before.end { return end.next != nil }
        guard let page = fetched.pages.last else { return false }
        let outline = try PageOutline(PageIndex(page, reading: reading, keeping: []), stream: stream)
        return PageEnd(stream: stream, head: before.head, outline: outline, parameters: before.request.parameters)
            .next != nil
    }

    private mutating func keepValidators(of page: PageRequest, _ head: HTTPResponseHead) {
        if let validator = validators(of: page, head), page.headers.isEmpty {
            fetched.validators?.append(validator)
        } else {
            fetched.validators = nil
        }
    }

    /// What a page says of its version; nil where it says nothing that can be used.
    private func validators(of page: PageRequest, _ head: HTTPResponseHead) -> PageValidators.Page? {
        var validators = PageValidators.Page(url: page.url.text, head, pages.source.conditional)
        validators?.total = total(in: head)
        return validators
    }

    /// How many records there are in all, as headers say; nil where they do not.
    private func total(in head: HTTPResponseHead) -> Int? {
        let end = PageEnd(stream: stream, head: head, outline: PageOutline())
        return end.totals.first { $0.noun == .records }?.count
    }

    /// Records what an answer leaves out.
    private mutating func recordUnread(_ answer: PageAnswer) {
        let (head, name) = (answer.exchange.head, answer.name)
        if head.status == 206 { fetched.coverage.markIncomplete("\(name) is a part of a larger answer (status 206)") }
        if let what = pagination.paginator.unreadable(in: head) {
            fetched.coverage.markIncomplete("\(what) of \(name) cannot be read, so pages may be missing")
        }
        if !head.isBodyDelimited && stream.format.hasLines {
            fetched.coverage.markIncomplete("the end of \(name) was not announced, so lines may be missing")
        }
    }

    /// Hands a page on to who merges pages one by one.
    private func handOn(_ content: Page?, _ request: PageRequest) throws {
        guard let reader else { return }
        // A link that may not be followed is not kept either: the source may give another one.
        var token = try following.flatMap { try fetcher.refusal(of: $0) == nil ? pagination.token : nil }
        token?.totals = totals
        try reader.onStep(
            FetchStep(
                page: content, fetched: fetched, isEnd: following == nil,
                token: try token.map { try hidden($0) } ?? nil,
                request: request.digest, isAlone: fetcher.isIdle))
    }

    private func hidden(_ token: PageToken) throws -> PageToken? {
        let login = pages.settings.login
        return token.hidden(
            marks, credentials: Set(try login.credentials().parameters.map(\.name)), passing: login.secrets)
    }

    // MARK: The end

    /// Looks whether the last page, as the paginator reads it, speaks of others, and keeps what asks for changes.
    private mutating func finish(_ end: PageEnd, _ view: PageView, _ answer: PageAnswer) throws {
        if totals.listed == nil, totals.tellsRecords, isFromStart, reader == nil { totals.listed = try listed() }
        var end = end
        end.pages = pagination.pagesRead
        end.saidEnd = pagination.saidEnd
        end.records = totals.listed ?? pagination.recordsRead
        end.told = totals
        if let sign = end.contradiction { fetched.record(sign, on: answer.name, of: stream) }
        (fetched.token, fetched.tokenRefusal) = try token(view, answer.exchange.head)
    }

    /// How many records pages list that were not counted when they came; nil where that cannot be known.
    private func listed() throws -> Int? {
        var totals = PageTotals()
        for page in fetched.pages {
            totals.add(try PageOutline(PageIndex(page, reading: reading, keeping: []), stream: stream).recordCount)
        }
        return totals.listed
    }

    /// What the last page gives to ask for changes with, or why that may not be asked; neither where it gives nothing.
    private func token(_ view: PageView, _ head: HTTPResponseHead) throws -> (token: PageToken?, refusal: String?) {
        guard let rule = stream.syncToken, let value = view.body?.value(at: rule.path) else { return (nil, nil) }
        if rule.parameter != nil { return (try hidden(PageToken(lead: .value(value))), nil) }
        guard case .text(let text) = value else { return (nil, nil) }
        let link: HTTPURL
        do throws(HTTPError) { link = try head.url.resolving(text) } catch { return (nil, error.statement) }
        if let refusal = try fetcher.refusal(of: PageRequest(url: link)) { return (nil, refusal.statement) }
        return (try hidden(PageToken(lead: .link(link.text))), nil)
    }

    /// Says how the reading ended.
    private mutating func conclude(last: String) {
        stop()
        fetched.coverage.end(isCounted: pagination.canShift)
        if pagination.endedFull, fetched.warning == nil { fetched.warning = .fullLastPage(last, of: stream) }
    }

    /// What is said where a source asks for everything to be read again.
    ///
    /// - Throws: ``SyncError`` where there is nothing to leave.
    private func expired(_ answer: PageAnswer) throws -> FetchWarning {
        let words = answer.exchange.verdict?.message.map { " \($0)" } ?? ""
        let reason =
            "\(answer.name) answered \(answer.exchange.head.status), upon which `on_response` begins anew.\(words)"
        guard mayBeginAnew else {
            throw SyncError(
                .placeGone,
                "\(reason) But the reading did not begin at a token of `incremental`, so there is nothing to leave. Let the `action` be `fail` for such a response."
            )
        }
        return .tokenExpired(reason, of: stream)
    }

    private static func unread(_ name: String, _ exchange: HTTPExchange) -> String {
        let what = exchange.verdict?.action == .ignore ? "is ignored" : "ends the reading"
        let words = exchange.verdict?.message.map { ": \($0)" } ?? ""
        return "the answer \(exchange.head.status) of \(name) \(what), as `on_response` says\(words)"
    }
}

extension HTTPError {
    /// Whether the server says that the request is wrong, and not that it is in trouble.
    fileprivate var isRefusal: Bool { status.map { (400..<500).contains($0) && $0 != 429 } ?? false }
}

extension Pagination.Step {
    /// Whether nothing follows, as the paginator reads it.
    fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}

extension HTTPResponseHead {
    /// Whether it says that there is no body: 204 (no content) and 205 (reset content).
    fileprivate var hasNoContent: Bool { status == 204 || status == 205 }
}

extension PageToken {
    /// Whether it is a URL.
    fileprivate var isLink: Bool { if case .link = lead { true } else { false } }
}

extension PageQuestion {
    /// Asks for a page of the last run, if it changed.
    fileprivate init(_ known: PageValidators.Page) throws(HTTPError) {
        self.init(page: PageRequest(url: try HTTPURL(known.url)), validators: known.headers)
    }
}

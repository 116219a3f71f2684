internal import SluiceHTTP
internal import SluiceSystem

/// Fetches the pages that are asked for one by one, some of them before they are asked for.
///
/// What was foreseen wrongly is dropped, so that it makes no difference but to the number of requests.
struct PageFetcher {
    private let settings: PageRequestSettings
    private let window: OrderedWindow<PageAsker>
    /// What the window holds, in order.
    private var foreseen: [PageQuestion] = []
    private var isForeseeable = true
    /// How many requests went out.
    private(set) var sent = 0

    /// - Parameters:
    ///   - settings: How pages are asked for.
    ///   - width: How many requests may be under way at a time.
    ///   - cancellation: Ends all of them.
    init(_ settings: PageRequestSettings, width: Int, cancellation: Cancellation) {
        self.settings = settings
        window = OrderedWindow(width: settings.client.isReplayed ? 1 : width, cancellation: cancellation) {
            try PageAsker(settings)
        }
    }

    /// How many pages may be asked for ahead of another one.
    var reach: Int { isForeseeable ? window.width - 1 : 0 }

    /// Whether nothing is under way.
    var isIdle: Bool { foreseen.isEmpty }

    /// Fetches a page, and begins with those behind it.
    ///
    /// - Parameters:
    ///   - question: The page.
    ///   - following: The pages that will be asked for next, as far as that is known.
    ///   - onNote: Called where a request waits, and as a large answer comes.
    /// - Returns: What the source answered.
    /// - Throws: ``HTTPError``, ``SyncError`` or `CancelledError`; a failure of a page behind it is told in its turn.
    mutating func answer(
        _ question: PageQuestion, following: [PageQuestion], onNote: (PageNote) -> Void
    ) throws -> PageAnswer {
        if let first = foreseen.first, first != question {
            // What the pages say of their number cannot be trusted, and wrong guesses are requests for nothing.
            isForeseeable = false
            clear()
        }
        let wanted = [question] + following.prefix(reach)
        for next in wanted.dropFirst(foreseen.count) where window.submit(next) { foreseen.append(next) }
        var begun = 0
        defer { sent += begun }
        let answer = try window.next { note in
            if case .sent = note { begun += 1 } else { onNote(note) }
        }
        guard let answer else { throw CancelledError() }
        foreseen.removeFirst()
        return answer
    }

    /// Why a page may not be asked for, such as that it lies with a host that is not allowed; nil where it may.
    func refusal(of page: PageRequest) throws -> HTTPError? {
        let request = settings.request(for: PageQuestion(page: page), try settings.login.credentials())
        do throws(HTTPError) { try settings.client.check(request) } catch { return error }
        return nil
    }

    /// Drops what is under way, and waits until that has ended.
    mutating func clear() {
        var begun = 0
        window.clear { if case .sent = $0 { begun += 1 } }
        sent += begun
        foreseen = []
    }
}

internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceStores

/// The scan of one stream in a run that is kept page by page: new, or taken up where another run left it.
final class StreamScan {
    let stream: StreamDefinition
    let entity: EntityDefinition
    let schema: RecordSchema
    let reading: CursorRange?
    private(set) var state: ScanState
    private let keys: EarlierKeys
    private var quarantined: Set<Int64>
    /// The digests of the requests that brought the pages before.
    let requests: Set<UInt64>
    /// The run that read the pages before, nil for a new scan.
    private(set) var resumed: UnfinishedScan?
    /// What decodes its pages.
    let tools = DecodeTools()
    /// Where pages are kept until they are merged.
    let journal: PageJournal
    /// The pages that an earlier run fetched and did not merge.
    let waiting: [FetchStep]
    private let readBefore: Int
    private var embedded: [RecentHashSet] = []
    /// What became of the records of the pages that this run has kept, and of those within them by part.
    private let counted: [CountedRecords]
    private(set) var report: StreamReport
    /// Whether it has come to its end.
    private(set) var hasEnded = false
    /// Whether this run has merged a page of it.
    private(set) var hasBegun = false
    /// What is unread of it, once it has come to its end.
    private(set) var unread = UnreadRecords.none
    /// What the continued lists took so far.
    private(set) var continuedLists = FetchedPages()

    /// Begins a scan.
    ///
    /// - Parameters:
    ///   - stream: What is scanned.
    ///   - entity: What its records are.
    ///   - engine: The run.
    ///   - store: What earlier runs left.
    ///   - startedAt: When the run began.
    ///   - mayGoOn: Whether it may go on where another run left it.
    /// - Throws: ``SyncError`` and `StoreError`.
    init(
        _ stream: StreamDefinition, _ entity: EntityDefinition, _ engine: SyncEngine, in store: any RecordStore,
        startedAt: String, mayGoOn: Bool
    ) throws {
        let pipeline = engine.pipeline.name
        self.stream = stream
        self.entity = entity
        let schema = RecordSchema(pipeline: engine.pipeline, stream: stream, entity: entity)
        self.schema = schema
        let key = schema.keyFields.map { "\(schema.fields[$0].name) \(schema.fields[$0].type.rawValue)" }
            .joined(separator: ", ")
        var state = ScanState(
            fingerprint: stream.requestFingerprint + stream.contentFingerprint, key: key,
            startedAt: startedAt,
            cursor: try engine.keptCursor(of: stream, in: store) ?? engine.keptToken(of: stream, in: store)?.stateText,
            overrides: engine.options.cursor)
        report = StreamReport(stream: stream.name, entity: stream.entity)
        let keys = EarlierKeys(schema: schema, room: engine.options.keyRoom)
        self.keys = keys
        var (requests, quarantined): (Set<UInt64>, Set<Int64>) = ([], [])
        if mayGoOn, let unfinished = try store.scans.unfinished(pipeline: pipeline, stream: stream.name),
            let kept = ScanState(unfinished.state, Self.cursorType(stream, entity)), kept.token != nil,
            state.isContinued(by: kept), Self.canContinue(stream, at: kept.token)
        {
            state = kept
            resumed = unfinished
            try store.scans.forEachPage(pipeline: pipeline, stream: stream.name) { page in
                try keys.add(page.keys)
                requests.insert(page.request)
                quarantined.formUnion(page.quarantined)
            }
            report.resumedAtPage = kept.pages + 1
            report.unmapped = UnmappedKeys(kept.unmapped)
        }
        journal = PageJournal(
            stream, of: engine.pipeline, beside: engine.options.store.backend.traits.pages, run: try store.runs.nextID()
        )
        if mayGoOn, resumed == nil, let beginning = journal.beginning(of: state) { state.startedAt = beginning }
        let inJournal = mayGoOn ? journal.pages(of: state) : []
        waiting = Self.canContinue(stream, at: inJournal.last?.token) ? inJournal : []
        if waiting.isEmpty && resumed == nil { state.startedAt = startedAt }
        requests.formUnion(waiting.map(\.request))
        (self.requests, self.quarantined) = (requests, quarantined)
        self.state = state
        readBefore = state.read
        let parts = try NestedTree(pipeline: engine.pipeline, stream: stream, entity: entity)?.parts.count ?? 0
        let isWhole = resumed == nil
        counted = (0...parts).map { _ in CountedRecords(isWhole: isWhole) }
        reading = try engine.cursorRange(
            of: stream, kept: state.cursor, overrides: state.overrides, startedAt: state.startedAt)
    }

    private static func cursorType(_ stream: StreamDefinition, _ entity: EntityDefinition) -> FieldType? {
        stream.incremental.flatMap { rule in entity.fields.first { $0.name == rule.field }?.type }
    }

    /// Whether an earlier run fetched pages of it.
    var isContinued: Bool { resumed != nil || !waiting.isEmpty }

    /// Where the reading goes on; nil for the beginning.
    var token: PageToken? { waiting.last?.token ?? state.token }

    /// What is said of a token that the source no longer took when an earlier run asked with it: the scan is one of
    /// everything, whoever ends it.
    var expiredToken: String? { waiting.last?.fetched.warning?.expiredToken ?? state.expiredToken }

    /// The page that comes next, counted from 1; nil where the next run would begin anew.
    var nextPage: Int? {
        if hasEnded || state.token == nil || state.pages == 0 || !Self.canContinue(stream, at: state.token) {
            return nil
        }
        return state.pages + 1
    }

    /// Whether a later run may go on at a place. Where pages are counted a record may have shifted to one that was read;
    /// a run that reads everything finds it, and one that asks for changes alone would never again.
    private static func canContinue(_ stream: StreamDefinition, at token: PageToken?) -> Bool {
        guard let token, stream.incremental != nil || stream.syncToken != nil else { return true }
        return !token.isCounted(by: stream.paginator)
    }

    /// Whether pages of it are kept.
    var hasKeptPages: Bool { state.pages > 0 }

    /// What is kept of it, as sentences; nil where that is nothing.
    var keptWords: String? {
        if hasEnded || state.pages == 0 { return nil }
        let pages = Plural.of(state.pages, "page is kept", "pages are kept")
        let next = nextPage.map { "the next run continues at page \($0)" } ?? "the next run begins with the first one"
        return "Of `\(stream.name)` \(pages); \(next)."
    }

    /// Counts what the continued lists of a page took.
    func record(continuedLists: FetchedPages) { self.continuedLists.append(continuedLists) }

    /// A page as the merge sees it.
    func checkpoint(_ step: FetchStep) -> ScanCheckpoint {
        var seen = state
        seen.gap = seen.gap.and(step.fetched.coverage.gap ?? Coverage.Gap())
        seen.expiredToken = step.fetched.warning?.expiredToken ?? seen.expiredToken
        seen.token = step.token
        var checkpoint = ScanCheckpoint(
            keys: keys, quarantined: quarantined, state: seen, report: report, readBefore: readBefore,
            isEnd: step.isEnd, seeksCircles: step.fetched.isPaginated && state.pages > 0 && resumed == nil,
            counted: counted)
        checkpoint.embedded = embedded
        return checkpoint
    }

    /// The pages as the merge sees them.
    func pages(_ step: FetchStep) -> FetchedPages {
        var pages = step.fetched
        pages.pages = step.page.map { [$0] } ?? []
        // What was missing of the pages before is missing of all of them, and before the end something is.
        if !step.isEnd || state.gap != Coverage.Gap() {
            pages.coverage = Coverage(.partial(state.gap)).and(pages.coverage)
        }
        if reading?.isFiltered == true { pages.coverage.filter() }
        if pages.warning == nil, let message = expiredToken {
            pages.warning = FetchWarning(code: .tokenExpired, message: message)
        }
        // What earlier runs read of the scan said of its version is not known any more.
        if isContinued { pages.validators = nil }
        return pages
    }

    /// Keeps in the store how far the scan has come, or that it has come to its end.
    func keep(_ checkpoint: ScanCheckpoint, _ step: FetchStep, run: Int64, in store: any RecordStore) throws {
        let pipeline = schema.pipeline
        if step.isEnd || step.token == nil || !hasBegun && resumed == nil {
            try store.scans.forget(pipeline: pipeline, stream: stream.name)
        }
        if step.isEnd || step.token == nil { return }
        try store.scans.keep(
            UnfinishedScan(
                run: run, pages: checkpoint.state.pages, state: checkpoint.state.text(Self.cursorType(stream, entity))),
            page: ScannedPage(request: step.request, keys: checkpoint.words, quarantined: checkpoint.newlyQuarantined),
            pipeline: pipeline, stream: stream.name)
    }

    /// Ends a scan that is kept as a whole.
    ///
    /// - Parameters:
    ///   - report: What became of it.
    ///   - unread: What is unread of it.
    func end(_ report: StreamReport, _ unread: UnreadRecords) {
        (self.report, self.unread) = (report, unread)
        (hasBegun, hasEnded) = (true, true)
    }

    /// How far it has come, as it is told.
    struct Progress {
        fileprivate let state: ScanState
        fileprivate let report: StreamReport
        fileprivate let hasBegun: Bool
        fileprivate let hasEnded: Bool
    }

    var progress: Progress {
        get { Progress(state: state, report: report, hasBegun: hasBegun, hasEnded: hasEnded) }
        set {
            (state, report) = (newValue.state, newValue.report)
            (hasBegun, hasEnded) = (newValue.hasBegun, newValue.hasEnded)
        }
    }

    /// Goes on to the next page.
    ///
    /// - Parameters:
    ///   - checkpoint: What came of the page.
    ///   - step: Its step.
    ///   - unread: What is unread of the stream, where the page is the last one.
    /// - Throws: ``SyncError`` where the disk does not take the keys.
    func advance(_ checkpoint: ScanCheckpoint, _ step: FetchStep, _ unread: UnreadRecords) throws {
        self.unread = unread
        state = checkpoint.state
        embedded = checkpoint.embedded
        report = checkpoint.report
        hasBegun = true
        hasEnded = step.isEnd
        report.nextPage = nextPage
        if step.isEnd { return }
        quarantined.formUnion(checkpoint.newlyQuarantined)
        for (counted, outcomes) in zip(counted, checkpoint.newlyCounted) { counted.add(outcomes) }
        try keys.add(checkpoint.words)
    }
}

internal import SluiceDecode
internal import SluiceFetch
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore

/// What a run keeps together, in one transaction: all its streams, one stream, or a page of one.
struct CommitUnit {
    /// Its streams, in the order in which they are merged.
    let streams: [StreamDefinition]
    /// Their pages, by the streams' names; none for a stream that waits for its parents.
    var pages: [String: FetchedPages]
    /// How far incremental streams were asked for, by the streams' names.
    let readings: [String: CursorRange]
    /// What streams asked for changes with, by the streams' names.
    let tokens: [String: PageToken]
    /// The scan of its only stream; nil where all streams are kept together.
    let scan: StreamScan?
    /// The page's step in the scan; nil where streams are kept as a whole.
    let step: FetchStep?
    /// Whether the run has nothing behind it.
    let isLast: Bool

    /// All streams of a run.
    init(
        _ streams: [StreamDefinition], _ pages: [String: FetchedPages], _ readings: [String: CursorRange],
        _ tokens: [String: PageToken]
    ) {
        (self.streams, self.pages, self.readings, self.tokens) = (streams, pages, readings, tokens)
        (scan, step, isLast) = (nil, nil, true)
    }

    /// All pages of a stream.
    init(_ pages: FetchedPages, of scan: StreamScan, isLastStream: Bool) {
        self.init(pages, scan, nil, isLast: isLastStream)
    }

    /// One page.
    init(_ step: FetchStep, of scan: StreamScan, isLastStream: Bool) {
        self.init(scan.pages(step), scan, step, isLast: step.isEnd && isLastStream)
    }

    private init(_ pages: FetchedPages, _ scan: StreamScan, _ step: FetchStep?, isLast: Bool) {
        let name = scan.stream.name
        (streams, self.pages) = ([scan.stream], [name: pages])
        readings = step == nil ? [:] : scan.reading.map { [name: $0] } ?? [:]
        tokens = [:]
        (self.scan, self.step, self.isLast) = (scan, step, isLast)
    }
}

/// What merging a commit unit came to.
struct UnitOutcome {
    /// The run's number, nil in a plan.
    var run: Int64?
    /// What had to be changed in the database's schema.
    var schemaChanges: [SchemaChange] = []
    /// What became of the streams, in the order in which they were merged.
    var streams: [(name: String, outcome: StreamRun.Outcome)] = []
    /// What became of references to what is not there, or came.
    var references = ReferenceOutcome()
    /// How many rows lost a reference, by entity.
    var unlinked: [String: Int] = [:]
    /// What became of records that were tried again; nil for a run over its source.
    var retry: RetryReport?

    /// How many rows went by `--allow-deletes` alone.
    var allowedDeletes: Int { streams.reduce(0) { $0 + $1.outcome.allowedDeletes } }
}

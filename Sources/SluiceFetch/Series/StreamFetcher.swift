package import SluiceDecode
package import SluiceHTTP
package import SluicePages
package import SluicePipeline
package import SluiceReport
package import SluiceSystem

/// Fetches series of requests: the one place where requests are made of windows of time, partitions and starting places.
package struct StreamFetcher: Sendable {
    /// The way to the source.
    package enum Way: Sendable {
        /// Through the files of a folder.
        case files(base: String, FileTraffic)
        /// Through requests.
        case http(base: ConfigurationText, HTTPClient, SourceLogin)
    }

    private let source: SourceDefinition
    private let way: Way

    /// - Parameters:
    ///   - source: The source.
    ///   - way: The way to it.
    package init(_ source: SourceDefinition, _ way: Way) { (self.source, self.way) = (source, way) }

    /// Fetches all pages of a series.
    ///
    /// - Parameters:
    ///   - series: The series.
    ///   - cancellation: Ends the reading.
    ///   - onProgress: Is told how far it has come.
    /// - Returns: The pages.
    /// - Throws: What fetching throws.
    package func fetch(
        _ series: Series, cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void
    ) throws -> FetchedPages {
        try fetch(series, SpoolPool(), width: nil, cancellation, onProgress)
    }

    /// Fetches a series page by page, so that each can be kept before the next one comes.
    ///
    /// - Parameters:
    ///   - series: The series.
    ///   - cancellation: Ends the reading.
    ///   - onProgress: Is told how far it has come.
    ///   - onStep: Gets each page.
    /// - Throws: What fetching throws, and what `onStep` throws.
    package func read(
        _ series: Series, cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void,
        onStep: (FetchStep) throws -> Void
    ) throws {
        try withoutActuallyEscaping(onStep) { onStep in
            _ = try fetch(series, SpoolPool(isReused: false), width: nil, cancellation, onProgress, onStep)
        }
    }

    /// Fetches the series of several partitions, several at a time.
    ///
    /// - Parameters:
    ///   - plan: The partitions.
    ///   - series: What the series of all of them have in common.
    ///   - desk: The share, where other programs read some of them; nil where this one reads all of them.
    ///   - secrets: Texts that messages must not hold.
    ///   - cancellation: Ends the reading.
    ///   - onProgress: Is told how far it has come.
    ///   - adjust: Gives the series of a partition what it alone has.
    /// - Returns: The pages of all partitions, each with its own, and what became of the partitions.
    /// - Throws: What is no failure of one partition: `CancelledError`, a login that is refused, a full disk; with a share, what
    ///   the store throws.
    package func fetch(
        _ plan: PartitionPlan, of series: Series, sharing desk: PartitionDesk? = nil, secrets: [String],
        cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void,
        adjust: @escaping @Sendable (inout Series) throws -> Void
    ) throws -> FetchedPages {
        // Of several partitions each asks for one page after the other.
        let partitions = partitions(
            of: series, pageWidth: plan.asked.count > 1 ? 1 : nil, secrets, cancellation, onProgress, adjust)
        guard let desk else { return try partitions.fetch(plan) }
        return try shared(partitions, desk).fetch(plan)
    }

    /// Fetches the series of partitions that a run shares and nobody has, until there are none.
    ///
    /// - Parameters:
    ///   - desk: The share.
    ///   - shape: What tells its partitions apart.
    ///   - series: What the series of all of them have in common.
    ///   - secrets: Texts that messages must not hold.
    ///   - cancellation: Ends the reading.
    ///   - onProgress: Is told how far it has come.
    ///   - onPages: Is given the pages of each partition that was kept.
    ///   - onFailure: Is told what could not be read here, and is given back.
    ///   - adjust: Gives the series of a partition what it alone has.
    /// - Throws: What is no failure of one partition, and what the store throws.
    package func help(
        _ desk: PartitionDesk, _ shape: PartitionShape, of series: Series, secrets: [String],
        cancellation: Cancellation, onProgress: @escaping (RunProgress) -> Void, onPages: (FetchedPages) -> Void,
        onFailure: (PartitionResult.Failure) -> Void, adjust: @escaping @Sendable (inout Series) throws -> Void
    ) throws {
        let partitions = partitions(of: series, pageWidth: 1, secrets, cancellation, onProgress, adjust)
        try shared(partitions, desk).readFree {
            Partition(shape: shape, sharedText: $0)
        } onPages: {
            onPages($1)
        } onFailure: {
            onFailure($0)
        }
    }

    private func shared(_ partitions: PartitionFetch, _ desk: PartitionDesk) -> SharedPartitionFetch {
        SharedPartitionFetch(fetch: partitions, desk: desk, maximumPageBytes: source.maximumResponseBytes)
    }

    private func partitions(
        of series: Series, pageWidth: Int?, _ secrets: [String], _ cancellation: Cancellation,
        _ onProgress: @escaping (RunProgress) -> Void, _ adjust: @escaping @Sendable (inout Series) throws -> Void
    ) -> PartitionFetch {
        let check = PageCheck(
            stream: series.stream, maximumRecordBytes: source.maximumRecordBytes, showsValues: series.showsValues)
        let spools = SpoolPool()
        return PartitionFetch(
            width: width, cancellation: cancellation, onProgress: onProgress, secrets: secrets
        ) { partition, cancellation, onProgress in
            var series = series
            series.values.partition = partition
            try adjust(&series)
            let pages = try fetch(series, spools, width: pageWidth, cancellation, onProgress)
            try check.check(pages.pages, cancellation)
            return pages
        }
    }

    /// How many partitions are read at a time.
    private var width: Int {
        if case .http(_, let client, _) = way, client.isReplayed { return 1 }
        return source.rateLimit.concurrency
    }

    /// Fetches one window of a series after the other.
    private func fetch(
        _ series: Series, _ spools: SpoolPool, width: Int?, _ cancellation: Cancellation,
        _ onProgress: @escaping (RunProgress) -> Void, _ onStep: ((FetchStep) throws -> Void)? = nil
    ) throws -> FetchedPages {
        let windows = series.windows
        var all: FetchedPages?
        for (index, window) in windows.enumerated().dropFirst(series.start.window) {
            try cancellation.check()
            let latest: FetchedPages
            switch way {
            case .files(let base, let traffic):
                latest = try files(in: base, traffic, of: series, in: window, cancellation)
            case .http(let base, let client, let login):
                let before = all
                let reader = onStep.map { onStep in
                    FetchStep.Reader { step in
                        var step = step
                        step.fetched = series.combined(before, step.fetched)
                        step.token?.window = index
                        if step.isEnd && index < windows.count - 1 {
                            (step.isEnd, step.token) = (false, PageToken(window: index + 1))
                        }
                        try onStep(step)
                    }
                }
                let settings = PageRequestSettings(
                    client: client, login: login, stream: series.stream(in: window, isURL: true), base: base,
                    rules: source.responseRules, spools: spools)
                let pages = HTTPPages(
                    settings, source: source, keys: series.keys, showsValues: series.showsValues, width: width,
                    cancellation: cancellation, onProgress: onProgress)
                latest = try pages.fetch(
                    age: series.age(in: window), kept: series.kept, since: series.since,
                    start: index == series.start.window ? series.start : .first, reader: reader)
            }
            all = series.combined(all, latest)
        }
        return all ?? series.combined(nil, FetchedPages())
    }
    /// The files of one window.
    private func files(
        in base: String, _ traffic: FileTraffic, of series: Series, in window: CursorRange.Window?,
        _ cancellation: Cancellation
    ) throws -> FetchedPages {
        let stream = series.stream(in: window, isURL: false)
        var fetched = try traffic.pages(base: base, stream: stream)
        let reading = try RecordsReading(
            stream: stream, maximumRecordBytes: source.maximumRecordBytes, showsValues: series.showsValues)
        fetched.record(try FileEnd(fetched.pages, of: stream, reading: reading, cancellation), of: stream)
        return fetched
    }
}

extension FetchedPages {
    /// Records what pages say of further ones, where it is known only now which of their values are the records.
    ///
    /// - Parameters:
    ///   - stream: What reads them.
    ///   - parameters: Those of the request; none for a file.
    ///   - maximumRecordBytes: How large a record may be.
    ///   - cancellation: Ends it.
    /// - Throws: `CancelledError`, and what is wrong with the stream's path to the records.
    package mutating func recordEnd(
        of stream: StreamDefinition, parameters: [HTTPField], maximumRecordBytes: Int, _ cancellation: Cancellation
    ) throws {
        let reading = try RecordsReading(stream: stream, maximumRecordBytes: maximumRecordBytes, showsValues: false)
        guard let head else {
            return record(try FileEnd(pages, of: stream, reading: reading, cancellation), of: stream)
        }
        guard pages.count == 1, let page = pages.first, warning == nil,
            // What is wrong with a page is said where its records are read.
            let outline = try? PageOutline(PageIndex(page, reading: reading, keeping: []), stream: stream)
        else { return }
        let end = PageEnd(
            stream: stream, head: head, outline: outline, parameters: parameters, pages: 1,
            records: outline.recordCount)
        if let sign = end.contradiction { record(sign, on: page.name, of: stream) }
    }

    /// Records that there may be further pages.
    ///
    /// - Parameter message: What says so, as sentences.
    package mutating func recordFurtherPages(_ message: String) {
        coverage.markIncomplete("the source may have further pages", leavesPages: true)
        warning = FetchWarning(code: .morePages, message: message)
    }

    /// Records that there are further pages.
    mutating func record(_ sign: PageSign, on page: String, of stream: StreamDefinition) {
        coverage.markIncomplete("\(page) \(sign.words), so there are further pages", leavesPages: true)
        warning = FetchWarning(sign, on: page, of: stream)
    }

    /// Records what files say of pages that are not among them.
    fileprivate mutating func record(_ end: FileEnd, of stream: StreamDefinition) {
        if let found = end.contradiction {
            coverage.markIncomplete("\(found.page) \(found.sign.words), so there are further pages", leavesPages: true)
            warning = FetchWarning(found.sign, inFile: found.page, of: stream)
        }
        if let page = end.pageInError {
            coverage.markIncomplete(
                "\(page) has `errors` beside its `data`, so records may be missing", leavesPages: true)
            warning = warning ?? .pageErrors(page, of: stream)
        }
    }
}

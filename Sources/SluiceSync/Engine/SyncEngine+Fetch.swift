package import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluiceJSON
package import SluicePipeline
internal import SluiceReport
internal import SluiceSystem

extension SyncEngine {
    /// The pages of all streams but those that have to know their parents first.
    ///
    /// - Parameters:
    ///   - access: The way to the source.
    ///   - readings: What incremental streams are asked for, by their names.
    ///   - kept: What streams may ask with whether their pages changed, by their names.
    ///   - tokens: What streams ask for changes with, by their names.
    /// - Returns: The pages, stream by stream; nil for those that are fetched later.
    /// - Throws: What fetching throws.
    package func fetch(
        _ access: SourceAccess, _ readings: [String: CursorReading], _ kept: [String: PageValidators],
        _ tokens: [String: PageToken]
    ) throws -> [FetchedPages?] {
        if let fetched { return [fetched] }
        // What may still be asked for comes after the merge, which may take long.
        defer { if !asksForRecords && !asksForParents { access.shutDown() } }
        return try streams.map { stream in
            if stream.waitsForStore { return nil }
            let plan = try PartitionShape(stream, in: pipeline).map {
                try reader(of: $0, stream).plan(nil, memory: nil)
            }
            return try fetch(stream, plan, access, readings[stream.name], kept[stream.name], tokens[stream.name])
        }
    }

    /// The pages of one stream, with all that belongs to the lists within their records.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - plan: What it asks for; nil where it asks once.
    ///   - access: The way to the source.
    ///   - reading: What it is asked for where it is incremental.
    ///   - kept: What it may ask with whether its pages changed.
    ///   - token: What it asks for changes with.
    /// - Returns: The pages.
    /// - Throws: What fetching throws.
    package func fetch(
        _ stream: StreamDefinition, _ plan: PartitionPlan?, _ access: SourceAccess, _ reading: CursorReading?,
        _ kept: PageValidators?, _ token: PageToken?
    ) throws -> FetchedPages {
        try StreamFailure.naming(stream.name) {
            var pages = try fetchPages(stream, plan, access, reading, kept, token)
            try complete(&pages, of: stream, access, reading)
            return pages
        }
    }

    private func fetchPages(
        _ stream: StreamDefinition, _ plan: PartitionPlan?, _ access: SourceAccess, _ reading: CursorReading?,
        _ kept: PageValidators?, _ token: PageToken?
    ) throws -> FetchedPages {
        let values = TemplateValues(startedAt: access.startedAt)
        let source = pipeline.source
        let entity = pipeline.entity(named: stream.entity)
        let showsValues = entity?.hasRedactions != true
        let cursors = plan?.cursors
        let series = FetchSeries { partition in
            guard let cursors, let partition else { return reading }
            return try cursors.reading(of: partition.key)
        }
        var width = 1
        let read: PartitionFetch.Read
        switch source.base {
        case .file(let base):
            width = source.rateLimit.concurrency
            read = { values, cancellation, _ in
                try series.fetch(values, cancellation) { values, _ in
                    try FilePages.find(base: base, stream: stream.filled(values, isURL: false))
                }
            }
        case .http(let base):
            let login = access.makeLogin(base: base, values: values)
            let client = access.makeClient(options)
            width = client.isReplayed ? 1 : source.rateLimit.concurrency
            let spools = SpoolPool()
            // Of several partitions each asks for one page after the other.
            let pageWidth = plan.map { $0.asked.count } ?? 1 > 1 ? 1 : nil
            read = { values, cancellation, onProgress in
                try series.fetch(values, cancellation) { values, age in
                    try HTTPPages(
                        PageAsking(
                            client: client, login: login, stream: stream.filled(values, isURL: true), base: base,
                            rules: source.responseRules, spools: spools),
                        source: source, keys: entity?.keyPaths ?? [], showsValues: showsValues, width: pageWidth,
                        cancellation: cancellation,
                        onProgress: onProgress
                    ).fetch(age: age, kept: kept?.pages ?? [], since: token)
                }
            }
        }
        guard let plan else { return try read(values, options.cancellation, observer.progress) }
        let check = PageCheck(
            stream: stream, maximumRecordBytes: source.maximumRecordBytes, showsValues: showsValues)
        let fetch = PartitionFetch(
            stream: stream, values: values, width: width, cancellation: options.cancellation,
            onProgress: observer.progress, secrets: secrets + access.secrets
        ) { values, cancellation, onProgress in
            let pages = try read(values, cancellation, onProgress)
            try check.check(pages.pages, cancellation)
            return pages
        }
        let pages = try fetch.fetch(plan)
        // Where nothing else is read either, nothing is left to keep.
        if streams.count == 1, let result = pages.partitions, result.isFailure,
            let problem = result.problems(of: stream).first
        {
            throw SyncError(.fetchFailed, problem.message)
        }
        return pages
    }
}

/// One series of requests, or one for each window of time.
struct FetchSeries: Sendable {
    /// What is asked for, of a partition or of a stream that asks once; nil for everything.
    let reading: @Sendable (Partition?) throws -> CursorReading?

    /// Fetches all of it.
    func fetch(
        _ values: TemplateValues, _ cancellation: Cancellation,
        _ body: (TemplateValues, CursorAge?) throws -> FetchedPages
    ) throws -> FetchedPages {
        guard let reading = try reading(values.partition) else { return try body(values, nil) }
        var all: FetchedPages?
        for window in reading.windows {
            try cancellation.check()
            let pages = try body(
                values.within(window, of: reading), CursorAge(reading, from: reading.isFiltered ? window.start : nil))
            all?.append(pages)
            all = all ?? pages
        }
        var pages = all ?? FetchedPages()
        // The records at the bounds of windows may come twice, so a page without news is no circle.
        if reading.windows.count > 1 { pages.isPaginated = false }
        if reading.isFiltered { pages.isComplete = false }
        return pages
    }
}

extension EntityDefinition {
    /// The paths to what identifies a record; none where other things do.
    fileprivate var keyPaths: [JSONPath] {
        let paths = primaryKey.compactMap { name -> JSONPath? in
            guard case .path(let path)? = fields.first(where: { $0.name == name })?.origin else { return nil }
            return path
        }
        return paths.count == primaryKey.count ? paths : []
    }
}

internal import SluiceHTTP
internal import SluicePipeline
internal import SluiceSystem

extension SyncEngine {
    /// The pages of all streams.
    ///
    /// - Parameters:
    ///   - access: The way to the source.
    ///   - readings: What incremental streams are asked for, by their names.
    ///   - kept: What streams may ask with whether their pages changed, by their names.
    /// - Returns: The pages, stream by stream.
    /// - Throws: What fetching throws.
    func fetch(
        _ access: SourceAccess, _ readings: [String: CursorReading], _ kept: [String: PageValidators]
    ) throws -> [FetchedPages] {
        if let fetched { return [fetched] }
        let values = TemplateValues(startedAt: access.startedAt)
        switch pipeline.source.base {
        case .file(let base):
            return try streams.map { stream in
                try series(readings[stream.name], values) { values, _ in
                    try FilePages.find(base: base, stream: stream.filled(values, isURL: false))
                }
            }
        case .http(let base):
            let login = access.makeLogin(base: base, values: values)
            let client = access.makeClient(options)
            // What may still be asked for comes after the merge, which may take long.
            defer { if !asksForRecords { access.shutDown() } }
            let spools = SpoolPool()
            return try streams.map { stream in
                try series(readings[stream.name], values) { values, age in
                    try HTTPPages(
                        PageAsking(
                            client: client, login: login, stream: stream.filled(values, isURL: true), base: base,
                            rules: pipeline.source.responseRules, spools: spools),
                        source: pipeline.source,
                        showsValues: pipeline.entity(named: stream.entity)?.hasRedactions != true,
                        cancellation: options.cancellation, onProgress: observer.progress
                    ).fetch(age: age, kept: kept[stream.name]?.pages ?? [])
                }
            }
        }
    }

    /// One series of requests, or one for each window of time.
    private func series(
        _ reading: CursorReading?, _ values: TemplateValues,
        fetch: (TemplateValues, CursorAge?) throws -> FetchedPages
    ) throws -> FetchedPages {
        guard let reading else { return try fetch(values, nil) }
        var all: FetchedPages?
        for window in reading.windows {
            try options.cancellation.check()
            let pages = try fetch(
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

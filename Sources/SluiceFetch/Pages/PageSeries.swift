package import SluiceDecode
package import SluiceHTTP
package import SluicePipeline
package import SluiceReport
package import SluiceSystem

/// The requests of a stream, one series or one for each window of time, for a reading that is kept page by page.
package struct PageSeries: Sendable {
    package let source: SourceDefinition
    package let stream: StreamDefinition
    package let base: ConfigurationText
    package let values: TemplateValues
    package let reading: CursorReading?
    package let showsValues: Bool
    /// Where it goes on; nil for its beginning.
    package var token: PageToken?
    /// What it asks for changes with; nil to ask for everything.
    package var since: PageToken?
    /// The digests of the requests that brought the pages before.
    package var requests: Set<UInt64> = []
    /// What the pages of the last run said of their version.
    package var kept: [PageValidators.Page] = []

    /// Makes a value of its parts.
    package init(
        source: SourceDefinition, stream: StreamDefinition, base: ConfigurationText, values: TemplateValues,
        reading: CursorReading?, showsValues: Bool, token: PageToken? = nil, since: PageToken? = nil,
        requests: Set<UInt64> = [], kept: [PageValidators.Page] = []
    ) {
        self.source = source
        self.stream = stream
        self.base = base
        self.values = values
        self.reading = reading
        self.showsValues = showsValues
        self.token = token
        self.since = since
        self.requests = requests
        self.kept = kept
    }

    /// Fetches all pages.
    ///
    /// - Parameters:
    ///   - client: What requests go through.
    ///   - login: What proves who is asking.
    ///   - cancellation: Ends the reading.
    ///   - onProgress: Is told how far it has come.
    ///   - onStep: Gets each page.
    /// - Throws: What fetching throws, and what `onStep` throws.
    package func read(
        _ client: HTTPClient, _ login: SourceLogin, cancellation: Cancellation,
        onProgress: @escaping (RunProgress) -> Void, onStep: (FetchStep) throws -> Void
    ) throws {
        let windows = reading?.windows.map(Optional.some) ?? [nil]
        var before: FetchedPages?
        for (index, window) in windows.enumerated().dropFirst(token?.window ?? 0) {
            try cancellation.check()
            let isBegun = index == token?.window
            let filled = window.flatMap { window in reading.map { values.within(window, of: $0) } } ?? values
            let age = reading.flatMap { CursorAge($0, from: $0.isFiltered ? window?.start : nil) }
            let pages = HTTPPages(
                PageAsking(
                    client: client, login: login, stream: stream.filled(filled, isURL: true), base: base,
                    rules: source.responseRules, spools: SpoolPool(isReused: false)),
                source: source, showsValues: showsValues, cancellation: cancellation, onProgress: onProgress)
            try withoutActuallyEscaping(onStep) { onStep in
                let fetched = try pages.fetch(
                    age: age, kept: kept, since: since,
                    reader: FetchStep.Reader(token: isBegun ? token : nil, requests: isBegun ? requests : []) { step in
                        var step = step
                        step.fetched = combined(before, step.fetched)
                        step.token?.window = index
                        if step.isEnd && index < windows.count - 1 {
                            (step.isEnd, step.token) = (false, PageToken(window: index + 1))
                        }
                        try onStep(step)
                    })
                before = combined(before, fetched)
            }
        }
    }

    private func combined(_ before: FetchedPages?, _ latest: FetchedPages) -> FetchedPages {
        var all = before ?? latest
        if before != nil { all.append(latest) }
        // The records at the bounds of windows may come twice, so a page without news is no circle.
        if reading?.windows.count ?? 1 > 1 { all.isPaginated = false }
        if reading?.isFiltered == true { all.isComplete = false }
        return all
    }
}

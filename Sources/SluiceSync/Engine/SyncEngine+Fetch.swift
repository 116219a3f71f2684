package import SluiceDecode
package import SluiceFetch
internal import SluiceHTTP
internal import SluiceJSON
package import SluicePages
package import SluicePipeline
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

extension SyncEngine {
    /// The pages of all streams but those that have to know their parents first.
    ///
    /// - Parameters:
    ///   - access: The way to the source.
    ///   - readings: What incremental streams are asked for, by their names.
    ///   - kept: What streams may ask with whether their pages changed, by their names.
    ///   - tokens: What streams ask for changes with, by their names.
    /// - Returns: The pages by the streams' names, without those that are fetched later.
    /// - Throws: What fetching throws.
    package func fetch(
        _ access: SourceAccess, _ readings: [String: CursorRange], _ kept: [String: PageValidators],
        _ tokens: [String: PageToken]
    ) throws -> [String: FetchedPages] {
        if let fetched, let stream = streams.first { return [stream.name: fetched] }
        // What may still be asked for comes after the merge, which may take long.
        defer { if !asksForRecords && !asksForParents { access.shutDown() } }
        var pages: [String: FetchedPages] = [:]
        for stream in streams where !stream.waitsForStore {
            let plan = try PartitionShape(stream, in: pipeline).map {
                try reader(of: $0, stream).plan(nil, memory: nil)
            }
            pages[stream.name] = try fetch(
                stream, plan, access, readings[stream.name], kept[stream.name], tokens[stream.name])
        }
        return pages
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
        _ stream: StreamDefinition, _ plan: PartitionPlan?, _ access: SourceAccess, _ reading: CursorRange?,
        _ kept: PageValidators?, _ token: PageToken?
    ) throws -> FetchedPages {
        try StreamFailure.naming(stream.name) {
            var pages = try fetchPages(stream, plan, access, reading, kept, token)
            try complete(&pages, of: stream, access, reading)
            return pages
        }
    }

    private func fetchPages(
        _ stream: StreamDefinition, _ plan: PartitionPlan?, _ access: SourceAccess, _ reading: CursorRange?,
        _ kept: PageValidators?, _ token: PageToken?
    ) throws -> FetchedPages {
        let desk = try plan.flatMap { try share($0, of: stream, access) }
        defer { desk?.close() }
        // Whoever reads for a run says the same of the time at which it began.
        let values = TemplateValues(startedAt: desk?.share.startedAt ?? access.startedAt)
        var series = series(of: stream, values)
        (series.reading, series.since, series.kept) = (reading, token, kept?.pages ?? [])
        let fetcher = makeFetcher(access, values)
        guard let plan else {
            return try fetcher.fetch(series, cancellation: options.cancellation, onProgress: observer.progress)
        }
        let cursors = plan.cursors
        let pages = try fetcher.fetch(
            plan, of: series, sharing: desk, secrets: secrets + access.secrets, cancellation: options.cancellation,
            onProgress: observer.progress
        ) { series in
            guard let cursors, let partition = series.values.partition else { return }
            series.reading = try cursors.reading(of: partition.key)
        }
        // Where nothing else is read either, nothing is left to keep.
        if streams.count == 1, let result = pages.partitions, result.isFailure,
            let problem = result.problems(of: stream).first
        {
            throw SyncError(.fetchFailed, problem.message)
        }
        return pages
    }

    /// The series of a stream from its first page, with everything that its pipeline says of it.
    func series(of stream: StreamDefinition, _ values: TemplateValues) -> Series {
        let entity = pipeline.entity(named: stream.entity)
        var series = Series(stream, values, showsValues: entity?.hasRedactions != true)
        series.keys = entity?.keyPaths ?? []
        return series
    }

    /// What fetches from the source.
    package func makeFetcher(_ access: SourceAccess, _ values: TemplateValues) -> StreamFetcher {
        switch pipeline.source.base {
        case .file(let base): StreamFetcher(pipeline.source, .files(base: base, options.files))
        case .http(let base):
            StreamFetcher(
                pipeline.source,
                .http(base: base, access.client, access.makeLogin(base: base, values: values)))
        }
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

internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceStores
internal import SluiceSync
internal import SluiceSystem

/// Reads one page of each stream, as a plan would ask for it, and looks at its records.
final class PageSampler {
    /// What a stream's page is looked at with; what was seen stands in it.
    final class Survey {
        fileprivate(set) var page: PageSurvey?

        fileprivate init(_ page: PageSurvey?) { self.page = page }
    }

    private let engine: SyncEngine
    private let store: (any RecordStore)?
    private let access: SourceAccess

    init(_ engine: SyncEngine, store: (any RecordStore)?) {
        (self.engine, self.store) = (engine, store)
        let now = WallClock.now()
        access = SourceAccess(
            engine.pipeline.source, options: engine.options, startedAt: engine.options.replay?.startedAt ?? now)
    }

    /// A text without what is secret of the pipeline and its login.
    func hiding(_ text: String) -> String { Redactor(secrets: engine.secrets + access.secrets).scrub(text) }

    /// Ends all connections, and says what people should know of them.
    func finish(_ problems: inout [RunProblem]) {
        access.shutDown()
        problems += access.tokenProblems(store: engine.options.address)
        if let problem = engine.options.replay?.problem { problems.append(problem) }
    }

    /// What a stream's page is looked at with.
    ///
    /// - Throws: ``SyncError`` where a mapping cannot be used.
    func survey(of stream: StreamDefinition) throws -> Survey {
        guard let entity = engine.pipeline.entity(named: stream.entity) else { return Survey(nil) }
        let schema = RecordSchema(pipeline: engine.pipeline, stream: stream, entity: entity)
        let (plan, _, _) = try engine.decodePlan(stream, entity, schema, FetchedPages(), nil)
        return Survey(
            try PageSurvey(stream, plan: plan, maximumRecordBytes: engine.pipeline.source.maximumRecordBytes))
    }

    /// Reads the first page of a stream.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - survey: Gets the page.
    /// - Returns: What became of it.
    func read(_ stream: StreamDefinition, into survey: Survey) -> PipelineDrift.Reading {
        do {
            guard let page = try firstPage(of: stream) else {
                let parent = stream.parent.map { "for each record of `\($0.stream)`, and the store has none yet" }
                return .unasked("It asks \(parent ?? "for nothing").")
            }
            try survey.page?.read(page)
            return .page(records: survey.page?.records ?? 0)
        } catch {
            return .failure(engine.failure(error, access))
        }
    }

    /// The first page of a stream; nil where it has nothing to ask for.
    private func firstPage(of stream: StreamDefinition) throws -> Page? {
        let values = TemplateValues(startedAt: access.startedAt)
        let entity = engine.pipeline.entity(named: stream.entity)
        var series = Series(stream, values, showsValues: entity?.hasRedactions != true)
        series.reading = try engine.cursorRange(
            of: stream, kept: nil, overrides: engine.options.cursor, startedAt: access.startedAt)
        if let plan = try partitions(of: stream) {
            guard let partition = plan.asked.first else { return nil }
            series.values.partition = partition
            if let cursors = plan.cursors { series.reading = try cursors.reading(of: partition.key) }
        }
        // Of several windows the last one tells what the source sends today.
        if let windows = series.reading?.windows.count, windows > 1 {
            series.start = .resumed(PageToken(window: windows - 1), requests: [])
        }
        let fetched = try engine.makeFetcher(access, values).fetch(
            series, cancellation: engine.options.cancellation, onProgress: engine.observer.progress)
        guard var page = fetched.pages.first else { return nil }
        page.partition = series.values.partition
        return page
    }

    /// What a stream asks for one after the other; nil where it asks once.
    private func partitions(of stream: StreamDefinition) throws -> PartitionPlan? {
        guard let shape = PartitionShape(stream, in: engine.pipeline) else { return nil }
        if stream.parent == nil { return try engine.reader(of: shape, stream).plan(nil, memory: nil) }
        var alone = engine.options
        alone.streams = [stream.name]
        let engine = SyncEngine(pipeline: engine.pipeline, options: alone, observer: engine.observer)
        let parent = stream.parent?.stream ?? ""
        guard let store,
            try store.knownTable(
                pipeline: engine.pipeline.name, stream: parent, entity: shape.parentEntity) != nil
        else { return PartitionPlan(shape: shape) }
        return try engine.plan(stream, in: store, startedAt: access.startedAt, after: [:])
    }
}

internal import SluiceDecode
internal import SluiceModel
internal import SluicePipeline

/// What is known of a stream before it is read: what features depend on.
struct StreamFacts {
    let pipeline: PipelineDefinition
    let stream: StreamDefinition
    let entity: EntityDefinition
    /// How its records are decoded; nil where its mapping cannot be compiled, which the run tells.
    let plan: DecodePlan?
    /// The schemas of its records and of those within them.
    let schemas: [RecordSchema]
    /// The entities that it fills.
    let entities: [EntityDefinition]
    private let sharing: TableSharing

    /// Nil for a stream without an entity.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - pipeline: Its pipeline.
    ///   - sharing: Which streams of the pipeline fill which tables.
    init?(_ stream: StreamDefinition, in pipeline: PipelineDefinition, _ sharing: TableSharing) {
        guard let entity = pipeline.entity(named: stream.entity) else { return nil }
        (self.pipeline, self.stream, self.entity) = (pipeline, stream, entity)
        let schema = RecordSchema(pipeline: pipeline, stream: stream, entity: entity)
        let plan = try? DecodePlan(
            entity: entity, schema: schema, entriesKey: stream.entries, stream: stream,
            parts: NestedTree(pipeline: pipeline, stream: stream, entity: entity))
        self.plan = plan
        schemas = [schema] + (plan?.parts?.parts.map(\.plan.schema) ?? [])
        entities = TableSharing.entities(filledBy: stream, in: pipeline)
        self.sharing = sharing
    }

    /// Whether it asks over HTTP.
    var isHTTP: Bool { if case .http = pipeline.source.base { true } else { false } }

    /// Whether its pages are kept one by one, where it asks once.
    var isPaged: Bool { pipeline.commitsByPage }

    /// The other streams of the pipeline that fill one of some tables.
    func others(filling tables: Set<String>) -> [String] {
        sharing.streams(filling: tables).filter { $0 != stream.name }
    }
}

/// Which streams of a pipeline fill which tables.
struct TableSharing {
    /// The positions of the streams that fill a table, in their order.
    private let fillers: [String: [Int]]
    private let names: [String]

    init(of pipeline: PipelineDefinition) {
        names = pipeline.streams.map(\.name)
        var fillers: [String: [Int]] = [:]
        for (index, stream) in pipeline.streams.enumerated() {
            for table in Set(Self.entities(filledBy: stream, in: pipeline).map(\.table)) {
                fillers[table, default: []].append(index)
            }
        }
        self.fillers = fillers
    }

    /// The streams that fill one of some tables, in the order of the pipeline.
    func streams(filling tables: Set<String>) -> [String] {
        Set(tables.flatMap { fillers[$0] ?? [] }).sorted().map { names[$0] }
    }

    /// A stream's entity and those of what stands within its records.
    static func entities(filledBy stream: StreamDefinition, in pipeline: PipelineDefinition) -> [EntityDefinition] {
        let names = NestedTree.entities(of: stream, in: pipeline).union([stream.entity])
        return pipeline.entities.filter { names.contains($0.name) }
    }
}

extension PipelineDefinition {
    /// Whether runs keep each page as soon as it is merged.
    var commitsByPage: Bool {
        guard case .http = source.base else { return false }
        return commit == .page
    }
}

/// What fills a table: one stream of one pipeline with records of one entity.
public struct RecordMapping: Sendable, Hashable {
    /// The pipeline's name.
    public var pipeline: String
    /// The stream's name.
    public var stream: String
    /// The entity's name.
    public var entity: String

    /// Makes a mapping.
    public init(pipeline: String, stream: String, entity: String) {
        self.pipeline = pipeline
        self.stream = stream
        self.entity = entity
    }

    /// How the source is called where several are spoken of.
    public var path: String { "\(pipeline)/\(stream)" }
}

extension RecordSchema {
    /// What fills the table.
    public var source: RecordMapping { RecordMapping(pipeline: pipeline, stream: stream, entity: entity) }
}

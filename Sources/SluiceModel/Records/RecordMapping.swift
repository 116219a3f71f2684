/// What fills a table: one stream of one pipeline with records of one entity.
package struct RecordMapping: Sendable, Hashable {
    /// The pipeline's name.
    package var pipeline: String
    /// The stream's name.
    package var stream: String
    /// The entity's name.
    package var entity: String

    /// Makes a mapping.
    package init(pipeline: String, stream: String, entity: String) {
        self.pipeline = pipeline
        self.stream = stream
        self.entity = entity
    }

    /// How the source is called where several are spoken of.
    package var path: String { "\(pipeline)/\(stream)" }
}

extension RecordMapping: Comparable {
    /// By pipeline and stream; what a stream has of several entities by these.
    package static func < (left: Self, right: Self) -> Bool {
        (left.pipeline, left.stream, left.entity) < (right.pipeline, right.stream, right.entity)
    }
}

extension RecordSchema {
    /// What fills the table.
    package var source: RecordMapping { RecordMapping(pipeline: pipeline, stream: stream, entity: entity) }
}

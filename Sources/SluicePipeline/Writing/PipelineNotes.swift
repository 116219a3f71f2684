/// Comments for people in the text of a pipeline, each a line without its `#`.
package struct PipelineNotes: Sendable {
    /// At the beginning of the text.
    package var comment: [String]
    /// At the beginning of the source.
    package var source: [String] = []
    /// Of entities, by their names.
    package var entities: [String: [String]] = [:]
    /// Of fields, behind them, by the names of their entities and their own.
    package var fields: [String: [String: String]]
    /// At the end of the first stream.
    package var stream: [String]

    /// Makes notes.
    package init(
        comment: [String] = [], stream: [String] = [], fields: [String: [String: String]] = [:]
    ) {
        (self.comment, self.stream, self.fields) = (comment, stream, fields)
    }

    /// Notes on fields, whichever entity of a pipeline has them.
    ///
    /// - Parameters:
    ///   - comment: Lines for the beginning of the text.
    ///   - stream: Lines for the end of the first stream.
    ///   - notes: What to say of fields, by their names.
    ///   - pipeline: The pipeline.
    package init(
        comment: [String], stream: [String] = [], fields notes: [String: String], of pipeline: PipelineDefinition
    ) {
        self.init(comment: comment, stream: stream)
        for entity in pipeline.entities { fields[entity.name] = notes }
    }
}

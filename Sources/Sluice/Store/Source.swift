/// Where synced records come from, by name: what a source said before is remembered under it.
///
/// A source of a pipeline file is the same one where pipeline and stream have the same names.
public struct Source: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The pipeline.
    public let pipeline: String
    /// The stream; nil for the model's table.
    public let stream: String?

    /// Names a source.
    public init(pipeline: String, stream: String? = nil) {
        self.pipeline = pipeline
        self.stream = stream
    }

    /// A source of a name that is not in the program's text, such as one of its configuration.
    public init(_ name: String) { self.init(pipeline: name) }

    /// The source of a pipeline, whose stream is called like the model's table.
    public init(stringLiteral pipeline: String) { self.init(pipeline: pipeline) }
}
